/** Advice on names that mean something in other databases, or in other clauses. */
import { t } from '#base/texts.ts';
import type { Edit } from '../text/edits.ts';
import { TokenKind, type TokenList } from '../text/lexer/tokens.ts';
import type { StatementSpan } from '../text/statements.ts';
import { isAggregateName } from '../tree/aggregates.ts';
import type { Finding } from './finding.ts';
import { castAdvice, firstTypeAdvice } from './foreign-calls.ts';
import { unitOf } from './foreign-units.ts';
import { advise, insertAt, replaceToken, type Advice } from './syntax/advice.ts';
import { characterIn } from './syntax/characters.ts';
import { clauseStarts } from './syntax/clauses.ts';
import { clauseBefore, closingOf } from './syntax/parentheses.ts';

/** Names without parentheses that other databases read as calls. */
const calls: Readonly<Record<string, string>> = {
  sysdate: 'now()',
  systimestamp: 'now()',
  getdate: 'now()',
  today: 'current_date',
  curdate: 'current_date',
};

/** Advice on a name; if it is certain, nothing else about the name is worth saying. */
export interface NameAdvice extends Advice {
  readonly isCertain?: true;
}

/** How far advice reads, in tokens: there may be thousands of unknown names in a statement. */
const farthest = 500;

/** Returns advice on an unknown column or table. */
export function foreignName(
  code: TokenList,
  span: Pick<StatementSpan, 'firstToken'>,
  { index, problem }: { readonly index: number; readonly problem: Finding['code'] },
): NameAdvice | undefined {
  const word = code.word(index);
  const statement = {
    ...span,
    // Read on need: there may be thousands of unknown names in a long statement.
    get lastToken() {
      let last = index;
      while (last + 1 < code.length && last < index + farthest && !code.is(last + 1, ';')) last++;
      return last;
    },
  };
  const written = textInQuotes(code, index) ?? characterIn(code, statement, index);
  const certain =
    written ??
    (problem === 'UNKNOWN_COLUMN'
      ? (variable(code, index) ?? outputAsColumn(code, span, index) ?? firstTypeAdvice(code, index))
      : undefined);
  if (certain !== undefined) return { ...certain, isCertain: true };
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
  const called = [index - 2, index - 4].find((at) => code.word(at) === 'date_trunc');
  if (called !== undefined && unitOf(word) !== undefined) {
    const unit = `'${word}'`;
    return code.is(index - 1, '(')
      ? advise(t('Write {0}.', unit), t('Write {0}', unit), replaceToken(code, index, unit))
      : { text: t('Write {0}.', `date_trunc(${unit}, ${code.textOf(index - 2)})`) };
  }
  // The type in `CONVERT(varchar, value)` and `CONVERT(value, char)`.
  return castAdvice(code, index);
}

/** Handles `‘jonas’` and `“jonas”` after a comparison, which PostgreSQL reads as names. */
function textInQuotes(code: TokenList, index: number): Advice | undefined {
  const text = /^[‘’‚‛“”„]([^‘’“”"']*)[‘’“”]$/.exec(code.textOf(index))?.[1];
  const isValue = /^(?:=|<>|!=|<|>|<=|>=|like|ilike|\(|,)$/.test(code.textOf(index - 1).toLowerCase());
  if (text === undefined || !isValue) return undefined;
  const newText = `'${text}'`;
  return advise(
    t("{0} is read as a name. Put text in straight single quotes: 'text'.", code.textOf(index)),
    t('Write {0}', newText),
    replaceToken(code, index, newText),
  );
}

/** Handles `@name`, which PostgreSQL reads as an operator and a column. */
function variable(code: TokenList, index: number): Advice | undefined {
  const isVariable = code.textOf(index - 1) === '@' && code.end(index - 1) === code.start(index);
  const name = code.textOf(index);
  return isVariable && /^[A-Za-z_]\w*$/.test(name)
    ? advise(
        t('Write a parameter as :name, without a space: its value is bound when the query runs.'),
        t('Write {0}', `:${name}`),
        { start: code.start(index - 1), end: code.end(index), newText: `:${name}` },
      )
    : undefined;
}

/** Handles a name in WHERE or HAVING that the SELECT before it gives to an output, with or without AS. */
function outputAsColumn(
  code: TokenList,
  span: Pick<StatementSpan, 'firstToken'>,
  index: number,
): Advice | undefined {
  const clause = clauseBefore(code, index);
  const name = code.word(index);
  if ((clause !== 'where' && clause !== 'having') || name === '' || code.is(index - 1, '.')) return undefined;
  let depth = 0;
  for (let at = index - 1; at >= Math.max(span.firstToken, index - farthest); at--) {
    depth += code.is(at, ')') ? 1 : code.is(at, '(') ? -1 : 0;
    if (depth < 0 || (depth === 0 && code.word(at) === 'select')) return undefined;
    const ends = code.is(at + 1, ',') || code.word(at + 1) === 'from';
    const isOutput = depth === 0 && code.word(at) === name && ends && clauseBefore(code, at) === 'select';
    const hasAs = code.word(at - 1) === 'as';
    const last = hasAs ? at - 2 : at - 1;
    // The alias of a table follows its FROM, and a column alone is no alias.
    if (!isOutput || code.is(last, ',') || code.is(last, '.') || code.word(last) === 'select') continue;
    return repeated(code, { clause, index, last });
  }
  return undefined;
}

/** Returns advice to write an output's expression, which ends at the token `last`, instead of its name. */
function repeated(
  code: TokenList,
  {
    clause,
    index,
    last,
  }: { readonly clause: 'where' | 'having'; readonly index: number; readonly last: number },
): Advice {
  let depth = 0;
  let first = last;
  let isAggregated = false;
  for (
    ;
    !(depth === 0 && (code.is(first - 1, ',') || /^(?:select|distinct|all)$/.test(code.word(first - 1))));
    first--
  ) {
    depth += code.is(first, ')') ? 1 : code.is(first, '(') ? -1 : 0;
    isAggregated ||=
      code.is(first, '(') && (isAggregateName(code.word(first - 1)) || code.word(first - 1) === 'over');
  }
  isAggregated ||= code.is(first + 1, '(') && isAggregateName(code.word(first));
  const expression = code.text.slice(code.start(first), code.end(last));
  const name = code.textOf(index);
  if (isAggregated && clause === 'where') {
    return {
      text: t(
        'WHERE cannot use the output "{0}", which is computed later. Put the condition in HAVING, or in a query around this one.',
        name,
      ),
    };
  }
  const text =
    clause === 'where'
      ? t('WHERE cannot use the output "{0}", only columns. Repeat its expression.', name)
      : t('HAVING cannot use the output "{0}", only columns. Repeat its expression.', name);
  const isCall =
    first === last ||
    /^[\w.]+$/.test(expression) ||
    (code.is(first + 1, '(') && closingOf(code, first + 1) === last);
  const newText = isCall ? expression : `(${expression})`;
  return advise(text, t('Repeat the expression'), replaceToken(code, index, newText));
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
  if (clauseBefore(code, index) === 'select') {
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
    if (end > firstToken + farthest) return undefined;
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
