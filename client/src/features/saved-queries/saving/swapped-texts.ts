/**
 * Texts that an editor has held since another text was put in place of its own: by a merge, by theirs, by undo. The editor
 * writes what it held when it began to, which may be from before; that one does not come from the version that the text
 * comes from now.
 */
import { hash } from 'node:crypto';
import { plainText } from '../../../../../core/src/saved-queries/same-text.ts';

/** Texts remembered; a write is on its way for as long as a few keys take. */
const textsMax = 1_000;

export class SwappedTexts {
  /** Digests, the oldest first; none where nothing was swapped. */
  #texts: Set<string> | undefined;
  #count = 0;

  /** Grows each time that another text was put in place of what the editor held. */
  get count(): number {
    return this.#count;
  }

  /** These are what the editor holds from now on. */
  begin(texts: readonly string[]): void {
    this.#texts = new Set(texts.map(digestOf));
    this.#count += 1;
  }

  add(text: () => string): void {
    const texts = this.#texts;
    if (texts === undefined) return;
    texts.add(digestOf(text()));
    const [oldest] = texts;
    if (texts.size > textsMax && oldest !== undefined) texts.delete(oldest);
  }

  /** Whether this text was there since the last swap, or nothing was swapped. */
  holds(text: string): boolean {
    return this.#texts?.has(digestOf(text)) ?? true;
  }

  forget(): void {
    this.#texts = undefined;
    this.#count = 0;
  }
}

function digestOf(text: string): string {
  return hash('sha1', plainText(text));
}
