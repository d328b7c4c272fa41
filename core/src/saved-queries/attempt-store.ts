/** Stores unanswered create requests by draft. The editor's local storage keeps them when a window closes. */
import type { KeyValueStore } from '#base/key-value-store.ts';
import { isText, shapeOf } from '#base/values/shapes.ts';
import type { Attempt } from './create-machine.ts';

const storageKey = 'identityQueries.unansweredCreates';
const draftsMax = 50;

export class AttemptStore {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  get(draft: string): readonly Attempt[] {
    const attempts = this.#read()[draft];
    return Array.isArray(attempts) ? attempts.filter(isAttempt) : [];
  }

  async set(draft: string, attempts: readonly Attempt[]): Promise<void> {
    const { [draft]: before, ...others } = this.#read();
    if (before === undefined && attempts.length === 0) return;
    const kept = Object.entries(others).slice(1 - draftsMax);
    const all = Object.fromEntries(attempts.length === 0 ? kept : [...kept, [draft, attempts]]);
    await this.#store.update(storageKey, all);
  }

  #read(): Readonly<Record<string, unknown>> {
    const value = this.#store.get(storageKey);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  }
}

const isAttempt = shapeOf<Attempt>({ name: isText, digest: isText });
