/** Waits where a service limits requests, or is not available and says for how long: one rule for all requests. */
import { pause } from '../abort.ts';
import { RateLimitError, ServerFaultError } from '../errors.ts';
import { backoffMs, type RetryPolicy } from './retry.ts';

/** One rule for all requests of a client: how long a call waits where the service limits requests, or says when it is back. */
export interface RateLimitRule {
  /** Maximum of all waits of a call, in milliseconds; 0 for none. */
  readonly maxMs: number;
  /** @param isLimited false if the service is not available for that long. */
  readonly onPause: (delayMs: number, isLimited: boolean) => void;
}

export interface LimitedCallOptions {
  readonly rule: RateLimitRule | undefined;
  readonly policy: RetryPolicy;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called before a retry, with the delay and the reason. */
  readonly onWait?: ((delayMs: number, error: unknown) => void) | undefined;
  /** Called when the delay is over, with the reason. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
}

/** The waits of one call. */
export class LimitedCall {
  readonly #options: LimitedCallOptions;
  #times = 0;
  #waitedMs = 0;

  constructor(options: LimitedCallOptions) {
    this.#options = options;
  }

  /** @param isSafe whether the request may be sent again although it was perhaps carried out. */
  covers(error: unknown, isSafe: boolean): error is RateLimitError | ServerFaultError {
    const { rule } = this.#options;
    if (error instanceof RateLimitError) return rule !== undefined;
    const isBackLater =
      error instanceof ServerFaultError && error.status === 503 && error.retryAfterMs !== undefined;
    return isBackLater && isSafe && (rule?.maxMs ?? 0) > 0;
  }

  /** @throws the error itself if its delay, or all delays of the call, are longer than the rule allows. */
  async waitOut(
    error: RateLimitError | ServerFaultError,
    { signal, onWait, onRetry }: WaitOptions,
  ): Promise<void> {
    const { rule, policy, random } = this.#options;
    this.#times += 1;
    const backoff = (times: number) => backoffMs(times, { policy, random });
    // A service that always says "at once" is asked less and less often.
    const leastMs = this.#times > policy.attempts ? backoff(this.#times - policy.attempts) : 0;
    const delayMs = Math.max(leastMs, error.retryAfterMs ?? backoff(this.#times));
    if (rule === undefined || rule.maxMs === 0 || this.#waitedMs + delayMs > rule.maxMs) {
      if (error instanceof RateLimitError) error.isWaitedOut = true;
      throw error;
    }
    this.#waitedMs += delayMs;
    rule.onPause(delayMs, error instanceof RateLimitError);
    onWait?.(delayMs, error);
    await pause(delayMs, signal);
    onRetry?.(error);
  }
}
