/** Types of a comparison; shared with the panel, so they must not use Node.js. */
import type { ColumnKind } from '../column-kind.ts';

/** The state of a row, in display order. */
export const changeKinds = ['added', 'removed', 'changed', 'unchanged'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A shared column, by its index on each side. */
export interface ColumnPair {
  readonly name: string;
  readonly type: string;
  readonly kind: ColumnKind;
  readonly before: number;
  readonly after: number;
  readonly description?: string | undefined;
}

export interface ColumnPairs {
  readonly pairs: readonly ColumnPair[];
  /** Names of columns on one side only. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

export interface DiffSpec {
  readonly pairs: readonly ColumnPair[];
  /** Key columns, as indexes into `pairs`. None: only rows that are equal as a whole belong together. */
  readonly keys: readonly number[];
  /** Indexes into `pairs` of columns that are shown but not compared. */
  readonly ignored: readonly number[];
}

export type DiffCounts = Readonly<Record<ChangeKind, number>>;

/** Duplicate keys: such rows are paired if equal, or if one is left on each side. */
export interface DuplicateKeys {
  readonly keys: number;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
}

export interface DiffSummary {
  readonly counts: DiffCounts;
  readonly duplicates: DuplicateKeys;
  /** Rows with a NULL key; NULL matches NULL. */
  readonly nullKeys: { readonly before: number; readonly after: number };
  /** By index into `pairs`: number of rows in which the column changed. */
  readonly changedRows: readonly number[];
  /** By index into `pairs`: the column with the earlier values; only if something changed. */
  readonly beforeColumns: readonly (number | undefined)[];
}

/** Columns of a comparison before the compared ones. */
export const changeColumn = 0;
export const changedColumnsColumn = 1;
export const leadingColumns = 2;
