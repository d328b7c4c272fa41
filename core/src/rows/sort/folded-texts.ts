/**
 * Sort keys of a column's texts, contiguous in one block: ASCII letters in lower case, other letters without case and
 * accents. Byte order equals code point order.
 */
import { cellText } from '../chunk.ts';
import { cellTag, type ColumnChunk } from '../packed-rows.ts';

export interface FoldedTexts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Text `i` is `offsets[i]` to `offsets[i + 1]`. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  /** Facts about each text that the bytes do not show. */
  readonly flags: Uint8Array<ArrayBuffer>;
}

/** Case or accents were removed: texts with equal bytes may differ. */
export const wasFolded = 1;
/** The text is longer than its bytes. */
export const wasCut = 2;

/** Bytes kept per text; longer ones are compared in full if these are equal. */
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

  constructor(count: number) {
    this.#max = count > manyTexts ? bytesOfManyMax : bytesMax;
    this.bytes = new Uint8Array(Math.max(1_024, count * 16));
    this.offsets = new Uint32Array(count + 1);
    this.flags = new Uint8Array(count);
  }

  /** Adds a cell that is not NULL. */
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
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.#end + length));
    larger.set(this.bytes.subarray(0, this.#end));
    this.bytes = larger;
  }
}

const ascii = /^[\x20-\x7e]*$/;

/** Without case and accents, so that Ärzte sorts beside Arzt; ties are ordered by code point. */
function foldText(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The order in which texts are sorted. */
export function compareTexts(a: string, b: string): number {
  return compareCodePoints(foldText(a), foldText(b)) || compareCodePoints(a, b);
}

/** UTF-16 order differs from code point order only for surrogates against higher units. */
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
