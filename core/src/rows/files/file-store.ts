/** Writes packed rows to a file, or converts them to text for other targets. */
import { columnKindOf } from '../column-kind.ts';
import type { Chunk } from '../packed-rows.ts';
import type { StoreColumn } from '../rows.ts';
import { ResultStore } from '../store/result-store.ts';
import type { FileColumn, FileOptions, FinishedFile } from './rows-encoder.ts';
import { openRowsFile } from './rows-file.ts';
import type { CellRow } from './text-writer.ts';

/** Rows converted to text at a time. */
const rowsAtATime = 2_000;

export interface FileStore {
  grow(columns: readonly StoreColumn[]): boolean;
  write(chunk: Chunk): Promise<void>;
  finish(): Promise<FinishedFile>;
  close(): Promise<void>;
}

/** Opens a file for packed rows. Used in the worker and in this thread. */
export async function openFileStore(
  columns: readonly StoreColumn[],
  options: FileOptions,
): Promise<FileStore> {
  const file = await openRowsFile(fileColumnsOf(columns), options);
  let known = columns;
  return {
    grow(more) {
      const isTaken = file.grow(fileColumnsOf(more));
      if (isTaken) known = [...known, ...more];
      return isTaken;
    },
    async write(chunk) {
      if (file.writePacked === undefined)
        for (const batch of batchesOf(known, chunk)) await file.write(batch);
      else await file.writePacked(chunk);
    },
    finish: () => file.finish(),
    close: () => file.close(),
  };
}

/** Returns the columns in the form that file formats need. */
export function fileColumnsOf(columns: readonly StoreColumn[]): readonly FileColumn[] {
  return columns.map(({ name, type }) => ({ name, type, kind: columnKindOf(type) }));
}

/** Returns the cells of packed rows as text, in batches. */
export function batchesOf(columns: readonly StoreColumn[], chunk: Chunk): Iterable<readonly CellRow[]> {
  const store = new ResultStore(columns);
  store.append(chunk);
  const all = columns.map((_, column) => column);
  return store.batches('all', { columns: all }, rowsAtATime);
}
