/** Repeats a check at growing intervals until it succeeds. */
import { pause, throwIfAborted } from '#api/client/abort.ts';

export interface Intervals {
  /** Time before the first check, in milliseconds. */
  readonly firstMs: number;
  /** Maximum time between two checks, in milliseconds. Each interval is twice as long as the one before. */
  readonly maxMs: number;
  /** A smaller maximum until the waiting has taken this long in all. */
  readonly early?: { readonly maxMs: number; readonly forMs: number };
}

/** Minimum time that a pause takes, however early it is to end. */
const pauseMinMs = 2_000;

/** A pause that ends early once there is a reason to check now. */
export class EarlyPause {
  #current: { readonly end: AbortController; readonly startedAt: number } | undefined;

  /** @throws UserAbort if the signal aborts. */
  readonly wait = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    const end = new AbortController();
    this.#current = { end, startedAt: performance.now() };
    try {
      await pause(ms, signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]));
    } catch (error) {
      throwIfAborted(signal);
      if (!end.signal.aborted) throw error;
    }
  };

  /** Ends the pause, unless it has just begun, so that many reasons in a row do not become many checks. */
  end(minMs = pauseMinMs): void {
    const { end, startedAt } = this.#current ?? {};
    if (startedAt !== undefined && performance.now() - startedAt >= minMs) end?.abort();
  }
}

/**
 * Resolves once the check succeeds. The errors of failed checks are the reason to repeat them.
 * @throws UserAbort if the signal aborts.
 */
export async function retryUntil(
  check: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
  { firstMs, maxMs, early }: Intervals,
  wait: typeof pause = pause,
): Promise<void> {
  let waitedMs = 0;
  const maxNow = () => (early !== undefined && waitedMs < early.forMs ? early.maxMs : maxMs);
  for (let ms = firstMs; ; ms = Math.min(2 * ms, maxNow())) {
    await wait(ms, signal);
    waitedMs += ms;
    const hasSucceeded = await check(signal).then(
      () => true,
      () => false,
    );
    if (hasSucceeded) return;
    throwIfAborted(signal);
  }
}
