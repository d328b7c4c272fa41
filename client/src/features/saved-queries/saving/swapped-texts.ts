/**
 * Texts that editors have held since another text was put in place of theirs: by a merge, by theirs, by undo. The editor
 * writes what it held when it began to, which may be from before; that one does not come from the version that the text
 * comes from now.
 */
import { hash } from 'node:crypto';
import type * as vscode from 'vscode';
import { plainText } from '../../../../../core/src/saved-queries/same-text.ts';
import { savedQueryKey } from '../records/saved-query-uri.ts';

/** Texts remembered for each editor; a write is on its way for as long as a few keys take. */
const textsMax = 1_000;

export class SwappedTexts {
  /** Digests, the oldest first; none where nothing was swapped. */
  readonly #texts = new Map<string, Set<string>>();
  readonly #counts = new Map<string, number>();

  /** These are what the editor holds from now on. */
  begin(uri: vscode.Uri, texts: readonly string[]): void {
    const key = savedQueryKey(uri);
    this.#texts.set(key, new Set(texts.map(digestOf)));
    this.#counts.set(key, this.count(uri) + 1);
  }

  add(uri: vscode.Uri, text: () => string): void {
    const texts = this.#texts.get(savedQueryKey(uri));
    if (texts === undefined) return;
    texts.add(digestOf(text()));
    const [oldest] = texts;
    if (texts.size > textsMax && oldest !== undefined) texts.delete(oldest);
  }

  /** Whether this text was there since the last swap, or nothing was swapped. */
  holds(uri: vscode.Uri, text: string): boolean {
    return this.#texts.get(savedQueryKey(uri))?.has(digestOf(text)) ?? true;
  }

  /** How many swaps there were. */
  count(uri: vscode.Uri): number {
    return this.#counts.get(savedQueryKey(uri)) ?? 0;
  }

  forget(uri: vscode.Uri): void {
    this.#texts.delete(savedQueryKey(uri));
    this.#counts.delete(savedQueryKey(uri));
  }
}

function digestOf(text: string): string {
  return hash('sha1', plainText(text));
}
