/** The text formats, their options, and their interface for writers. */
export const textFormats = ['tsv', 'csv', 'json', 'jsonl', 'markdown', 'in-list', 'insert'] as const;
export type TextFormat = (typeof textFormats)[number];
export type CopyFormat = TextFormat;

export interface TextOptions {
  readonly format: TextFormat;
  /** For tab-separated values; the other tables always have column names. */
  readonly withHeaders: boolean;
  /** The text for NULL in tab-separated values, CSV and Markdown. */
  readonly nullText: string;
  /**
   * Whether texts that a spreadsheet would run as formulas get an apostrophe in CSV and tab-separated values: cells,
   * column names, the NULL text, a single cell. Numbers are unchanged.
   */
  readonly guardFormulas: boolean;
  /** The table of the INSERT. */
  readonly tableName: string;
  /** PostgreSQL's column types, needed for arrays in INSERT. */
  readonly types?: readonly string[];
}

export interface CopyCell {
  /** Null means NULL. */
  readonly text: string | null;
  /** A number, boolean or JSON value, which JSON and SQL write without quotes. */
  readonly isBare: boolean;
}

export type CellRow = readonly CopyCell[];

export interface CopySource {
  readonly names: readonly string[];
  rows(): Iterable<CellRow>;
}

/** Called in the order start, rows (any number of times), end; the results form the text. */
export interface TextWriter {
  start(): string;
  rows(rows: Iterable<CellRow>): string;
  /** Sets the columns of later rows. Missing if the header is written once, before the rows. */
  readonly grow?: (names: readonly string[]) => void;
  end(): string;
}
