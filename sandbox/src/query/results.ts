/** Keeps the results that did not fit one page, for a while and within bounds, so that every page is of the same run. */
import { createHash, randomUUID } from 'node:crypto';
import type { QueryResult } from './engine.ts';

export interface KeptResult {
  readonly id: string;
  /** What was run, so that a page token is used with its own query only. */
  readonly fingerprint: string;
  readonly result: QueryResult;
}

export interface ResultKeeperOptions {
  readonly mostBytes: number;
  readonly lifetimeMs: number;
  /** Milliseconds, for example `Date.now`. */
  readonly clock: () => number;
}

export class ResultKeeper {
  readonly #options: ResultKeeperOptions;
  /** In order of last use. */
  readonly #kept = new Map<string, { entry: KeptResult; usedAt: number }>();
  #sizeBytes = 0;

  constructor(options: ResultKeeperOptions) {
    this.#options = options;
  }

  keep(fingerprint: string, result: QueryResult): KeptResult {
    const entry = { id: randomUUID(), fingerprint, result };
    this.#kept.set(entry.id, { entry, usedAt: this.#options.clock() });
    this.#sizeBytes += result.sizeBytes;
    this.#dropOld();
    return entry;
  }

  /** Undefined when it was dropped: too old, or too much was kept. */
  find(id: string): KeptResult | undefined {
    this.#dropOld();
    const found = this.#kept.get(id);
    if (found === undefined) return undefined;
    this.#kept.delete(id);
    this.#kept.set(id, { entry: found.entry, usedAt: this.#options.clock() });
    return found.entry;
  }

  #dropOld(): void {
    const oldest = this.#options.clock() - this.#options.lifetimeMs;
    for (const [id, { entry, usedAt }] of this.#kept) {
      const isTooMuch = this.#sizeBytes > this.#options.mostBytes && this.#kept.size > 1;
      if (usedAt >= oldest && !isTooMuch) return;
      this.#kept.delete(id);
      this.#sizeBytes -= entry.result.sizeBytes;
    }
  }
}

export function fingerprintOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** The JSON text of rows `from` (inclusive) to `to` (exclusive), joined by commas, in pieces. */
export function rowSlices(result: QueryResult, from: number, to: number): Uint8Array[] {
  const slices: Uint8Array[] = [];
  let first = 0;
  for (const { json, ends } of result.chunks) {
    const start = Math.max(from - first, 0);
    const stop = Math.min(to - first, ends.length);
    if (start < stop) {
      const startByte = start === 0 ? 0 : (ends[start - 1] ?? 0) + 1;
      if (slices.length > 0) slices.push(comma);
      slices.push(json.subarray(startByte, ends[stop - 1]));
    }
    first += ends.length;
    if (first >= to) break;
  }
  return slices;
}

const comma = new TextEncoder().encode(',');
