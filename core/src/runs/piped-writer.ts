/**
 * Writes the rows of a run to a file or stream. Only one page is requested ahead while another is written, so memory
 * use stays bounded.
 */
import type { PageReader, ReadOutcome } from '../reading/page-reader.ts';
import type { RowsProgress, RowsWriter } from '../reading/rows-writer.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { countOf } from '../rows/page-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';

export interface RowsTarget {
  /** Called once, before the first rows. */
  open(columns: readonly StoreColumn[]): Promise<void>;
  /** Adds a later page's columns. @throws if they cannot be added to rows already written. */
  grow(columns: readonly StoreColumn[]): Promise<void>;
  write(rows: PageRows): Promise<void>;
}

export class PipedWriter implements RowsWriter {
  readonly #target: RowsTarget;
  readonly #onProgress: (rowCount: number) => void;
  #last: Promise<void> = Promise.resolve();
  #rowCount = 0;
  #progress: RowsProgress | undefined;

  constructor(target: RowsTarget, onProgress: (rowCount: number) => void = () => undefined) {
    this.#target = target;
    this.#onProgress = onProgress;
  }

  /** Number of rows passed to the target. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** The last reported progress of the run. */
  get progress(): RowsProgress | undefined {
    return this.#progress;
  }

  /**
   * Lets a reader write all its rows, one page ahead. Resolves once everything is written; the outcome says why rows are
   * missing.
   * @throws the target's error; the reason of the reader's signal.
   */
  async readAll(reader: PageReader): Promise<ReadOutcome> {
    const outcome = await reader.readAll();
    await this.#last;
    reader.signal.throwIfAborted();
    return outcome;
  }

  set(): void {
    // The outcome says why there are no rows.
  }

  open(columns: readonly StoreColumn[]): void {
    this.#then(() => this.#target.open(columns));
  }

  grow(columns: readonly StoreColumn[]): void {
    // Some formats cannot add columns, so the target is called only if there are any.
    if (columns.length === 0) return;
    this.#then(() => this.#target.grow(columns));
  }

  /** Resolves when the previous page has been written. @throws the target's error. */
  async append(rows: PageRows): Promise<{ readonly rowCount: number }> {
    const before = this.#last;
    this.#rowCount += countOf(rows);
    if (countOf(rows) > 0) this.#then(() => this.#target.write(rows));
    await before;
    this.#onProgress(this.#rowCount);
    return { rowCount: this.#rowCount };
  }

  setRows(progress: RowsProgress): void {
    this.#progress = progress;
  }

  #then(step: () => Promise<void>): void {
    this.#last = this.#last.then(step);
    // Prevents an unhandled rejection; the next `append` or `readAll` throws the error.
    this.#last.catch(() => undefined);
  }
}
