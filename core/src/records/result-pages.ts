/** Reads the rows of a built-in query page by page for the result panel. Waits out rate limits and empty pages. */
import type { RunRequest, ServiceClient } from '#api/client/client.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import { waitingOutRateLimits } from '../failures/rate-limit.ts';
import { sendQuery, type Permit } from '../policy/send-query.ts';
import { resultPages } from '../reading/feeds.ts';
import type { PageFeed } from '../reading/page-reader.ts';
import { preparingWords } from './page-messages.ts';

export function resultFeed(
  client: ServiceClient,
  permit: Permit,
  request: RunRequest,
  { say }: { readonly say: (note: string) => void },
): PageFeed {
  const onPause = (delayMs: number) => say(pauseWords(delayMs));
  return resultPages(
    (pageToken, signal) =>
      waitingOutRateLimits(
        () => sendQuery(client, permit, { ...request, pageToken }, { signal, throwsRateLimit: true }),
        { signal, onPause },
      ),
    { onWaiting: () => say(preparingWords()) },
  );
}
