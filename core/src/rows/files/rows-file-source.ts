/** A file to read rows from. */
export type TextRowsFormat = 'csv' | 'tsv' | 'json' | 'jsonl';

export interface RowsFileSource {
  readonly path: string;
  /** `kept` is a file written by `keep`. */
  readonly format: 'kept' | TextRowsFormat;
  readonly rowLimit: number;
  /** The unquoted text that means NULL in CSV. */
  readonly nullText: string;
  /** The encoding of the text; UTF-8 if undefined. */
  readonly encoding?: string | undefined;
  /** Whether to remove the formula guard's apostrophe. */
  readonly isGuarded: boolean;
}
