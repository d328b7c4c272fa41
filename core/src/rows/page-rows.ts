/** Operations on the rows of a page, whether packed or not. */
import { packRows, packRowsInSlices } from './chunk.ts';
import type { Chunk, ColumnChunk, PageRows } from './packed-rows.ts';
import { withJsonTexts } from './scan/json-texts.ts';

type Packing = readonly { readonly isJson: boolean }[];

export function isPacked(rows: PageRows): rows is Chunk {
  return !Array.isArray(rows);
}

export function countOf(rows: PageRows): number {
  return isPacked(rows) ? rows.rowCount : rows.length;
}

/** Splits rows into the first ones and the others. */
export function splitAt(rows: PageRows, count: number): readonly [PageRows, PageRows] {
  if (!isPacked(rows)) return [rows.slice(0, count), rows.slice(count)];
  const parts = [between(rows, 0, count), between(rows, count, rows.rowCount)] as const;
  rows.done?.();
  return parts;
}

function between({ columns }: Chunk, from: number, to: number): Chunk {
  return {
    rowCount: to - from,
    columns: columns.map(({ tags, numbers, bytes, offsets }) => {
      const [start, end] = [offsets?.[from] ?? 0, offsets?.[to] ?? 0];
      return {
        tags: tags.slice(from, to),
        numbers: numbers?.slice(from, to),
        bytes: bytes?.slice(start, end),
        offsets: offsets?.slice(from, to + 1).map((offset) => offset - start),
      };
    }),
  };
}

/**
 * Reorders the cells of each row.
 * @param from the old index of each cell, or -1 for NULL.
 */
export function placed(rows: PageRows, from: readonly number[] | undefined): PageRows {
  if (from === undefined) return rows;
  if (!isPacked(rows))
    return rows.map((row) => from.map((place) => (place < 0 ? null : (row[place] ?? null))));
  const columns = from.map((place) => rows.columns[place] ?? emptyColumn(rows.rowCount));
  return { ...rows, columns };
}

export function packed(rows: PageRows, packing: Packing): Chunk {
  return isPacked(rows) ? fitted(rows, packing) : packRows(rows, packing);
}

/** Like `packed`, but yields between columns. */
export async function packedInSlices(rows: PageRows, packing: Packing): Promise<Chunk> {
  return isPacked(rows) ? fitted(rows, packing) : await packRowsInSlices(rows, packing);
}

/** Adds missing columns, and converts bare strings in JSON columns to JSON. */
function fitted(chunk: Chunk, packing: Packing): Chunk {
  const { rowCount, columns } = chunk;
  return {
    ...chunk,
    columns: packing.map(({ isJson }, index) => {
      const column = columns[index] ?? emptyColumn(rowCount);
      return isJson ? withJsonTexts(column, rowCount) : column;
    }),
  };
}

/** Returns a column that is NULL in every row. */
export function emptyColumn(rowCount: number): ColumnChunk {
  return { tags: new Uint8Array(rowCount), numbers: undefined, bytes: undefined, offsets: undefined };
}
