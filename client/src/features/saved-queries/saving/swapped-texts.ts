/**
 * Remembers an editor's earlier text after its content was replaced by a merge, by the service's version or by undo.
 * The editor may still write text from before the replacement, which has a different base.
 */
import { hash } from 'node:crypto';
import { plainText } from '#core/saved-queries/same-text.ts';

/** Maximum number of remembered strings. A write finishes within a few keystrokes. */
const textsMax = 1_000;

export class SwappedTexts {
  /** Digests of the strings, oldest first; undefined if there was no replacement. */
  #texts: Set<string> | undefined;
  #count = 0;

  /** Number of times the editor's content was replaced. */
  get count(): number {
    return this.#count;
  }

  /** Starts over with these strings after the editor's content was replaced. */
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

  /** Returns whether the editor has had this text since the last replacement; always true if there was none. */
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
