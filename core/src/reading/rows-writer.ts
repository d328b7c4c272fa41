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
 * How much of the rows there is. Only the reader judges this. Files, the footer of a result and answers to agents use its
 * value.
 */
export type RowsExtent =
  /** Further rows are to be had. */
  | 'more'
  /** Reading stopped at the row limit; further rows are to be had. */
  | 'at-limit'
  /** Every row is there. */
  | 'complete'
  /** There are no further pages, and the source reports more rows than it sent. */
  | 'short'
  /** There are no further pages, and the source does not tell whether these are all rows. */
  | 'perhaps-short'
  /** Rows that arrived could not be written, so that no further ones are read. */
  | 'lost';

/** Settles by hand that values reach the service beside the text, where `areValuesUnknown`. */
export const valuesSetting = '"execute": { "values": "parameters" }';

export interface RowsProgress {
  readonly extent: RowsExtent;
  /** Why it is `perhaps-short`: nothing shows that the service uses the values of parameters. Else it is the paging. */
  readonly areValuesUnknown?: true | undefined;
  /** Total number of rows, if it is known: with all rows, their number, else what the source reports. */
  readonly totalRows: number | undefined;
  readonly loading: Loading;
  readonly firstRowsMs: number;
  readonly totalMs: number;
  /** Milliseconds since 1970 when the last page arrived. */
  readonly finishedAt: number;
}

/** Whether every page was read, which need not be every row. */
export function isEnded({ extent }: Pick<RowsProgress, 'extent'>): boolean {
  return extent === 'complete' || extent === 'short' || extent === 'perhaps-short';
}

/** Whether loading all rows would load no more: every page was read, or the limit is reached. */
export function isLoaded(progress: Pick<RowsProgress, 'extent'>): boolean {
  return progress.extent === 'at-limit' || isEnded(progress);
}

/** Progress of rows that were made here at once, such as a comparison: there are no others. */
export function madeRows(rowCount: number, ms: number, finishedAt: number): RowsProgress {
  return {
    ...{ extent: 'complete', totalRows: rowCount, loading: { kind: 'none' }, finishedAt },
    ...{ firstRowsMs: ms, totalMs: ms },
  };
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
