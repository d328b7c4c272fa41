/** Time limits and the caller's wish to stop, as one signal. */
import { setTimeout as delay } from 'node:timers/promises';
import { UserAbort } from './errors.ts';

/** @throws UserAbort when the caller has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw userAbortOf(signal);
}

export function userAbortOf(signal: AbortSignal): UserAbort {
  return signal.reason instanceof UserAbort
    ? signal.reason
    : new UserAbort('cancelled', { cause: signal.reason });
}

/** @throws UserAbort when the caller aborts first. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted === true) throw userAbortOf(signal);
    throw error;
  }
}
