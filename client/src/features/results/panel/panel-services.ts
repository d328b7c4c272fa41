/** What a result panel requires from the editor and other features. */
import type { Translate } from '#base/translate.ts';
import type { FailureDetails } from '#core/failures/failure-details.ts';
import type { TextOptions } from '#core/rows/files/text-writer.ts';
import type { ColumnFilter, GroupSpec, SortKey } from '#core/rows/rows.ts';
import type { Result } from '../result.ts';

export interface PanelServices {
  /** Copies a text, and shows progress while it is being made. */
  readonly copy: (text: string | Promise<string>) => Promise<void>;
  readonly failed: (what: string, error: unknown) => void;
  /** Returns the cell format set by the user. */
  readonly textOptions: (
    result: Result,
  ) => Pick<TextOptions, 'nullText' | 'guardFormulas' | 'tableName' | 'timesForSheets'>;
  /** Whether copied rows start with the names of their columns, unless one cell is copied. */
  readonly copiesNames: () => boolean;
  /** Prompts for scope and target, then writes a file. Reports its own failures. */
  readonly export: () => void;
  /** Maximizes the panel below the editors. */
  readonly maximize: () => void;
  /** Called when the page has received the focus, but not by a click. */
  readonly focused: () => void;
  /** Prompts for a target, then writes the file. Reports its own failures. */
  readonly savePicture: (
    result: Result,
    picture: { readonly format: 'png' | 'svg'; readonly content: string },
  ) => Promise<void>;
  /** Adds filters and a sort order to the query. Reports its own failures. */
  readonly addToQuery: (
    result: Result,
    added: { readonly filters: readonly ColumnFilter[]; readonly sort: readonly SortKey[] },
  ) => Promise<void>;
  /**
   * Groups a result's rows into a separate result, which shows any failure.
   * @param replaces the result with earlier groups that these replace.
   */
  readonly group: (result: Result, grouping: GroupSpec, replaces?: string) => Promise<void>;
  /** Compares a result's rows with those of the run before. Reports its own failures. */
  readonly whatChanged: (result: Result) => void;
  /** Returns a short description of the record with the given global ID, or undefined if not known yet. */
  readonly identify: (globalId: string, from: Result) => Promise<string | undefined>;
  /** Opens the record with the given global ID, from the rows of a result. Reports its own failures. */
  readonly openRecord: (globalId: string, from: Result) => void;
  /** Opens the details of a failed request. */
  readonly showDetails: (details: FailureDetails) => void;
  /** The editor's locale, for text and numbers. */
  readonly language: string;
  readonly translate: Translate;
}
