/**
 * Limits the calls that agents make per minute on a connection. The calls are counted across all of the user's windows
 * and programs.
 */
import { Facts } from '../memory/facts.ts';
import type { Memory } from '../memory/memory.ts';

export interface CallRate {
  /**
   * Counts a call. Returns undefined if it is allowed, otherwise the number of milliseconds to wait. Calls with the
   * same key are counted together.
   * @throws CallRateFailure
   */
  take(key: string, callsPerMinute: number): Promise<number | undefined>;
}

/** Thrown if a call cannot be counted. The caller then gets an error instead of a response. */
export class CallRateFailure extends Error {
  constructor(options?: ErrorOptions) {
    super('Agent calls cannot be counted, so no calls are allowed.', options);
    this.name = 'CallRateFailure';
  }
}

const minuteMs = 60_000;
const keysMax = 1_000;

/** @param now returns the time in milliseconds, the same for all programs on this machine. Replaced in tests. */
export function callRateIn(memory: Memory, now: () => number = () => Date.now()): CallRate {
  const calls = new Facts(memory, { noun: 'agent calls', parse: timesIn });
  return {
    async take(key, callsPerMinute) {
      try {
        return await calls.change((rows) => {
          const at = now();
          const own = timesWithin(rows.get(key) ?? [], minuteMs, at);
          const [oldest] = own.slice(-callsPerMinute);
          if (own.length >= callsPerMinute && oldest !== undefined)
            return Math.max(1, minuteMs - (at - oldest));
          rows.put(key, [...own, at]);
          rows.keepNewest(keysMax);
          return undefined;
        });
      } catch (error) {
        throw new CallRateFailure({ cause: error });
      }
    },
  };
}

/** Returns the times of a fact; undefined if it is no list. */
export function timesIn(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'number') : undefined;
}

/** Drops times that are too far away in either direction, so that nothing lasts for long after the clock is set back. */
export function timesWithin(times: readonly number[], limitMs: number, now: number): readonly number[] {
  return times.filter((at) => Math.abs(now - at) < limitMs);
}
