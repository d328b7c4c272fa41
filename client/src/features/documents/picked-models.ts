/** Each document's chosen model by URI, stored in the workspace. */
import type { Memento } from 'vscode';

const storageKey = 'identityQueries.pickedModels';
/** Maximum number of remembered documents; the oldest are dropped. */
const kept = 200;

export class PickedModels {
  readonly #storage: Memento;

  constructor(storage: Memento) {
    this.#storage = storage;
  }

  get(uri: string): string | undefined {
    const model = this.#all()[uri];
    return typeof model === 'string' ? model : undefined;
  }

  async set(uri: string, model: string): Promise<void> {
    const { [uri]: _before, ...others } = this.#all();
    await this.#write(Object.entries({ ...others, [uri]: model }).slice(-kept));
  }

  async forget(isGone: (uri: string) => boolean): Promise<void> {
    const all = Object.entries(this.#all());
    const left = all.filter(([uri]) => !isGone(uri));
    if (left.length < all.length) await this.#write(left);
  }

  /** Moves the choices of renamed files or folders to their new URIs. */
  async rename(moves: readonly { readonly from: string; readonly to: string }[]): Promise<void> {
    const moveOf = (uri: string) => moves.find(({ from }) => uri === from || uri.startsWith(`${from}/`));
    const all = Object.entries(this.#all());
    if (!all.some(([uri]) => moveOf(uri) !== undefined)) return;
    await this.#write(
      all.map(([uri, model]) => {
        const move = moveOf(uri);
        return [move === undefined ? uri : move.to + uri.slice(move.from.length), model];
      }),
    );
  }

  #all(): Readonly<Record<string, unknown>> {
    const stored: unknown = this.#storage.get(storageKey);
    return typeof stored === 'object' && stored !== null
      ? (stored as Readonly<Record<string, unknown>>) // any object has string keys
      : {};
  }

  async #write(entries: readonly (readonly [string, unknown])[]): Promise<void> {
    await this.#storage.update(storageKey, Object.fromEntries(entries));
  }
}
