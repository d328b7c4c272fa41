/**
 * A page of a query's result. The real service's shape is not specified (assumption `execute`), so the
 * rows may have another name (`rowsMembers`), rows may be objects, and columns may be missing or lack types.
 */
import type { ResultColumn } from '../contract/execute.ts';
import type { PageToken } from '../contract/lists.ts';
import type { NamedColumn } from './align-columns.ts';
import { saysError } from './answers/outcome.ts';
import { pageTokenOf } from './answers/page-token.ts';
import { isRecord, shapeError, unwrapped, type DecodeContext } from './answers/shape.ts';
import { ContractError } from './errors.ts';
import type { JsonValue } from './json.ts';

/** One value in a result: exact, and JSON if the column's type is JSON or an array. */
export type Cell = JsonValue;

/** An unnamed column is identified by its index (align-columns.ts). */
export type PageColumn = ResultColumn & NamedColumn;

/** A page's metadata. */
export interface PageHead {
  /** Empty if the page has neither column names nor rows. */
  readonly columns: readonly PageColumn[];
  readonly nextPageToken?: PageToken | undefined;
  /** Number of rows in the whole result, if known. */
  readonly rowCount?: number | undefined;
  /** Whether rows may be missing after this last page: how the service tells that there are more is not known. */
  readonly isPerhapsPartial?: true | undefined;
  /** Whether rows may be missing only because nothing shows that the service uses the values of parameters. */
  readonly areValuesUnknown?: true | undefined;
  /**
   * Number of rows in the whole result by another count than `rowCount`; Infinity if the page says that the result was
   * cut. If it is more than was sent up to the last page, rows may be missing.
   */
  readonly toldRows?: number | undefined;
  /** Members besides columns and rows, from which the client judges whether there are more (execute-paging.ts). */
  readonly others?: ReadonlyMap<string, JsonValue> | undefined;
}

export interface QueryPage extends PageHead {
  readonly rows: readonly (readonly Cell[])[];
}

/** The column for rows that are neither lists nor objects; they are shown as received. */
const unreadableColumn: ResultColumn = { name: 'unreadable row', type: 'json' };

/** Whether a column holds rows that could not be read, so that what they mean is unknown. */
export function isUnreadable({ name, type }: ResultColumn): boolean {
  return name === unreadableColumn.name && type === unreadableColumn.type;
}

/** Members that may hold a page's rows. The first list counts. */
export const rowsMembers: readonly string[] = ['rows', 'items', 'data', 'results'];

/** Returns the list of a page's rows, undefined if there is none, or an empty one beside one that is not. */
export function rowsListOf(page: Readonly<Record<string, JsonValue>>): readonly JsonValue[] | undefined {
  const [first, ...others] = rowsMembers.map((name) => page[name]).filter((member) => Array.isArray(member));
  return first?.length === 0 && others.some((list) => list.length > 0) ? undefined : first;
}

/** @throws ContractError if there are no rows. */
export function decodeQueryPage(answer: JsonValue, context: DecodeContext): QueryPage {
  if (!isRecord(answer)) throw shapeError(context, 'the top is not an object');
  const told = withOnlyResult(answer);
  const value = rowsListOf(told) === undefined ? unwrapped(told, withRows, notOfRows) : told;
  if (saysError(Object.entries(value)))
    throw shapeError(context, 'beside the rows, it says that there was an error');
  if (isUnfinished(context.status))
    throw shapeError(context, `the status ${context.status} means that these are not all rows`);
  const rows = rowsListOf(value);
  if (rows === undefined) throw shapeError(context, 'there are no rows');
  if (areColumns(rows, value['columns']))
    throw shapeError(context, 'the rows are lists of the values of each column');
  if (
    !Array.isArray(value['columns']) &&
    rows.some((row) => kindOf(row, rows === value['results']) !== 'row')
  )
    throw shapeError(context, 'the rows are results with rows of their own');
  // One of another kind is perhaps an error.
  if (rows.some(isRecord) && rows.some(Array.isArray))
    throw shapeError(context, 'some rows are lists, and others are objects');
  const columns = columnsOf(value['columns'], rows);
  if (isRenamed(rows, namedColumns(value['columns'])))
    throw shapeError(context, 'the rows name their values otherwise than the columns');
  // An object has one value for both, so that of the first column would be another column's.
  if (rows.some(isRecord) && hasTwins(columns))
    throw new ContractError(
      'The service sent rows as objects, and two columns have the same name, so values are missing. Name each column with AS.',
      context,
    );
  requireFilled(rows, columns, context);
  const others = new Map(
    Object.entries(value).filter(([name, member]) => name !== 'columns' && member !== rows),
  );
  return { ...headOf(columns, value), others, rows: rows.map((row) => rowOf(row, columns)) };
}

/** Returns an answer whose list is that of the results of all statements, with the result of the only one instead. */
function withOnlyResult(answer: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>> {
  const list = Array.isArray(answer['columns']) ? undefined : rowsListOf(answer);
  const [only = null] = list ?? [];
  if (list?.length !== 1 || kindOf(only, list === answer['results']) !== 'result') return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, member]) => [name, member === list ? only : member]),
  );
}

/**
 * Whether what stands in a list of rows is a whole result, with a list of rows of its own, rather than a row with a list
 * as a value; undefined if it can be both.
 * @param isInResults whether the list's name says that it holds results.
 */
function kindOf(row: JsonValue, isInResults = false): 'result' | 'row' | undefined {
  if (!isRecord(row)) return 'row';
  const hasColumns = Array.isArray(row['columns']);
  const lists = ['rows', 'results', 'series', ...(hasColumns ? ['data', 'items', 'values'] : [])];
  const found = lists.filter((name) => Array.isArray(row[name]));
  const inner = found.map((name) => row[name]).find(Array.isArray);
  const others = Object.keys(row).filter((name) => !found.includes(name));
  if (inner === undefined) return 'row';
  const isOfRows = inner.every((each) => isRecord(each) || Array.isArray(each));
  if (!isOfRows) return hasColumns ? undefined : 'row';
  if (hasColumns) return 'result';
  const isEnvelope = others.every((name) => envelopeNames.test(name) || typeof row[name] === 'object');
  if (isInResults && !found.includes('results')) return isEnvelope ? 'result' : undefined;
  return isEnvelope ? undefined : 'row';
}

/** Members of a result beside its rows. */
const envelopeNames =
  /^(?:columns|column_?(?:names|types)|schema|fields|meta(?:data)?|statement(?:_?(?:id|index))?|query(?:_?id)?|sql|(?:row_?|total_?)?counts?|total(?:_?rows)?|next.*|.*(?:token|cursor)|has_?(?:more|next).*|page(?:_?info|_?size)?|offset|truncated|partial|complete|status|state|ok|success|errors?|messages?|warnings?|notices?|duration.*|elapsed.*|took|time(?:_?ms)?|stats|statistics|affected_?rows|rows_?affected|(?:rows_?)?(?:remaining|left)|limit(?:_?reached)?|stop_?reason|shards|progress)$/i;

/**
 * Whether rows that are objects name values of columns otherwise, so that these would seem to be NULL: none has the name
 * of a column, one is written differently, or stands where the column's would. Others are left out as NULL, or added.
 */
function isRenamed(rows: readonly JsonValue[], columns: readonly PageColumn[]): boolean {
  const records = rows.filter(isRecord);
  const names = columns.filter(({ isUnnamed }) => isUnnamed !== true).map(({ name }) => name);
  const known = new Set(names);
  const found = new Set(records.flatMap((record) => Object.keys(record)));
  const missing = names.filter((name) => !found.has(name));
  const extra = [...found].filter((name) => !known.has(name));
  if (missing.length === 0 || extra.length === 0) return false;
  if (missing.length === names.length) return true;
  const alike = new Set(missing.flatMap(spellingsOf));
  if (extra.some((name) => spellingsOf(name).some((spelling) => alike.has(spelling)))) return true;
  const lost = new Set(missing);
  return records.every((record) => {
    const keys = Object.keys(record);
    return (
      keys.length === names.length &&
      keys.every((name, at) => known.has(name) || (lost.has(names[at] ?? '') && !addedNames.test(name)))
    );
  });
}

/** A name without case and separators, and its part behind the last dot. */
function spellingsOf(name: string): readonly string[] {
  return [name, name.slice(name.lastIndexOf('.') + 1)].map((each) =>
    each.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''),
  );
}

/** Names of members that services add to each row. */
const addedNames =
  /^(?:[^\p{L}]|(?:row_?(?:num(?:ber)?|index|id|no)?|index|ordinal|position|rank|score|links?|meta(?:data)?|e_?tag|self|href)$)/iu;

const notOfRows =
  /^(?:request|query|parameters|model|logs?)$|error|warning|diagnos|stats|statistic|metric|profil|preview|sample/i;

/** Returns a member of an answer that has rows, with these as `items`; a list of nothing may be that of something else. */
function withRows(member: JsonValue): JsonValue {
  const rows = isRecord(member) ? rowsListOf(member) : undefined;
  if (rows === undefined || !isRecord(member)) return null;
  if (rows.length === 0 && rows !== member['rows'] && !Array.isArray(member['columns'])) return null;
  return {
    ...Object.fromEntries(Object.entries(member).filter(([, each]) => each !== rows)),
    items: [...rows],
  };
}

/** As many lists as columns, all of the same other length: rows would have one value for each column. */
function areColumns(rows: readonly JsonValue[], columns: JsonValue | undefined): boolean {
  if (!mayBeColumns(columns, rows.length)) return false;
  const [first] = rows;
  const length = Array.isArray(first) ? first.length : rows.length;
  return length !== rows.length && rows.every((row) => Array.isArray(row) && row.length === length);
}

/** Whether there are as many rows as columns, so that the rows may be the columns' values instead. */
export function mayBeColumns(columns: JsonValue | undefined, rowCount: number): boolean {
  return Array.isArray(columns) && rowCount > 0 && columns.length === rowCount;
}

/** Each row has a cell for each column, so that a short answer of many rows and columns would fill the memory. */
function requireFilled(
  rows: readonly JsonValue[],
  columns: readonly PageColumn[],
  context: DecodeContext,
): void {
  const filledIn = (row: JsonValue): number =>
    Array.isArray(row) ? row.length : isRecord(row) ? Object.keys(row).length : 1;
  const cells = rows.length * columns.length;
  if (!isMostlyEmpty(cells, 0)) return;
  if (
    isMostlyEmpty(
      cells,
      rows.reduce<number>((sum, row) => sum + filledIn(row), 0),
    )
  )
    throw shapeError(context, 'nearly every row lacks nearly every column');
}

/** As many as 10,000 rows with 400 columns have. */
const emptyCellsMax = 4_000_000;
/** One cell in so many has a value, at least. */
const filledPartMax = 50;

/** Returns whether there are far more cells than those with a value, so that they are not worth their memory. */
export function isMostlyEmpty(cells: number, filled: number): boolean {
  return cells > emptyCellsMax && cells > filledPartMax * filled;
}

function hasTwins(columns: readonly PageColumn[]): boolean {
  const names = columns.filter(({ isUnnamed }) => isUnnamed !== true).map(({ name }) => name);
  return new Set(names).size < names.length;
}

/** 202 (Accepted), 206 (Partial Content) and other kinds of parts: the rows of such an answer are not the whole page. */
export function isUnfinished(status: number): boolean {
  return status === 202 || (status > 204 && status < 300);
}

/**
 * Decodes the head of a page whose rows, all lists, were parsed elsewhere.
 * @param width number of cells in the longest row.
 */
export function decodePageHead(members: ReadonlyMap<string, JsonValue>, width: number): PageHead {
  const named = namedColumns(members.get('columns'));
  const head = headOf([...named, ...unnamedColumns(named.length, width)], {
    rowCount: members.get('rowCount') ?? null,
    nextPageToken: members.get('nextPageToken') ?? null,
  });
  return { ...head, others: new Map([...members].filter(([name]) => name !== 'columns')) };
}

function headOf(columns: readonly PageColumn[], value: Readonly<Record<string, JsonValue>>): PageHead {
  const rowCount = value['rowCount'];
  const nextPageToken = pageTokenOf(value['nextPageToken']);
  return {
    columns,
    ...(typeof rowCount === 'number' ? { rowCount } : {}),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
  };
}

/** Returns the named columns first, then extra ones found in the rows, so that no value is lost. */
function columnsOf(value: JsonValue | undefined, rows: readonly JsonValue[]): readonly PageColumn[] {
  // Objects name their values themselves.
  const named = namedColumns(value).filter(({ isUnnamed }) => isUnnamed !== true || !rows.some(isRecord));
  const known = new Set(named.map(({ name }) => name));
  const more: ResultColumn[] = [];
  const add = (column: ResultColumn) => {
    if (known.has(column.name)) return;
    known.add(column.name);
    more.push(column);
  };
  let cells = named.length;
  for (const row of rows) {
    if (Array.isArray(row)) cells = Math.max(cells, row.length);
    else if (!isRecord(row)) add(unreadableColumn);
    else for (const name of Object.keys(row)) add({ name, type: 'unknown' });
  }
  // Unnamed cells are identified by index, so they directly follow the named ones.
  return [...named, ...unnamedColumns(named.length, cells), ...more];
}

function namedColumns(value: JsonValue | undefined): readonly PageColumn[] {
  return Array.isArray(value) ? value.map(columnOf) : [];
}

/** `end` is exclusive. */
function unnamedColumns(first: number, end: number): readonly PageColumn[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => columnOf(null, first + index));
}

function columnOf(column: JsonValue, index: number): PageColumn {
  if (typeof column === 'string') return { name: column, type: 'unknown' };
  const { name, type }: { readonly name?: JsonValue; readonly type?: JsonValue } = isRecord(column)
    ? column
    : {};
  return {
    ...(typeof name === 'string' ? { name } : { name: `column ${index + 1}`, isUnnamed: true as const }),
    type: typeof type === 'string' ? type : 'unknown',
  };
}

function rowOf(row: JsonValue, columns: readonly PageColumn[]): readonly Cell[] {
  if (Array.isArray(row)) return row;
  if (isRecord(row))
    return columns.map(({ name }) => (Object.hasOwn(row, name) ? (row[name] ?? null) : null));
  return columns.map((column) => (column === unreadableColumn ? row : null));
}
