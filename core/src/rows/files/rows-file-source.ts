/** A file that rows are read back from. */
export type TextRowsFormat = 'csv' | 'tsv' | 'json' | 'jsonl';

export interface RowsFileSource {
  readonly path: string;
  /** `kept`: as `keep` wrote it. */
  readonly format: 'kept' | TextRowsFormat;
  /** More rows are not read. */
  readonly rowLimit: number;
  /** What stands for NULL in CSV, where it is not quoted. */
  readonly nullText: string;
  /** Whether an apostrophe in front of what a spreadsheet would calculate is taken away, as it was put there. */
  readonly isGuarded: boolean;
}
