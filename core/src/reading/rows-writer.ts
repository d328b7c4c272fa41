/** The destination of a run's rows: a result in the editor, a file, or a terminal. */
import type { ExpectedColumn } from '#server/protocol.ts';
import type { RunFailure } from '../failures/run-failure.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';

/** The state of loading further rows. */
export type Loading =
  | { readonly kind: 'none' }
  /** `note` explains a delay and replaces "Loading". */
  | { readonly kind: 'page'; readonly note?: string | undefined }
  | { readonly kind: 'all'; readonly note?: string | undefined }
  | { readonly kind: 'failed'; readonly failure: RunFailure };

/**
 * Progress of loading a run's rows. Only the reader judges whether these are all rows: writers and whoever reads them
 * take its word.
 */
export interface RowsProgress {
  /** Total number of rows in the result, if the service reports it. */
  readonly totalRows: number | undefined;
  /** Whether every row is loaded. */
  readonly isComplete: boolean;
  /** Whether loading stopped at the row limit or early (see `isShort`). */
  readonly isAtLimit: boolean;
  /** Whether the service sent fewer rows than it reports and no further pages. */
  readonly isShort?: boolean | undefined;
  /** Whether rows may be missing, since the service does not tell how a result ends. */
  readonly isPerhapsShort?: boolean | undefined;
  readonly loading: Loading;
  readonly firstRowsMs: number;
  readonly totalMs: number;
  /** Milliseconds since 1970 when the last page arrived. */
  readonly finishedAt: number;
}

/** Whether every page was read, which need not be every row. */
export function isEnded({ isComplete, isShort, isPerhapsShort }: RowsProgress): boolean {
  return isComplete || isShort === true || isPerhapsShort === true;
}

/** Whether loading all rows would load no more: every page was read, or the limit is reached. */
export function isLoaded({ isComplete, isAtLimit }: RowsProgress): boolean {
  return isComplete || isAtLimit;
}

/** The state of a run that has no rows yet, or never will. */
export type RunState =
  | {
      readonly kind: 'running';
      readonly elapsedMs: number;
      readonly note?: string | undefined;
      /** The columns that the checks expect, until the service reports the real ones. */
      readonly columns?: readonly ExpectedColumn[] | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly failure: RunFailure;
      readonly elapsedMs: number;
      /** Whether the service, which was away or refused the sign-in, is available again. */
      readonly isBack?: true;
    }
  | { readonly kind: 'cancelled'; readonly elapsedMs: number };

export interface RowsWriter {
  set(state: RunState): void;
  /** Starts the rows of this run; called once. */
  open(columns: readonly StoreColumn[]): void;
  /** Adds columns from a later page. Earlier rows have no values for them. */
  grow(columns: readonly StoreColumn[]): void;
  /** Resolves to undefined if the rows are no longer wanted. */
  append(rows: PageRows): Promise<{ readonly rowCount: number } | undefined>;
  setRows(progress: RowsProgress): void;
}
