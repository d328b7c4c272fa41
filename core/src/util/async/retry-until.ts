/** Repeats a check at growing intervals until it succeeds. */
import { pause, throwIfAborted } from '../../../../api/client/abort.ts';

export interface Intervals {
  /** Time before the first check, in milliseconds. */
  readonly firstMs: number;
  /** Maximum time between two checks, in milliseconds. Each interval is twice as long as the one before. */
  readonly maxMs: number;
}

/**
 * Resolves once the check succeeds. The errors of failed checks are the reason to repeat them.
 * @throws UserAbort if the signal aborts.
 */
export async function retryUntil(
  check: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
  { firstMs, maxMs }: Intervals,
  wait: typeof pause = pause,
): Promise<void> {
  for (let ms = firstMs; ; ms = Math.min(2 * ms, maxMs)) {
    await wait(ms, signal);
    const hasSucceeded = await check(signal).then(
      () => true,
      () => false,
    );
    if (hasSucceeded) return;
    throwIfAborted(signal);
  }
}
