/** Rows from a source: a page of a collection, of a query or of a file. */
import type { StoreColumn } from './rows.ts';

export interface RowsPage {
  /** The columns of this page. Rows of other pages are matched by column name, and new columns are added. */
  readonly columns: readonly StoreColumn[];
  /** Raw values: strings, numbers, `ExactNumber`, booleans, null, objects for JSON. */
  readonly rows: readonly (readonly unknown[])[];
  /** Whether this is the last page. Until then the panel shows that there is more. */
  readonly isLast: boolean;
  /** All rows of the source, if known. */
  readonly totalRows?: number | undefined;
}
