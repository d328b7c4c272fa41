/** When a request is sent again: only what is safe to repeat, after the pause the service asks for, within a limit. */
import { RateLimitError, ServerFaultError, TransportError } from '../errors.ts';

export interface RetryPolicy {
  /** Requests in all, the first one included. */
  readonly attempts: number;
  /** The first pause without advice from the service; doubles each time. */
  readonly baseDelayMs: number;
  /** No pause is longer; a service that asks for more is not asked again. */
  readonly maxDelayMs: number;
  /** No further attempt starts later than this after the first. */
  readonly totalMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 3,
  baseDelayMs: 200,
  maxDelayMs: 10_000,
  totalMs: 60_000,
};

/**
 * The pause before the next attempt, or undefined when there is none.
 * @param attempt 1 for the pause after the first request. @param random in [0, 1).
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  options: { readonly policy: RetryPolicy; readonly isSafe: boolean; readonly random: () => number },
): number | undefined {
  const { policy, isSafe, random } = options;
  if (attempt >= policy.attempts) return undefined;
  const isLimited = error instanceof RateLimitError;
  // A 429 was not carried out, so it is safe to repeat whatever the method; anything else only where repeating does no harm.
  const isUnavailable = error instanceof ServerFaultError && error.status === 503;
  const isLost = error instanceof TransportError && error.retryable;
  if (!isLimited && !(isSafe && (isUnavailable || isLost))) return undefined;
  const advice = error instanceof TransportError ? undefined : error.retryAfterMs;
  if (advice !== undefined) return advice <= policy.maxDelayMs ? advice : undefined;
  // Exponential back-off with full jitter.
  return random() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
}

/** Milliseconds asked for by a Retry-After header: seconds or an HTTP date (RFC 9110 section 10.2.3). */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  // Whole seconds by the RFC; some gateways write a fraction, which Date.parse would take for a day long ago.
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Math.ceil(Number(trimmed) * 1000);
  if (!/^[a-z]{3}/i.test(trimmed)) return undefined;
  const date = Date.parse(trimmed);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
