/**
 * Counts refused calls of agents per connection and folder, so that a restart does not forget them. Each refusal tells an
 * agent something; one that collects many is answered nothing for a while.
 */
import { isObject } from '#base/values/is-object.ts';
import { Facts, type FactRows } from '../memory/facts.ts';
import type { Memory } from '../memory/memory.ts';
import { CallRateFailure, timesIn, timesWithin } from './call-rate.ts';

export const refusalsMax = 60;
export const silenceMs = 15 * 60_000;
/** A refusal counts for a day. */
const countedMs = 24 * 60 * 60_000;
const keysMax = 1_000;

export interface Refusals {
  /** Returns the milliseconds of silence that are left; undefined if there is none. @throws CallRateFailure */
  silence(key: string): Promise<number | undefined>;
  /** Counts a refusal. Returns whether a silence begins with it. @throws CallRateFailure */
  count(key: string): Promise<boolean>;
}

interface Counted {
  readonly at: readonly number[];
  readonly silentUntil?: number;
}

/** @param now returns the time in milliseconds, the same for all programs on this machine. Replaced in tests. */
export function refusalsIn(memory: Memory, now: () => number = () => Date.now()): Refusals {
  const refusals = new Facts(memory, { noun: 'refused agent calls', parse: countedIn });
  const counting = async <Result>(work: (rows: FactRows<Counted>) => Result): Promise<Result> => {
    try {
      return await refusals.change(work);
    } catch (error) {
      throw new CallRateFailure({ cause: error });
    }
  };
  return {
    silence: (key) =>
      counting((rows) => {
        // A time that lies too far ahead was written by another clock.
        const leftMs = (rows.get(key)?.silentUntil ?? 0) - now();
        return leftMs > 0 && leftMs <= silenceMs ? leftMs : undefined;
      }),
    count: (key) =>
      counting((rows) => {
        const before = rows.get(key);
        const all = [...timesWithin(before?.at ?? [], countedMs, now()), now()];
        const isLast = all.length >= refusalsMax;
        // A call that began before a silence may be refused in it, and does not end it.
        rows.put(key, isLast ? { at: [], silentUntil: now() + silenceMs } : { ...before, at: all });
        rows.keepNewest(keysMax);
        return isLast;
      }),
  };
}

function countedIn(value: unknown): Counted | undefined {
  const at = isObject(value) ? timesIn(value['at']) : undefined;
  if (!isObject(value) || at === undefined) return undefined;
  const { silentUntil } = value;
  return { at, ...(typeof silentUntil === 'number' ? { silentUntil } : {}) };
}
