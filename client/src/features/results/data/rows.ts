/** The words in which rows are asked for and answered; shared with the panel, so nothing of Node is in here. */

export interface StoreColumn {
  readonly name: string;
  /** PostgreSQL's name of the type; empty or `unknown` when the service did not say. */
  readonly type: string;
}

/** Rows and columns, both ends included, in the order they are looked at. */
export interface CellRange {
  readonly firstRow: number;
  readonly lastRow: number;
  /** Indexes of columns, in the order they are shown. */
  readonly columns: readonly number[];
}

/** Cells of a block of rows, one array a column: null for NULL, else the text, cut at `shownCharsMax`. */
export interface CellWindow {
  readonly firstRow: number;
  readonly columns: readonly {
    readonly column: number;
    readonly cells: readonly (string | null)[];
  }[];
}

export interface CellValue {
  /** Null for NULL. */
  readonly text: string | null;
  readonly isJson: boolean;
}

export interface SortKey {
  readonly column: number;
  readonly descending: boolean;
}
