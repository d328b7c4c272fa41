/** Calls that run where a result's rows are stored: questions and operations. */
import type { Question } from '../questions/question-map.ts';
import type { ColumnKind } from './column-kind.ts';
import type { FileOptions, FinishedFile } from './files/rows-encoder.ts';
import type { TextOptions } from './files/text-writer.ts';
import type { Chunk } from './packed-rows.ts';
import type { RowQuestions } from './row-questions.ts';
import type {
  Aggregate,
  CellRange,
  GroupAnswer,
  GroupSpec,
  RowsDigest,
  SortAndFilters,
  StoreColumn,
} from './rows.ts';

export interface AppendOutcome {
  readonly rowCount: number;
  /** Number of rows that match the filters. */
  readonly viewRowCount: number;
  readonly sizeBytes: number;
  readonly kinds: readonly ColumnKind[];
}

export interface ExportRequest {
  /** `view` exports the visible rows in their order, `all` exports all rows in the service's order. */
  readonly scope: 'view' | 'all';
  /** Column indexes in output order. */
  readonly columns: readonly number[];
  /** Range of rows to export, both ends inclusive; undefined for all. */
  readonly rows?: { readonly first: number; readonly last: number } | undefined;
  readonly file: FileOptions;
}

/** Calls for users of `ResultData`, which adds rows itself after packing them. */
export interface RowCalls extends RowQuestions {
  /** Sorts and filters the rows; returns the number of visible rows. */
  readonly sortAndFilter: Question<SortAndFilters, number>;
  /** The same, and where a visible row has moved; undefined if it is not visible any more. */
  readonly rearrange: Question<
    SortAndFilters & { readonly row: number },
    { readonly viewRowCount: number; readonly row: number | undefined }
  >;
  readonly aggregate: Question<CellRange, Aggregate>;
  readonly group: Question<GroupSpec, GroupAnswer>;
  readonly copy: Question<{ readonly range: CellRange; readonly options: TextOptions }, string>;
  /** Computes the digests of the first rows in the service's order. */
  readonly digest: Question<{ readonly rowCount: number }, RowsDigest>;
  /**
   * Writes a file to a path at which no file exists. The caller removes the file if the export is cancelled or fails.
   */
  readonly export: Question<ExportRequest, FinishedFile>;
}

export interface StoreCalls extends RowCalls {
  /** Appends rows and resets the sort order. */
  readonly append: Question<Chunk, AppendOutcome>;
  /** Appends columns, which are NULL in existing rows. */
  readonly grow: Question<readonly StoreColumn[], undefined>;
}
