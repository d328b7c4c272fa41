/** Rows as a source gives them: a page of a collection, of a query or of a file. */
import type { StoreColumn } from './rows.ts';

export interface RowsPage {
  /** Of this page: rows of other pages are matched to them by name, and new ones are added. */
  readonly columns: readonly StoreColumn[];
  /** Values as the service sent them: texts, numbers, `ExactNumber`, booleans, null, objects for JSON. */
  readonly rows: readonly (readonly unknown[])[];
  /** Whether no page follows. The panel says that there is more as long as no page was the last. */
  readonly isLast: boolean;
  /** All rows of the source, where it knows. */
  readonly totalRows?: number | undefined;
}
