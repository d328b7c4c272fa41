/** Comparison types. Shared with the panel, so this module must not use Node.js. */
import type { ColumnKind } from '../column-kind.ts';

/** The states of a row, in display order. */
export const changeKinds = ['added', 'removed', 'changed', 'unchanged'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A column that both sides share, with its index on each side. */
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
  /** Names of columns that exist on one side only. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

export interface DiffSpec {
  readonly pairs: readonly ColumnPair[];
  /** Key columns, as indexes into `pairs`. If empty, only fully equal rows are paired. */
  readonly keys: readonly number[];
  /** Indexes into `pairs` of columns that are shown but not compared. */
  readonly ignored: readonly number[];
}

export type DiffCounts = Readonly<Record<ChangeKind, number>>;

/** Counts of duplicate keys. Rows with such keys are paired if they are equal, or if only one is left on each side. */
export interface DuplicateKeys {
  readonly keys: number;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
}

export interface DiffSummary {
  readonly counts: DiffCounts;
  readonly duplicates: DuplicateKeys;
  /** Number of rows with a NULL key; NULL matches NULL. */
  readonly nullKeys: { readonly before: number; readonly after: number };
  /** Number of rows in which a column changed, by index into `pairs`. */
  readonly changedRows: readonly number[];
  /** Index of the column with the earlier values, by index into `pairs`; undefined if nothing changed. */
  readonly beforeColumns: readonly (number | undefined)[];
}

/** Leading columns of a comparison, before the compared columns. */
export const changeColumn = 0;
export const changedColumnsColumn = 1;
export const leadingColumns = 2;
