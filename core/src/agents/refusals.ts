/**
 * Counts refused calls of agents per connection and folder, in a file, so that a restart does not forget them. Each
 * refusal tells an agent something; one that collects many is answered nothing for a while.
 */
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { FileRefusal, readBoundedText } from '#base/files/bounded-file.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import { CallRateFailure } from './call-rate.ts';

export const refusalsMax = 60;
export const silenceMs = 15 * 60_000;
/** A refusal counts for a day. */
const countedMs = 24 * 60 * 60_000;
const waitMs = 10_000;
const maxBytes = 10_000_000;

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
export function refusalsIn(dataFolder: string, now: () => number = () => Date.now()): Refusals {
  const file = path.join(dataFolder, 'ai-refusals.json');
  let last: Promise<unknown> = Promise.resolve();
  const change = async <Result>(
    key: string,
    next: (counted: Counted) => { readonly counted: Counted; readonly result: Result },
  ): Promise<Result> => {
    await makePrivateFolder(dataFolder);
    const lock = await ProcessLock.wait(`${file}.lock`, waitMs);
    if (lock === undefined) throw new CallRateFailure();
    try {
      const all = await read(file);
      const before = current(all.get(key) ?? { at: [] }, now());
      const { counted, result } = next(before);
      if (counted === before) return result;
      all.delete(key);
      all.set(key, counted);
      await writePrivateFile(`${file}.new`, JSON.stringify(Object.fromEntries([...all].slice(-1_000))));
      await rename(`${file}.new`, file);
      return result;
    } finally {
      lock.release();
    }
  };
  /** Calls run in order: the lock is for other programs. */
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined); // the caller handles the error
    try {
      return await done;
    } catch (error) {
      throw error instanceof CallRateFailure ? error : new CallRateFailure({ cause: error });
    }
  };
  return {
    silence: (key) =>
      inTurn(() =>
        change(key, (counted) => ({
          counted,
          result: counted.silentUntil === undefined ? undefined : Math.max(1, counted.silentUntil - now()),
        })),
      ),
    count: (key) =>
      inTurn(() =>
        change(key, ({ at }) => {
          const all = [...at, now()];
          return all.length >= refusalsMax
            ? { counted: { at: [], silentUntil: now() + silenceMs }, result: true }
            : { counted: { at: all }, result: false };
        }),
      ),
  };
}

/** Drops what has passed. A time that lies too far ahead was written by another clock, and lasts one silence at most. */
function current(counted: Counted, now: number): Counted {
  const at = counted.at.filter((each) => Math.abs(now - each) < countedMs);
  const { silentUntil } = counted;
  const isSilent = silentUntil !== undefined && silentUntil > now && silentUntil - now <= silenceMs;
  if (at.length === counted.at.length && isSilent === (silentUntil !== undefined)) return counted;
  return { at, ...(isSilent ? { silentUntil } : {}) };
}

/** Reads the counts. A missing or malformed file counts nothing, and is rewritten. */
async function read(file: string): Promise<Map<string, Counted>> {
  try {
    const value: unknown = JSON.parse(await readBoundedText(file, { maxBytes }));
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(
      Object.entries(value).flatMap(([key, entry]: [string, unknown]) => {
        const counted = parse(entry);
        return counted === undefined ? [] : [[key, counted] as const];
      }),
    );
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return new Map();
    if (error instanceof FileRefusal && error.code === 'missing') return new Map();
    throw error;
  }
}

function parse(entry: unknown): Counted | undefined {
  if (typeof entry !== 'object' || entry === null || !('at' in entry) || !Array.isArray(entry.at))
    return undefined;
  const at = (entry.at as readonly unknown[]).filter((each) => typeof each === 'number');
  const until = 'silentUntil' in entry ? entry.silentUntil : undefined;
  return { at, ...(typeof until === 'number' ? { silentUntil: until } : {}) };
}
