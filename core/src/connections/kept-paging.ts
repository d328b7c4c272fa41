/**
 * Keeps what was learned of how a service pages results, so that not every command sends the queries that learn it. A
 * service may change, so it is learned again after a day. Contains names of members, nothing else.
 */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ExecutePaging } from '#api/client/execute-paging.ts';
import { parseWrittenPaging, writtenPaging } from '#api/client/written-paging.ts';
import { readBounded } from '#base/files/bounded-file.ts';
import { draftEnding } from '#base/files/draft-ending.ts';
import { makePrivateFolder, writePrivateFile } from '#base/files/private-file.ts';

/** Incremented when paging is learned in another way. */
const version = 1;
const keptMs = 86_400_000;
const maxBytes = 10_000;

export class KeptPaging {
  readonly #folder: string;
  readonly #now: () => number;

  /** @param folder the user's local data; created when something is kept. */
  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = path.join(folder, 'paging');
    this.#now = now;
  }

  /** @param key the result of `connectionKeyOf`. @returns undefined if nothing usable is kept. */
  async load(key: string): Promise<ExecutePaging | undefined> {
    try {
      const kept: unknown = JSON.parse((await readBounded(this.#file(key), { maxBytes })).toString('utf8'));
      if (typeof kept !== 'object' || kept === null) return undefined;
      const { version: keptBy, learnedAt, paging } = kept as Readonly<Record<string, unknown>>; // any object has string keys
      const age = typeof learnedAt === 'number' ? this.#now() - learnedAt : Number.NaN;
      return keptBy === version && age >= 0 && age < keptMs ? parseWrittenPaging(paging) : undefined;
    } catch {
      return undefined; // missing, damaged or not readable: it is learned again
    }
  }

  /** What is not known is not kept. Never fails: it is learned again where nothing can be written. */
  async save(key: string, paging: ExecutePaging): Promise<void> {
    const written = writtenPaging(paging);
    if (written === undefined) return;
    const draft = `${this.#file(key)}.${draftEnding()}`;
    try {
      await makePrivateFolder(this.#folder);
      await writePrivateFile(draft, JSON.stringify({ version, learnedAt: this.#now(), paging: written }));
      await rename(draft, this.#file(key));
    } catch {
      await rm(draft, { force: true }).catch(() => undefined); // the folder cannot be written
    }
  }

  #file(key: string): string {
    return path.join(this.#folder, `${key}.json`);
  }
}
