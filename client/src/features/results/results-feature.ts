/** The results API for other features. */
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
  /** The result for a document's next run: its own unless pinned, else a new one; always new on request. */
  resultFor(key: string, header: RunHeader, options?: { readonly isNew: boolean }): Result;
  /** Reads rows from any source into a result and shows it; resolves with the first page or its failure. */
  open(
    source: RowsSource,
    options?: { readonly isNew?: boolean; readonly takeFocus?: boolean },
  ): Promise<Result>;
  /** Streams rows that belong to no result into a file; asks for format and target. */
  exportRows(rows: PagedRows, choice?: ExportChoice): Promise<vscode.Uri | undefined>;
  /** Operations on whole results: hold, keep, read back, compare. */
  readonly operations: ResultOperations;
  /** Loads all rows of a result, with progress. @returns false if stopped or failed, which the panel reports. */
  loadAll(result: Result): Promise<boolean>;
  /** The whole rows of the selection as text; undefined without selected cells. */
  selectedRows(): Promise<SelectedRows | undefined>;
  /** Resolves global IDs in cells, and opens their records. */
  linkRecords(links: RecordLinks): void;
  /** Shows a result; keeps the focus by default. */
  reveal(result: Result, options?: { readonly takeFocus: boolean }): Promise<void>;
  /** The likeliest result: of the active result tab, else of this document, else the visible one. */
  current(key: string | undefined): Result | undefined;
  /** Fires for every change of any result. */
  readonly onDidChange: vscode.Event<Result>;
  readonly results: readonly Result[];
  /** The visible one: of the active result tab, else of the view below. */
  readonly shown: Result | undefined;
}

export interface RecordLinks {
  /** Short; undefined if unknown now. Never rejects. */
  describe(globalId: string): Promise<string | undefined>;
  /** Shows its own failures. */
  open(globalId: string): void;
}

/** Rows of a result as displayed: null for NULL, long values cut. */
export interface SelectedRows {
  readonly columns: readonly StoreColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** The first selected cell: its column, and its text in the first row. */
  readonly firstColumn: number;
}
