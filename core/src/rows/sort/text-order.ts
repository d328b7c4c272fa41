/**
 * Sorts strings stably. Compares eight bytes at a time in long runs (radix sort) and six in short runs (merge sort).
 * Decodes strings only to break ties and to compare very long ones.
 */
import { compareTexts, wasCut, wasFolded, type FoldedTexts } from './folded-texts.ts';
import { identity, radixOrder } from './radix.ts';

type Positions = Uint32Array<ArrayBuffer>;

/** Shorter runs are merge-sorted, since a radix sort counts thousands of buckets. */
const radixMin = 4_096;
const insertionMax = 12;
/** Six bytes fit exactly in a double. */
const keyMax = 2 ** 48 - 1;

export interface TextOrderOptions {
  readonly descending: boolean;
  /** Returns the whole string at a position. Called only if the bytes are tied. */
  readonly read: (position: number) => string;
  /** Returns true only if the strings at two positions are certainly equal. Does not decode them. */
  readonly isSame: (a: number, b: number) => boolean;
}

/** Returns the positions of the strings in sorted order. */
export function textOrder(texts: FoldedTexts, count: number, options: TextOrderOptions): Positions {
  const order = identity(count);
  new TextSort(texts, order, options).sort(0, count, 0);
  return order;
}

class TextSort {
  readonly #bytes: Uint8Array;
  readonly #offsets: Uint32Array;
  readonly #flags: Uint8Array;
  readonly #order: Positions;
  readonly #options: TextOrderOptions;
  /** Two key buffers for a run that is being merge-sorted. */
  readonly #keys = [new Float64Array(radixMin), new Float64Array(radixMin)] as const;
  readonly #spare = new Uint32Array(radixMin);

  constructor(texts: FoldedTexts, order: Positions, options: TextOrderOptions) {
    this.#bytes = texts.bytes;
    this.#offsets = texts.offsets;
    this.#flags = texts.flags;
    this.#order = order;
    this.#options = options;
  }

  /** Sorts the run from `from` to `to`, whose strings share their first `depth` bytes. */
  sort(from: number, to: number, depth: number): void {
    if (to - from < 2) return;
    const rest = this.#restOf(from, to, depth);
    if (rest === 'none') this.#settle(from, to);
    else if (to - from >= radixMin) this.#radix(from, to, depth);
    else this.#merge(from, to, depth);
  }

  #restOf(from: number, to: number, depth: number): 'none' | 'some' {
    const offsets = this.#offsets;
    for (let index = from; index < to; index += 1) {
      const position = this.#order[index] ?? 0;
      if ((offsets[position + 1] ?? 0) - (offsets[position] ?? 0) > depth) return 'some';
    }
    return 'none';
  }

  /** Counts the bytes after `depth` that all strings of the run share: names, domains and dates often start alike. */
  #sharedBytes(from: number, to: number, depth: number): number {
    const bytes = this.#bytes;
    const first = this.#order[from] ?? 0;
    const model = (this.#offsets[first] ?? 0) + depth;
    let shared = Math.max(0, (this.#offsets[first + 1] ?? 0) - model);
    for (let index = from + 1; index < to && shared > 0; index += 1) {
      const position = this.#order[index] ?? 0;
      const at = (this.#offsets[position] ?? 0) + depth;
      const max = Math.min(shared, (this.#offsets[position + 1] ?? 0) - at);
      shared = 0;
      while (shared < max && bytes[at + shared] === bytes[model + shared]) shared += 1;
    }
    return shared;
  }

  #radix(from: number, to: number, runDepth: number): void {
    const order = this.#order;
    const bytes = this.#bytes;
    const count = to - from;
    const depth = runDepth + this.#sharedBytes(from, to, runDepth);
    const high = new Uint32Array(count);
    const low = new Uint32Array(count);
    const turn = this.#options.descending ? 0xffffffff : 0;
    for (let index = 0; index < count; index += 1) {
      const position = order[from + index] ?? 0;
      const end = this.#offsets[position + 1] ?? 0;
      const at = (this.#offsets[position] ?? 0) + depth;
      high[index] = wordAt(bytes, at, end) ^ turn;
      low[index] = wordAt(bytes, at + 4, end) ^ turn;
    }
    const sorted = radixOrder(low, high);
    const before = order.slice(from, to);
    for (let index = 0; index < count; index += 1) order[from + index] = before[sorted[index] ?? 0] ?? 0;
    let start = 0;
    for (let index = 1; index <= count; index += 1) {
      const first = sorted[start] ?? 0;
      const next = sorted[index] ?? 0;
      if (index < count && high[next] === high[first] && low[next] === low[first]) continue;
      if (index - start > 1) this.sort(from + start, from + index, depth + 8);
      start = index;
    }
  }

  #merge(from: number, to: number, depth: number): void {
    const order = this.#order;
    const bytes = this.#bytes;
    const [keys, other] = this.#keys;
    const count = to - from;
    const { descending } = this.#options;
    for (let index = 0; index < count; index += 1) {
      const position = order[from + index] ?? 0;
      const end = this.#offsets[position + 1] ?? 0;
      const at = (this.#offsets[position] ?? 0) + depth;
      const key = wordAt(bytes, at, end) * 0x10000 + (wordAt(bytes, at + 4, end) >>> 16);
      keys[index] = descending ? keyMax - key : key;
    }
    mergeSort({ keys, other, items: order, spare: this.#spare, from, count });
    // Recursive calls overwrite the keys, so find the bounds first.
    const edges: number[] = [];
    let start = 0;
    for (let index = 1; index <= count; index += 1) {
      if (index < count && keys[index] === keys[start]) continue;
      if (index - start > 1) edges.push(start, index);
      start = index;
    }
    for (let edge = 0; edge < edges.length; edge += 2)
      this.sort(from + (edges[edge] ?? 0), from + (edges[edge + 1] ?? 0), depth + 6);
  }

  /** Sorts strings whose bytes are all equal by the parts that were removed or truncated. */
  #settle(from: number, to: number): void {
    let flags = 0;
    for (let index = from; index < to; index += 1) flags |= this.#flags[this.#order[index] ?? 0] ?? 0;
    if ((flags & (wasFolded | wasCut)) === 0) return;
    const { read, isSame, descending } = this.#options;
    const [first = 0] = this.#order.subarray(from, to);
    let place = from + 1;
    while (place < to && isSame(first, this.#order[place] ?? 0)) place += 1;
    if (place === to) return;
    const direction = descending ? -1 : 1;
    // Columns with few distinct values have long runs of equal strings.
    const positions = new Map<string, number[]>();
    for (let index = from; index < to; index += 1) {
      const position = this.#order[index] ?? 0;
      const text = read(position);
      const same = positions.get(text);
      if (same === undefined) positions.set(text, [position]);
      else same.push(position);
    }
    place = from;
    for (const [, same] of [...positions].sort(([a], [b]) => direction * compareTexts(a, b))) {
      this.#order.set(same, place);
      place += same.length;
    }
  }
}

/** Reads four bytes as a big-endian integer, with zeros past the end. */
function wordAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end) {
    return (
      (((bytes[at] ?? 0) << 24) |
        ((bytes[at + 1] ?? 0) << 16) |
        ((bytes[at + 2] ?? 0) << 8) |
        (bytes[at + 3] ?? 0)) >>>
      0
    );
  }
  let word = 0;
  for (let index = 0; index < 4; index += 1)
    word = (word << 8) | (at + index < end ? (bytes[at + index] ?? 0) : 0);
  return word >>> 0;
}

interface Run {
  /** The sort keys of the items, starting at index 0. */
  readonly keys: Float64Array;
  readonly other: Float64Array;
  /** The items, starting at index `from`. */
  readonly items: Uint32Array;
  readonly spare: Uint32Array;
  readonly from: number;
  readonly count: number;
}

/** Stable bottom-up merge sort, with insertion sort for short runs. Sorts the keys along with the items. */
function mergeSort({ keys, other, items, spare, from, count }: Run): void {
  for (let start = 0; start < count; start += insertionMax)
    insert(keys, items, from, start, Math.min(start + insertionMax, count));
  for (let width = insertionMax; width < count; width *= 2) {
    for (let start = 0; start + width < count; start += width * 2) {
      const middle = start + width;
      const end = Math.min(start + width * 2, count);
      // The two halves are often already in order.
      if ((keys[middle - 1] ?? 0) <= (keys[middle] ?? 0)) continue;
      for (let index = start; index < middle; index += 1) {
        other[index] = keys[index] ?? 0;
        spare[index] = items[from + index] ?? 0;
      }
      let left = start;
      let right = middle;
      let place = start;
      while (left < middle && right < end) {
        if ((other[left] ?? 0) <= (keys[right] ?? 0)) {
          keys[place] = other[left] ?? 0;
          items[from + place] = spare[left] ?? 0;
          left += 1;
        } else {
          keys[place] = keys[right] ?? 0;
          items[from + place] = items[from + right] ?? 0;
          right += 1;
        }
        place += 1;
      }
      for (; left < middle; left += 1, place += 1) {
        keys[place] = other[left] ?? 0;
        items[from + place] = spare[left] ?? 0;
      }
    }
  }
}

function insert(keys: Float64Array, items: Uint32Array, from: number, start: number, end: number): void {
  for (let index = start + 1; index < end; index += 1) {
    const key = keys[index] ?? 0;
    const item = items[from + index] ?? 0;
    let place = index;
    while (place > start && (keys[place - 1] ?? 0) > key) {
      keys[place] = keys[place - 1] ?? 0;
      items[from + place] = items[from + place - 1] ?? 0;
      place -= 1;
    }
    keys[place] = key;
    items[from + place] = item;
  }
}
