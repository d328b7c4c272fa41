/** Keeps results larger than one page, limited by age and size, so that all pages come from the same run. */
import { createHash, randomUUID } from 'node:crypto';
import { JsonText, type TextPart } from '../route.ts';
import type { RunRows } from './growing-result.ts';

export interface KeptResult {
  readonly id: string;
  /** Identifies the query, since a page token is valid only for its own query. */
  readonly fingerprint: string;
  readonly result: RunRows;
  /** Called when the result can no longer be read, so that a running query can stop. */
  readonly abandon: () => void;
}

export interface ResultKeeperOptions {
  readonly mostBytes: number;
  readonly lifetimeMs: number;
  /** Returns the time in milliseconds, for example `Date.now`. */
  readonly clock: () => number;
}

export class ResultKeeper {
  readonly #options: ResultKeeperOptions;
  /** Ordered by last use, oldest first. */
  readonly #kept = new Map<string, { entry: KeptResult; usedAt: number }>();

  constructor(options: ResultKeeperOptions) {
    this.#options = options;
  }

  keep(kept: Omit<KeptResult, 'id'>): KeptResult {
    const entry = { ...kept, id: randomUUID() };
    this.#kept.set(entry.id, { entry, usedAt: this.#options.clock() });
    this.dropOld();
    return entry;
  }

  /** Returns a kept result, or undefined if it was dropped because of its age or the total size. */
  find(id: string): KeptResult | undefined {
    this.dropOld();
    const found = this.#kept.get(id);
    if (found === undefined) return undefined;
    this.#kept.delete(id);
    this.#kept.set(id, { entry: found.entry, usedAt: this.#options.clock() });
    return found.entry;
  }

  clear(): void {
    for (const { entry } of this.#kept.values()) entry.result.discard();
    this.#kept.clear();
  }

  /** Drops what is too old or too much. Called with each use, and from time to time. */
  dropOld(): void {
    const oldest = this.#options.clock() - this.#options.lifetimeMs;
    // Recompute the size each time, since results of running queries grow.
    let sizeBytes = 0;
    for (const { entry } of this.#kept.values()) sizeBytes += entry.result.sizeBytes;
    for (const [id, { entry, usedAt }] of this.#kept) {
      const isTooMuch = sizeBytes > this.#options.mostBytes && this.#kept.size > 1;
      if (usedAt >= oldest && !isTooMuch) return;
      this.#kept.delete(id);
      sizeBytes -= entry.result.sizeBytes;
      entry.abandon();
      entry.result.discard();
    }
  }
}

export function fingerprintOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Returns the JSON text of rows `from` (inclusive) to `to` (exclusive) in parts, joined by commas. */
export function rowSlices(result: Pick<RunRows, 'chunks'>, from: number, to: number): TextPart[] {
  const slices: TextPart[] = [];
  let first = 0;
  for (const { part, ends } of result.chunks) {
    const start = Math.max(from - first, 0);
    const stop = Math.min(to - first, ends.length);
    if (start < stop) {
      const startByte = start === 0 ? 0 : (ends[start - 1] ?? 0) + 1;
      const stopByte = ends[stop - 1] ?? startByte;
      if (slices.length > 0) slices.push(comma);
      slices.push({ byteLength: stopByte - startByte, read: () => part(startByte, stopByte) });
    }
    first += ends.length;
    if (first >= to) break;
  }
  return slices;
}

/** Returns the same as one text. */
export async function rowText(...rows: Parameters<typeof rowSlices>): Promise<string> {
  return (await new JsonText(rowSlices(...rows)).whole()).toString('utf8');
}

const comma = new TextEncoder().encode(',');
