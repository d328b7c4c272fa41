/** Creates results, either in a worker (`createWorkerData`) or in this thread (`createLocalData`). */
import type { FileOptions, FinishedFile } from './files/rows-encoder.ts';
import type { PageRows } from './packed-rows.ts';
import type { ResultData } from './result-data.ts';
import type { ResultOperations } from './result-operations.ts';
import type { StoreColumn } from './rows.ts';

/** Writes rows to a file page by page, without storing them in memory. */
export interface FileData {
  write(rows: PageRows): Promise<void>;
  /**
   * Appends columns for later rows.
   * @returns false if the format does not allow new columns.
   */
  grow(columns: readonly StoreColumn[]): Promise<boolean>;
  finish(): Promise<FinishedFile>;
  /** Closes the file, even if it is incomplete. */
  dispose(): Promise<void>;
}

export interface ResultDataFactory extends ResultOperations {
  create(columns: readonly StoreColumn[]): ResultData;
  createFile(columns: readonly StoreColumn[], file: FileOptions): Promise<FileData>;
  dispose(): void | Promise<void>;
}
