/**
 * A page of a query's result. The real service's shape is not described (assumption `execute`), so `items` and `data`
 * count as `rows`, rows may be objects, and columns may lack their types or be missing.
 */
import type { ResultColumn } from '../contract/execute.ts';
import type { PageToken } from '../contract/lists.ts';
import type { NamedColumn } from './align-columns.ts';
import { isRecord, shapeError, type DecodeContext } from './decode.ts';
import type { JsonValue } from './json.ts';
import { pageTokenOf } from './page-token.ts';

/** One value of a result: exact, JSON where the column is JSON or an array. */
export type Cell = JsonValue;

/** A column that the page gave no name stands by its place (align-columns.ts). */
export type PageColumn = ResultColumn & NamedColumn;

export interface QueryPage {
  /** Empty where the page says nothing of its columns and has no rows. */
  readonly columns: readonly PageColumn[];
  readonly rows: readonly (readonly Cell[])[];
  readonly nextPageToken?: PageToken | undefined;
  /** All rows of the result, where the service knows. */
  readonly rowCount?: number | undefined;
}

/** The column of what is neither a list of cells nor an object: shown as it came. */
export const unreadableColumn: ResultColumn = { name: 'unreadable row', type: 'json' };

/** @throws ContractError where there are no rows to be found. */
export function decodeQueryPage(value: JsonValue, context: DecodeContext): QueryPage {
  if (!isRecord(value)) throw shapeError(context, 'the top is not an object');
  const rows = value['rows'] ?? value['items'] ?? value['data'];
  if (!Array.isArray(rows)) throw shapeError(context, 'there are no rows');
  const columns = columnsOf(value['columns'], rows);
  const rowCount = value['rowCount'];
  const nextPageToken = pageTokenOf(value['nextPageToken']);
  return {
    columns,
    rows: rows.map((row) => rowOf(row, columns)),
    ...(typeof rowCount === 'number' ? { rowCount } : {}),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
  };
}

/** Those that the page names, then those that its rows have beside them: no value is lost. */
function columnsOf(value: JsonValue | undefined, rows: readonly JsonValue[]): readonly PageColumn[] {
  const named = Array.isArray(value) ? value.map(columnOf) : [];
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
  // Cells without a column stand by their place, so theirs come right behind the named ones.
  const unnamed = Array.from({ length: cells - named.length }, (_, index) =>
    columnOf(null, named.length + index),
  );
  return [...named, ...unnamed, ...more];
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
