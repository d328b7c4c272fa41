/** The rows of a running query, readable from the start of the run. */
import { ServiceError } from '../errors.ts';
import type { Column, DatabaseFailure } from './messages.ts';

/** Rows as JSON arrays joined by commas, with the byte offset of each row's end. */
export interface RowChunk {
  readonly ends: Uint32Array;
  /** Returns the bytes from `start` (inclusive) to `end` (exclusive). */
  readonly part: (start: number, end: number) => Uint8Array | Promise<Uint8Array>;
}

/** A sentence for callers: the result was dropped. */
export const resultGone = 'The service no longer has this result. Run the query again.';

/** Where a result keeps the text of its rows. */
export interface ChunkStore {
  /** Returns the reader of the kept bytes. @throws ServiceError if they cannot be kept. */
  keep(json: Uint8Array): RowChunk['part'];
  /** Lets what is kept be read, even after `discard`, until the returned function is called. */
  hold(): () => void;
  /** Gives up everything that was kept. Whoever holds it still reads it; other reads throw `why`. */
  discard(why?: ServiceError): void;
}

const inMemory: ChunkStore = {
  keep: (json) => (start, end) => json.subarray(start, end),
  hold: () => () => undefined,
  discard: () => undefined,
};

export type RunEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure }
  | { readonly kind: 'timeout'; readonly limitMs: number }
  /** The query could not run or did not complete. */
  | { readonly kind: 'error'; readonly error: ServiceError };

/** The readable side of a result. */
export interface RunRows {
  readonly columns: readonly Column[];
  readonly chunks: readonly RowChunk[];
  /** Number of rows received so far. */
  readonly rowCount: number;
  readonly sizeBytes: number;
  /** Undefined while the query runs. Rows received before a failure stay available. */
  readonly end: RunEnd | undefined;
  /** Waits until `isEnough` returns true, the run has ended, or `signal` aborts. Never rejects. */
  until(isEnough: () => boolean, signal: AbortSignal): Promise<void>;
  /** Lets chunks be read, even after `discard`, until the returned function is called. */
  hold(): () => void;
  /** Called when no page will be read any more. */
  discard(): void;
}

export class GrowingResult implements RunRows {
  columns: readonly Column[] = [];
  chunks: RowChunk[] = [];
  rowCount = 0;
  sizeBytes = 0;
  #end: RunEnd | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #store: ChunkStore;

  constructor(store: ChunkStore = inMemory) {
    this.#store = store;
  }

  get end(): RunEnd | undefined {
    return this.#end;
  }

  begin(columns: readonly Column[]): void {
    this.columns = columns;
  }

  rows(json: Uint8Array, ends: Uint32Array): void {
    if (this.#end !== undefined) return;
    try {
      this.chunks.push({ ends, part: this.#store.keep(json) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.finish({ kind: 'error', error });
      // The rows up to here give their room back.
      this.chunks = [];
      this.rowCount = 0;
      this.sizeBytes = 0;
      this.#store.discard(error);
      return;
    }
    this.rowCount += ends.length;
    this.sizeBytes += json.byteLength + ends.byteLength;
    this.#tell();
  }

  /** Whether further rows are dropped: the result has ended, or its place to keep them is full. */
  get isFull(): boolean {
    return this.#end !== undefined;
  }

  hold(): () => void {
    return this.#store.hold();
  }

  discard(): void {
    this.#store.discard();
  }

  /** Later calls have no effect. */
  finish(end: RunEnd): void {
    this.#end ??= end;
    this.#tell();
  }

  until(isEnough: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#end === undefined && !signal.aborted && !isEnough()) return;
        this.#listeners.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.#listeners.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  #tell(): void {
    for (const look of [...this.#listeners]) look();
  }
}
