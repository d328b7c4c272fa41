/** Reads the names and subqueries in expressions. */
import { nameAt } from '#server/language/text/identifiers.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { Clause, OutlineSelect } from './outline.ts';
import { isWholeQuery, type OutlineReading, type Visible } from './reading.ts';
import { endsOperand, isReserved, isSyntaxWord } from './words.ts';

export function readExpression(
  r: OutlineReading,
  select: OutlineSelect,
  first: number,
  last: number,
  clause: Clause,
  tables: Visible | undefined,
): void {
  const { code } = r;
  const opens: number[] = [];
  for (let index = first; index <= last; index++) {
    if (code.is(index, '(') && isWholeQuery(r, index, last)) {
      const close = r.skip(index, last);
      r.query(index + 1, close - (code.is(close, ')') ? 1 : 0), select, tables);
      index = close;
    } else if (opensBracket(code, index)) {
      opens.push(index);
    } else if (closesBracket(code, index)) {
      opens.pop();
    } else if (r.at === undefined && nameAt(code, index) !== undefined) {
      index = readMention(r, select, index, [first, last], clause, opens);
    }
  }
}

/** Reads the name that starts at `first`. Returns its last token. */
function readMention(
  r: OutlineReading,
  select: OutlineSelect,
  first: number,
  [from, last]: readonly [number, number],
  clause: Clause,
  opens: readonly number[],
): number {
  const { code } = r;
  if ((isReserved(code, first) || isSyntaxWord(code, first)) && !code.is(first - 1, '.')) return first;
  const tokens = [first];
  let end = first;
  while (end + 2 <= last && code.is(end + 1, '.') && nameAt(code, end + 2) !== undefined) {
    end += 2;
    tokens.push(end);
  }
  if (tokens.length === 1 && isWindowName(code, first)) {
    select.mentions.push({ tokens, hasStar: false, clause: 'window' });
    return end;
  }
  const hasStar = code.is(end + 1, '.') && code.is(end + 2, '*');
  const isElsewhere =
    code.is(end + 1, '(') ||
    code.is(first - 1, '::') ||
    code.is(first - 1, '.') ||
    code.is(end + 1, '=>') ||
    code.is(end + 1, ':=') ||
    ['as', 'over', 'collate', 'nulls'].includes(code.word(first - 1)) ||
    (code.word(end + 1) === 'from' && code.is(first - 1, '(') && code.word(first - 2) === 'extract') ||
    (code.kind(end + 1) === TokenKind.string && tokens.length === 1 && code.kind(first) === TokenKind.word);
  if (isElsewhere) {
    tokens.forEach((token) => r.others.add(token));
  } else if (first === from || tokens.length > 1 || !endsOperand(code, first - 1)) {
    const isWhole = isWholeElement(code, [first, end], [from, last], clause, opens);
    select.mentions.push({ tokens, hasStar, clause: isWhole ? clause : 'expression' });
  }
  return end;
}

/** Returns whether the word names a window, as in `OVER w`, `OVER (w ...)` and `WINDOW v AS (w ...)`. */
function isWindowName(code: TokenList, index: number): boolean {
  if (code.word(index - 1) === 'over') return code.is(index - 2, ')');
  const before = code.word(index - 2);
  const opensWindow =
    code.is(index - 1, '(') &&
    ((before === 'over' && code.is(index - 3, ')')) ||
      (before === 'as' && (code.word(index - 4) === 'window' || code.is(index - 4, ','))));
  return opensWindow && !['partition', 'order', 'rows', 'range', 'groups'].includes(code.word(index));
}

/**
 * Returns whether the tokens are a whole element of ORDER BY or GROUP BY, which may name an output: brackets around one
 * name do not matter, and in GROUP BY neither do lists, ROLLUP, CUBE and GROUPING SETS.
 */
function isWholeElement(
  code: TokenList,
  [first, end]: readonly [number, number],
  [from, last]: readonly [number, number],
  clause: Clause,
  opens: readonly number[],
): boolean {
  const startsHere =
    first === from || code.is(first - 1, ',') || ['distinct', 'all'].includes(code.word(first - 1));
  const endsHere =
    end >= last || code.is(end + 1, ',') || ['asc', 'desc', 'nulls', 'using'].includes(code.word(end + 1));
  const open = opens.at(-1);
  if (open === undefined) return startsHere && endsHere;
  const closesHere = end >= last || closesBracket(code, end + 1);
  const isAlone = open === first - 1 && closesHere;
  const isElement =
    (code.is(first - 1, '(') || code.is(first - 1, ',')) && (closesHere || code.is(end + 1, ','));
  if (!(isAlone || (clause === 'group' && isElement))) return false;
  const word = code.word(open - 1);
  const isSet = clause === 'group' && ['rollup', 'cube', 'sets'].includes(word);
  const isCall = !isSet && open > from && nameAt(code, open - 1) !== undefined && !isReserved(code, open - 1);
  const start = !isSet ? open : word === 'sets' ? open - 2 : open - 1;
  const close = closesHere ? end + 1 : closeBehind(code, end, last);
  return !isCall && isWholeElement(code, [start, close], [from, last], clause, opens.slice(0, -1));
}

const opensBracket = (code: TokenList, at: number): boolean => code.is(at, '(') || code.is(at, '[');

const closesBracket = (code: TokenList, at: number): boolean => code.is(at, ')') || code.is(at, ']');

function closeBehind(code: TokenList, index: number, last: number): number {
  let depth = 0;
  for (let at = index + 1; at <= last; at++) {
    if (opensBracket(code, at)) depth++;
    else if (closesBracket(code, at) && depth-- === 0) return at;
  }
  return last + 1;
}
