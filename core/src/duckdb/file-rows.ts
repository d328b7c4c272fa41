/**
 * The rows of one file by DuckDB, sorted and filtered by it, so that only the pages that were asked for are in memory.
 */
import type { IteratedPage } from '../reading/feeds.ts';
import { cellText, packingOf, packRows } from '../rows/chunk.ts';
import type { ColumnValues, StoreColumn } from '../rows/rows.ts';
import {
  arrangedSql,
  countSql,
  rowNumber,
  valuesSql,
  type Arrangement,
  type SortedPart,
} from './arranged-sql.ts';
import type { GivenFile } from './duckdb-messages.ts';
import { queryFiles, type FileQuery } from './query-files.ts';

export type RowsFile = Pick<FileQuery, 'library' | 'script'> & { readonly file: Omit<GivenFile, 'name'> };

/** Maximum number of values offered in a filter. */
const valuesMax = 1_000;

const table = 'file';

/**
 * Yields the pages and, where it is known, the number of all rows that match.
 *
 * @throws DuckDbError; the reason of the signal
 */
export async function* fileRows(
  file: RowsFile,
  arrangement: Arrangement,
  signal: AbortSignal,
): AsyncGenerator<IteratedPage> {
  const counting = new AbortController();
  const both = AbortSignal.any([signal, counting.signal]);
  let totalRows: number | undefined;
  // Rows without their number are better than none.
  const counted = countOf(file, arrangement, both).then(
    (count) => (totalRows = count),
    () => undefined,
  );
  try {
    let rowCount = 0;
    for await (const page of arrangedPages(file, arrangement, signal)) {
      // Parquet is counted without reading all of it.
      if (file.file.format === 'parquet') await counted;
      rowCount += page.rows.length;
      const isLast = page.isLast || rowCount === totalRows;
      // The columns alone come before the rows.
      if (page.rows.length > 0 || isLast) yield { ...page, totalRows, isLast };
      if (isLast) return;
    }
  } finally {
    counting.abort();
  }
}

/** The first rows are found without sorting all, then more, then all that follow. */
const sortedParts: readonly SortedPart[] = [
  { offset: 0, limit: 2_048 },
  { offset: 2_048, limit: 30_720 },
  { offset: 32_768, limit: undefined },
];

async function* arrangedPages(
  file: RowsFile,
  arrangement: Arrangement,
  signal: AbortSignal,
): AsyncGenerator<FilePage> {
  const { columns, sort } = arrangement;
  const hasNumber = columns.some(({ name }) => name.toLowerCase() === rowNumber);
  if (sort.length === 0 || file.file.format !== 'parquet' || hasNumber) {
    yield* pagesOf(file, arrangedSql(table, arrangement), signal);
    return;
  }
  const numbered = { ...file, file: { ...file.file, isNumbered: true } };
  for (const part of sortedParts) {
    let rowCount = 0;
    for await (const page of pagesOf(numbered, arrangedSql(table, arrangement, part), signal)) {
      rowCount += page.rows.length;
      const isEnd = page.isLast && rowCount < (part.limit ?? Infinity);
      if (!page.isLast || isEnd) yield { ...page, isLast: isEnd };
      if (isEnd) return;
    }
  }
}

/** @throws DuckDbError; the reason of the signal */
export async function fileValues(
  file: RowsFile,
  arrangement: Arrangement,
  { column, signal }: { readonly column: number; readonly signal: AbortSignal },
): Promise<ColumnValues> {
  const sql = valuesSql(table, arrangement, { column, limit: valuesMax });
  const values: { readonly text: string | null; readonly count: number }[] = [];
  let distinct = 0;
  for await (const { rows, columns } of pagesOf(file, sql, signal)) {
    const [packed] = packRows(rows, packingOf(columns)).columns;
    for (const [row, [, count, all]] of rows.entries()) {
      const text = packed === undefined ? undefined : cellText(packed, row);
      values.push({ text: text ?? null, count: Number(count) });
      distinct = Number(all);
    }
  }
  return { values, distinct };
}

async function countOf(file: RowsFile, arrangement: Arrangement, signal: AbortSignal): Promise<number> {
  for await (const { rows } of pagesOf(file, countSql(table, arrangement), signal))
    for (const [count] of rows) return Number(count);
  return 0;
}

/** DuckDB's rows are not packed. */
type FilePage = IteratedPage & { readonly rows: readonly (readonly unknown[])[] };

async function* pagesOf(
  { file, library, script }: RowsFile,
  sql: string,
  signal: AbortSignal,
): AsyncGenerator<FilePage> {
  const isUntyped = file.format === 'csv' || file.format === 'tsv';
  const untyped = ({ name }: StoreColumn) => ({ name, type: '' });
  const files = [{ ...file, name: table }];
  for await (const page of queryFiles({ sql, files, library, script, signal })) {
    const columns = isUntyped ? page.columns.map(untyped) : page.columns;
    yield { ...page, columns, rows: page.rows as readonly (readonly unknown[])[] };
  }
}
