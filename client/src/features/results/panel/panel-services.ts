/** Dependencies of a result panel on the editor and other features. */
import type { TextOptions } from '../../../../../core/src/rows/files/text-writer.ts';
import type { Aggregate, ColumnFilter, GroupSpec, SortKey } from '../../../../../core/src/rows/rows.ts';
import type { FailureDetails } from '../../../../../core/src/util/failure-details.ts';
import type { Translate } from '../../../../../core/src/util/translate.ts';
import type { Result } from '../result.ts';

export interface PanelServices {
  readonly copy: (text: string) => Promise<void>;
  readonly failed: (what: string, error: unknown) => void;
  /** Cell format, by the settings. */
  readonly textOptions: (result: Result) => Pick<TextOptions, 'nullText' | 'guardFormulas' | 'tableName'>;
  /** Asks for scope and target, then writes a file; shows its own failures. */
  readonly export: () => void;
  /** Asks for a target, then writes the file; shows its own failures. */
  readonly savePicture: (
    result: Result,
    picture: { readonly format: 'png' | 'svg'; readonly content: string },
  ) => Promise<void>;
  /** Adds filters and sort order to the query; shows its own failures. */
  readonly addToQuery: (
    result: Result,
    added: { readonly filters: readonly ColumnFilter[]; readonly sort: readonly SortKey[] },
  ) => Promise<void>;
  /** Groups its rows into a separate result, which shows any failure. */
  readonly group: (result: Result, grouping: GroupSpec) => Promise<void>;
  /** A short description of the record with this global ID; undefined if it is not known yet. */
  readonly identify: (globalId: string) => Promise<string | undefined>;
  /** Opens the record of a global ID; shows its own failures. */
  readonly openRecord: (globalId: string) => void;
  /** Opens the details of a failed request. */
  readonly showDetails: (details: FailureDetails) => void;
  /** The editor's locale, for words and numbers. */
  readonly language: string;
  readonly translate: Translate;
  /** The current selection; undefined for one cell or none. */
  readonly selected: (aggregate: Aggregate | undefined) => void;
}
