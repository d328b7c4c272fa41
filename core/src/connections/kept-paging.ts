/**
 * Keeps what was learned of how a service pages results, so that not every command sends the queries that learn it. A
 * service may change, so it is learned again after a day. Contains names of members, nothing else.
 */
import type { ExecutePaging } from '#api/client/execute-paging.ts';
import { parseWrittenPaging, writtenPaging } from '#api/client/written-paging.ts';
import { isObject } from '#base/values/is-object.ts';
import { Facts } from '../memory/facts.ts';
import type { Memory } from '../memory/memory.ts';

/** Incremented when paging is learned in another way. */
const version = 2;
const keptMs = 86_400_000;
const keptMax = 100;

export class KeptPaging {
  readonly #kept: Facts<Readonly<Record<string, unknown>>>;
  readonly #now: () => number;

  constructor(memory: Memory, now: () => number = Date.now) {
    this.#kept = new Facts(memory, {
      noun: 'paging',
      parse: (value) => (isObject(value) ? value : undefined),
    });
    this.#now = now;
  }

  /** @param key the result of `connectionKeyOf`. @returns undefined if nothing usable is kept. */
  async load(key: string): Promise<ExecutePaging | undefined> {
    const all = await this.#kept.all().catch(() => undefined); // not readable: it is learned again
    const kept = all?.get(key);
    if (kept?.['version'] !== version) return undefined;
    const age = typeof kept['learnedAt'] === 'number' ? this.#now() - kept['learnedAt'] : Number.NaN;
    return age >= 0 && age < keptMs ? parseWrittenPaging(kept['paging']) : undefined;
  }

  /** What is not known is not kept. Never fails: it is learned again where nothing can be written. */
  async save(key: string, paging: ExecutePaging): Promise<void> {
    const written = writtenPaging(paging);
    if (written === undefined) return;
    const keep = this.#kept.change((rows) => {
      rows.put(key, { version, learnedAt: this.#now(), paging: written });
      rows.keepNewest(keptMax);
    });
    await keep.catch(() => undefined); // the folder cannot be written
  }
}
