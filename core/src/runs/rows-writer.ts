/** Where the rows of a run go: into a result in the editor, into a file or a terminal elsewhere. */
import type { PageRows } from '../rows/packed-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import type { RunFailure } from './run-failure.ts';

/** More rows are on their way, or were asked for and did not come. */
export type Loading =
  | { readonly kind: 'none' }
  /** `note`: why it takes its time, in place of "Loading". */
  | { readonly kind: 'page'; readonly note?: string | undefined }
  | { readonly kind: 'all'; readonly note?: string | undefined }
  | { readonly kind: 'failed'; readonly failure: RunFailure };

/** How far the rows of a run have come. */
export interface RowsProgress {
  /** All rows of the result, where the service says so. */
  readonly totalRows: number | undefined;
  /** Whether every row of the result is here. */
  readonly isComplete: boolean;
  /** Whether loading stopped at the limit of the settings. */
  readonly isAtLimit: boolean;
  readonly loading: Loading;
  readonly firstRowsMs: number;
  readonly totalMs: number;
  /** When the last page arrived, in milliseconds since 1970. */
  readonly finishedAt: number;
}

/** How a run stands before it has rows, or without ever having any. */
export type RunState =
  | { readonly kind: 'running'; readonly elapsedMs: number; readonly note?: string | undefined }
  | { readonly kind: 'failed'; readonly failure: RunFailure; readonly elapsedMs: number }
  | { readonly kind: 'cancelled'; readonly elapsedMs: number };

export interface RowsWriter {
  set(state: RunState): void;
  /** Starts the rows of this run; only once. */
  open(columns: readonly StoreColumn[]): void;
  /** Adds columns behind the others: a later page has them, the rows before do not. */
  grow(columns: readonly StoreColumn[]): void;
  /** Undefined where nobody wants the rows any more. */
  append(rows: PageRows): Promise<{ readonly rowCount: number } | undefined>;
  setRows(progress: RowsProgress): void;
}
