/** A page of rows from a source: a collection, a query or a file. */
import type { StoreColumn } from './rows.ts';

export interface RowsPage {
  /** The columns of this page. Rows of other pages are matched by column name, and new columns are added. */
  readonly columns: readonly StoreColumn[];
  /** Raw values: strings, numbers, `ExactNumber`, booleans, null, and objects for JSON. */
  readonly rows: readonly (readonly unknown[])[];
  /** Whether this is the last page. Until then, the panel indicates that there are more rows. */
  readonly isLast: boolean;
  /** Total number of rows in the source, if known. */
  readonly totalRows?: number | undefined;
}
