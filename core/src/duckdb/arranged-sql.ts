/** The SELECT by which DuckDB sorts and filters a file, as the panel does with rows in memory. */
import { writeDeepJson } from '#api/client/answers/deep-json.ts';
import { parseJson, scalarText } from '#api/client/json.ts';
import { quoteName, quoteText } from '#base/sql-names.ts';
import type { ColumnKind } from '../rows/column-kind.ts';
import { orderOf } from '../rows/order/type-order.ts';
import type {
  ColumnFilter,
  CompareOperator,
  FilterRule,
  SortAndFilters,
  StoreColumn,
  TextOperator,
} from '../rows/rows.ts';

export interface ArrangedColumn extends StoreColumn {
  /** As the rows show it: a column of CSV has no type, but may be one of numbers. */
  readonly kind: ColumnKind;
}

export interface Arrangement extends SortAndFilters {
  /** The columns that filters and sort keys mean. */
  readonly columns: readonly ArrangedColumn[];
}

/** The column by which DuckDB numbers the rows of Parquet, so that equal rows have one order. */
export const rowNumber = 'file_row_number';

/** A part of the sorted rows: DuckDB finds a few first ones without sorting all. */
export interface SortedPart {
  readonly offset: number;
  /** Undefined for all that follow. */
  readonly limit: number | undefined;
}

export function arrangedSql(
  table: string,
  { columns, sort, filters }: Arrangement,
  part?: SortedPart,
): string {
  const keys = sort.flatMap(({ column, descending }) => {
    const of = columns[column];
    return of === undefined
      ? []
      : orderKeys(of).map((key) => `${key}${descending ? ' DESC' : ''} NULLS LAST`);
  });
  const from = `FROM ${quoteName(table)}${whereOf(columns, filters)}`;
  if (part !== undefined) {
    const limit = part.limit === undefined ? '' : ` LIMIT ${part.limit}`;
    const order = [...keys, rowNumber].join(', ');
    return `SELECT * EXCLUDE (${rowNumber}) ${from} ORDER BY ${order}${limit} OFFSET ${part.offset}`;
  }
  return `SELECT * ${from}${keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}`}`;
}

/** Counts the rows that match. */
export function countSql(table: string, { columns, filters }: Arrangement): string {
  return `SELECT count(*) FROM ${quoteName(table)}${whereOf(columns, filters)}`;
}

/** Counts each value of a column in the rows that match the other columns' filters, and all of its values. */
export function valuesSql(
  table: string,
  { columns, filters }: Arrangement,
  { column, limit }: { readonly column: number; readonly limit: number },
): string {
  const name = nameOf(columns[column]);
  const others = filters.filter((filter) => filter.column !== column);
  const counted = `SELECT ${name} AS v, count(*) AS n FROM ${quoteName(table)}${whereOf(columns, others)} GROUP BY 1`;
  return `SELECT v, n, count(*) OVER () AS distinct_values FROM (${counted}) ORDER BY n DESC, v NULLS LAST LIMIT ${limit}`;
}

const nameOf = (column: StoreColumn | undefined): string => quoteName(column?.name ?? '');

/** Texts are compared without case and accents first, like those in memory. */
function orderKeys(column: ArrangedColumn): readonly string[] {
  const name = nameOf(column);
  if (!isWritten(column)) return [name];
  const text = textOf(column);
  const value = valueOf(column);
  return [...(value === undefined ? [] : [value]), folded(text), text];
}

function whereOf(columns: readonly ArrangedColumn[], filters: readonly ColumnFilter[]): string {
  const conditions = filters.flatMap(({ column, rule }) => {
    const of = columns[column];
    return of === undefined ? [] : [`(${condition(of, rule)})`];
  });
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** Whether the values are texts or composed ones, which are compared by their text. */
function isWritten({ type, kind }: ArrangedColumn): boolean {
  return type === '' || type === 'text' || kind === 'json';
}

/** The value of a text that is shown as a number or a time; undefined for other columns. */
function valueOf(column: ArrangedColumn): string | undefined {
  if (column.type !== '' && column.type !== 'text') return undefined;
  if (column.kind === 'number') return `TRY_CAST(${nameOf(column)} AS DOUBLE)`;
  return column.kind === 'time' ? `TRY_CAST(${nameOf(column)} AS TIMESTAMPTZ)` : undefined;
}

/** The text of a value as the rows show it. */
function textOf(column: ArrangedColumn): string {
  const name = nameOf(column);
  switch (column.type) {
    case 'jsonb':
      return `CAST(to_json(${name}) AS VARCHAR)`;
    case 'bytea':
      return String.raw`('\x' || lower(hex(${name})))`;
    case 'float4':
    case 'float8':
      return String.raw`regexp_replace(CAST(${name} AS VARCHAR), '\.0$', '')`;
    default:
      // DuckDB's optimizer would take the cast away and compare values, of which a text may be none.
      return `(CAST(${name} AS VARCHAR) || '')`;
  }
}

function condition(column: ArrangedColumn, rule: FilterRule): string {
  const name = nameOf(column);
  switch (rule.kind) {
    case 'null':
      return `${name} IS ${rule.isNull ? '' : 'NOT '}NULL`;
    case 'values':
      return isOneOf(column, rule.values);
    case 'compare':
      return comparison(column, rule.operator, rule.text.trim());
    case 'text': {
      const cased = (text: string) => (rule.matchCase ? text : `lower(${text})`);
      return textTests[rule.operator](cased(textOf(column)), cased(quoteText(rule.text)));
    }
    default:
      return rule satisfies never;
  }
}

const textTests: Readonly<Record<TextOperator, (text: string, wanted: string) => string>> = {
  contains: (text, wanted) => `contains(${text}, ${wanted})`,
  'does-not-contain': (text, wanted) => `NOT contains(${text}, ${wanted})`,
  'starts-with': (text, wanted) => `starts_with(${text}, ${wanted})`,
  'ends-with': (text, wanted) => `ends_with(${text}, ${wanted})`,
  equals: (text, wanted) => `${text} = ${wanted}`,
};

function isOneOf(column: ArrangedColumn, wanted: readonly (string | null)[]): string {
  const texts = wanted.filter((text) => text !== null);
  const isNull = wanted.includes(null) ? [`${nameOf(column)} IS NULL`] : [];
  if (column.type === 'jsonb') {
    const isIn =
      texts.length === 0 ? [] : [`${jsonKey(nameOf(column))} IN (${texts.map(jsonKeyOfText).join(', ')})`];
    return [...isIn, ...isNull].join(' OR ') || 'false';
  }
  // DuckDB reads a literal as a value of the column's type.
  const isText = isWritten(column) || column.type === 'bytea';
  const value = isText ? textOf(column) : nameOf(column);
  const isIn = texts.length === 0 ? [] : [`${value} IN (${texts.map(quoteText).join(', ')})`];
  return [...isIn, ...isNull].join(' OR ') || 'false';
}

/** The same text for the same JSON, however it is spaced and its numbers are written. */
const jsonKey = (value: string): string => `CAST(json(to_json(${value})) AS VARCHAR)`;
const jsonKeyOfText = (text: string): string =>
  `coalesce(CAST(json(TRY_CAST(${quoteText(text)} AS JSON)) AS VARCHAR), ${quoteText(text)})`;

/** A text of JSON as it is, and as PostgreSQL writes it: with the members in the order of their lengths, then of their bytes. */
function jsonTexts(text: string): readonly string[] {
  try {
    const order = (members: [string, unknown][]) => members.sort(byLength);
    return [text, writeDeepJson(parseJson(text), { scalar: scalarText, order })];
  } catch {
    return [text];
  }
}

function byLength([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function comparison(column: ArrangedColumn, operator: CompareOperator, bound: string): string {
  const { type, kind } = column;
  const isText = type === '' || type === 'text';
  const value = valueOf(column);
  const name = value ?? nameOf(column);
  if (type === 'jsonb' && (operator === '=' || operator === '<>')) {
    const keys = jsonTexts(bound).map(jsonKeyOfText).join(', ');
    return `${jsonKey(nameOf(column))} ${operator === '=' ? 'IN' : 'NOT IN'} (${keys})`;
  }
  if (!orderOf(type, kind).has(bound)) {
    // It equals only the same text, and is in the order of those that are no values either.
    if (operator === '=' || operator === '<>') return `${textOf(column)} ${operator} ${quoteText(bound)}`;
    return value === undefined ? 'false' : `${value} IS NULL AND ${textComparison(column, operator, bound)}`;
  }
  if (kind === 'number') return `${name} ${operator} ${numberOf(bound)}`;
  if (kind === 'time') {
    const isZoned = isText || type === 'timestamptz';
    const moment = isZoned ? inUtc(bound) : bound;
    return `${name} ${operator} TRY_CAST(${quoteText(moment)} AS ${isZoned ? 'TIMESTAMPTZ' : 'TIMESTAMP'})`;
  }
  return durations.has(type)
    ? `${name} ${operator} TRY_CAST(${quoteText(bound)} AS ${type})`
    : textComparison(column, operator, bound);
}

/** Types whose texts are not in the order of their values. */
const durations: ReadonlySet<string> = new Set(['interval', 'time', 'timetz']);

/** Without case and accents first, as texts are sorted. */
function textComparison(column: ArrangedColumn, operator: CompareOperator, bound: string): string {
  const [text, wanted] = [textOf(column), quoteText(bound)];
  if (operator === '=' || operator === '<>') return `${text} ${operator} ${wanted}`;
  const [key, wantedKey] = [folded(text), folded(wanted)];
  return `(${key} ${operator.charAt(0)} ${wantedKey} OR ${key} = ${wantedKey} AND ${text} ${operator} ${wanted})`;
}

const folded = (text: string): string => `lower(strip_accents(${text}))`;

/** DuckDB rounds a text to the column's type before it compares, but no number. */
function numberOf(text: string): string {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
    ? text
    : `TRY_CAST(${quoteText(text)} AS DOUBLE)`;
}

/** A time without a zone is one in UTC, as in memory. */
function inUtc(text: string): string {
  return /:\d\d(?:\.\d+)?\s*(?:Z|[+-]\d\d(?::?\d\d){0,2})$/.test(text) ? text : `${text}+00`;
}
