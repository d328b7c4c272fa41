/** Types for requests about rows and their answers. Shared with the panel, so this module must not use Node.js. */

import type { MixedAmounts } from './amounts.ts';
import type { ChangeKind } from './compare/diff.ts';
import type { TimePeriod } from './summary/time-periods.ts';

export interface StoreColumn {
  readonly name: string;
  /** PostgreSQL's name for the type; empty or `unknown` if the service did not report one. */
  readonly type: string;
  readonly description?: string | undefined;
}

/** A range of cells. Rows are display indexes, with both ends inclusive. */
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

/**
 * Maximum characters of a value in a window. Longer values are truncated and end with an ellipsis; `cell` returns the
 * whole value.
 */
export const shownCharsMax = 400;

/**
 * Cells in a block of rows, one array per column. A cell is null for NULL, or its text truncated to `shownCharsMax`.
 */
export interface CellWindow {
  readonly firstRow: number;
  readonly columns: readonly {
    readonly column: number;
    readonly cells: readonly (string | null)[];
    /** For comparisons: the earlier values of changed cells; `at` is an index into `cells`. */
    readonly before?: readonly { readonly at: number; readonly text: string | null }[];
  }[];
  /** For comparisons: the state of each row. */
  readonly changes?: readonly ChangeKind[];
}

export interface CellValue {
  /** The whole text, or null for NULL. */
  readonly text: string | null;
  readonly isJson: boolean;
  /** For comparisons: the state of the cell's row. */
  readonly change?: ChangeKind;
  /** For comparisons: the earlier value, if the cell changed. */
  readonly before?: string | null;
}

/** A whole row: its display index, and its values in column order. */
export interface CellRecord {
  readonly row: number;
  readonly values: readonly CellValue[];
}

/** Maximum number of rows to inspect side by side. */
export const recordsMax = 5;

export interface SortKey {
  readonly column: number;
  readonly descending: boolean;
}

export type TextOperator = 'contains' | 'does-not-contain' | 'equals' | 'starts-with' | 'ends-with';
export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A condition on one column. As in SQL, NULL matches only conditions that mention it. */
export type FilterRule =
  | {
      readonly kind: 'text';
      readonly operator: TextOperator;
      readonly text: string;
      readonly matchCase: boolean;
    }
  /** Compares by kind of column: numbers by exact value, times by instant, strings in sort order. */
  | { readonly kind: 'compare'; readonly operator: CompareOperator; readonly text: string }
  /** Matches any of these values; null means NULL. */
  | { readonly kind: 'values'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'null'; readonly isNull: boolean };

export interface ColumnFilter {
  readonly column: number;
  readonly rule: FilterRule;
}

/** The sort order and the filters of the visible rows. A column has at most one filter. */
export interface SortAndFilters {
  readonly sort: readonly SortKey[];
  readonly filters: readonly ColumnFilter[];
}

/** The values of a column with their counts, most frequent first. */
export interface ColumnValues {
  readonly values: readonly { readonly text: string | null; readonly count: number }[];
  /** Number of distinct values, including those omitted from `values`. */
  readonly distinct: number;
}

export interface FindRequest {
  readonly text: string;
  readonly matchCase: boolean;
  /** Columns to search, in display order. */
  readonly columns: readonly number[];
  /** Start of the search: a row's display index, and an index into `columns`, with -1 before the first column. */
  readonly from: { readonly row: number; readonly place: number };
  readonly backwards: boolean;
}

export interface FindAnswer {
  /** The match, or undefined if nothing matches. The search wraps around at the end. */
  readonly at: { readonly row: number; readonly place: number } | undefined;
  readonly matches: number;
  /** 1-based number of this match. */
  readonly ordinal: number;
}

/** Statistics for a cell range. */
export interface Aggregate {
  readonly cells: number;
  readonly nulls: number;
  /** Number of distinct values; undefined if there are too many to count. */
  readonly distinct: number | undefined;
  /** Exact statistics for numeric cells; undefined if there are none. */
  readonly numbers:
    | {
        readonly count: number;
        readonly sum: string;
        readonly average: string | undefined;
        /** Whether it is rounded to 16 significant digits. */ readonly isAverageRounded: boolean;
      }
    | undefined;
  /** Set if amounts of money have no sum. */
  readonly mixedAmounts?: MixedAmounts;
  /** The smallest value; like `max`, undefined if there are no values or the columns have different kinds. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

/** Number of distinct values, excluding NULL. */
export interface DistinctCount {
  readonly count: number;
  /** Whether counting stopped at the limit. */
  readonly isMore: boolean;
}

/** Digests of rows, computed as described in docs/evidence.md. */
export interface RowsDigest {
  /** Number of hashed rows, counted from the first row in the service's order. */
  readonly rowCount: number;
  /** Digest of the columns and the rows in order. */
  readonly sha256: string;
  /** Digest of the rows regardless of order. */
  readonly setSha256: string;
}

export const measureKinds = ['count', 'sum', 'average', 'least', 'greatest', 'distinct'] as const;
export type MeasureKind = (typeof measureKinds)[number];
export const timeUnits = ['hour', 'day', 'month', 'year'] as const;

export interface GroupColumn {
  readonly column: number;
  /** Unit by which to group times. If undefined, rows are grouped by the whole value. */
  readonly unit?: (typeof timeUnits)[number] | undefined;
}

/** A request to group rows with the same values. */
export interface GroupSpec {
  readonly by: readonly GroupColumn[];
  /** Pivot column: each of its values becomes a column. */
  readonly across?: GroupColumn | undefined;
  /** The measure of each group. All kinds except `count` need a column. */
  readonly measure: { readonly kind: MeasureKind; readonly column?: number | undefined };
}

export type GroupAnswer =
  | {
      readonly kind: 'groups';
      /** The grouped columns, then the pivot columns, then the measure (the total, if there is a pivot). */
      readonly columns: readonly StoreColumn[];
      readonly rows: readonly (readonly (string | null)[])[];
    }
  | { readonly kind: 'too-many-groups' | 'too-many-columns'; readonly most: number }
  /** A group has amounts of money without a sum. */
  | { readonly kind: 'mixed-amounts'; readonly mixed: MixedAmounts };

export const chartTypes = ['bar', 'line', 'scatter', 'histogram'] as const;
export type ChartType = (typeof chartTypes)[number];

/** How the numbers of the rows of a bar become one. */
export const combinations = ['sum', 'average', 'least', 'greatest'] as const satisfies readonly MeasureKind[];
export type Combination = (typeof combinations)[number];

export interface ChartSpec {
  readonly type: ChartType;
  /** Column on the horizontal axis. */
  readonly x: number;
  /** Numeric column on the vertical axis. If undefined, the chart counts rows, provided its type allows that. */
  readonly y?: number | undefined;
  /** How bars that are not split combine the numbers of `y`; sums if undefined. */
  readonly combination?: Combination | undefined;
  /** Column whose values split bars or lines into series. */
  readonly split?: number | undefined;
  /** Numeric columns that are the series of bars or lines, in place of `y` and `split`. */
  readonly measures?: readonly number[] | undefined;
  /** Whether values at different times stay apart, as those of an average. */
  readonly keepsTimes?: boolean | undefined;
  /** The period of bars on a time axis; undefined for the one that suits the range of times. */
  readonly period?: TimePeriod | undefined;
}

export interface ChartPoint {
  /** A category (null for NULL), a number, or milliseconds since 1970. */
  readonly x: string | number | null;
  /** Upper bound of a histogram bar, or of the period of a bar on a time axis. */
  readonly end?: number | undefined;
  readonly y: number;
  /** Index of its series, if the chart is split. */
  readonly series?: number | undefined;
}

/** A part of a split chart: a value of a column (null for NULL), a whole column, or all others combined. */
export type ChartSeries =
  | { readonly kind: 'value'; readonly value: string | null }
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'others'; readonly count: number };

export interface ChartData {
  readonly xKind: 'category' | 'number' | 'time';
  /** Points of a split chart are ordered by category and series (bars), or by series and x (lines). */
  readonly points: readonly ChartPoint[];
  /** The series of a split chart, the largest first; undefined if it is not split. */
  readonly series?: readonly ChartSeries[] | undefined;
  /**
   * Base of the x values, set if they are whole numbers too large for a double. The points are then offsets from it.
   */
  readonly xBase?: string | undefined;
  readonly yBase?: string | undefined;
  /** Number of rows read; `skipped` counts rows without a number to draw. */
  readonly rows: number;
  readonly skipped: number;
  /** Set if nothing is drawn of a column whose amounts of money have no common scale. */
  readonly mixedAmounts?: MixedAmounts | undefined;
  /** Rows that have no place on the time axis of bars. */
  readonly untimed?: number | undefined;
  /**
   * The period of each bar on a time axis; undefined if bars stand at times. `isMerged` means that a bar has the rows of
   * different times.
   */
  readonly period?: { readonly unit: TimePeriod; readonly isMerged: boolean } | undefined;
  /** Number of rows drawn; undefined if all rows are. */
  readonly sampled?: number | undefined;
  /** Categories that are combined because there are too many to draw. */
  readonly others?: { readonly count: number; readonly sum: number } | undefined;
}
