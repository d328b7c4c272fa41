/** The target for a run's rows: a result in the editor, a file, or a terminal. */
import type { ExpectedColumn } from '../../../server/src/protocol.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import type { RunFailure } from './run-failure.ts';

/** More rows are pending, or were requested and failed. */
export type Loading =
  | { readonly kind: 'none' }
  /** `note`: why it takes a long time, in place of "Loading". */
  | { readonly kind: 'page'; readonly note?: string | undefined }
  | { readonly kind: 'all'; readonly note?: string | undefined }
  | { readonly kind: 'failed'; readonly failure: RunFailure };

/** Progress of a run's rows. */
export interface RowsProgress {
  /** All rows of the result, if the service reports them. */
  readonly totalRows: number | undefined;
  /** Whether every row is loaded. */
  readonly isComplete: boolean;
  /** Whether loading stopped at the row limit, or `isShort`. */
  readonly isAtLimit: boolean;
  /** The service sent fewer rows than it reports, and no further page. */
  readonly isShort?: boolean | undefined;
  readonly loading: Loading;
  readonly firstRowsMs: number;
  readonly totalMs: number;
  /** When the last page arrived, in milliseconds since 1970. */
  readonly finishedAt: number;
}

/** State of a run before or without rows. */
export type RunState =
  | {
      readonly kind: 'running';
      readonly elapsedMs: number;
      readonly note?: string | undefined;
      /** The columns that the checks expect, until the service reports the real ones. */
      readonly columns?: readonly ExpectedColumn[] | undefined;
    }
  | { readonly kind: 'failed'; readonly failure: RunFailure; readonly elapsedMs: number }
  | { readonly kind: 'cancelled'; readonly elapsedMs: number };

export interface RowsWriter {
  set(state: RunState): void;
  /** Starts the rows of this run; call once. */
  open(columns: readonly StoreColumn[]): void;
  /** Appends columns of a later page, which earlier rows lack. */
  grow(columns: readonly StoreColumn[]): void;
  /** Undefined if the rows are no longer wanted. */
  append(rows: PageRows): Promise<{ readonly rowCount: number } | undefined>;
  setRows(progress: RowsProgress): void;
}
