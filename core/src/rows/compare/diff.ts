/** The words in which two results are compared; shared with the panel, so nothing of Node is in here. */
import type { ColumnKind } from '../column-kind.ts';

/** What became of a row, in the order the rows are shown. */
export const changeKinds = ['added', 'removed', 'changed', 'unchanged'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A column that both sides have, by its index in each. */
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
  /** Names of columns that only one side has. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

export interface DiffSpec {
  readonly pairs: readonly ColumnPair[];
  /** By which rows of the two sides belong together: places in `pairs`. None: only rows that are equal as a whole do. */
  readonly keys: readonly number[];
  /** Places in `pairs` that are shown and not compared. */
  readonly ignored: readonly number[];
}

export type DiffCounts = Readonly<Record<ChangeKind, number>>;

/** Keys that do not tell rows apart: such rows are paired where they are equal, or one is left on each side. */
export interface DuplicateKeys {
  readonly keys: number;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
}

export interface DiffSummary {
  readonly counts: DiffCounts;
  readonly duplicates: DuplicateKeys;
  /** Rows with NULL in their key; NULL belongs to NULL. */
  readonly nullKeys: { readonly before: number; readonly after: number };
  /** By place in `pairs`: rows in which that column changed. */
  readonly changedRows: readonly number[];
  /** By place in `pairs`: the column of the comparison that holds what was there before; only where something changed. */
  readonly beforeColumns: readonly (number | undefined)[];
}

/** Columns of a comparison that are in front of those that are compared. */
export const changeColumn = 0;
export const changedColumnsColumn = 1;
export const leadingColumns = 2;
