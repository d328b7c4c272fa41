/** Advice on missing words and parentheses. */
import { t } from '#base/texts.ts';
import { keywords } from '#server/language/text/keywords.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { familyOf } from '../inspections/types.ts';
import { advise, inCaseOf, insertAt, replaceToken, type Advice } from './advice.ts';
import { clauseStarts } from './clauses.ts';
import { clauseBefore } from './parentheses.ts';

/** Handles a clause word used as a name, as in `SELECT a, order FROM t`. */
export function nameAfterComma(code: TokenList, span: StatementSpan, error: number): Advice | undefined {
  // For `SELECT order FROM t`, PostgreSQL reports the word after it.
  const at = error > span.firstToken + 1 && code.word(error - 2) === 'select' ? error - 1 : error;
  const word = code.word(at);
  const isName =
    ['order', 'group', 'limit', 'offset', 'window', 'fetch'].includes(word) &&
    (code.is(at - 1, ',') || code.word(at - 1) === 'select') &&
    (at === span.lastToken ||
      ['.', ',', ')'].some((symbol) => code.is(at + 1, symbol)) ||
      ['from', 'as'].includes(code.word(at + 1)));
  const hint = t('{0} is a reserved word. To use it as a name, write "{1}".', code.textOf(at), word);
  return isName ? advise(hint, t('Write {0}', `"${word}"`), replaceToken(code, at, `"${word}"`)) : undefined;
}

/** Handles `SELECT , a`. */
export function leadingComma(code: TokenList, _span: StatementSpan, at: number): Advice | undefined {
  const before = code.word(at - 1);
  return code.is(at, ',') &&
    (['select', 'from', 'where', 'by', 'distinct'].includes(before) || code.is(at - 1, '('))
    ? advise(
        t('There is nothing before this comma. Remove it.'),
        t('Remove the comma'),
        replaceToken(code, at, ''),
      )
    : undefined;
}

const beforeSubquery: ReadonlySet<string> = new Set(
  'from join exists where and or not when then else'.split(' '),
);

/** Handles `FROM SELECT`, `= SELECT`, `EXISTS SELECT` and `= ANY '...'`. */
export function subqueryWithoutParentheses(
  code: TokenList,
  span: StatementSpan,
  at: number,
): Advice | undefined {
  const before = code.word(at - 1);
  if (
    code.word(at) === 'select' &&
    (beforeSubquery.has(before) || code.kind(at - 1) === TokenKind.operator)
  ) {
    return { text: t('Put a subquery in parentheses: (SELECT ...).') };
  }
  return ['any', 'some'].includes(before) && at <= span.lastToken && !code.is(at, '(')
    ? {
        text: t('{0} takes an array or a subquery in parentheses: = ANY (ARRAY[1, 2]).', code.textOf(at - 1)),
      }
    : undefined;
}

/** Handles errors at the start of a statement, and text after its apparent end. */
export function brokenBeginning(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const { firstToken } = span;
  const word = code.word(at);
  if (
    at === firstToken &&
    code.is(at - 1, ';') &&
    (clauseStarts.has(word) || ['and', 'or', 'join', 'on'].includes(word))
  ) {
    return advise(
      t('The semicolon before it has ended the statement. Remove it to continue.'),
      t('Remove the semicolon'),
      replaceToken(code, at - 1, ''),
    );
  }
  if (at === firstToken && word === 'from')
    return { text: t('A query begins with SELECT and its columns; FROM comes after them.') };
  if (at === firstToken && code.word(at + 1) === 'as' && code.is(at + 2, '(')) {
    return advise(
      t('WITH is missing at the beginning.'),
      t('Write {0}', 'WITH'),
      insertAt(code.start(at), 'WITH '),
    );
  }
  const isWith = code.word(firstToken) === 'with' && !hasSelect(code, span, at);
  if (isWith && at > span.lastToken && code.is(at - 1, ')'))
    return { text: t('WITH names queries for the statement after it: continue with SELECT.') };
  const names = ['as', '('].includes(code.word(at + 1) || code.textOf(at + 1));
  return isWith && word !== '' && code.is(at - 1, ')') && names
    ? advise(
        t('Is a comma missing before {0}?', code.textOf(at)),
        t('Write a comma'),
        insertAt(code.end(at - 1), ','),
      )
    : undefined;
}

/** Returns whether a SELECT outside parentheses precedes the token. */
function hasSelect(code: TokenList, { firstToken }: StatementSpan, at: number): boolean {
  let depth = 0;
  for (let index = firstToken; index < at; index++) {
    depth += code.is(index, '(') ? 1 : code.is(index, ')') ? -1 : 0;
    if (depth === 0 && code.word(index) === 'select') return true;
  }
  return false;
}

/** Handles a missing word between two others. */
export function missingWord(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const word = code.word(at);
  const before = code.word(at - 1);
  const setOperation = ['all', 'distinct'].includes(before) ? at - 2 : at - 1;
  if (
    ['union', 'intersect', 'except'].includes(code.word(setOperation)) &&
    word !== '' &&
    word !== 'select'
  ) {
    const select = insertAt(code.start(at), inCaseOf(code, setOperation, 'select '));
    return advise(
      t('SELECT is missing after {0}.', code.textOf(at - 1).toUpperCase()),
      t('Write {0}', 'SELECT'),
      select,
    );
  }
  if (['and', 'or'].includes(word) && ['where', 'having', 'on', 'when'].includes(before)) {
    const text = t('{0} needs a condition before {1}.', before.toUpperCase(), word.toUpperCase());
    return advise(text, t('Remove {0}', code.textOf(at)), replaceToken(code, at, ''));
  }
  if (before === 'join' && ['on', 'using'].includes(word)) return { text: t('JOIN needs a table after it.') };
  if (code.is(at, '.') && code.word(at - 3) === 'join') {
    const on = insertAt(code.start(at - 1), inCaseOf(code, at - 3, 'on '));
    return advise(t('ON is missing before {0}.', code.textOf(at - 1)), t('Write {0}', 'ON'), on);
  }
  if (before === 'filter' && word === 'where')
    return { text: t('FILTER takes its condition in parentheses: FILTER (WHERE ...).') };
  if (word === 'then' && lastOf(code, span, at, ['when', 'case', 'then']) === 'case')
    return { text: t('WHEN is missing after CASE: CASE WHEN a = 1 THEN ... END.') };
  if (at <= span.lastToken && isValue(code, at) && lastOf(code, span, at, caseWords) === 'when') {
    const then = insertAt(code.start(at), inCaseOf(code, span.firstToken, 'then '));
    return advise(t('THEN is missing before {0}.', code.textOf(at)), t('Write {0}', 'THEN'), then);
  }
  if (['rollup', 'cube'].includes(before) && !code.is(at, '(')) {
    return {
      text: t('{0} takes its columns in parentheses: {0} (a, b).', before.toUpperCase()),
    };
  }
  if (code.is(at, '(') && code.word(at - 2) === 'window') {
    return advise(
      t('AS is missing before the window.'),
      t('Write {0}', 'AS'),
      insertAt(code.start(at), 'AS '),
    );
  }
  if (before === 'is')
    return { text: t('IS takes NULL, TRUE, FALSE, UNKNOWN and DISTINCT FROM. Compare values with =.') };
  const isFetch =
    at > span.lastToken && [3, 4].some((back) => code.word(at - back) === 'fetch') && before !== 'only';
  if (isFetch && (before === 'rows' || before === 'row')) {
    return advise(
      t('Write FETCH FIRST 5 ROWS ONLY, or LIMIT 5.'),
      t('Write {0}', 'ONLY'),
      insertAt(code.end(at - 1), inCaseOf(code, at - 1, ' only')),
    );
  }
  if (isFetch || (before === 'fetch' && code.kind(at) === TokenKind.number))
    return { text: t('Write FETCH FIRST 5 ROWS ONLY, or LIMIT 5.') };
  return missingInCall(code, at) ?? missingInOrder(code, at);
}

const caseWords: readonly string[] = ['case', 'when', 'then', 'else', 'end'];

/** Handles `extract(year d)`, `position('a', b)` and `CAST(a, int)`. */
function missingInCall(code: TokenList, at: number): Advice | undefined {
  const called = code.is(at - 2, '(') ? code.word(at - 3) : '';
  if (called === 'extract' && !code.is(at, ',')) {
    return advise(
      t('EXTRACT takes FROM after the field.'),
      t('Write {0}', 'FROM'),
      insertAt(code.start(at), 'FROM '),
    );
  }
  const wanted = called === 'position' ? 'IN' : called === 'cast' ? 'AS' : undefined;
  return wanted !== undefined && code.is(at, ',')
    ? advise(
        t('{0} takes {1} between the two.', called.toUpperCase(), wanted),
        t('Write {0}', wanted),
        replaceToken(code, at, ` ${wanted}`),
      )
    : undefined;
}

const directions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    descending: 'DESC',
    dsc: 'DESC',
    decs: 'DESC',
    ascending: 'ASC',
    acs: 'ASC',
  }),
);

function missingInOrder(code: TokenList, at: number): Advice | undefined {
  const word = code.word(at);
  const direction = directions.get(word);
  if (direction !== undefined)
    return advise(t('Write {0}.', direction), t('Write {0}', direction), replaceToken(code, at, direction));
  if (word === 'null' && ['first', 'last'].includes(code.word(at + 1)))
    return advise(t('Write {0}.', 'NULLS'), t('Write {0}', 'NULLS'), replaceToken(code, at, 'NULLS'));
  return word === 'nulls' && !['first', 'last'].includes(code.word(at + 1))
    ? { text: t('NULLS needs FIRST or LAST after it.') }
    : undefined;
}

function lastOf(
  code: TokenList,
  { firstToken }: StatementSpan,
  at: number,
  words: readonly string[],
): string | undefined {
  for (let index = at - 1; index >= firstToken; index--) {
    if (words.includes(code.word(index))) return code.word(index);
  }
  return undefined;
}

/** Handles `a[1 FROM t` and `j -> FROM t`. */
export function openEnd(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const isEnd = at > span.lastToken || clauseStarts.has(code.word(at)) || code.is(at, ')');
  if (!isEnd) return undefined;
  let depth = 0;
  for (let index = span.firstToken; index < at; index++)
    depth += code.is(index, '[') ? 1 : code.is(index, ']') ? -1 : 0;
  if (depth > 0) {
    return advise(
      t('A closing bracket is missing.'),
      t('Close the bracket'),
      insertAt(code.end(at - 1), ']'),
    );
  }
  const isOperator = code.kind(at - 1) === TokenKind.operator && code.textOf(at - 1) !== '*';
  return isOperator ? { text: t('{0} needs a value after it.', code.textOf(at - 1)) } : undefined;
}

/** Handles adjacent values, and conditions separated by a comma. */
export function missingBetween(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const clause = clauseBefore(code, at);
  const inCondition = clause === 'where' || clause === 'having';
  if (code.is(at, ',') && inCondition && (at === span.lastToken || clauseStarts.has(code.word(at + 1)))) {
    return advise(
      at === span.lastToken
        ? t('Remove the comma at the end, or continue after it.')
        : t('Remove the comma before {0}.', code.textOf(at + 1)),
      t('Remove the comma'),
      replaceToken(code, at, ''),
    );
  }
  if (code.is(at, ',')) {
    return inCondition
      ? advise(
          t('Join conditions with AND, not with a comma.'),
          t('Write {0}', 'AND'),
          replaceToken(code, at, inCaseOf(code, span.firstToken, ' and')),
        )
      : undefined;
  }
  if (at > span.lastToken || !isValue(code, at) || !(isValue(code, at - 1) || code.is(at - 1, ')')))
    return undefined;
  const written = code.textOf(at);
  const question = t('Is AND or OR missing before {0}?', written);
  // With AND before it, no condition begins here either.
  const isNoCondition =
    at < span.lastToken &&
    (isValue(code, at + 1) || code.word(at + 1) === 'with') &&
    !continues(code, at + 1) &&
    !isTypedConstant(code, at);
  if (inCondition && isNoCondition) return { text: question };
  return inCondition
    ? advise(
        question,
        t('Write {0}', 'AND'),
        insertAt(code.start(at), inCaseOf(code, span.firstToken, 'and ')),
      )
    : advise(
        t('Is a comma or an operator missing before {0}?', written),
        t('Write a comma'),
        insertAt(code.end(at - 1), ','),
      );
}

/** Returns whether the word, which may also be a name, goes on with a condition, as in `amount BETWEEN 1 AND 2`. */
function continues(code: TokenList, index: number): boolean {
  const next = code.word(index + 1);
  switch (code.word(index)) {
    case 'at':
      return next === 'time' || next === 'local';
    case 'operator':
      return code.is(index + 1, '(');
    default:
      return code.word(index) === 'between';
  }
}

/** Returns whether a condition begins with a type before its constant, as in `date '2026-01-31' < born`. */
function isTypedConstant(code: TokenList, at: number): boolean {
  const isZoned = code.word(at + 1) === 'with' && code.word(at + 2) === 'time';
  const constant = isZoned ? at + 4 : at + 1;
  const isType = familyOf(code.word(at)) !== 'other' || ['interval', 'time'].includes(code.word(at));
  const behind = constant + 1;
  const isCompared =
    code.kind(behind) === TokenKind.operator ||
    ['in', 'not', 'is'].includes(code.word(behind)) ||
    continues(code, behind);
  return isType && code.kind(constant) === TokenKind.string && isCompared;
}

function isValue(code: TokenList, index: number): boolean {
  const category = keywords.get(code.word(index));
  switch (code.kind(index)) {
    case TokenKind.word:
      return (
        category !== 'reserved' &&
        category !== 'typeOrFunctionName' &&
        code.word(index) !== 'nulls' &&
        /^[\p{L}_]/u.test(code.textOf(index))
      );
    case TokenKind.quotedName:
    case TokenKind.string:
    case TokenKind.number:
    case TokenKind.placeholder:
      return true;
    default:
      return false;
  }
}
