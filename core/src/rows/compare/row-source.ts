/** The packed rows of one side, as they were when the comparison started. */
import type { Chunk } from '../packed-rows.ts';
import { chunkFinder, type SortSource } from '../sort/sort.ts';

export type RowSource = Pick<SortSource, 'chunks' | 'starts' | 'rowCount'>;

export interface RowPlace {
  readonly chunk: Chunk | undefined;
  readonly row: number;
}

export type RowFinder = (row: number) => RowPlace;

/** Returns a function that finds rows; sequential access is fastest. */
export function rowFinder({ chunks, starts }: Pick<RowSource, 'chunks' | 'starts'>): RowFinder {
  const find = chunkFinder(starts);
  return (row) => {
    const at = find(row);
    return { chunk: chunks[at], row: row - (starts[at] ?? 0) };
  };
}
