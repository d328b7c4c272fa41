/** What the process and its query worker tell each other. */
import type { Changes } from '../data/changes.ts';

export interface DataSettings {
  readonly seed: number;
  readonly accounts: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface WorkerSettings {
  readonly data: DataSettings;
  readonly changes: Changes;
  /** Folder with PGlite's files, compressed; undefined: as the packages lie. */
  readonly assets: string | undefined;
  /** The prepared database, compressed; undefined or missing: made from nothing, which takes seconds. */
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

/** Records that changed: their rows are made anew. */
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

/** PostgreSQL's own error, and what was being done. */
export interface DatabaseFailure {
  readonly phase: 'parse' | 'proof' | 'run' | 'limit';
  readonly sqlState: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** 1-based, in code points of the SQL that PostgreSQL was sent. */
  readonly position: number | undefined;
}

export interface Column {
  readonly name: string;
  readonly type: string;
}

export type FromWorker =
  | { readonly kind: 'ready'; readonly wasm: WebAssembly.Module | undefined }
  | { readonly kind: 'broken'; readonly message: string }
  /** Rows as JSON arrays joined by commas, with the byte where each row ends. */
  | { readonly kind: 'rows'; readonly id: number; readonly json: Uint8Array; readonly ends: Uint32Array }
  | { readonly kind: 'done'; readonly id: number; readonly columns: readonly Column[] }
  | { readonly kind: 'changed'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: DatabaseFailure };
