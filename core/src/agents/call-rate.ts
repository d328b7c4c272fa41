/**
 * Limits the calls that agents make per minute on a connection. The calls are counted in a file, across all of the
 * user's windows and programs.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissingFile } from '#base/errors.ts';
import { makePrivateFolder } from '#base/files/private-file.ts';
import { ProcessLock } from '#base/files/process-lock.ts';

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
const waitMs = 10_000;

/** @param now returns the time in milliseconds, the same for all programs on this machine. Replaced in tests. */
export function callRateIn(dataFolder: string, now: () => number = () => Date.now()): CallRate {
  const file = path.join(dataFolder, 'ai-calls.json');
  let last: Promise<unknown> = Promise.resolve();
  const take = async (key: string, callsPerMinute: number): Promise<number | undefined> => {
    await makePrivateFolder(dataFolder);
    const lock = await ProcessLock.wait(`${file}.lock`, waitMs);
    if (lock === undefined) throw new CallRateFailure();
    try {
      const calls = within(await readCalls(file), now());
      const own = calls.get(key) ?? [];
      const waits = waitFor(own, callsPerMinute, now());
      if (waits !== undefined) return waits;
      calls.set(key, [...own, now()]);
      // Written atomically, since a truncated file would lose all counts.
      await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(calls)), { mode: 0o600 });
      await rename(`${file}.new`, file);
      return undefined;
    } finally {
      lock.release();
    }
  };
  return {
    async take(key, callsPerMinute) {
      // Calls run in order: the lock is for other programs, and this one would only wait for itself.
      const taken = last.then(() => take(key, callsPerMinute));
      last = taken.catch(() => undefined); // the caller handles the error
      try {
        return await taken;
      } catch (error) {
        throw error instanceof CallRateFailure ? error : new CallRateFailure({ cause: error });
      }
    },
  };
}

function waitFor(calls: readonly number[], callsPerMinute: number, now: number): number | undefined {
  const [oldest] = calls.slice(-callsPerMinute);
  return calls.length >= callsPerMinute && oldest !== undefined
    ? Math.max(1, minuteMs - (now - oldest))
    : undefined;
}

/**
 * Drops calls that are a minute or more away in either direction, so that no call waits for long after the clock is set
 * back.
 */
function within(calls: ReadonlyMap<string, readonly number[]>, now: number): Map<string, readonly number[]> {
  return new Map(
    [...calls]
      .map(([key, times]) => [key, times.filter((at) => Math.abs(now - at) < minuteMs)] as const)
      .filter(([, times]) => times.length > 0),
  );
}

/** Reads the counted calls. Returns an empty map if the file is missing or malformed, in which case it is rewritten. */
async function readCalls(file: string): Promise<ReadonlyMap<string, readonly number[]>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(
      Object.entries(value).flatMap(([key, times]: [string, unknown]) =>
        Array.isArray(times)
          ? [[key, (times as readonly unknown[]).filter((at) => typeof at === 'number')] as const]
          : [],
      ),
    );
  } catch (error) {
    if (error instanceof SyntaxError || isMissingFile(error)) return new Map();
    throw error;
  }
}
