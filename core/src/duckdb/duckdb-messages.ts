/** What a process with DuckDB and its parent say to each other. */
import type { StoreColumn } from '../rows/rows.ts';

export type GivenFormat = 'parquet' | 'csv' | 'tsv' | 'json' | 'jsonl';

/** A file that a query may read, under the name of its table. */
export interface GivenFile {
  readonly name: string;
  /** Absolute, and no link. */
  readonly path: string;
  readonly format: GivenFormat;
  /** Whether the table of a Parquet file also has `file_row_number`, the place of each row. */
  readonly isNumbered?: boolean | undefined;
}

export interface DuckDbTask {
  /** The folder of the package `@duckdb/node-api`. */
  readonly library: string;
  readonly files: readonly GivenFile[];
  readonly sql: string;
  readonly memoryMb: number;
  readonly threads: number;
  /** An empty folder, for what does not fit in memory. */
  readonly spillFolder: string;
}

/** Rows are sent only when they are asked for. */
export type ToDuckDb = { readonly kind: 'start'; readonly task: DuckDbTask } | { readonly kind: 'next' };

export type FromDuckDb =
  | { readonly kind: 'columns'; readonly columns: readonly StoreColumn[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly unknown[])[] }
  | { readonly kind: 'end' }
  /** `reason` is a code of ours, `message` is DuckDB's. */
  | { readonly kind: 'failed'; readonly reason: 'load' | 'not-select' | 'query'; readonly message: string };
