/** Text formats, their options, and the interface of their writers. */
export const textFormats = ['tsv', 'csv', 'json', 'jsonl', 'markdown', 'in-list', 'insert'] as const;
export type TextFormat = (typeof textFormats)[number];
export type CopyFormat = TextFormat;

export interface TextOptions {
  readonly format: TextFormat;
  /** Whether tab-separated values start with column names; other tables always do. */
  readonly withHeaders: boolean;
  /** The text for NULL in tab-separated values, CSV and Markdown. */
  readonly nullText: string;
  /** Whether tab-separated values quote text that would be read as NULL, as files do and the clipboard does not. */
  readonly keepsNull?: boolean;
  /**
   * Whether to guard against formula injection in CSV and tab-separated values. If so, an apostrophe is added to each
   * cell, column name or NULL text that a spreadsheet would run as a formula. Numbers are unchanged.
   */
  readonly guardFormulas: boolean;
  /** Table name for INSERT statements. */
  readonly tableName: string;
  /** Whether tab-separated values write times as spreadsheets read them, which have no zones: in UTC. */
  readonly timesForSheets?: boolean;
  /** PostgreSQL's column types, needed for arrays in INSERT and for times. */
  readonly types?: readonly string[];
}

export interface CopyCell {
  /** The text of the cell, or null for NULL. */
  readonly text: string | null;
  /** Whether JSON and SQL write the text without quotes: a number, boolean or JSON value. */
  readonly isBare: boolean;
}

export type CellRow = readonly CopyCell[];

export interface CopySource {
  readonly names: readonly string[];
  rows(): Iterable<CellRow>;
}

/** Call `start`, then `rows` any number of times, then `end`. The results together form the text. */
export interface TextWriter {
  start(): string;
  rows(rows: Iterable<CellRow>): string;
  /** Sets the column names of later rows. Undefined if the header is written once, before the rows. */
  readonly grow?: (names: readonly string[]) => void;
  end(): string;
}
