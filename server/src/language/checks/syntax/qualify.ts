/** Advice on QUALIFY, which PostgreSQL does not have: an outer query filters instead. */
import { t } from '#base/texts.ts';
import { nameAt } from '#server/language/text/identifiers.ts';
import { keywords } from '#server/language/text/keywords.ts';
import { TokenKind, type TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { advise, inCaseOf, insertAt, type Advice } from './advice.ts';

/** Without AS, QUALIFY after a table is read as its alias, so the error is at the condition. */
export function qualify(code: TokenList, span: StatementSpan, at: number): Advice | undefined {
  const own = [at - 1, at].find((index) => index >= span.firstToken && code.word(index) === 'qualify');
  if (own === undefined || own >= span.lastToken || code.word(own - 1) === 'as' || code.is(own - 1, '.'))
    return undefined;
  const text = t(
    'PostgreSQL has no QUALIFY: put the query in parentheses after FROM and filter it with WHERE.',
  );
  const query = readQuery(code, span, own);
  return query === undefined ? { text } : withFix(code, text, query);
}

interface QualifiedQuery {
  readonly select: number;
  readonly from: number;
  readonly qualify: number;
  /** The last token of the condition. */
  readonly last: number;
  readonly columns: readonly OutputColumn[];
}

interface OutputColumn {
  readonly name: string;
  /** The name as written. */
  readonly text: string;
  /** Whether the name differs from the column that it stands for. */
  readonly isNew: boolean;
}

const flag = 'is_qualified';
const setWords = new Set(['union', 'intersect', 'except', 'into', 'window', 'for']);
const endWords = new Set(['order', 'limit', 'offset', 'fetch']);

/**
 * Reads a statement whose rows and columns stay the same in an outer query. Undefined if that is not certain: the
 * outer query must name each column, and it can sort only by those.
 */
function readQuery(code: TokenList, span: StatementSpan, own: number): QualifiedQuery | undefined {
  let depth = 0;
  let select: number | undefined;
  let from: number | undefined;
  let end = span.lastToken + 1;
  for (let index = span.firstToken; index <= span.lastToken; index++) {
    depth += code.is(index, '(') || code.is(index, '[') ? 1 : 0;
    depth -= code.is(index, ')') || code.is(index, ']') ? 1 : 0;
    // In parentheses, QUALIFY belongs to a subquery.
    if (depth < 0 || (index === own && depth > 0)) return undefined;
    const word = depth === 0 ? code.word(index) : '';
    if (setWords.has(word) || (word === 'qualify' && index !== own)) return undefined;
    if (word === 'select') select = index;
    if (word === 'from' && index < own) from ??= index;
    if (endWords.has(word) && index < own) return undefined;
    if (endWords.has(word)) end = Math.min(end, index);
    if (code.is(index, ';')) end = Math.min(end, index);
  }
  if (select === undefined || from === undefined || depth !== 0 || !(select < from && from < own))
    return undefined;
  const columns = outputColumns(code, select + 1, from);
  const query = columns && { select, from, qualify: own, last: end - 1, columns };
  return query !== undefined && own < end - 1 && isSortedByOutput(code, end, span.lastToken, query)
    ? query
    : undefined;
}

/** Returns the columns of a list; undefined unless each has a name of its own. */
function outputColumns(code: TokenList, first: number, end: number): readonly OutputColumn[] | undefined {
  const columns: OutputColumn[] = [];
  let depth = 0;
  let start = first;
  for (let index = first; index <= end; index++) {
    depth += code.is(index, '(') || code.is(index, '[') ? 1 : 0;
    depth -= code.is(index, ')') || code.is(index, ']') ? 1 : 0;
    if (index < end && (depth > 0 || !code.is(index, ','))) continue;
    const last = index - 1;
    const name = last < start ? undefined : nameAt(code, last);
    const isNamed = code.word(last - 1) === 'as' && last - 1 > start;
    const isColumn = last === start || (last === start + 2 && code.is(start + 1, '.'));
    // An alias without AS cannot be told from other syntax, and DISTINCT applies after QUALIFY.
    if (name === undefined || !(isNamed || isColumn) || isReserved(code, last)) return undefined;
    if (name === flag || columns.some((each) => each.name === name)) return undefined;
    const isNew = isNamed && !(last === start + 2 && nameAt(code, start) === name);
    columns.push({ name, text: code.textOf(last), isNew });
    start = index + 1;
  }
  return code.word(first) === 'distinct' || code.word(first) === 'all' ? undefined : columns;
}

const isReserved = (code: TokenList, index: number): boolean => {
  const category = code.kind(index) === TokenKind.word ? keywords.get(code.word(index)) : undefined;
  return category !== undefined && category !== 'unreserved';
};

/** Words after a column in ORDER BY. */
const sortWords = new Set('order by asc desc nulls first last'.split(' '));

/** Returns whether the rest of the query names only output columns. */
function isSortedByOutput(
  code: TokenList,
  first: number,
  last: number,
  { columns }: Pick<QualifiedQuery, 'columns'>,
): boolean {
  if (code.word(first) !== 'order') return true;
  for (let index = first; index <= last && (index === first || !endWords.has(code.word(index))); index++) {
    const isSyntax =
      sortWords.has(code.word(index)) ||
      code.is(index, ',') ||
      code.is(index, ';') ||
      code.kind(index) === TokenKind.number;
    if (!isSyntax && !columns.some(({ name }) => name === nameAt(code, index))) return false;
  }
  return true;
}

/**
 * A condition with a window function becomes a column of the inner query. Other conditions are about its output, since
 * only there they have names for the results of window functions.
 */
function withFix(code: TokenList, text: string, query: QualifiedQuery): Advice {
  const { select, from, qualify: own, last, columns } = query;
  const tokens = Array.from({ length: last - own }, (_, index) => own + 1 + index);
  const isWindow = tokens.some((index) => code.word(index) === 'over');
  const names = tokens.filter((index) => isColumnName(code, index));
  const named = (index: number) => columns.find(({ name }) => name === nameAt(code, index));
  const isCertain = isWindow
    ? // The name of an output cannot be used beside it.
      names.every((index) => named(index)?.isNew !== true)
    : names.every(
        (index) => named(index) !== undefined && !code.is(index - 1, '.') && !code.is(index + 1, '.'),
      ) && tokens.every((index) => code.word(index) !== 'select');
  if (!isCertain) return { text };
  const write = (words: string): string => inCaseOf(code, select, words);
  const condition = code.text.slice(code.start(own + 1), code.end(last));
  const list = columns.map((column) => column.text).join(', ');
  return advise(
    text,
    t('Filter in an outer query'),
    insertAt(code.start(select), `${write('select')} ${list} ${write('from')} (`),
    ...(isWindow ? [insertAt(code.end(from - 1), `, ${condition} ${write('as')} ${flag}`)] : []),
    {
      start: code.start(own),
      end: code.end(last),
      newText: `) ${write('as')} qualified ${write('where')} ${isWindow ? flag : condition}`,
    },
  );
}

/** Returns whether the token may be a column: neither a keyword of expressions nor a function. */
const isColumnName = (code: TokenList, index: number): boolean =>
  nameAt(code, index) !== undefined && !isReserved(code, index) && !code.is(index + 1, '(');
