/** The words in which rows are asked for and answered; shared with the panel, so nothing of Node is in here. */

import type { ChangeKind } from './compare/diff.ts';

export interface StoreColumn {
  readonly name: string;
  /** PostgreSQL's name of the type; empty or `unknown` when the service did not say. */
  readonly type: string;
  /** What the column holds, where somebody wrote it down. */
  readonly description?: string | undefined;
}

/** Rows and columns, both ends included, in the order they are looked at. */
export interface CellRange {
  readonly firstRow: number;
  readonly lastRow: number;
  /** Indexes of columns, in the order they are shown. */
  readonly columns: readonly number[];
}

export interface WindowRequest {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly columns: readonly number[];
}

/** Longer texts are cut in windows, with a last character that says so; the whole one is the answer to `cell`. */
export const shownCharsMax = 400;

/** Cells of a block of rows, one array a column: null for NULL, else the text, cut at `shownCharsMax`. */
export interface CellWindow {
  readonly firstRow: number;
  readonly columns: readonly {
    readonly column: number;
    readonly cells: readonly (string | null)[];
    /** In a comparison: of the cells that changed, what was there before, by their place in `cells`. */
    readonly before?: readonly { readonly at: number; readonly text: string | null }[];
  }[];
  /** In a comparison: what became of each row. */
  readonly changes?: readonly ChangeKind[];
}

export interface CellValue {
  /** Null for NULL. */
  readonly text: string | null;
  readonly isJson: boolean;
  /** In a comparison: what became of its row. */
  readonly change?: ChangeKind;
  /** In a comparison, where the cell changed: what was there before. */
  readonly before?: string | null;
}

/** A whole row; its place as it is looked at, its values in the order of the columns. */
export interface CellRecord {
  readonly row: number;
  readonly values: readonly CellValue[];
}

/** Rows that are looked at whole beside each other; more do not fit. */
export const recordsMax = 5;

export interface SortKey {
  readonly column: number;
  readonly descending: boolean;
}

export type TextOperator = 'contains' | 'does-not-contain' | 'equals' | 'starts-with' | 'ends-with';
export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** What the cells of one column must be. NULL meets none but those that name it, as in SQL. */
export type FilterRule =
  | {
      readonly kind: 'text';
      readonly operator: TextOperator;
      readonly text: string;
      readonly matchCase: boolean;
    }
  /** By the column's type: numbers exactly, times by their moment, texts in the order they are sorted. */
  | { readonly kind: 'compare'; readonly operator: CompareOperator; readonly text: string }
  /** One of these values; null is NULL. */
  | { readonly kind: 'values'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'null'; readonly isNull: boolean };

export interface ColumnFilter {
  readonly column: number;
  readonly rule: FilterRule;
}

/** Which rows are looked at, and in which order. At most one filter a column. */
export interface SortAndFilters {
  readonly sort: readonly SortKey[];
  readonly filters: readonly ColumnFilter[];
}

/** The values of a column and how often each comes, the most frequent first. */
export interface ColumnValues {
  readonly values: readonly { readonly text: string | null; readonly count: number }[];
  /** All different values, those that were left out included. */
  readonly distinct: number;
}

export interface FindRequest {
  readonly text: string;
  readonly matchCase: boolean;
  /** Columns that are searched, in the order they are shown. */
  readonly columns: readonly number[];
  /** Where to look on from: a row as it is looked at, and a place in `columns`; -1 is before the first. */
  readonly from: { readonly row: number; readonly place: number };
  readonly backwards: boolean;
}

export interface FindAnswer {
  /** Undefined when nothing matches. Looking on from the last match begins again at the first. */
  readonly at: { readonly row: number; readonly place: number } | undefined;
  /** Cells that match. */
  readonly matches: number;
  /** Which of them this one is, from 1. */
  readonly ordinal: number;
}

/** What is known of the cells of a range. */
export interface Aggregate {
  readonly cells: number;
  readonly nulls: number;
  /** Undefined when there are too many to count. */
  readonly distinct: number | undefined;
  /** Of the numbers among the cells; exact. Undefined without numbers. */
  readonly numbers:
    { readonly count: number; readonly sum: string; readonly average: string | undefined } | undefined;
  /** Undefined without values, or where the columns are of several kinds. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

/** How many different values there are; NULL is none. */
export interface DistinctCount {
  readonly count: number;
  /** Counting stopped there. */
  readonly isMore: boolean;
}

/** What tells rows from others: docs/evidence.md says how it is made. */
export interface RowsDigest {
  /** Rows that were hashed, from the first one, as the service sent them. */
  readonly rowCount: number;
  /** Of the columns and the rows in their order. */
  readonly sha256: string;
  /** Of the rows whatever their order. */
  readonly setSha256: string;
}

export const chartTypes = ['bar', 'line', 'scatter', 'histogram'] as const;
export type ChartType = (typeof chartTypes)[number];

export interface ChartSpec {
  readonly type: ChartType;
  /** Column of the horizontal axis. */
  readonly x: number;
  /** Column of numbers for the other axis; undefined counts rows, where that means something. */
  readonly y?: number | undefined;
}

export interface ChartPoint {
  /** A category (null for NULL), a number, or milliseconds since 1970. */
  readonly x: string | number | null;
  /** Where a bar of a histogram ends. */
  readonly end?: number | undefined;
  readonly y: number;
}

export interface ChartData {
  readonly xKind: 'category' | 'number' | 'time';
  readonly points: readonly ChartPoint[];
  /** Rows that were looked at, and those of them without a number to draw. */
  readonly rows: number;
  readonly skipped: number;
  /** How many rows are drawn when not all are. */
  readonly sampled?: number | undefined;
  /** Categories beyond those that are drawn. */
  readonly others?: { readonly count: number; readonly sum: number } | undefined;
}
