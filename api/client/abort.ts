/** Helpers for the caller's abort signal. */
import { setTimeout as delay } from 'node:timers/promises';
import { UserAbort } from './errors.ts';

/** @throws UserAbort if the caller has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw userAbortOf(signal);
}

export function userAbortOf(signal: AbortSignal): UserAbort {
  return signal.reason instanceof UserAbort
    ? signal.reason
    : new UserAbort('cancelled', { cause: signal.reason });
}

/** Returns the signal's reason if it is an Error; a UserAbort otherwise. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : userAbortOf(signal);
}

/** @throws UserAbort if the caller aborts first. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted === true) throw userAbortOf(signal);
    throw error;
  }
}

/**
 * Settles with the promise, or rejects as soon as the signal aborts; a late result is ignored.
 * @throws the error that `errorOf` derives from the signal; a UserAbort by default.
 */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  errorOf: (signal: AbortSignal) => Error = userAbortOf,
): Promise<T> {
  if (signal === undefined) return await promise;
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(errorOf(signal));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
