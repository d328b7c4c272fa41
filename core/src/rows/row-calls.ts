/** Calls on the rows of a result at their store: questions and operations. */
import type { Question } from '../questions/question-map.ts';
import type { Chunk } from './packed-rows.ts';
import type { ColumnKind } from './column-kind.ts';
import type { FileOptions, FinishedFile } from './files/rows-encoder.ts';
import type { TextOptions } from './files/text-writer.ts';
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
  /** Rows that match the filters. */
  readonly viewRowCount: number;
  readonly sizeBytes: number;
  readonly kinds: readonly ColumnKind[];
}

export interface ExportRequest {
  /** `view` for the visible rows in their order, `all` for all rows in the service's order. */
  readonly scope: 'view' | 'all';
  /** In output order. */
  readonly columns: readonly number[];
  /** Visible rows; undefined for all of them. */
  readonly rows?: { readonly first: number; readonly last: number } | undefined;
  readonly file: FileOptions;
}

/** Called outside of `ResultData`, which packs rows before they are added. */
export interface RowCalls extends RowQuestions {
  /** Returns the number of visible rows. */
  readonly sortAndFilter: Question<SortAndFilters, number>;
  readonly aggregate: Question<CellRange, Aggregate>;
  /** Groups the visible rows. */
  readonly group: Question<GroupSpec, GroupAnswer>;
  readonly copy: Question<{ readonly range: CellRange; readonly options: TextOptions }, string>;
  /** Digests the first rows in the service's order. */
  readonly digest: Question<{ readonly rowCount: number }, RowsDigest>;
  /** Writes a file to an unused path. The caller removes it after a stop or failure. */
  readonly export: Question<ExportRequest, FinishedFile>;
}

export interface StoreCalls extends RowCalls {
  /** Appends rows and resets the sort order. */
  readonly append: Question<Chunk, AppendOutcome>;
  /** Appends columns; existing rows have NULL. */
  readonly grow: Question<readonly StoreColumn[], undefined>;
}
