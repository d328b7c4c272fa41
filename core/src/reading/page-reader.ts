/**
 * Reads pages of rows into a writer, wherever they come from: the first page, then more on demand or all up to a limit.
 * Everything that is true of every reading stands here: one page ahead while another is written, pause, cancel, the
 * time limit, and whether these are all rows. Independent of the editor.
 *
 * Stopping frees the writer at once and loses no page: before the first rows it cancels for good, after them it pauses,
 * and the next `load` goes on where it stopped. Rows that could not be written are lost: nothing more is read, and the
 * rows never count as complete.
 */
import { unlessAborted } from '#api/client/abort.ts';
import { ColumnAligner } from '#api/client/align-columns.ts';
import type { Deadline } from '#base/async/deadline.ts';
import type { ExpectedColumn } from '#server/protocol.ts';
import type { RunFailure } from '../failures/run-failure.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { countOf, placed, splitAt } from '../rows/page-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import type { Loading, RowsExtent, RowsProgress, RowsWriter } from './rows-writer.ts';

/** A page of rows as its source sends it. */
export interface ReadPage<Column extends StoreColumn = StoreColumn> {
  /** The columns of this page. Rows of other pages are matched by column name, and new columns are added. */
  readonly columns: readonly Column[];
  readonly rows: PageRows;
  /** Total number of rows in the source, if it reports it. */
  readonly totalRows?: number | undefined;
  /** Whether the page only says that rows are still being prepared. */
  readonly isPreparing?: boolean | undefined;
  /**
   * What the source says of its rows, if this is its last page. Without it they are complete, unless it reports more
   * than it sent.
   */
  readonly end?: Extract<RowsExtent, 'complete' | 'at-limit' | 'perhaps-short'> | undefined;
  /** As in `RowsProgress`, if this is its last page. */
  readonly areValuesUnknown?: true | undefined;
}

/** Where the pages come from, in order (feeds.ts). */
export interface PageFeed<Column extends StoreColumn = StoreColumn> {
  /** Whether there may be pages that were not yet returned. */
  readonly hasMore: boolean;
  /**
   * Returns the next page, or undefined after the last. If it throws or the signal aborts, the next call returns the
   * same page.
   */
  next(signal: AbortSignal): Promise<ReadPage<Column> | undefined>;
  /** Frees what the feed holds: nothing more is asked of it. */
  end?(): void;
}

/** What a feed may know of the reader that asks it. */
export type Reading = Pick<PageReader, 'signal' | 'isOpen' | 'received' | 'say'>;

export interface PageReaderOptions<Column extends StoreColumn = StoreColumn> {
  readonly feed: PageFeed<Column> | ((reader: Reading) => PageFeed<Column>);
  readonly writer: RowsWriter;
  /**
   * Ends the reading for good: once it aborts, nothing more is requested, whatever is called. Never left out by mistake:
   * undefined if only `end` and `cancel` end it.
   */
  readonly signal: AbortSignal | undefined;
  /** Limits the time of reading, without the time between loads. Several readings may share it. */
  readonly deadline: Deadline;
  /** Maximum number of rows to load. */
  readonly rowLimit: number;
  /** Converts an error to a message and a position; by default its own message. Not called for cancellation. */
  readonly explain?: ((error: unknown) => RunFailure) | undefined;
  /** The columns that the checks expect, shown until the first page arrives. */
  readonly expected?: readonly ExpectedColumn[] | undefined;
  readonly describe?: ((columns: readonly Column[]) => readonly StoreColumn[]) | undefined;
  /** Monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Wall clock, in milliseconds since 1970. */
  readonly clock?: (() => number) | undefined;
}

/** What a load came to. Rows may be there even if it failed or was cancelled, but they are then not all. */
export type ReadOutcome = ReadFacts &
  (
    | ({ readonly kind: 'rows' } & Pick<RowsProgress, 'extent' | 'areValuesUnknown'>)
    | { readonly kind: 'failed'; readonly failure: RunFailure; readonly error: unknown }
    | { readonly kind: 'cancelled' }
  );

interface ReadFacts {
  readonly rowCount: number;
  /** As in `RowsProgress`. */
  readonly totalRows: number | undefined;
  readonly ms: number;
}

export class PageReader<Column extends StoreColumn = StoreColumn> {
  readonly #options: PageReaderOptions<Column>;
  readonly #feed: PageFeed<Column>;
  readonly #deadline: Deadline;
  readonly #now: () => number;
  readonly #clock: () => number;
  readonly #aligner = new ColumnAligner<Column>();
  readonly #ending = new AbortController();
  /** Aborts once the reading has ended for good. */
  readonly signal: AbortSignal;
  /** Of the current load; undefined if nothing is pending. */
  #controller: AbortController | undefined;
  /** The page after the one being written, either pending or loaded. */
  #ahead: Promise<ReadPage<Column> | undefined> | undefined;
  /** Number of rows received, written or not. */
  #received = 0;
  #rowCount = 0;
  /** What the source reports, which may be wrong. */
  #reportedRows: number | undefined;
  /** What the newest page says of the source's rows. */
  #end: ReadPage['end'];
  #areValuesUnknown = false;
  #isOpen = false;
  /** Whether rows beyond the limit were asked for. */
  #isBeyond = false;
  /** The page that was received last: `lost` for good if it could not be written. */
  #page: 'written' | 'writing' | 'lost' = 'written';
  #loading: 'none' | 'page' | 'all' = 'none';
  #started = 0;
  #firstRowsMs = 0;
  #totalMs = 0;
  #finishedAt = 0;

  constructor(options: PageReaderOptions<Column>) {
    this.#options = options;
    this.signal =
      options.signal === undefined
        ? this.#ending.signal
        : AbortSignal.any([options.signal, this.#ending.signal]);
    this.#feed = typeof options.feed === 'function' ? options.feed(this) : options.feed;
    this.#deadline = options.deadline;
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
    try {
      await this.#withSignal((signal) => this.#takeNext(signal));
      return this.#outcome();
    } catch (error) {
      return this.#failed(error);
    }
  }

  /**
   * Loads the next page, or all remaining pages up to the row limit. Does nothing while a page is pending. Never
   * rejects; the writer and the outcome contain any error.
   */
  async load(all: boolean): Promise<ReadOutcome> {
    if (!this.isBusy && this.#extent === 'at-limit') this.#isBeyond = true;
    if (this.isBusy || !this.#mayLoad) {
      // The limit was all that was missing, and now the source lacks the rows.
      if (!this.isBusy && this.#extent === 'short') this.#draw({ kind: 'none' });
      return this.#outcome();
    }
    const started = this.#now();
    this.#loading = all ? 'all' : 'page';
    this.#say();
    let thrown: { readonly error: unknown } | undefined;
    try {
      await this.#withSignal(async (signal) => {
        do {
          this.#deadline.nextPart();
          await this.#takeNext(signal);
        } while (all && this.#extent === 'more');
      });
    } catch (error) {
      thrown = { error };
    }
    this.#loading = 'none';
    this.#totalMs += this.#now() - started;
    if (thrown !== undefined) return this.#failed(thrown.error);
    this.#draw({ kind: 'none' });
    return this.#outcome();
  }

  /** Loads all rows up to the row limit, one page ahead, from where it is. Never rejects. */
  async readAll(): Promise<ReadOutcome> {
    const first = this.#isOpen ? this.#outcome() : await this.start();
    return first.kind === 'rows' && first.extent === 'more' ? await this.load(true) : first;
  }

  /** Loads the first page, then each further one when it is asked for, up to the row limit. Never rejects. */
  async *inTurn(): AsyncGenerator<ReadOutcome, void, void> {
    let outcome = await this.start();
    yield outcome;
    while (outcome.kind === 'rows' && outcome.extent === 'more' && this.#mayLoad) {
      outcome = await this.load(false);
      yield outcome;
    }
  }

  /** Loads page after page until there are enough rows, and asks for none that may not be needed. Never rejects. */
  async readUntil(isEnough: () => boolean): Promise<ReadOutcome> {
    let last = this.#outcome();
    for await (const outcome of this.inTurn()) {
      last = outcome;
      if (isEnough()) break;
    }
    return last;
  }

  /** Stops waiting: cancels before the first rows, pauses after them. */
  cancel(): void {
    if (this.#isOpen) this.#controller?.abort();
    else this.end();
  }

  /** Ends the reading for good: nothing more is requested. */
  end(): void {
    this.#ending.abort(new DOMException('Cancelled', 'AbortError'));
    if (!this.isBusy) this.#feed.end?.();
  }

  /** Shows why the next page is late, or removes the reason. Ignored unless a page is awaited. */
  say(note?: string): void {
    if (this.#controller?.signal.aborted === false && !this.signal.aborted) this.#say(note);
  }

  async #withSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      await this.#deadline.within(AbortSignal.any([this.signal, controller.signal]), work);
    } catch (error) {
      await this.#stopAhead(controller);
      throw error;
    } finally {
      if (this.#controller === controller) this.#controller = undefined;
      if (this.signal.aborted) this.#feed.end?.();
    }
  }

  get #hasMore(): boolean {
    return this.#ahead !== undefined || this.#feed.hasMore;
  }

  get #mayLoad(): boolean {
    return this.#hasMore && this.#page === 'written' && !this.signal.aborted;
  }

  get #extent(): RowsExtent {
    if (this.#page === 'lost') return 'lost';
    if (this.#hasMore || this.#page === 'writing')
      return this.#rowCount < this.#options.rowLimit ? 'more' : 'at-limit';
    if ((this.#reportedRows ?? 0) <= this.#rowCount) return this.#end ?? 'complete';
    // A source that was asked for no more rows than the limit has not failed to send them.
    return this.#rowCount === this.#options.rowLimit && !this.#isBeyond ? 'at-limit' : 'short';
  }

  /** What is reported counts only as far as it can be true: some services report the rows of a page. */
  get #totalRows(): number | undefined {
    if (this.#extent === 'complete') return this.#rowCount;
    return (this.#reportedRows ?? 0) > this.#rowCount ? this.#reportedRows : undefined;
  }

  /** Requests the next page while the current one is written. */
  #lookAhead(signal: AbortSignal): void {
    if (!this.#feed.hasMore || this.#received >= this.#options.rowLimit) return;
    this.#ahead = orCancelled(this.#feed.next(signal), signal);
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
    const ahead = this.#ahead ?? orCancelled(this.#feed.next(signal), signal);
    this.#ahead = undefined;
    return await ahead;
  }

  /** Takes the next page with rows, or the last page. Waits while rows are prepared. */
  async #takeNext(signal: AbortSignal): Promise<void> {
    for (;;) {
      const next = await this.#nextPage(signal);
      if (next === undefined && this.#isOpen) return;
      // A source without any page has no rows, and these are all.
      const page = next ?? { columns: [], rows: [] };
      this.#page = 'writing';
      const { from, added } = this.#aligner.place(page.columns);
      this.#reportedRows = page.totalRows ?? this.#reportedRows;
      this.#end = page.end;
      this.#areValuesUnknown = page.areValuesUnknown === true;
      if (this.#isOpen) this.#options.writer.grow(this.#described(added));
      if (page.isPreparing === true) {
        this.#page = 'written';
        continue;
      }
      const rows = this.#upToLimit(page);
      this.#received += countOf(rows);
      if (this.#loading === 'all') this.#lookAhead(signal);
      await this.#take(placed(rows, from));
      return;
    }
  }

  /** Leaves the rows beyond the limit to the next load. Once the limit is reached, a person may ask for more. */
  #upToLimit(page: ReadPage<Column>): PageRows {
    const room = this.#options.rowLimit - this.#received;
    if (room <= 0 || countOf(page.rows) <= room) return page.rows;
    const [rows, rest] = splitAt(page.rows, room);
    this.#ahead = Promise.resolve({ ...page, rows: rest });
    return rows;
  }

  async #take(rows: PageRows): Promise<void> {
    const { writer } = this.#options;
    if (!this.#isOpen) {
      this.#isOpen = true;
      writer.open(this.#described(this.#aligner.columns.slice()));
    }
    const appended = await writer.append(rows);
    if (appended === undefined) {
      this.#ending.abort(new DOMException('Replaced by a later run', 'AbortError'));
      this.signal.throwIfAborted();
      return;
    }
    this.#rowCount = appended.rowCount;
    this.#page = 'written';
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

  #outcome(): ReadOutcome {
    return this.#isOpen
      ? { ...this.#facts(), kind: 'rows', ...this.#howFar() }
      : { ...this.#facts(), kind: 'cancelled' };
  }

  #howFar(): Pick<RowsProgress, 'extent' | 'areValuesUnknown'> {
    const extent = this.#extent;
    return {
      extent,
      ...(extent === 'perhaps-short' && this.#areValuesUnknown ? { areValuesUnknown: true } : {}),
    };
  }

  #facts(): ReadFacts {
    return { rowCount: this.#rowCount, totalRows: this.#totalRows, ms: this.#elapsed() };
  }

  /** Shows how a load ended early. */
  #failed(error: unknown): ReadOutcome {
    const { writer, explain = plainFailure } = this.#options;
    if (this.#page === 'writing') this.#page = 'lost';
    const isStopped = this.signal.aborted || isAbort(error);
    const failure = isStopped ? undefined : explain(error);
    const elapsedMs = this.#elapsed();
    if (this.#isOpen) this.#draw(failure === undefined ? { kind: 'none' } : { kind: 'failed', failure });
    else if (failure === undefined) writer.set({ kind: 'cancelled', elapsedMs });
    else writer.set({ kind: 'failed', failure, elapsedMs });
    return failure === undefined
      ? { ...this.#facts(), kind: 'cancelled' }
      : { ...this.#facts(), kind: 'failed', failure, error };
  }

  #draw(loading: Loading): void {
    this.#options.writer.setRows({
      ...this.#howFar(),
      totalRows: this.#totalRows,
      loading,
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
async function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await unlessAborted(promise, signal);
  } catch (error) {
    if (signal.aborted) throw new DOMException('Cancelled', 'AbortError');
    throw error;
  }
}

function plainFailure(error: unknown): RunFailure {
  return { message: error instanceof Error ? error.message : String(error), reasons: [] };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
