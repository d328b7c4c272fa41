/** Executes one run of a query: requests its pages, each within the time limit, and reads them into its result. */
import { PageWalk, type WalkOptions } from '#api/client/answers/paging.ts';
import type { ExecuteOptions, RunRequest } from '#api/client/client.ts';
import { RateLimitError } from '#api/client/errors.ts';
import type { PageHead } from '#api/client/query-page.ts';
import type { ExecuteRequest } from '#api/contract/execute.ts';
import { orCancelled, PageReader, type PageReaderOptions, type ReadOutcome } from '../reading/page-reader.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { countOf } from '../rows/page-rows.ts';

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

export interface QueryRunOptions extends Omit<PageReaderOptions<PageHead['columns'][number]>, 'feed'> {
  readonly execute: Execute;
  /** The request without paging. */
  readonly request: Pick<ExecuteRequest, 'query_string' | 'model' | 'parameters'>;
  readonly pageSize: number;
  /** Time limit for each page; undefined for no limit. */
  readonly timeLimitMs?: number | undefined;
  /** Shown while the service sends empty pages because it is still preparing the rows. */
  readonly preparing?: string | undefined;
  /** Returns the text shown while the service limits requests, until the retry in `delayMs`. */
  readonly pausing?: ((delayMs: number) => string) | undefined;
  /** Replaced in tests. */
  readonly pacing?: Pick<WalkOptions, 'emptyPageDelayMs' | 'emptyPagesMax'> | undefined;
}

/** The client requires a timeout for every request; a day is used if the user sets none. */
const noLimitMs = 86_400_000;

export class QueryRun {
  readonly #options: QueryRunOptions;
  readonly #reader: PageReader<PageHead['columns'][number]>;

  constructor(options: QueryRunOptions) {
    this.#options = options;
    const walk = new PageWalk<RunPage>(
      {
        read: (pageToken, signal) => this.#ask(pageToken, signal),
        isEmpty: ({ rows }) => countOf(rows) === 0,
      },
      {
        ...options.pacing,
        onWaiting: () => {
          if (!this.#reader.isOpen) this.#reader.say(options.preparing);
        },
      },
    );
    const feed = {
      get hasMore() {
        return walk.hasMore;
      },
      next: async (signal: AbortSignal) => {
        const page = await walk.next(signal);
        if (page === undefined) return undefined;
        const { columns, rows, rowCount, isPerhapsPartial } = page;
        const isPreparing = countOf(rows) === 0 && walk.hasMore;
        return { columns, rows, totalRows: rowCount, isPreparing, isPerhapsPartial };
      },
    };
    this.#reader = new PageReader({ ...options, feed });
  }

  /** Whether a request is pending. */
  get isBusy(): boolean {
    return this.#reader.isBusy;
  }

  /** Loads the first page. Never rejects; the result and the outcome contain any error. */
  async start(): Promise<ReadOutcome> {
    return await this.#reader.start();
  }

  /** Loads the next page, or all remaining pages up to the row limit. Does nothing while a request is pending. */
  async load(all: boolean): Promise<void> {
    await this.#reader.load(all);
  }

  /** Aborts the pending request: cancels the run before its first rows, pauses it after them. */
  cancel(): void {
    this.#reader.cancel();
  }

  async #ask(pageToken: RunRequest['pageToken'], signal = this.#options.signal): Promise<RunPage> {
    const { execute, request, pageSize, rowLimit, timeLimitMs } = this.#options;
    const { received } = this.#reader;
    const limit = timeLimitMs === undefined ? undefined : AbortSignal.timeout(timeLimitMs);
    const either = limit === undefined ? signal : AbortSignal.any([signal, limit]);
    const say = (note?: string) => {
      if (!either.aborted) this.#reader.say(note);
    };
    return await orCancelled(
      execute(
        {
          ...request,
          pageSize: Math.max(1, Math.min(pageSize, rowLimit > received ? rowLimit - received : pageSize)),
          ...(pageToken === undefined ? {} : { pageToken }),
        },
        // Longer than the run's own time limit, which has its own message.
        {
          signal: either,
          timeoutMs: (timeLimitMs ?? noLimitMs) + 5_000,
          onWait: (delayMs, error) => {
            if (error instanceof RateLimitError) say(this.#options.pausing?.(delayMs));
          },
          onRetry: (error) => {
            if (error instanceof RateLimitError) say();
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
}
