/** Derives file paths from query names. They are valid on every file system, and unique even if case is ignored. */
import { splitName } from '#core/saved-queries/arrange-queries.ts';
import { foldersMax, queryEnding } from './layout.ts';
import { isReservedPart } from './safe-path.ts';

/** On Windows, longer paths could exceed 260 characters inside a clone. */
const pathMax = 160;
const slugBytesMax = 100;

/** Returns lowercase letters, digits and `_`, joined by `-`. Never empty and never reserved. */
export function slugOf(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    // A combining mark without its letter would combine with the preceding character.
    .replaceAll(/(?<=^|-)\p{M}+/gu, '');
  const slug = cutBytes(words.replaceAll(/^-+|(?<!-)-+$/g, ''), slugBytesMax).replace(/(?<!-)-+$/, '');
  if (slug === '') return 'query';
  return isReservedPart(slug) ? `${slug}-query` : slug;
}

/** Paths with the same key are the same file on file systems that ignore case or Unicode form. */
export function pathKey(path: string): string {
  return path.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** Assigns a free path to each new query. */
export class FreePaths {
  readonly #taken: Set<string>;
  /** The next number to try, by path without extension. */
  readonly #numbers = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map(pathKey));
  }

  /** Returns a free path, such as `access-reviews/eu/orphans-2.identity.sql`. */
  take(name: string): string {
    const stem = stemOf(name);
    for (let number = this.#numbers.get(stem) ?? 1; ; number += 1) {
      const path = `${stem}${number === 1 ? '' : `-${number}`}${queryEnding}`;
      const key = pathKey(path);
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      this.#numbers.set(stem, number + 1);
      return path;
    }
  }
}

/** The folders of a name become folders on disk, unless the path would be too long for some file systems, or too deep. */
function stemOf(name: string): string {
  const { folders, label } = splitName(name);
  const path = [...folders, label].map(slugOf).join('/');
  return path.length <= pathMax && folders.length <= foldersMax ? path : slugOf(label);
}

function cutBytes(text: string, most: number): string {
  let size = 0;
  let cut = '';
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > most) return cut;
    cut += character;
  }
  return cut;
}
