/** Classifies the words that structure a statement. */
import { keywords } from '#server/language/text/keywords.ts';
import { isOperandKind, TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';

export const queryWords = new Set(['select', 'with', 'values', 'table']);
export const setWords = new Set(['union', 'intersect', 'except']);
export const clauseWords = new Set(
  'from where group having window order limit offset fetch for into'.split(' '),
);
const joinWords = new Set('join natural cross inner left right full'.split(' '));
/** Reserved words that end an operand. */
const operandWords = new Set(
  `null true false end current_user user session_user current_date current_time current_timestamp localtime
   localtimestamp`.split(/\s+/),
);
/** Unreserved words that an operand follows. */
const leadingWords = new Set('by escape zone between value recursive values preceding following'.split(' '));

export const isStart = (code: TokenList, index: number): boolean =>
  ['select', 'values', 'table', 'insert', 'update', 'delete', 'merge'].includes(code.word(index));

export const isReserved = (code: TokenList, index: number): boolean => {
  const category = keywords.get(code.word(index));
  return category === 'reserved' && !code.is(index - 1, '.');
};

/** Recognizes unreserved words that are syntax in some positions, by their neighbors. */
export function isSyntaxWord(code: TokenList, index: number): boolean {
  const [before, after] = [code.word(index - 1), code.word(index + 1)];
  const isBeforeBracket = code.is(index - 1, ')') && code.is(index + 1, '(');
  switch (code.word(index)) {
    case 'nulls':
      return after === 'first' || after === 'last';
    case 'first':
    case 'last':
      return before === 'nulls';
    case 'over':
      return code.is(index - 1, ')');
    case 'filter':
      return isBeforeBracket;
    case 'within':
      return after === 'group';
    case 'partition':
      return after === 'by';
    case 'grouping':
      return after === 'sets';
    case 'by':
      return before === 'partition' || before === 'group' || before === 'order';
    case 'rows':
    case 'range':
    case 'groups':
      return ['between', 'unbounded', 'current'].includes(after) || code.kind(index + 1) === TokenKind.number;
    case 'unbounded':
      return after === 'preceding' || after === 'following';
    case 'current':
      return after === 'row';
    case 'preceding':
    case 'following':
      return before === 'unbounded' || code.kind(index - 1) === TokenKind.number;
    case 'row':
      return before === 'current';
    case 'normalized':
      return ['is', 'not', 'nfc', 'nfd', 'nfkc', 'nfkd'].includes(before);
    case 'nfc':
    case 'nfd':
    case 'nfkc':
    case 'nfkd':
      return after === 'normalized';
    case 'local':
      return before === 'at';
    case 'document':
    case 'unknown':
      return before === 'is' || before === 'not';
    case 'value':
    case 'scalar':
    case 'array':
    case 'object':
      return before === 'json' && ['is', 'not'].includes(code.word(index - 2));
    case 'keys':
      return before === 'unique';
    case 'collation':
      return after === 'for';
    default:
      return false;
  }
}

/** Recognizes FROM in `IS DISTINCT FROM` and `ROWS FROM (`, GROUP in `WITHIN GROUP`, and FOR in `COLLATION FOR (`. */
export function isPartOfExpression(code: TokenList, index: number): boolean {
  const before = code.word(index - 1);
  const word = code.word(index);
  const isDistinct = before === 'distinct' && ['is', 'not'].includes(code.word(index - 2));
  const isOfRows = before === 'rows' && code.word(index - 2) !== 'select' && code.is(index + 1, '(');
  return (
    (word === 'from' && (isDistinct || isOfRows)) ||
    (word === 'group' && before === 'within') ||
    (word === 'for' && before === 'collation' && code.is(index + 1, '('))
  );
}

export function endsOperand(code: TokenList, index: number): boolean {
  const kind = code.kind(index);
  if (kind !== TokenKind.word) return isOperandKind(kind) || code.is(index, ')') || code.is(index, ']');
  const word = code.word(index);
  const category = keywords.get(word);
  const isSyntax = category === 'reserved' || category === 'typeOrFunctionName';
  return code.is(index - 1, '.') || (isSyntax ? operandWords.has(word) : !leadingWords.has(word));
}

/** Returns whether the word belongs to a join. `left(...)` and `right(...)` are function calls. */
export function isJoinWord(code: TokenList, index: number): boolean {
  const word = code.word(index);
  const isCall = (word === 'left' || word === 'right') && code.is(index + 1, '(');
  return joinWords.has(word) && !code.is(index + 1, '.') && !isCall;
}

/** Functions with FROM between the arguments. */
const callsWithFrom = new Set('extract overlay position substring trim'.split(' '));

/**
 * Returns whether a word must be outside the bracket at `open`, since it continues a statement that starts outside. For
 * example, in an unclosed `count(`, the next FROM belongs to the outer query.
 */
export function isBehind(code: TokenList, open: number, index: number): boolean {
  switch (code.word(index)) {
    case 'from':
      return !isPartOfExpression(code, index) && !takesFrom(code, open, index) && !holdsStatement(code, open);
    case 'where':
      return code.word(open - 1) !== 'filter' && !holdsStatement(code, open);
    case 'union':
    case 'intersect':
    case 'except':
      return ['select', 'all'].includes(code.word(index + 1)) && !holdsStatement(code, open);
    default:
      return false;
  }
}

/** Returns whether this is the first FROM in a call to a function that takes FROM. */
function takesFrom(code: TokenList, open: number, index: number): boolean {
  if (!callsWithFrom.has(code.word(open - 1))) return false;
  let first = open + 1;
  while (first < index && code.word(first) !== 'from') first++;
  return first === index;
}

function holdsStatement(code: TokenList, open: number): boolean {
  let index = open;
  while (code.is(index, '(')) index++;
  return queryWords.has(code.word(index)) || isStart(code, index);
}
