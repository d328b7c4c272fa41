/**
 * The editor's storage for all windows, with one update at a time. The editor stores all keys of an extension as one
 * value, and takes each stored value over from the main process: a key that is updated until then would be lost.
 */
import { Queue } from '#base/async/queue.ts';
import type { KeyValueStore } from '#base/key-value-store.ts';

/** Number of times to store a value that another window's update has replaced. */
const attempts = 3;

export class OrderedMemento implements KeyValueStore {
  readonly #memento: KeyValueStore;
  /** Values that are not stored yet. */
  readonly #pending = new Map<string, { readonly value: unknown }>();
  readonly #updates = new Queue();

  constructor(memento: KeyValueStore) {
    this.#memento = memento;
  }

  get(key: string): unknown {
    const pending = this.#pending.get(key);
    return pending === undefined ? this.#memento.get(key) : pending.value;
  }

  /** Resolves once the value, or one that replaces it, is stored. @throws an error of the editor. */
  async update(key: string, value: unknown): Promise<void> {
    // A copy, as the editor makes one: changing the object later has no effect.
    const own = { value: value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown) };
    this.#pending.set(key, own);
    await this.#updates.add(() => this.#store(key, own));
  }

  async #store(key: string, own: { readonly value: unknown }): Promise<void> {
    const text = JSON.stringify(own.value);
    try {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        if (this.#pending.get(key) !== own) return;
        await this.#memento.update(key, own.value);
        if (JSON.stringify(this.#memento.get(key)) === text) return;
      }
    } finally {
      if (this.#pending.get(key) === own) this.#pending.delete(key);
    }
  }
}
