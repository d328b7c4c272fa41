/** Reads the rows of a built-in query page by page for the result panel. Waits out rate limits and empty pages. */
import { PageWalk } from '#api/client/answers/paging.ts';
import type { RunRequest, ServiceClient } from '#api/client/client.ts';
import { pauseWords } from '#base/words/pause-words.ts';
import { waitingOutRateLimits } from '../failures/rate-limit.ts';
import { sendQuery, type Permit } from '../policy/send-query.ts';
import type { RowsPage } from '../rows/rows-page.ts';
import { preparingWords } from './page-words.ts';

/** If `next` throws, calling it again retries the failed page. */
export function resultPages(
  client: ServiceClient,
  permit: Permit,
  request: RunRequest,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (note: string) => void },
): AsyncIterableIterator<RowsPage, undefined> {
  const onPause = (delayMs: number) => say(pauseWords(delayMs));
  const walk = new PageWalk(
    {
      read: (pageToken) =>
        waitingOutRateLimits(
          () => sendQuery(client, permit, { ...request, pageToken }, { signal, throwsRateLimit: true }),
          { signal, onPause },
        ),
      isEmpty: ({ rows }) => rows.length === 0,
    },
    { signal, onWaiting: () => say(preparingWords()) },
  );
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const page = await walk.next();
      if (page === undefined) return { done: true, value: undefined };
      return { done: false, value: { columns: page.columns, rows: page.rows, isLast: !walk.hasMore } };
    },
    return: () => Promise.resolve({ done: true, value: undefined }),
  };
}
