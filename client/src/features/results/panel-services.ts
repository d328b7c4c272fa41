/** What a result panel needs of the editor and of other features. */
import type { TextOptions } from '../../../../core/src/rows/files/text-writer.ts';
import type { Aggregate, ColumnFilter, SortKey } from '../../../../core/src/rows/rows.ts';
import type { FailureDetails } from '../../../../core/src/util/failure-details.ts';
import type { Translate } from '../../../../core/src/util/translate.ts';
import type { Result } from './result.ts';

export interface PanelServices {
  readonly copy: (text: string) => Promise<void>;
  readonly failed: (what: string, error: unknown) => void;
  /** How cells are written, by the settings. */
  readonly textOptions: (result: Result) => Pick<TextOptions, 'nullText' | 'guardFormulas' | 'tableName'>;
  /** Asks what and where to, then writes a file; failures are shown by it. */
  readonly export: () => void;
  /** Asks where to, then writes the file; failures are shown by it. */
  readonly savePicture: (
    result: Result,
    picture: { readonly format: 'png' | 'svg'; readonly content: string },
  ) => Promise<void>;
  /** Filters and an order into the query itself; failures are shown by it. */
  readonly addToQuery: (
    result: Result,
    added: { readonly filters: readonly ColumnFilter[]; readonly sort: readonly SortKey[] },
  ) => Promise<void>;
  /** What a global id names, in a few words; undefined when nobody knows now. */
  readonly identify: (globalId: string) => Promise<string | undefined>;
  /** Opens the record of a global id; failures are shown by it. */
  readonly openRecord: (globalId: string) => void;
  /** Opens what is known of a failed request. */
  readonly showDetails: (details: FailureDetails) => void;
  /** Of the editor, for words and numbers. */
  readonly language: string;
  readonly translate: Translate;
  /** What is selected now; undefined for one cell or none. */
  readonly selected: (aggregate: Aggregate | undefined) => void;
}
