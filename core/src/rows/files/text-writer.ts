/** The text formats, what they are told, and what each of them is for whoever writes rows. */
export const textFormats = ['tsv', 'csv', 'json', 'jsonl', 'markdown', 'in-list', 'insert'] as const;
export type TextFormat = (typeof textFormats)[number];
export type CopyFormat = TextFormat;

export interface TextOptions {
  readonly format: TextFormat;
  /** For tab-separated values; the other tables always have their column names. */
  readonly withHeaders: boolean;
  /** What stands for NULL in tab-separated values, CSV and Markdown. */
  readonly nullText: string;
  /**
   * Whether what a spreadsheet would calculate gets an apostrophe in front in CSV and tab-separated values: texts, names
   * of columns, what stands for NULL, a single cell. Numbers are left alone.
   */
  readonly guardFormulas: boolean;
  /** The table that INSERT names. */
  readonly tableName: string;
  /** PostgreSQL's names of the columns' types, by which INSERT writes arrays. */
  readonly types?: readonly string[];
}

export interface CopyCell {
  /** Null for NULL. */
  readonly text: string | null;
  /** A number, boolean or JSON value, which JSON and SQL write without quotes. */
  readonly isBare: boolean;
}

export type CellRow = readonly CopyCell[];

export interface CopySource {
  readonly names: readonly string[];
  rows(): Iterable<CellRow>;
}

/** Called in the order start, rows any number of times, end; what they answer makes the text. */
export interface TextWriter {
  start(): string;
  rows(rows: Iterable<CellRow>): string;
  /** Rows have these columns from now on. Missing where the columns are written once, before the rows. */
  readonly grow?: (names: readonly string[]) => void;
  end(): string;
}
