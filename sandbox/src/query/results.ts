/** Keeps results larger than one page for a limited time and size, so that all pages come from one run. */
import { createHash, randomUUID } from 'node:crypto';
import type { RunRows } from './growing-result.ts';

export interface KeptResult {
  readonly id: string;
  /** Identifies the query, so that a page token works only with its own query. */
  readonly fingerprint: string;
  readonly result: RunRows;
  /** Called when the result is no longer readable, so a running query may end. */
  readonly abandon: () => void;
}

export interface ResultKeeperOptions {
  readonly mostBytes: number;
  readonly lifetimeMs: number;
  /** Returns milliseconds, for example `Date.now`. */
  readonly clock: () => number;
}

export class ResultKeeper {
  readonly #options: ResultKeeperOptions;
  /** In order of last use. */
  readonly #kept = new Map<string, { entry: KeptResult; usedAt: number }>();

  constructor(options: ResultKeeperOptions) {
    this.#options = options;
  }

  keep(kept: Omit<KeptResult, 'id'>): KeptResult {
    const entry = { ...kept, id: randomUUID() };
    this.#kept.set(entry.id, { entry, usedAt: this.#options.clock() });
    this.#dropOld();
    return entry;
  }

  /** Undefined if the result was dropped because of age or total size. */
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
    // Recomputed each time, since the results of running queries grow.
    let sizeBytes = 0;
    for (const { entry } of this.#kept.values()) sizeBytes += entry.result.sizeBytes;
    for (const [id, { entry, usedAt }] of this.#kept) {
      const isTooMuch = sizeBytes > this.#options.mostBytes && this.#kept.size > 1;
      if (usedAt >= oldest && !isTooMuch) return;
      this.#kept.delete(id);
      sizeBytes -= entry.result.sizeBytes;
      entry.abandon();
    }
  }
}

export function fingerprintOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** The JSON text of rows `from` (inclusive) to `to` (exclusive), joined by commas, in chunks. */
export function rowSlices(result: Pick<RunRows, 'chunks'>, from: number, to: number): Uint8Array[] {
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
