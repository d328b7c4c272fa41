/** Advice on names that mean something in other databases, or in other clauses. */
import { t } from '../../../../core/src/util/texts.ts';
import type { Edit } from '../text/edits.ts';
import { isAggregateName } from '../tree/aggregates.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { Finding } from './finding.ts';
import { castAdvice } from './foreign-calls.ts';
import { clauseBefore, clauseStarts } from './syntax/clauses.ts';
import type { StatementSpan } from '../text/statements.ts';
import { advise, insertAt, replaceToken, type Advice } from './syntax/advice.ts';

/** Names without parentheses that other databases read as calls. */
const calls: Readonly<Record<string, string>> = {
  sysdate: 'now()',
  systimestamp: 'now()',
  getdate: 'now()',
  today: 'current_date',
  curdate: 'current_date',
};

/** Returns advice on an unknown column or table. */
export function foreignName(
  code: TokenList,
  span: Pick<StatementSpan, 'firstToken'>,
  { index, problem }: { readonly index: number; readonly problem: Finding['code'] },
): Advice | undefined {
  const word = code.word(index);
  if (word === '' || code.is(index - 1, '.') || code.is(index + 1, '.')) return undefined;
  if (problem === 'UNKNOWN_TABLE') return word === 'dual' ? withoutFrom(code, index) : undefined;
  if (problem !== 'UNKNOWN_COLUMN') return undefined;
  const instead = Object.hasOwn(calls, word) ? calls[word] : undefined;
  if (instead !== undefined) {
    const days = daysAfter(code, index);
    const newText = instead === 'now()' && days !== undefined ? `now() ${days}` : instead;
    const end = newText === instead ? code.end(index) : code.end(index + 2);
    const edit = { start: code.start(index), end, newText };
    return advise(t('Write {0}.', newText), t('Write {0}', newText), edit);
  }
  if (word === 'rownum') return rowNumber(code, span, index);
  if (isOutputInWhere(code, span, index)) {
    return { text: t('WHERE cannot use the output "{0}", only columns. Repeat its expression.', word) };
  }
  // The type in `CONVERT(varchar, value)` and `CONVERT(value, char)`.
  return castAdvice(code, index);
}

/** Returns whether the name is in WHERE, and given with AS in the SELECT before it. */
function isOutputInWhere(code: TokenList, span: Pick<StatementSpan, 'firstToken'>, index: number): boolean {
  if (clauseBefore(code, span, index) !== 'where') return false;
  const name = code.word(index);
  let depth = 0;
  for (let at = index - 1; at >= span.firstToken; at--) {
    depth += code.is(at, ')') ? 1 : code.is(at, '(') ? -1 : 0;
    const word = depth === 0 ? code.word(at) : '';
    if (word === 'select') return false;
    // The alias of a table follows its FROM.
    if (word === 'as' && code.word(at + 1) === name && clauseBefore(code, span, at) === 'select') return true;
  }
  return false;
}

/** Returns the interval for `SYSDATE - 90`, which means days. */
function daysAfter(code: TokenList, index: number): string | undefined {
  const sign = code.textOf(index + 1);
  const days = code.textOf(index + 2);
  const isFactor = ['*', '/', '%', '^'].includes(code.textOf(index + 3));
  return (sign === '-' || sign === '+') && /^\d{1,6}$/.test(days) && !isFactor
    ? `${sign} INTERVAL '${days} day${days === '1' ? '' : 's'}'`
    : undefined;
}

/** Handles Oracle's `ROWNUM`, as a condition or as an output. */
function rowNumber(code: TokenList, span: Pick<StatementSpan, 'firstToken'>, index: number): Advice {
  if (clauseBefore(code, span, index) === 'select') {
    const call = 'row_number() OVER ()';
    return advise(t('Write {0}.', call), t('Write {0}', call), replaceToken(code, index, call));
  }
  const limited = rowsMax(code, index);
  const limit = `LIMIT ${limited?.rows ?? '...'}`;
  const text = t('Write {0} at the end of the query.', limit);
  const edits = limited && limitInstead(code, span, { first: index, last: limited.last, limit });
  return edits === undefined ? { text } : advise(text, t('Write {0}', limit), ...edits);
}

/** Returns how many rows `ROWNUM < 10` and similar comparisons let through, and the last token of the comparison. */
function rowsMax(
  code: TokenList,
  index: number,
): { readonly rows: number; readonly last: number } | undefined {
  const isRange =
    code.word(index + 1) === 'between' && code.textOf(index + 2) === '1' && code.word(index + 3) === 'and';
  const last = index + (isRange ? 4 : 2);
  const count = code.kind(last) === TokenKind.number ? Number(code.textOf(last)) : Number.NaN;
  const operator = code.textOf(index + 1);
  const isWhole = isRange || operator === '<=' || (operator === '=' && count === 1);
  const rows = operator === '<' ? count - 1 : isWhole ? count : Number.NaN;
  return Number.isSafeInteger(rows) && rows >= 0 ? { rows, last } : undefined;
}

/** Clauses before which Oracle counts rows, unlike LIMIT, and places where the query cannot take a LIMIT. */
const countsEarlier: ReadonlySet<string> = new Set(
  'group having distinct over union intersect except minus limit offset fetch for or'.split(' '),
);

/** Returns the edits that remove the condition and limit the query instead, where that gives as many rows. */
function limitInstead(
  code: TokenList,
  { firstToken }: Pick<StatementSpan, 'firstToken'>,
  { first, last, limit }: { readonly first: number; readonly last: number; readonly limit: string },
): readonly Edit[] | undefined {
  let depth = 0;
  let end = firstToken;
  for (; end < code.length && !code.is(end, ';'); end++) {
    depth += code.is(end, '(') ? 1 : code.is(end, ')') ? -1 : 0;
    const word = depth === 0 ? code.word(end) : '';
    const isAggregate = code.is(end + 1, '(') && isAggregateName(word);
    if (countsEarlier.has(word) || isAggregate || (end === first && depth > 0)) return undefined;
  }
  const before = code.word(first - 1);
  const after = last + 1 < end ? code.word(last + 1) : '';
  const isWhole = last + 1 === end || clauseStarts.has(after);
  const isOperand = isWhole || after === 'and';
  // The second AND of `a BETWEEN 1 AND rownum` joins no conditions.
  const isJoined = before === 'and' && ![2, 3, 4].some((back) => code.word(first - back) === 'between');
  if (!isOperand || !(before === 'where' || isJoined)) return undefined;
  const removed =
    before === 'where' && !isWhole
      ? { start: code.start(first), end: code.start(last + 2), newText: '' }
      : { start: code.end(first - 2), end: code.end(last), newText: '' };
  return last === end - 1
    ? [{ ...removed, newText: ` ${limit}` }]
    : [removed, insertAt(code.end(end - 1), ` ${limit}`)];
}

/** Handles `SELECT 1 FROM dual`. */
function withoutFrom(code: TokenList, index: number): Advice {
  const text = t('PostgreSQL has no {0}: leave it out.', 'FROM dual');
  if (code.word(index - 1) !== 'from' || code.is(index + 1, ',')) return { text };
  const removed = { start: code.end(index - 2), end: code.end(index), newText: '' };
  return advise(text, t('Remove {0}', code.text.slice(code.start(index - 1), code.end(index))), removed);
}
