/** What is asked of the rows of a result where they are: what may be asked about them, and what is done with them. */
import type { Question } from '../questions/question-map.ts';
import type { Chunk } from './packed-rows.ts';
import type { ColumnKind } from './column-kind.ts';
import type { FileOptions, FinishedFile } from './files/rows-encoder.ts';
import type { TextOptions } from './files/text-writer.ts';
import type { RowQuestions } from './row-questions.ts';
import type { Aggregate, SortAndFilters, CellRange, RowsDigest, StoreColumn } from './rows.ts';

export interface AppendOutcome {
  readonly rowCount: number;
  /** Rows that meet the filters. */
  readonly viewRowCount: number;
  readonly sizeBytes: number;
  readonly kinds: readonly ColumnKind[];
}

export interface ExportRequest {
  /** `view` for the rows that are looked at in their order, `all` for all that are here as the service sent them. */
  readonly scope: 'view' | 'all';
  /** In the order they are written. */
  readonly columns: readonly number[];
  /** Of the rows that are looked at; undefined for all of them. */
  readonly rows?: { readonly first: number; readonly last: number } | undefined;
  readonly file: FileOptions;
}

/** Asked from outside of `ResultData`, which packs rows before they are added. */
export interface RowCalls extends RowQuestions {
  /** Answers how many rows are looked at then. */
  readonly sortAndFilter: Question<SortAndFilters, number>;
  readonly aggregate: Question<CellRange, Aggregate>;
  readonly copy: Question<{ readonly range: CellRange; readonly options: TextOptions }, string>;
  /** Of the first rows in the order of the service. */
  readonly digest: Question<{ readonly rowCount: number }, RowsDigest>;
  /** Writes a file where nothing is yet. What a stopped or failed call has written is left to the caller. */
  readonly export: Question<ExportRequest, FinishedFile>;
}

export interface StoreCalls extends RowCalls {
  /** Adds rows at the end and gives up any order. */
  readonly append: Question<Chunk, AppendOutcome>;
  /** Adds columns behind the others; in rows that are here they are NULL. */
  readonly grow: Question<readonly StoreColumn[], undefined>;
}
