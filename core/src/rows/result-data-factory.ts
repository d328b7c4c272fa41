/** What makes results: in a worker (`createWorkerData`) or in this thread (`createLocalData`). */
import type { FileOptions, FinishedFile } from './files/rows-encoder.ts';
import type { PageRows } from './packed-rows.ts';
import type { ResultData } from './result-data.ts';
import type { ResultOperations } from './result-operations.ts';
import type { StoreColumn } from './rows.ts';

/** Rows that go into a file page by page and are kept nowhere. */
export interface FileData {
  write(rows: PageRows): Promise<void>;
  /** Adds columns behind the others for rows that follow. @returns false where the format cannot. */
  grow(columns: readonly StoreColumn[]): Promise<boolean>;
  finish(): Promise<FinishedFile>;
  /** Closes the file, half-written where it was not finished. */
  dispose(): Promise<void>;
}

export interface ResultDataFactory extends ResultOperations {
  create(columns: readonly StoreColumn[]): ResultData;
  createFile(columns: readonly StoreColumn[], file: FileOptions): Promise<FileData>;
  dispose(): void | Promise<void>;
}
