/** Dictionary encoding: repeated strings are written once and referenced by index. */
import { GrowingBytes } from './growing-bytes.ts';

export interface Dictionary {
  /** The distinct strings, in Parquet's plain encoding. */
  readonly texts: GrowingBytes;
  readonly count: number;
  /** For each value, its index in `texts`. */
  readonly places: Uint32Array<ArrayBuffer>;
}

/** Values to sample before giving up, since a dictionary needs duplicates. */
const triedValues = 4_096;

/**
 * @param values in Parquet's plain encoding of byte arrays.
 * @returns undefined unless the dictionary halves the size.
 */
export function dictionaryOf(values: GrowingBytes, count: number): Dictionary | undefined {
  if (count === 0) return undefined;
  const { bytes, view } = values;
  const places = new Uint32Array(count);
  const texts = new GrowingBytes(1 << 16);
  const bits = Math.max(4, 33 - Math.clz32(count));
  /** Hash table with open addressing: string indexes plus one. */
  const slots = new Uint32Array(1 << bits);
  const starts = new Uint32Array(count);
  const mask = slots.length - 1;
  let found = 0;
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const size = view.getUint32(at, true) + 4;
    let hash = size;
    for (let place = at + 4; place < at + size; place += 1)
      hash = Math.imul(hash ^ (bytes[place] ?? 0), 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const taken = slots[slot] ?? 0;
      if (taken === 0) {
        slots[slot] = found + 1;
        starts[found] = at;
        places[index] = found;
        found += 1;
        texts.reserve(size);
        texts.bytes.set(bytes.subarray(at, at + size), texts.end);
        texts.end += size;
        break;
      }
      if (isSame(bytes, starts[taken - 1] ?? 0, at, size)) {
        places[index] = taken - 1;
        break;
      }
      slot = (slot + 1) & mask;
    }
    at += size;
    if (index === triedValues && texts.end * 10 > at * 9) return undefined;
  }
  const placesSize = (count * bitsOf(found)) / 8;
  return (texts.end + placesSize) * 2 > values.end ? undefined : { texts, count: found, places };
}

/** Returns the number of bits per dictionary index. */
export function bitsOf(count: number): number {
  return Math.max(1, 32 - Math.clz32(count - 1));
}

/** @param size size of the value at `at`, including its four length bytes. */
function isSame(bytes: Uint8Array, known: number, at: number, size: number): boolean {
  for (let place = 0; place < size; place += 1) if (bytes[known + place] !== bytes[at + place]) return false;
  return true;
}
