/**
 * Executes one run: requests pages and adds them to its result. Cancelling frees the panel immediately, and late
 * responses are dropped. Independent of the editor.
 */
import type { ExpectedColumn } from '#server/protocol.ts';
import { unlessAborted } from '#api/client/abort.ts';
import { ColumnAligner } from '#api/client/align-columns.ts';
import type { ExecuteOptions, RunRequest } from '#api/client/client.ts';
import { RateLimitError } from '#api/client/errors.ts';
import { PageWalk, type WalkOptions } from '#api/client/answers/paging.ts';
import type { PageHead } from '#api/client/query-page.ts';
import type { ExecuteRequest } from '#api/contract/execute.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { countOf, placed } from '../rows/page-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import type { Loading, RowsWriter } from './rows-writer.ts';
import type { RunFailure } from './run-failure.ts';

export interface RunPage extends PageHead {
  readonly rows: PageRows;
}

export type Execute = (
  request: RunRequest,
  options: Pick<ExecuteOptions, 'onWait' | 'onRetry'> & {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
  },
) => Promise<RunPage>;

/** Thrown if a run exceeds the user's time limit. */
export class RunTimeLimitError extends Error {
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`no answer within ${limitMs / 1_000} seconds`);
    this.name = 'RunTimeLimitError';
    this.limitMs = limitMs;
  }
}

export interface QueryRunOptions {
  readonly execute: Execute;
  /**
   * Ends the run for good: once it aborts, nothing more is requested, whatever is called. `cancel` only ends the
   * current load.
   */
  readonly signal: AbortSignal;
  /** The request without paging. */
  readonly request: Pick<ExecuteRequest, 'query_string' | 'model' | 'parameters'>;
  readonly writer: RowsWriter;
  /** The columns that the checks expect, shown while the query runs. */
  readonly expected?: readonly ExpectedColumn[] | undefined;
  readonly describe?: ((columns: PageHead['columns']) => readonly StoreColumn[]) | undefined;
  readonly pageSize: number;
  /** Maximum number of rows to load. */
  readonly rowLimit: number;
  /** Time limit for each page; undefined for no limit. */
  readonly timeLimitMs?: number | undefined;
  /** Converts an error to a message and a position. Not called for cancellation. */
  readonly explain: (error: unknown) => RunFailure;
  /** Shown while the service sends empty pages because it is still preparing the rows. */
  readonly preparing?: string | undefined;
  /** Returns the text shown while the service limits requests, until the retry in `delayMs`. */
  readonly pausing?: ((delayMs: number) => string) | undefined;
  /** Replaced in tests. */
  readonly pacing?: Pick<WalkOptions, 'emptyPageDelayMs' | 'emptyPagesMax'> | undefined;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
  /** Wall clock, in milliseconds since 1970. */
  readonly clock?: () => number;
}

export interface RunOutcome {
  readonly kind: 'rows' | 'failed' | 'cancelled';
  /** Number of rows loaded. */
  readonly rowCount: number;
  /** Total number of rows in the result, if the service reports it. */
  readonly totalRows: number | undefined;
  readonly isComplete: boolean;
  readonly ms: number;
  readonly failure: RunFailure | undefined;
}

/** The client requires a timeout for every request; a day is used if the user sets none. */
const noLimitMs = 86_400_000;

export class QueryRun {
  readonly #options: QueryRunOptions;
  readonly #now: () => number;
  readonly #clock: () => number;
  #controller: AbortController | undefined;
  #started = 0;
  #firstRowsMs = 0;
  #totalMs = 0;
  #finishedAt = 0;
  #rowCount = 0;
  #totalRows: number | undefined;
  /** Whether the last page leaves it open whether there are more rows. */
  #isPerhapsPartial = false;
  readonly #walk: PageWalk<RunPage>;
  /** The page after the one being written, either pending or loaded. */
  #ahead: Promise<RunPage | undefined> | undefined;
  /** Number of rows received, written or not. */
  #received = 0;
  readonly #aligner = new ColumnAligner<PageHead['columns'][number]>();
  #isOpen = false;
  /** What `load` is loading. */
  #loading: 'none' | 'page' | 'all' = 'none';

  constructor(options: QueryRunOptions) {
    this.#options = options;
    this.#walk = new PageWalk<RunPage>(
      {
        read: (pageToken, signal) => this.#ask(pageToken, signal),
        isEmpty: ({ rows }) => countOf(rows) === 0,
      },
      {
        ...options.pacing,
        onWaiting: () => {
          if (!this.#isOpen) this.#sayPreparing();
        },
      },
    );
    this.#now = options.now ?? (() => performance.now());
    this.#clock = options.clock ?? (() => Date.now());
  }

  /** Whether a request is pending. */
  get isBusy(): boolean {
    return this.#controller !== undefined;
  }

  /** Loads the first page. Never rejects; the result and the outcome contain any error. */
  async start(): Promise<RunOutcome> {
    const { writer, explain } = this.#options;
    this.#started = this.#now();
    this.#sayRunning(0);
    const outcome = (kind: RunOutcome['kind'], failure?: RunFailure): RunOutcome => ({
      kind,
      rowCount: this.#rowCount,
      totalRows: this.#totalRows,
      isComplete: kind === 'rows' && this.#isComplete,
      ms: this.#elapsed(),
      failure,
    });
    try {
      await this.#withSignal(async (signal) => {
        await this.#takeNext(signal);
      });
      return outcome('rows');
    } catch (error) {
      if (this.#isEnded(error)) {
        writer.set({ kind: 'cancelled', elapsedMs: this.#elapsed() });
        return outcome('cancelled');
      }
      const failure = explain(error);
      writer.set({ kind: 'failed', failure, elapsedMs: this.#elapsed() });
      return outcome('failed', failure);
    }
  }

  /** Loads the next page, or all remaining pages up to the row limit. Does nothing while a request is pending. */
  async load(all: boolean): Promise<void> {
    if (this.isBusy || !this.#hasMore || this.#options.signal.aborted) return;
    const started = this.#now();
    this.#loading = all ? 'all' : 'page';
    this.#draw({ kind: this.#loading });
    try {
      await this.#withSignal(async (signal) => {
        do {
          await this.#takeNext(signal);
        } while (all && this.#hasMore && this.#rowCount < this.#options.rowLimit);
      });
      this.#loading = 'none';
      this.#totalMs += this.#now() - started;
      this.#draw({ kind: 'none' });
    } catch (error) {
      this.#loading = 'none';
      this.#totalMs += this.#now() - started;
      this.#draw(
        this.#isEnded(error) ? { kind: 'none' } : { kind: 'failed', failure: this.#options.explain(error) },
      );
    }
  }

  cancel(): void {
    this.#controller?.abort();
  }

  #isEnded(error: unknown): boolean {
    return this.#options.signal.aborted || isAbort(error);
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
    return this.#ahead !== undefined || this.#walk.hasMore;
  }

  /** Whether the service reports more rows than it sent, even though there are no more pages. */
  get #isShort(): boolean {
    return !this.#hasMore && (this.#totalRows ?? 0) > this.#rowCount;
  }

  get #isPerhapsShort(): boolean {
    return !this.#hasMore && this.#isPerhapsPartial;
  }

  get #isComplete(): boolean {
    return !this.#hasMore && !this.#isShort && !this.#isPerhapsShort;
  }

  /** Requests the next page while the current one is written. */
  #lookAhead(signal: AbortSignal): void {
    if (!this.#walk.hasMore || this.#received >= this.#options.rowLimit) return;
    this.#ahead = orCancelled(this.#walk.next(signal), signal);
    // Prevents an unhandled rejection; `#nextPage` throws the error.
    this.#ahead.catch(() => undefined);
  }

  /** Keeps a loaded page for the next call. A pending one is cancelled, then requested again when needed. */
  async #stopAhead(controller: AbortController): Promise<void> {
    controller.abort();
    const page = await this.#ahead?.catch(() => undefined);
    this.#ahead = page === undefined ? undefined : Promise.resolve(page);
  }

  async #nextPage(signal: AbortSignal): Promise<RunPage | undefined> {
    // Checked first, so that a loaded page stays available after a cancellation.
    signal.throwIfAborted();
    const ahead = this.#ahead ?? orCancelled(this.#walk.next(signal), signal);
    this.#ahead = undefined;
    return await ahead;
  }

  /** Takes the next page with rows, or the last page. Waits while the service sends empty pages. */
  async #takeNext(signal: AbortSignal): Promise<void> {
    for (;;) {
      const page = await this.#nextPage(signal);
      if (page === undefined) return;
      const { from, added } = this.#aligner.place(page.columns);
      const count = countOf(page.rows);
      this.#totalRows = page.rowCount ?? this.#totalRows;
      this.#isPerhapsPartial = page.isPerhapsPartial === true;
      if (this.#isOpen) this.#options.writer.grow(this.#described(added));
      if (count === 0 && this.#walk.hasMore) continue;
      this.#received += count;
      if (this.#loading === 'all') this.#lookAhead(signal);
      await this.#take(placed(page.rows, from));
      return;
    }
  }

  async #ask(pageToken: RunRequest['pageToken'], signal = this.#options.signal): Promise<RunPage> {
    const { execute, request, pageSize, rowLimit, timeLimitMs } = this.#options;
    const limit = timeLimitMs === undefined ? undefined : AbortSignal.timeout(timeLimitMs);
    const either = limit === undefined ? signal : AbortSignal.any([signal, limit]);
    return await orCancelled(
      execute(
        {
          ...request,
          pageSize: Math.max(
            1,
            Math.min(pageSize, rowLimit > this.#received ? rowLimit - this.#received : pageSize),
          ),
          ...(pageToken === undefined ? {} : { pageToken }),
        },
        // Longer than the run's own time limit, which has its own message.
        {
          signal: either,
          timeoutMs: (timeLimitMs ?? noLimitMs) + 5_000,
          onWait: (delayMs, error) => {
            if (error instanceof RateLimitError) this.#say(either, this.#options.pausing?.(delayMs));
          },
          onRetry: (error) => {
            if (error instanceof RateLimitError) this.#say(either);
          },
        },
      ),
      either,
    ).catch((error: unknown) => {
      if (timeLimitMs !== undefined && limit?.aborted === true && !signal.aborted)
        throw new RunTimeLimitError(timeLimitMs);
      throw error;
    });
  }

  #described(columns: PageHead['columns']): readonly StoreColumn[] {
    return this.#options.describe?.(columns) ?? columns;
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

  #sayPreparing(): void {
    this.#sayRunning(this.#elapsed(), this.#options.preparing);
  }

  /** Shows why the next page is late, or removes the reason. */
  #say(signal: AbortSignal, note?: string): void {
    if (signal.aborted) return;
    if (!this.#isOpen) this.#sayRunning(this.#elapsed(), note);
    else if (this.#loading !== 'none')
      this.#draw({ kind: this.#loading, ...(note === undefined ? {} : { note }) });
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

/** Converts any failure after an abort to a cancellation, however the client reports it. */
async function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
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
