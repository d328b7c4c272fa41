/**
 * Reads pages of rows into a writer, wherever they come from: the first page, then more on demand or all up to a limit.
 * Looks one page ahead while another is written. Stopping frees the writer at once and loses no page: before the first
 * rows it cancels, after them it pauses, and the next `load` goes on where it stopped. Independent of the editor.
 */
import { unlessAborted } from '#api/client/abort.ts';
import { ColumnAligner } from '#api/client/align-columns.ts';
import type { ExpectedColumn } from '#server/protocol.ts';
import type { RunFailure } from '../failures/run-failure.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { countOf, placed } from '../rows/page-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import type { Loading, RowsWriter } from './rows-writer.ts';

/** A page of rows as its source sends it. */
export interface ReadPage<Column extends StoreColumn = StoreColumn> {
  /** The columns of this page. Rows of other pages are matched by column name, and new columns are added. */
  readonly columns: readonly Column[];
  readonly rows: PageRows;
  /** Total number of rows in the source, if it reports it. */
  readonly totalRows?: number | undefined;
  /** Whether the page only says that rows are still being prepared. */
  readonly isPreparing?: boolean | undefined;
  /** Whether the page leaves it open whether there are more rows. */
  readonly isPerhapsPartial?: boolean | undefined;
}

/** Where the pages come from, in order. */
export interface PageFeed<Column extends StoreColumn = StoreColumn> {
  /** Whether there may be pages that were not yet returned. */
  readonly hasMore: boolean;
  /**
   * Returns the next page, or undefined after the last. If it throws or the signal aborts, the next call returns the
   * same page.
   */
  next(signal: AbortSignal): Promise<ReadPage<Column> | undefined>;
}

export interface PageReaderOptions<Column extends StoreColumn = StoreColumn> {
  readonly feed: PageFeed<Column>;
  readonly writer: RowsWriter;
  /** Ends the reading for good: once it aborts, nothing more is requested, whatever is called. */
  readonly signal: AbortSignal;
  /** Maximum number of rows to load. */
  readonly rowLimit: number;
  /** Converts an error to a message and a position. Not called for cancellation. */
  readonly explain: (error: unknown) => RunFailure;
  /** The columns that the checks expect, shown until the first page arrives. */
  readonly expected?: readonly ExpectedColumn[] | undefined;
  readonly describe?: ((columns: readonly Column[]) => readonly StoreColumn[]) | undefined;
  /** Monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Wall clock, in milliseconds since 1970. */
  readonly clock?: (() => number) | undefined;
}

export interface ReadOutcome {
  readonly kind: 'rows' | 'failed' | 'cancelled';
  /** Number of rows loaded. */
  readonly rowCount: number;
  /** Total number of rows in the result, if its source reports it. */
  readonly totalRows: number | undefined;
  readonly isComplete: boolean;
  readonly ms: number;
  readonly failure: RunFailure | undefined;
}

export class PageReader<Column extends StoreColumn = StoreColumn> {
  readonly #options: PageReaderOptions<Column>;
  readonly #now: () => number;
  readonly #clock: () => number;
  readonly #aligner = new ColumnAligner<Column>();
  /** Of the current load; undefined if nothing is pending. */
  #controller: AbortController | undefined;
  /** The page after the one being written, either pending or loaded. */
  #ahead: Promise<ReadPage<Column> | undefined> | undefined;
  /** Number of rows received, written or not. */
  #received = 0;
  #rowCount = 0;
  #totalRows: number | undefined;
  /** Whether the last page leaves it open whether there are more rows. */
  #isPerhapsPartial = false;
  #isOpen = false;
  /** What `load` is loading. */
  #loading: 'none' | 'page' | 'all' = 'none';
  #started = 0;
  #firstRowsMs = 0;
  #totalMs = 0;
  #finishedAt = 0;

  constructor(options: PageReaderOptions<Column>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#clock = options.clock ?? (() => Date.now());
  }

  /** Whether a page is pending. */
  get isBusy(): boolean {
    return this.#controller !== undefined;
  }

  /** Whether the rows, or at least their columns, are known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Number of rows received, written or not. */
  get received(): number {
    return this.#received;
  }

  /** Loads the first page. Never rejects; the writer and the outcome contain any error. */
  async start(): Promise<ReadOutcome> {
    this.#started = this.#now();
    this.#sayRunning(0);
    const outcome = (kind: ReadOutcome['kind'], failure?: RunFailure): ReadOutcome => ({
      kind,
      rowCount: this.#rowCount,
      totalRows: this.#totalRows,
      isComplete: kind === 'rows' && this.#isComplete,
      ms: this.#elapsed(),
      failure,
    });
    try {
      await this.#withSignal((signal) => this.#takeNext(signal));
      return outcome('rows');
    } catch (error) {
      const failure = this.#settle(error);
      return failure === undefined ? outcome('cancelled') : outcome('failed', failure);
    }
  }

  /** Loads the next page, or all remaining pages up to the row limit. Does nothing while a page is pending. */
  async load(all: boolean): Promise<void> {
    if (this.isBusy || !this.#hasMore || this.#options.signal.aborted) return;
    const started = this.#now();
    this.#loading = all ? 'all' : 'page';
    this.#say();
    let thrown: { readonly error: unknown } | undefined;
    try {
      await this.#withSignal(async (signal) => {
        do {
          await this.#takeNext(signal);
        } while (all && this.#hasMore && this.#rowCount < this.#options.rowLimit);
      });
    } catch (error) {
      thrown = { error };
    }
    this.#loading = 'none';
    this.#totalMs += this.#now() - started;
    if (thrown === undefined) this.#draw({ kind: 'none' });
    else this.#settle(thrown.error);
  }

  /** Stops waiting: cancels before the first rows, pauses after them. */
  cancel(): void {
    this.#controller?.abort();
  }

  /** Shows why the next page is late, or removes the reason. Ignored unless a page is awaited. */
  say(note?: string): void {
    if (this.#controller === undefined || this.#controller.signal.aborted) return;
    if (!this.#options.signal.aborted) this.#say(note);
  }

  async #withSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      await work(AbortSignal.any([this.#options.signal, controller.signal]));
    } catch (error) {
      await this.#stopAhead(controller);
      throw error;
    } finally {
      if (this.#controller === controller) this.#controller = undefined;
    }
  }

  get #hasMore(): boolean {
    return this.#ahead !== undefined || this.#options.feed.hasMore;
  }

  /** Whether the source reports more rows than it sent, even though there are no more pages. */
  get #isShort(): boolean {
    return !this.#hasMore && (this.#totalRows ?? 0) > this.#rowCount;
  }

  get #isComplete(): boolean {
    return !this.#hasMore && !this.#isShort && !this.#isPerhapsShort;
  }

  get #isPerhapsShort(): boolean {
    return !this.#hasMore && this.#isPerhapsPartial;
  }

  /** Requests the next page while the current one is written. */
  #lookAhead(signal: AbortSignal): void {
    const { feed, rowLimit } = this.#options;
    if (!feed.hasMore || this.#received >= rowLimit) return;
    this.#ahead = orCancelled(feed.next(signal), signal);
    // Prevents an unhandled rejection; `#nextPage` throws the error.
    this.#ahead.catch(() => undefined);
  }

  /** Keeps a loaded page for the next call. A pending one is left to the feed. */
  async #stopAhead(controller: AbortController): Promise<void> {
    controller.abort();
    const page = await this.#ahead?.catch(() => undefined);
    this.#ahead = page === undefined ? undefined : Promise.resolve(page);
  }

  async #nextPage(signal: AbortSignal): Promise<ReadPage<Column> | undefined> {
    // Checked first, so that a loaded page stays available after a stop.
    signal.throwIfAborted();
    const ahead = this.#ahead ?? orCancelled(this.#options.feed.next(signal), signal);
    this.#ahead = undefined;
    return await ahead;
  }

  /** Takes the next page with rows, or the last page. Waits while rows are prepared. */
  async #takeNext(signal: AbortSignal): Promise<void> {
    for (;;) {
      const page = await this.#nextPage(signal);
      if (page === undefined) return;
      const { from, added } = this.#aligner.place(page.columns);
      this.#totalRows = page.totalRows ?? this.#totalRows;
      this.#isPerhapsPartial = page.isPerhapsPartial === true;
      if (this.#isOpen) this.#options.writer.grow(this.#described(added));
      if (page.isPreparing === true) continue;
      this.#received += countOf(page.rows);
      if (this.#loading === 'all') this.#lookAhead(signal);
      await this.#take(placed(page.rows, from));
      return;
    }
  }

  async #take(rows: PageRows): Promise<void> {
    const { writer } = this.#options;
    if (!this.#isOpen) {
      this.#isOpen = true;
      writer.open(this.#described(this.#aligner.columns.slice()));
    }
    const appended = await writer.append(rows);
    if (appended === undefined) throw new DOMException('Replaced by a later run', 'AbortError');
    this.#rowCount = appended.rowCount;
    if (this.#finishedAt === 0) {
      this.#firstRowsMs = this.#elapsed();
      this.#totalMs = this.#firstRowsMs;
    }
    this.#finishedAt = this.#clock();
    this.#draw({ kind: this.#loading });
  }

  #described(columns: readonly Column[]): readonly StoreColumn[] {
    return this.#options.describe?.(columns) ?? columns;
  }

  #say(note?: string): void {
    if (!this.#isOpen) this.#sayRunning(this.#elapsed(), note);
    else if (this.#loading !== 'none')
      this.#draw({ kind: this.#loading, ...(note === undefined ? {} : { note }) });
  }

  #sayRunning(elapsedMs: number, note?: string): void {
    const { writer, expected } = this.#options;
    writer.set({
      kind: 'running',
      elapsedMs,
      ...(note === undefined ? {} : { note }),
      ...(expected === undefined || expected.length === 0 ? {} : { columns: expected }),
    });
  }

  /** Shows how a load ended early. @returns the failure; undefined if it was stopped. */
  #settle(error: unknown): RunFailure | undefined {
    const { writer, signal, explain } = this.#options;
    const isStopped = signal.aborted || isAbort(error);
    const failure = isStopped ? undefined : explain(error);
    const elapsedMs = this.#elapsed();
    if (this.#isOpen) this.#draw(failure === undefined ? { kind: 'none' } : { kind: 'failed', failure });
    else if (failure === undefined) writer.set({ kind: 'cancelled', elapsedMs });
    else writer.set({ kind: 'failed', failure, elapsedMs });
    return failure;
  }

  #draw(loading: Loading): void {
    const isComplete = this.#isComplete;
    const isShort = this.#isShort;
    const isPerhapsShort = this.#isPerhapsShort;
    this.#options.writer.setRows({
      loading,
      isComplete,
      totalRows: this.#totalRows,
      isAtLimit: isShort || isPerhapsShort || (!isComplete && this.#rowCount >= this.#options.rowLimit),
      ...(isShort ? { isShort } : {}),
      ...(isPerhapsShort ? { isPerhapsShort } : {}),
      firstRowsMs: this.#firstRowsMs,
      totalMs: this.#totalMs,
      finishedAt: this.#finishedAt,
    });
  }

  #elapsed(): number {
    return this.#now() - this.#started;
  }
}

/** Converts any failure after an abort to a cancellation, however the source reports it. */
export async function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await unlessAborted(promise, signal);
  } catch (error) {
    if (signal.aborted) throw new DOMException('Cancelled', 'AbortError');
    throw error;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
