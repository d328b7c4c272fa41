/** Messages between the main thread and the query worker. */
import type { Changes } from '../data/changes/changes.ts';

export interface DataSettings {
  readonly seed: number;
  readonly accounts: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface WorkerSettings {
  readonly data: DataSettings;
  readonly changes: Changes;
  /** Folder with PGlite's compressed files. If undefined, the installed packages are used. */
  readonly assets: string | undefined;
  /** The compressed prepared database. If undefined or missing, it is created, which takes seconds. */
  readonly prepared: string | undefined;
  /** Compiled once and shared with later workers. */
  readonly wasm: WebAssembly.Module | undefined;
}

export interface RunRequest {
  readonly kind: 'run';
  readonly id: number;
  readonly schema: string;
  readonly sql: string;
  readonly values: readonly (string | null)[];
  readonly fallbackTypes: readonly number[];
  readonly rowLimit: number;
  readonly byteLimit: number;
}

/** A request to rewrite the rows of changed records. */
export interface ChangeRequest {
  readonly kind: 'change';
  readonly id: number;
  readonly changes: Changes;
  readonly touched: readonly TouchedRecord[];
}

export interface TouchedRecord {
  readonly collection: 'accounts' | 'access' | 'activities';
  readonly place: number;
}

export type ToWorker = RunRequest | ChangeRequest;

/** A PostgreSQL error, with the phase in which it occurred. */
export interface DatabaseFailure {
  readonly phase: 'parse' | 'proof' | 'run' | 'limit';
  readonly sqlState: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** 1-based position in code points, in the SQL sent to PostgreSQL. */
  readonly position: number | undefined;
}

export interface Column {
  readonly name: string;
  readonly type: string;
}

export type FromWorker =
  | { readonly kind: 'ready'; readonly wasm: WebAssembly.Module | undefined }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'begun'; readonly id: number; readonly columns: readonly Column[] }
  /** Rows as JSON arrays joined by commas, with the byte offset of each row's end. */
  | { readonly kind: 'rows'; readonly id: number; readonly json: Uint8Array; readonly ends: Uint32Array }
  /** All rows were sent, or the change was applied. */
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: DatabaseFailure };
