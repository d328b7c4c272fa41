/** Types for row requests and answers; shared with the panel, so they must not use Node.js. */

import type { ChangeKind } from './compare/diff.ts';

export interface StoreColumn {
  readonly name: string;
  /** PostgreSQL's name of the type; empty or `unknown` if the service did not report it. */
  readonly type: string;
  /** Description of the column, if there is one. */
  readonly description?: string | undefined;
}

/** Rows and columns in display order, both ends inclusive. */
export interface CellRange {
  readonly firstRow: number;
  readonly lastRow: number;
  /** Column indexes in display order. */
  readonly columns: readonly number[];
}

export interface WindowRequest {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly columns: readonly number[];
}

/** Longer values are truncated in windows and end with a marker; `cell` returns the whole value. */
export const shownCharsMax = 400;

/** Cells of a block of rows, one array per column: null for NULL, else the text, truncated to `shownCharsMax`. */
export interface CellWindow {
  readonly firstRow: number;
  readonly columns: readonly {
    readonly column: number;
    readonly cells: readonly (string | null)[];
    /** In a comparison: earlier values of the changed cells, by index in `cells`. */
    readonly before?: readonly { readonly at: number; readonly text: string | null }[];
  }[];
  /** In a comparison: the state of each row. */
  readonly changes?: readonly ChangeKind[];
}

export interface CellValue {
  /** Null for NULL. */
  readonly text: string | null;
  readonly isJson: boolean;
  /** In a comparison: the state of its row. */
  readonly change?: ChangeKind;
  /** In a comparison, if the cell changed: the earlier value. */
  readonly before?: string | null;
}

/** A whole row: its display index, its values in column order. */
export interface CellRecord {
  readonly row: number;
  readonly values: readonly CellValue[];
}

/** Maximum rows inspected side by side. */
export const recordsMax = 5;

export interface SortKey {
  readonly column: number;
  readonly descending: boolean;
}

export type TextOperator = 'contains' | 'does-not-contain' | 'equals' | 'starts-with' | 'ends-with';
export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A condition on one column. NULL matches only conditions that name it, as in SQL. */
export type FilterRule =
  | {
      readonly kind: 'text';
      readonly operator: TextOperator;
      readonly text: string;
      readonly matchCase: boolean;
    }
  /** By column type: numbers by exact value, times by instant, texts in sort order. */
  | { readonly kind: 'compare'; readonly operator: CompareOperator; readonly text: string }
  /** One of these values; null means NULL. */
  | { readonly kind: 'values'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'null'; readonly isNull: boolean };

export interface ColumnFilter {
  readonly column: number;
  readonly rule: FilterRule;
}

/** Which rows are visible, and their order. At most one filter per column. */
export interface SortAndFilters {
  readonly sort: readonly SortKey[];
  readonly filters: readonly ColumnFilter[];
}

/** The values of a column with their counts, most frequent first. */
export interface ColumnValues {
  readonly values: readonly { readonly text: string | null; readonly count: number }[];
  /** All distinct values, including omitted ones. */
  readonly distinct: number;
}

export interface FindRequest {
  readonly text: string;
  readonly matchCase: boolean;
  /** Searched columns, in display order. */
  readonly columns: readonly number[];
  /** Start of the next search: a display row, and an index in `columns`; -1 is before the first. */
  readonly from: { readonly row: number; readonly place: number };
  readonly backwards: boolean;
}

export interface FindAnswer {
  /** Undefined if nothing matches. The search wraps around after the last match. */
  readonly at: { readonly row: number; readonly place: number } | undefined;
  /** Number of matching cells. */
  readonly matches: number;
  /** Number of this match, from 1. */
  readonly ordinal: number;
}

/** Statistics of a range of cells. */
export interface Aggregate {
  readonly cells: number;
  readonly nulls: number;
  /** Undefined if there are too many to count. */
  readonly distinct: number | undefined;
  /** Exact statistics of the numbers among the cells. Undefined without numbers. */
  readonly numbers:
    { readonly count: number; readonly sum: string; readonly average: string | undefined } | undefined;
  /** Undefined without values, or if the columns have different kinds. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

/** Number of distinct values, without NULL. */
export interface DistinctCount {
  readonly count: number;
  /** Counting stopped at the limit. */
  readonly isMore: boolean;
}

/** Digests of rows: docs/evidence.md documents how they are computed. */
export interface RowsDigest {
  /** Number of hashed rows, from the first one in the service's order. */
  readonly rowCount: number;
  /** Digest of the columns and the rows in order. */
  readonly sha256: string;
  /** Digest of the rows in any order. */
  readonly setSha256: string;
}

export const measureKinds = ['count', 'sum', 'average', 'least', 'greatest', 'distinct'] as const;
export type MeasureKind = (typeof measureKinds)[number];
export const timeUnits = ['hour', 'day', 'month', 'year'] as const;

export interface GroupColumn {
  readonly column: number;
  /** Groups times by hour, day, month or year; undefined: by the whole value. */
  readonly unit?: (typeof timeUnits)[number] | undefined;
}

/** Rows with the same values become one. */
export interface GroupSpec {
  readonly by: readonly GroupColumn[];
  /** Each of its values becomes a column: a pivot. */
  readonly across?: GroupColumn | undefined;
  /** The measure of each group; all but `count` measure a column. */
  readonly measure: { readonly kind: MeasureKind; readonly column?: number | undefined };
}

export type GroupAnswer =
  | {
      readonly kind: 'groups';
      /** The grouped columns, the pivot columns, and the measure, which is the total of a pivot. */
      readonly columns: readonly StoreColumn[];
      readonly rows: readonly (readonly (string | null)[])[];
    }
  | { readonly kind: 'too-many-groups' | 'too-many-columns'; readonly most: number };

export const chartTypes = ['bar', 'line', 'scatter', 'histogram'] as const;
export type ChartType = (typeof chartTypes)[number];

export interface ChartSpec {
  readonly type: ChartType;
  /** Column of the horizontal axis. */
  readonly x: number;
  /** Numeric column of the other axis; undefined counts rows, if that makes sense. */
  readonly y?: number | undefined;
}

export interface ChartPoint {
  /** A category (null for NULL), a number, or milliseconds since 1970. */
  readonly x: string | number | null;
  /** Upper bound of a histogram bar. */
  readonly end?: number | undefined;
  readonly y: number;
}

export interface ChartData {
  readonly xKind: 'category' | 'number' | 'time';
  readonly points: readonly ChartPoint[];
  /** If a double cannot represent the whole numbers, the points are distances from this one. */
  readonly xBase?: string | undefined;
  readonly yBase?: string | undefined;
  /** Rows read, and those without a number to draw. */
  readonly rows: number;
  readonly skipped: number;
  /** Number of drawn rows, if not all. */
  readonly sampled?: number | undefined;
  /** Categories beyond the drawn ones. */
  readonly others?: { readonly count: number; readonly sum: number } | undefined;
}
