/** A file to read rows from. */
export type TextRowsFormat = 'csv' | 'tsv' | 'json' | 'jsonl';

export interface RowsFileSource {
  readonly path: string;
  /** `kept`: written by `keep`. */
  readonly format: 'kept' | TextRowsFormat;
  /** Row limit. */
  readonly rowLimit: number;
  /** The unquoted text for NULL in CSV. */
  readonly nullText: string;
  /** Whether to remove the formula guard's apostrophe. */
  readonly isGuarded: boolean;
}
