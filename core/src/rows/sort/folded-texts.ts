/**
 * Sort keys of a column's strings, stored in one buffer: lowercase and without accents. Byte order equals code point
 * order.
 */
import { cellText } from '../chunk.ts';
import { cellTag, type ColumnChunk } from '../packed-rows.ts';

export interface FoldedTexts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** String `i` spans the bytes from `offsets[i]` to `offsets[i + 1]`. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  /** A combination of `wasFolded` and `wasCut` for each string. */
  readonly flags: Uint8Array<ArrayBuffer>;
}

/** Case or accents were removed, so different strings may have equal bytes. */
export const wasFolded = 1;
/** The string was truncated to the maximum number of bytes. */
export const wasCut = 2;

/** Maximum bytes per sort key. Strings with equal truncated keys are compared in full. */
const bytesMax = 256;
const manyTexts = 2_000_000;
const bytesOfManyMax = 64;

export class TextFolder implements FoldedTexts {
  bytes: Uint8Array<ArrayBuffer>;
  readonly offsets: Uint32Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly #max: number;
  #end = 0;
  #count = 0;

  /** @param byteCount the estimated total size of the strings, in bytes. */
  constructor(count: number, byteCount: number) {
    this.#max = count > manyTexts ? bytesOfManyMax : bytesMax;
    this.bytes = wholeWords(Math.max(1_024, Math.min(byteCount + 8, count * this.#max)));
    this.offsets = new Uint32Array(count + 1);
    this.flags = new Uint8Array(count);
  }

  /** Adds a non-NULL cell. */
  add(chunk: ColumnChunk, row: number): void {
    const tag = chunk.tags[row];
    const isPacked = tag === cellTag.text || tag === cellTag.json || tag === cellTag.exact;
    if (!isPacked || chunk.bytes === undefined || chunk.offsets === undefined) {
      this.#addText(cellText(chunk, row) ?? '');
      return;
    }
    const start = chunk.offsets[row] ?? 0;
    const whole = (chunk.offsets[row + 1] ?? 0) - start;
    const length = whole > this.#max ? this.#max : whole;
    this.#makeRoom(length);
    const { bytes } = chunk;
    const target = this.bytes;
    const at = this.#end;
    let flag = whole > length ? wasCut : 0;
    for (let index = 0; index < length; index += 1) {
      let byte = bytes[start + index] ?? 0;
      if (byte >= 0x80) {
        this.#addText(cellText(chunk, row) ?? '');
        return;
      }
      if (byte >= 0x41 && byte <= 0x5a) {
        byte += 0x20;
        flag |= wasFolded;
      }
      target[at + index] = byte;
    }
    this.#close(at + length, flag);
  }

  /**
   * Adds consecutive non-NULL cells.
   * @param rows `first` is inclusive, `end` is exclusive.
   */
  addRun(chunk: ColumnChunk, rows: { readonly first: number; readonly end: number }): void {
    const { bytes, offsets } = chunk;
    const isBulk = bytes !== undefined && offsets !== undefined && this.#arePacked(chunk, rows);
    const start = offsets?.[rows.first] ?? 0;
    const end = offsets?.[rows.end] ?? 0;
    const flag = isBulk ? this.#copyAscii(bytes.subarray(start, end)) : undefined;
    if (flag === undefined || offsets === undefined) {
      for (let row = rows.first; row < rows.end; row += 1) this.add(chunk, row);
      return;
    }
    const shift = this.#end - start;
    for (let row = rows.first; row < rows.end; row += 1) this.#close(shift + (offsets[row + 1] ?? 0), flag);
  }

  /**
   * Appends ASCII bytes in lowercase, four at a time.
   * @returns the flag that applies to all the strings. If a byte is not ASCII, returns undefined and adds nothing.
   */
  #copyAscii(bytes: Uint8Array): number | undefined {
    // Leave room for a whole word after the last byte.
    this.#makeRoom(bytes.length + 4);
    this.bytes.set(bytes, this.#end);
    const words = new Int32Array(this.bytes.buffer);
    // The first word may include the previous string's bytes, which are already lowercase and do not change.
    const last = (this.#end + bytes.length + 3) >>> 2;
    let seen = 0;
    let changed = 0;
    for (let index = this.#end >>> 2; index < last; index += 1) {
      const word = words[index] ?? 0;
      const low = word & 0x7f7f7f7f;
      // The top bit of each byte is set if the byte is an uppercase letter (0x41 to 0x5a).
      const upper = ~word & 0x80808080 & ((low + 0x3f3f3f3f) ^ (low + 0x25252525));
      seen |= word;
      changed |= upper;
      words[index] = word | (upper >>> 2);
    }
    if ((seen & 0x80808080) !== 0) return undefined;
    return changed === 0 ? 0 : wasFolded;
  }

  /** Returns whether all strings in the run are packed and within the maximum length. */
  #arePacked(
    { tags, offsets }: ColumnChunk,
    rows: { readonly first: number; readonly end: number },
  ): boolean {
    for (let row = rows.first; row < rows.end; row += 1) {
      const tag = tags[row];
      if (tag !== cellTag.text && tag !== cellTag.json && tag !== cellTag.exact) return false;
      if ((offsets?.[row + 1] ?? 0) - (offsets?.[row] ?? 0) > this.#max) return false;
    }
    return true;
  }

  #addText(text: string): void {
    const folded = Buffer.from(foldText(text));
    const length = Math.min(folded.length, this.#max);
    this.#makeRoom(length);
    this.bytes.set(folded.subarray(0, length), this.#end);
    this.#close(this.#end + length, (folded.length > length ? wasCut : 0) | wasFolded);
  }

  #close(end: number, flag: number): void {
    this.#end = end;
    this.flags[this.#count] = flag;
    this.#count += 1;
    this.offsets[this.#count] = end;
  }

  #makeRoom(length: number): void {
    if (this.#end + length <= this.bytes.length) return;
    const larger = wholeWords(Math.max(this.bytes.length * 2, this.#end + length));
    larger.set(this.bytes.subarray(0, this.#end));
    this.bytes = larger;
  }
}

function wholeWords(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((length + 3) & ~3);
}

const ascii = /^[\x20-\x7e]*$/;

/** Removes case and accents, so that Ärzte sorts next to Arzt. */
function foldText(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Compares text, ignoring case and accents. Ties are broken by code point. */
export function compareTexts(a: string, b: string): number {
  return compareCodePoints(foldText(a), foldText(b)) || compareCodePoints(a, b);
}

/** UTF-16 order differs from code point order only when a surrogate is compared with a higher code unit. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return rankOf(unitA) - rankOf(unitB);
  }
  return a.length - b.length;
}

function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
