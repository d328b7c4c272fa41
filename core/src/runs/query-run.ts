/** Executes one run of a query: requests its pages, and reads them into its result. */
import type { WalkOptions } from '#api/client/answers/paging.ts';
import type { ExecuteOptions, RunRequest } from '#api/client/client.ts';
import { RateLimitError } from '#api/client/errors.ts';
import type { PageHead } from '#api/client/query-page.ts';
import type { ExecuteRequest } from '#api/contract/execute.ts';
import { resultPages, type ResultPage } from '../reading/feeds.ts';
import { PageReader, type PageFeed, type PageReaderOptions, type Reading } from '../reading/page-reader.ts';

export type Execute = (
  request: RunRequest,
  options: Pick<ExecuteOptions, 'onWait' | 'onRetry'> & {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
  },
) => Promise<ResultPage>;

type Column = PageHead['columns'][number];

export interface QueryRunOptions extends Omit<PageReaderOptions<Column>, 'feed'> {
  readonly signal: AbortSignal;
  readonly execute: Execute;
  /** The request without paging. */
  readonly request: Pick<ExecuteRequest, 'query_string' | 'model' | 'parameters'>;
  readonly pageSize: number;
  /** Shown while the service sends empty pages because it is still preparing the rows. */
  readonly preparing?: string | undefined;
  /** Returns the text shown while the service limits requests, until the retry in `delayMs`. */
  readonly pausing?: ((delayMs: number) => string) | undefined;
  readonly pacing?: Omit<WalkOptions, 'signal' | 'onWaiting'> | undefined;
}

/** The client requires a timeout for every request; a day is used if there is no time limit. */
const noLimitMs = 86_400_000;

export class QueryRun extends PageReader<Column> {
  constructor(options: QueryRunOptions) {
    super({ ...options, feed: (reader) => feedOf(options, reader) });
  }
}

function feedOf(options: QueryRunOptions, reader: Reading): PageFeed<Column> {
  const { execute, request, pageSize, rowLimit, deadline, preparing, pausing } = options;
  const sizeOf = () =>
    rowLimit > reader.received ? Math.min(pageSize, rowLimit - reader.received) : pageSize;
  const timeLimitMs = deadline.limitMs;
  const read = (pageToken: RunRequest['pageToken'], signal: AbortSignal = reader.signal) =>
    execute(
      { ...request, pageSize: Math.max(1, sizeOf()), ...(pageToken === undefined ? {} : { pageToken }) },
      {
        signal,
        // Longer than the run's own time limit, which has its own message.
        timeoutMs: (timeLimitMs === Infinity ? noLimitMs : timeLimitMs) + 5_000,
        onWait: (delayMs, error) => {
          if (error instanceof RateLimitError) reader.say(pausing?.(delayMs));
        },
        onRetry: (error) => {
          if (error instanceof RateLimitError) reader.say();
        },
      },
    );
  return resultPages(read, { ...options.pacing, onWaiting: () => reader.say(preparing) });
}
