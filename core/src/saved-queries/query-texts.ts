/**
 * Query text by ID, with a size limit. The least recently used entries are dropped first. Each entry belongs to a
 * version, and a newer version's text replaces it.
 */

/** In UTF-16 code units: at most 64 MB, or half of that for Latin text. */
const defaultMaxLength = 32_000_000;

interface VersionText {
  readonly version: number;
  readonly text: string;
}

export class QueryTexts {
  readonly #maxLength: number;
  /** Least recently used first. */
  readonly #texts = new Map<string, VersionText>();
  #length = 0;

  constructor(maxLength = defaultMaxLength) {
    this.#maxLength = maxLength;
  }

  /** Total length in UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  set(queryId: string, version: number, text: string): void {
    const known = this.#texts.get(queryId);
    if (known !== undefined && known.version > version) return;
    this.delete(queryId);
    if (text.length > this.#maxLength) return;
    this.#texts.set(queryId, { version, text });
    this.#length += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= this.#maxLength) return;
      this.delete(oldest);
    }
  }

  /** Returns the text of the given version; undefined if it is not stored. */
  get(queryId: string, version: number): string | undefined {
    const known = this.#texts.get(queryId);
    if (known?.version !== version) return undefined;
    this.#texts.delete(queryId);
    this.#texts.set(queryId, known);
    return known.text;
  }

  delete(queryId: string): void {
    const known = this.#texts.get(queryId);
    if (known === undefined) return;
    this.#texts.delete(queryId);
    this.#length -= known.text.length;
  }

  clear(): void {
    this.#texts.clear();
    this.#length = 0;
  }
}
