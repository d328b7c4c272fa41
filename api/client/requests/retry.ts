/** Retry policy: retries only what is safe, after the delay that the service requests, within a limit. */
import {
  ApiError,
  ContractError,
  RateLimitError,
  ServerFaultError,
  TimeoutError,
  TransportError,
  UserAbort,
  type TransportReason,
} from '../errors.ts';

export interface RetryPolicy {
  /** Maximum number of requests, including the first. */
  readonly attempts: number;
  /** Delay before the first retry unless the service gives one; doubles each time. */
  readonly baseDelayMs: number;
  /** Maximum delay; if the service requests a longer one, there is no retry. */
  readonly maxDelayMs: number;
  /** Maximum time from the first request to any retry. */
  readonly totalMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 3,
  baseDelayMs: 200,
  maxDelayMs: 10_000,
  totalMs: 60_000,
};

/**
 * Returns the delay before the next attempt; undefined if there is no further attempt.
 * @param attempt 1-based number of the failed request.
 * @param random returns a number in [0, 1).
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  options: {
    readonly policy: RetryPolicy;
    readonly isSafe: boolean;
    /** Whether the request only looks something up, so that repeating it costs the service little. */
    readonly isLookup?: boolean;
    readonly random: () => number;
  },
): number | undefined {
  const { policy, isSafe, isLookup = false, random } = options;
  if (attempt >= policy.attempts) return undefined;
  const isLimited = error instanceof RateLimitError;
  // A 429 means that the request was not executed, so retrying it is always safe. After other failures, a retry is safe
  // only if the request is harmless.
  // A query that made the service fail, or took too long for a gateway, would do so again.
  const isUnavailable =
    error instanceof ServerFaultError &&
    error.retryable &&
    (error.status === 503 || (isLookup && error.status !== 501));
  const isLost = error instanceof TransportError && error.retryable;
  if (!isLimited && !(isSafe && (isUnavailable || isLost))) return undefined;
  const advice = error instanceof TransportError ? undefined : error.retryAfterMs;
  if (advice !== undefined) return advice <= policy.maxDelayMs ? advice : undefined;
  return backoffMs(attempt, { policy, random });
}

/** Reasons for which a request did not reach the service. */
const unsent: ReadonlySet<TransportReason> = new Set([
  'refused',
  'dns',
  'unreachable',
  'proxy',
  'proxy-credentials',
]);

/** Whether a request that was sent was perhaps carried out, although its answer did not arrive. */
export function isPerhapsDone(error: unknown): boolean {
  if ((error instanceof ApiError || error instanceof ContractError) && error.isAfterLoss) return true;
  if (error instanceof TransportError) return !unsent.has(error.reason);
  // A gateway also answers 503 where the connection ended after the request was carried out.
  if (error instanceof ServerFaultError)
    return error.status !== 503 || (error.retryAfterMs === undefined && error.code === 'HTTP_503');
  // Time limits are not known from their words.
  if (error instanceof ContractError)
    return error.status < 300 || error.status === 408 || error.status === 499;
  return error instanceof TimeoutError || error instanceof UserAbort;
}

/** Exponential backoff with full jitter. @param attempt 1-based. */
export function backoffMs(
  attempt: number,
  { policy, random }: { readonly policy: RetryPolicy; readonly random: () => number },
): number {
  return random() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
}

/** Maximum delay for a timer; with a longer one, it would fire immediately. */
const timerMaxMs = 2_147_483_647;

/** Converts a Retry-After header, in seconds or as an HTTP date (RFC 9110 section 10.2.3), to milliseconds. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  // The RFC allows only whole seconds; some gateways send a fraction, which Date.parse would misread as a past date.
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Math.min(timerMaxMs, Math.ceil(Number(trimmed) * 1000));
  if (!/^[a-z]{3}/i.test(trimmed)) return undefined;
  const date = Date.parse(trimmed);
  return Number.isNaN(date) ? undefined : Math.min(timerMaxMs, Math.max(0, date - nowMs));
}
