/**
 * The format and the folder that rows were exported to last, which are offered first. A window offers what was chosen
 * in it; a new window, what was chosen last in any.
 */
import type { KeyValueStore } from '#base/key-value-store.ts';
import { formatChoices, type FormatChoice } from '#core/rows/files/file-formats.ts';

const stateKey = 'results.lastFormat';
const folderKey = 'results.lastFolder';

export class LastFormat {
  readonly #state: KeyValueStore;
  readonly #chosen = new Map<string, unknown>();

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get value(): FormatChoice | undefined {
    const kept = this.#get(stateKey);
    return formatChoices.find((choice) => choice === kept);
  }

  /** A path. */
  get folder(): string | undefined {
    const kept = this.#get(folderKey);
    return typeof kept === 'string' ? kept : undefined;
  }

  /** @param folder undefined if the file is not on this machine */
  async keep(choice: FormatChoice, folder: string | undefined): Promise<void> {
    await Promise.all([
      this.#keep(stateKey, choice),
      ...(folder === undefined ? [] : [this.#keep(folderKey, folder)]),
    ]);
  }

  #get(key: string): unknown {
    return this.#chosen.has(key) ? this.#chosen.get(key) : this.#state.get(key);
  }

  async #keep(key: string, value: unknown): Promise<void> {
    this.#chosen.set(key, value);
    await this.#state.update(key, value);
  }
}
