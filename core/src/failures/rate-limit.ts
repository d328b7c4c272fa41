/**
 * Treats a rate limit as a pause rather than a failure: the request is repeated once the service allows it. Independent
 * of the editor.
 */
import { pause } from '#api/client/abort.ts';
import { RateLimitError } from '#api/client/errors.ts';

const defaultDelayMs = 5_000;

/**
 * Repeats a rate-limited request after the pause that the service requests, unless the client has a rule of its own.
 * @throws UserAbort.
 */
export async function waitingOutRateLimits<T>(
  work: () => Promise<T>,
  options: { readonly signal: AbortSignal | undefined; readonly onPause: (delayMs: number) => void },
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RateLimitError) || error.isWaitedOut) throw error;
      const delayMs = error.retryAfterMs ?? defaultDelayMs;
      options.onPause(delayMs);
      await pause(delayMs, options.signal);
    }
  }
}
