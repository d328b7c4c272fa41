/**
 * Earlier texts of an editor whose content was replaced by a merge, theirs or undo. The editor may write a text from
 * before the replacement, whose base differs from the current one.
 */
import { hash } from 'node:crypto';
import { plainText } from '../../../../../core/src/saved-queries/same-text.ts';

/** Maximum remembered texts; a write takes only a few keystrokes' time. */
const textsMax = 1_000;

export class SwappedTexts {
  /** Digests, oldest first; empty without replacements. */
  #texts: Set<string> | undefined;
  #count = 0;

  /** Incremented when the editor's content is replaced. */
  get count(): number {
    return this.#count;
  }

  /** The editor's texts from now on. */
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

  /** Whether this text existed since the last replacement, or there was none. */
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
