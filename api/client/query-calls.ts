/** The arguments of calls that run a query. */
import type { ExecuteRequest } from '../contract/execute.ts';
import type { PageToken } from '../contract/lists.ts';
import type { QueryPage } from './query-page.ts';
import type { BytesReader, RequestOptions } from './requests/requester.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options for a query. Its time limit may differ, since queries take longer than lookups. */
export type ExecuteOptions = CallOptions &
  Pick<RequestOptions, 'timeoutMs' | 'throwsRateLimit' | 'isRepeatable' | 'onWait' | 'onRetry'>;

/** A query to run. `pageToken` is sent back exactly as received. */
export type RunRequest = Omit<ExecuteRequest, 'pageToken'> & { readonly pageToken?: PageToken | undefined };

/** Beside the text of the query, or in it as literals. */
export type SentValues = 'parameters' | 'literals';

export interface ExecuteCalls {
  /** How values reach this service; undefined means beside the text. */
  readonly values?: SentValues | undefined;
  /** Returns one page of a result; pass its `nextPageToken` back for the next page. */
  readonly execute: (request: RunRequest, options?: ExecuteOptions) => Promise<QueryPage>;
  /** Like `execute`, but a reader parses the bytes; if the reader declines, the page is decoded as in `execute`. */
  readonly executeBytes: <Page extends object>(
    request: RunRequest,
    reader: BytesReader<Page>,
    options?: ExecuteOptions,
  ) => Promise<Page | QueryPage>;
}
