/** What results offer the other features. */
import type * as vscode from 'vscode';
import type { ResultOperations } from '../../../../core/src/rows/result-operations.ts';
import type { StoreColumn } from '../../../../core/src/rows/rows.ts';
import type { RunHeader } from '../../../../core/src/runs/run-header.ts';
import type { DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { PagedRows } from './export/export-result.ts';
import type { ExportChoice } from './export/export-rows.ts';
import type { Result } from './result.ts';
import type { RowsSource } from './rows-source.ts';

export interface ResultsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
}

export interface ResultsFeature extends DisposableLike {
  /** The result a document's next run goes to: its own unless that is pinned, else a new one; always a
   * new one when told so. */
  resultFor(key: string, header: RunHeader, options?: { readonly isNew: boolean }): Result;
  /** Reads rows from any source into a result and brings it into view; resolves with the first page, or its failure, in it. */
  open(
    source: RowsSource,
    options?: { readonly isNew?: boolean; readonly takeFocus?: boolean },
  ): Promise<Result>;
  /** Writes rows that are in no result into a file, page by page; asks which format and where. */
  exportRows(rows: PagedRows, choice?: ExportChoice): Promise<vscode.Uri | undefined>;
  /** What whole results can do: be held, kept, read back, compared. */
  readonly operations: ResultOperations;
  /** Loads all rows of a result, with progress. @returns false when it was stopped or failed, which the panel says. */
  loadAll(result: Result): Promise<boolean>;
  /** The rows that the selection touches, whole, as texts; undefined when no cell is selected. */
  selectedRows(): Promise<SelectedRows | undefined>;
  /** Who knows what global ids in cells name, and opens what is behind them. */
  linkRecords(links: RecordLinks): void;
  /** Brings a result into view; the focus stays where it is unless told to be taken. */
  reveal(result: Result, options?: { readonly takeFocus: boolean }): Promise<void>;
  /** The result a person is most likely to mean: of the active result tab, else of this document, else the one shown. */
  current(key: string | undefined): Result | undefined;
  /** Fires for every change of any result. */
  readonly onDidChange: vscode.Event<Result>;
  readonly results: readonly Result[];
  /** The one that is looked at: of the active result tab, else of the view below. */
  readonly shown: Result | undefined;
}

export interface RecordLinks {
  /** In a few words; undefined when that is not known now. Never rejects. */
  describe(globalId: string): Promise<string | undefined>;
  /** Failures are shown by it. */
  open(globalId: string): void;
}

/** Rows of a result as they are looked at: null for NULL, long texts cut. */
export interface SelectedRows {
  readonly columns: readonly StoreColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Of the selected cells the first: its column, and its text in the first row. */
  readonly firstColumn: number;
}
