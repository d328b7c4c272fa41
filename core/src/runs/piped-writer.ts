/**
 * Rows of a run on their way to a file or a stream. While one page is written the next one is asked for, and no further
 * ahead, so memory stays bounded whatever the number of rows.
 */
import type { PageRows } from '../rows/packed-rows.ts';
import { countOf } from '../rows/page-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import type { RunFailure } from './run-failure.ts';
import type { RowsProgress, RowsWriter, RunState } from './rows-writer.ts';

export interface RowsTarget {
  /** Before the first rows; only once. */
  open(columns: readonly StoreColumn[]): Promise<void>;
  /** Columns that a later page brings. @throws where the rows before cannot get them any more. */
  grow(columns: readonly StoreColumn[]): Promise<void>;
  write(rows: PageRows): Promise<void>;
}

export class PipedWriter implements RowsWriter {
  readonly #target: RowsTarget;
  readonly #onProgress: (rowCount: number) => void;
  #last: Promise<void> = Promise.resolve();
  #rowCount = 0;
  #progress: RowsProgress | undefined;
  #failure: RunFailure | undefined;

  constructor(target: RowsTarget, onProgress: (rowCount: number) => void = () => undefined) {
    this.#target = target;
    this.#onProgress = onProgress;
  }

  /** Rows that were given to the target. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** How far the run had come when it last said so. */
  get progress(): RowsProgress | undefined {
    return this.#progress;
  }

  /** Why not all rows are here, first page or later. */
  get failure(): RunFailure | undefined {
    return this.#failure;
  }

  set(state: RunState): void {
    if (state.kind === 'failed') this.#failure = state.failure;
  }

  open(columns: readonly StoreColumn[]): void {
    this.#then(() => this.#target.open(columns));
  }

  grow(columns: readonly StoreColumn[]): void {
    // A page like the one before it brings none: formats that cannot take any are not to be asked.
    if (columns.length === 0) return;
    this.#then(() => this.#target.grow(columns));
  }

  /** Resolves when the page before this one is written. @throws what the target threw. */
  async append(rows: PageRows): Promise<{ readonly rowCount: number }> {
    const before = this.#last;
    this.#rowCount += countOf(rows);
    this.#then(() => this.#target.write(rows));
    await before;
    this.#onProgress(this.#rowCount);
    return { rowCount: this.#rowCount };
  }

  setRows(progress: RowsProgress): void {
    this.#progress = progress;
    if (progress.loading.kind === 'failed') this.#failure = progress.loading.failure;
  }

  /** Resolves when everything is written. @throws what the target threw. */
  async finish(): Promise<void> {
    await this.#last;
  }

  #then(step: () => Promise<void>): void {
    this.#last = this.#last.then(step);
    // Thrown again to whoever waits next.
    this.#last.catch(() => undefined);
  }
}
