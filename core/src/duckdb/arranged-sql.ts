/** The SELECT by which DuckDB sorts and filters a file, as the panel does with rows in memory. */
import { quoteName, quoteText as quote } from '#base/sql-names.ts';
import type { ColumnKind } from '../rows/column-kind.ts';
import { groupedTexts } from '../rows/filter/column-values.ts';
import { jsonKey } from '../rows/json-key.ts';
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
  const of = columns[column];
  const others = filters.filter((filter) => filter.column !== column);
  const values = `SELECT ${nameOf(of)} AS v, count(*) AS n FROM ${quoteName(table)}${whereOf(columns, others)} GROUP BY 1`;
  const counted =
    of?.type === 'jsonb'
      ? `SELECT first(v) AS v, sum(n) AS n FROM (SELECT *, count(*) OVER () AS texts FROM (${values})) GROUP BY ${groupedJson(jsonOf({ ...of, name: 'v' }))}`
      : values;
  return `SELECT v, n, count(*) OVER () AS distinct_values FROM (${counted}) ORDER BY n DESC, v NULLS LAST LIMIT ${limit}`;
}

/** A statement ends at a NUL. */
const quoteText = (text: string): string =>
  text.includes('\0') ? `(${text.split('\0').map(quote).join(' || chr(0) || ')})` : quote(text);

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

/** What is NULL where the rows show NULL. */
function nullOf(column: StoreColumn): string {
  if (column.type !== 'jsonb') return nameOf(column);
  const json = jsonOf(column);
  return String.raw`CASE WHEN regexp_full_match(${json}, '\s*null\s*') THEN NULL ELSE ${json} END`;
}

/** The text of a value as the rows show it. */
function textOf(column: StoreColumn): string {
  const name = nameOf(column);
  switch (column.type) {
    case 'jsonb':
      return jsonTextOf(jsonOf(column));
    case 'bytea':
      return String.raw`('\x' || lower(hex(${name})))`;
    case 'float4':
    case 'float8':
      return String.raw`CASE WHEN isnan(${name}) THEN 'NaN' WHEN isinf(${name}) THEN replace(CAST(${name} AS VARCHAR), 'inf', 'Infinity') ELSE regexp_replace(regexp_replace(CAST(${name} AS VARCHAR), '\.0$', ''), '(e[+-])0', '\1') END`;
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return String.raw`regexp_replace(CAST(${name} AS VARCHAR), '^(\S+) \(BC\)(.*)$', '\1\2 BC')`;
    default:
      // DuckDB's optimizer would take the cast away and compare values, of which a text may be none.
      return `(CAST(${name} AS VARCHAR) || '')`;
  }
}

function condition(column: ArrangedColumn, rule: FilterRule): string {
  switch (rule.kind) {
    case 'null':
      return `${nullOf(column)} IS ${rule.isNull ? '' : 'NOT '}NULL`;
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
  const isNull = wanted.includes(null) ? [`${nullOf(column)} IS NULL`] : [];
  if (column.type === 'jsonb') {
    const isIn = texts.length === 0 ? [] : [isJsonOf(column, texts)];
    return [...isIn, ...isNull].join(' OR ') || 'false';
  }
  // DuckDB reads a literal as a value of the column's type.
  const isText = isWritten(column) || column.type === 'bytea';
  const value = isText ? textOf(column) : nameOf(column);
  const written = column.kind === 'time' && !isText ? texts.map(beforeChrist) : texts;
  const isIn = texts.length === 0 ? [] : [`${value} IN (${written.map(quoteText).join(', ')})`];
  return [...isIn, ...isNull].join(' OR ') || 'false';
}

/** Given to DuckDB by `locked-duckdb.ts`. Both return NULL for JSON's null, as which it is shown. */
export const jsonFunctions = {
  /** Returns JSON as the rows show it. */
  text: 'identity_queries_json_text',
  /** Returns the same text for equal JSON. */
  key: 'identity_queries_json_key',
} as const;

/** Blanks and escapes, which the rows show in one way. It also finds some in texts, which only costs time. */
const rewritten = String.raw`^\s|\s$|[\[{,:]\s|\s[\]},:]|\\`;

/** Only what must is parsed, since that takes twenty times as long. */
function jsonTextOf(json: string): string {
  return `CASE WHEN regexp_matches(${json}, '${rewritten}') THEN ${jsonFunctions.text}(${json}) ELSE nullif(${json}, 'null') END`;
}

const groupedJson = (json: string): string =>
  `CASE WHEN texts <= ${groupedTexts} THEN ${jsonFunctions.key}(${json}) ELSE nullif(${json}, 'null') END`;

/** Whether a value equals one of these. Without escapes, equal JSON has the same texts and names. */
function isJsonOf(column: StoreColumn, wanted: readonly string[]): string {
  const json = jsonOf(column);
  const keys = wanted.map((text) => jsonKey(text));
  const mayBe = keys.map((key) => {
    const texts = key.match(/"(?:[^"\\]|\\.)*"/g)?.filter((text) => !text.includes('\\')) ?? [];
    const longest = [...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, 4);
    return `(${longest.map((text) => `contains(${json}, ${quoteText(text)})`).join(' AND ') || 'true'})`;
  });
  const isOne = `${jsonFunctions.key}(${json}) IN (${wanted.map((text) => `${jsonFunctions.key}(${quoteText(text)})`).join(', ')})`;
  return `coalesce(CASE WHEN contains(${json}, '\\') OR ${mayBe.join(' OR ')} THEN ${isOne} END, false)`;
}

/** JSON as it is written, since `to_json` would round its numbers, and composed values as JSON. */
function jsonOf(column: StoreColumn): string {
  const name = nameOf(column);
  return `CASE typeof(${name}) WHEN 'JSON' THEN CAST(${name} AS VARCHAR) ELSE CAST(to_json(${name}) AS VARCHAR) END`;
}

function comparison(column: ArrangedColumn, operator: CompareOperator, bound: string): string {
  const { type, kind } = column;
  const isText = type === '' || type === 'text';
  const value = valueOf(column);
  // The number that a float4 is shown as.
  const name =
    value ?? (type === 'float4' ? `CAST(CAST(${nameOf(column)} AS VARCHAR) AS DOUBLE)` : nameOf(column));
  if (type === 'jsonb') return jsonComparison(column, operator, bound);
  if (!orderOf(type, kind).has(bound)) {
    // It equals only the same text, and is in the order of those that are no values either.
    if (operator === '=' || operator === '<>') return `${textOf(column)} ${operator} ${quoteText(bound)}`;
    return value === undefined ? 'false' : `${value} IS NULL AND ${textComparison(column, operator, bound)}`;
  }
  if (kind === 'number') return `${name} ${operator} ${numberOf(bound)}`;
  if (kind === 'time') {
    const isZoned = isText || type === 'timestamptz';
    const moment = beforeChrist(isZoned ? inUtc(bound) : bound);
    // DuckDB has no time of an infinite day.
    const of = isZoned ? 'TIMESTAMPTZ' : type === 'date' && bound.endsWith('infinity') ? 'DATE' : 'TIMESTAMP';
    return `${name} ${operator} TRY_CAST(${quoteText(moment)} AS ${of})`;
  }
  return durations.has(type)
    ? `${name} ${operator} TRY_CAST(${quoteText(bound)} AS ${type})`
    : textComparison(column, operator, bound);
}

/** Equal JSON may have texts in any order. */
function jsonComparison(column: ArrangedColumn, operator: CompareOperator, bound: string): string {
  const isSame = isJsonOf(column, [bound]);
  if (operator === '=') return isSame;
  const others =
    operator === '<>' ? `${nullOf(column)} IS NOT NULL` : textComparison(column, operator, bound);
  return operator.length === 2 && operator !== '<>'
    ? `${isSame} OR ${others}`
    : `NOT ${isSame} AND ${others}`;
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

/** Writes the years before Christ as DuckDB does. */
function beforeChrist(text: string): string {
  return text.endsWith(' BC') ? text.slice(0, -3).replace(/^\S+/, '$& (BC)') : text;
}

/** A time without a zone is one in UTC, as in memory. */
function inUtc(text: string): string {
  if (text.endsWith('infinity')) return text;
  if (text.endsWith(' BC')) return `${inUtc(text.slice(0, -3))} BC`;
  return /:\d\d(?:\.\d+)?\s*(?:Z|[+-]\d\d(?::?\d\d){0,2})$/.test(text) ? text : `${text}+00`;
}
