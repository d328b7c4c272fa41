/** File paths derived from query names: valid on every file system, and unique even if case is ignored. */
import { splitName } from '../../saved-queries/arrange-queries.ts';
import { queryEnding } from './layout.ts';

/** Longer paths may exceed Windows' 260 characters inside a clone. */
const pathMax = 160;
const slugBytesMax = 100;

/** Windows device names, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])$/i;

/** Lower case letters, digits and `_` joined by `-`; never empty, without dots, never a device name. */
export function slugOf(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    // A mark without its letter would combine with the preceding character.
    .replaceAll(/(?<=^|-)\p{M}+/gu, '');
  const slug = cutBytes(words.replaceAll(/^-+|(?<!-)-+$/g, ''), slugBytesMax).replace(/(?<!-)-+$/, '');
  if (slug === '') return 'query';
  return device.test(slug) ? `${slug}-query` : slug;
}

/** Paths with the same key are one file on some file system: by case, or by accent encoding. */
export function pathKey(path: string): string {
  return path.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** Assigns a path to each new query; remembers taken ones. */
export class FreePaths {
  readonly #taken: Set<string>;
  /** The last number tried, by path without extension. */
  readonly #numbers = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map(pathKey));
  }

  /** For example `access-reviews/eu/orphans-2.identity.sql`. */
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

/** Folders of the name become folders, unless the path would be too long for some file system. */
function stemOf(name: string): string {
  const { folders, label } = splitName(name);
  const path = [...folders, label].map(slugOf).join('/');
  return path.length <= pathMax ? path : slugOf(label);
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
