/**
 * The editor's storage, with one update at a time. The editor stores all keys of an extension as one value, and takes
 * each stored value over from the main process: a key that is updated until then would be lost.
 */
import type { ExtensionContext, Memento } from 'vscode';
import { Queue } from '#base/async/queue.ts';

/** Number of times to store a value that another window's update has replaced. */
const attempts = 3;

/** Returns the extension's context with both stores in order, so that nothing uses them otherwise. */
export function withOrderedStores(context: ExtensionContext): ExtensionContext {
  const { globalState } = context;
  const stores: Pick<ExtensionContext, 'globalState' | 'workspaceState'> = {
    workspaceState: new OrderedMemento(context.workspaceState),
    globalState: Object.assign(new OrderedMemento(globalState), {
      setKeysForSync: (keys: readonly string[]) => globalState.setKeysForSync(keys),
    }),
  };
  // Not copied, since reading some members fails.
  return Object.create(context, Object.getOwnPropertyDescriptors(stores)) as ExtensionContext;
}

export class OrderedMemento implements Memento {
  readonly #memento: Memento;
  /** Values that are not stored yet. */
  readonly #pending = new Map<string, { readonly value: unknown }>();
  readonly #updates = new Queue();

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  keys(): readonly string[] {
    const pending = [...this.#pending];
    const kept = this.#memento.keys().filter((key) => !this.#pending.has(key));
    return [...kept, ...pending.flatMap(([key, { value }]) => (value === undefined ? [] : [key]))];
  }

  get<T>(key: string, defaultValue?: T): T {
    const pending = this.#pending.get(key);
    const value = pending === undefined ? this.#memento.get<unknown>(key) : pending.value;
    return (value ?? defaultValue) as T; // as the editor's, which does not look either
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
