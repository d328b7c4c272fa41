/**
 * A cache keyed by text. The least recently used entries are evicted first; the size limit counts characters, not
 * entries.
 */
export class TextCache<T> {
  readonly #sizeMax: number;
  readonly #entries = new Map<string, T>();
  #size = 0;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  has(text: string): boolean {
    return this.#entries.has(text);
  }

  get(text: string): T | undefined {
    const entry = this.#entries.get(text);
    if (entry !== undefined) {
      this.#entries.delete(text);
      this.#entries.set(text, entry);
    }
    return entry;
  }

  set(text: string, entry: T): void {
    if (this.#entries.delete(text)) this.#size -= text.length;
    this.#entries.set(text, entry);
    this.#size += text.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#sizeMax) break;
      this.#entries.delete(oldest);
      this.#size -= oldest.length;
    }
  }
}
