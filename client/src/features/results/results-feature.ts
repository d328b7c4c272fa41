/** The results feature's interface for other features. */
import type * as vscode from 'vscode';
import type { DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import type { ResultOperations } from '#core/rows/result-operations.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import type { RunFacts } from '#core/runs/run-facts.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import type { PagedRows } from './export/export-result.ts';
import type { ExportChoice } from './export/export-rows.ts';
import type { SelectedCells } from './read-selected.ts';
import type { Result } from './result.ts';
import type { RowsSource } from './rows-source.ts';

export interface ResultsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
}

export interface ResultsFeature extends DisposableLike {
  /**
   * Returns the result for a document's next run: its existing result unless pinned or `isNew`, otherwise a new result.
   */
  resultFor(key: string, header: RunHeader, options?: { readonly isNew: boolean }): Result;
  /** Reads rows from any source into a result and shows it. Resolves with the first page or its failure. */
  open(
    source: RowsSource,
    options?: { readonly isNew?: boolean; readonly takeFocus?: boolean },
  ): Promise<Result>;
  /** Streams rows that belong to no result into a file; prompts for format and target. */
  exportRows(rows: PagedRows, choice?: ExportChoice): Promise<vscode.Uri | undefined>;
  /** Operations on whole results: hold, store, read back, compare. */
  readonly operations: ResultOperations;
  /** Loads all rows of a result, with progress. @returns false if loading stopped or failed; the panel reports it. */
  loadAll(result: Result): Promise<boolean>;
  /** Returns the complete rows of the selection as text. @throws ExpectedError if no cells are selected. */
  selectedRows(): Promise<SelectedRows>;
  /** Whether rows are in view, and at least one cell of them is selected. */
  readonly hasSelection: boolean;
  /** Sets how global IDs in cells are resolved and their records opened. */
  linkRecords(links: RecordLinks): void;
  /** Marks the rows read so far from this connection as older than a change that has ended. */
  markOlderThanChange(connection: string): void;
  /** Shows a result; keeps the focus by default. */
  reveal(result: Result, options?: { readonly takeFocus: boolean }): Promise<void>;
  /**
   * Returns the most relevant result: that of the active result tab, then that of this document, then the visible one.
   */
  current(key: string | undefined): Result | undefined;
  /** Closes a result, and cancels its run. */
  close(result: Result): void;
  readonly onDidChange: vscode.Event<Result>;
  readonly results: readonly Result[];
  /** The visible result: in the active result tab if there is one, otherwise in the view below the editors. */
  readonly shown: Result | undefined;
}

export interface RecordLinks {
  /**
   * Returns a short description, or undefined if it is not known yet. Never rejects.
   * @param connections where the rows with the ID come from.
   */
  describe(globalId: string, connections: readonly string[]): Promise<string | undefined>;
  /** Opens the record with the given global ID. Reports its own failures. */
  open(globalId: string, connections: readonly string[]): void;
}

/** Rows of a result as displayed: null for NULL, long values truncated. */
export interface SelectedRows extends SelectedCells {
  readonly columns: readonly StoreColumn[];
  /** Index of the first selected column; with the first row, it locates the first selected cell. */
  readonly firstColumn: number;
  readonly connections: readonly string[];
  /** What identifies the source of the rows. */
  readonly key: string | undefined;
  /** The query behind the rows; undefined if there is none. */
  readonly facts: RunFacts | undefined;
}
