/**
 * Writes CSV directly from packed rows. Copies bytes that `serialize.ts` would leave unchanged, and passes all other
 * cells to it.
 */
import { cellText } from '../chunk.ts';
import { cellTag, type Chunk, type ColumnChunk } from '../packed-rows.ts';
import { mayBeginFormula } from './formula-guard.ts';
import { csvFields, type CsvOptions } from './serialize.ts';

const quote = 0x22;
const comma = 0x2c;

/** The effect of a byte on its field: none, quotes around the field, or conversion as text. */
const effect = { none: 0, quotes: 1, other: 2 } as const;

/** Longer fields, which are rare, are converted as text. */
const shortField = 256;

export class CsvBytes {
  readonly #field: (text: string) => string;
  readonly #nullField: Buffer;
  readonly #true: Buffer;
  readonly #false: Buffer;
  /** The bytes of the NULL text. Strings with the same content must be quoted, or they would be read as NULL. */
  readonly #nullBytes: Buffer;
  readonly #effects = new Uint8Array(256);
  /** The effect of a string's first byte: `other` if the string may need the formula guard. */
  readonly #firstEffects = new Uint8Array(256);
  #out = Buffer.from(new ArrayBuffer(1 << 16));
  #end = 0;

  constructor(options: CsvOptions) {
    const { field, nullField, guardedNull } = csvFields(options);
    this.#field = field;
    this.#nullField = Buffer.from(nullField);
    this.#true = Buffer.from(field('true'));
    this.#false = Buffer.from(field('false'));
    this.#nullBytes = Buffer.from(guardedNull);
    for (const character of options.guardFormulas ? '"\r\n\t;|' : '"\r\n')
      this.#effects[character.charCodeAt(0)] = effect.other;
    this.#effects[comma] = effect.quotes;
    for (let byte = 0; byte < 256; byte += 1)
      this.#firstEffects[byte] = options.guardFormulas && mayBeginFormula(byte) ? effect.other : effect.none;
  }

  /** Returns the rows as CSV lines, in memory owned by the caller. */
  rows({ rowCount, columns }: Chunk): Uint8Array {
    this.#end = 0;
    for (let row = 0; row < rowCount; row += 1) {
      for (let index = 0; index < columns.length; index += 1) {
        if (index > 0) this.#putByte(comma);
        const column = columns[index];
        if (column !== undefined) this.#putCell(column, row);
      }
      this.#putByte(0x0d);
      this.#putByte(0x0a);
    }
    return new Uint8Array(this.#out.subarray(0, this.#end));
  }

  #putCell(column: ColumnChunk, row: number): void {
    switch (column.tags[row]) {
      case cellTag.null:
        this.#putBytes(this.#nullField);
        return;
      case cellTag.true:
        this.#putBytes(this.#true);
        return;
      case cellTag.false:
        this.#putBytes(this.#false);
        return;
      case cellTag.exact:
        if (!this.#copyNumber(column, row)) this.#putText(column, row);
        return;
      case cellTag.text:
        if (!this.#copyText(column, row)) this.#putText(column, row);
        return;
      default:
        this.#putText(column, row);
    }
  }

  #putText(column: ColumnChunk, row: number): void {
    const text = this.#field(cellText(column, row) ?? '');
    const out = this.#reserve(text.length * 3);
    this.#end += out.write(text, this.#end, 'utf8');
  }

  /**
   * Copies a number unchanged.
   * @returns false if the number must be converted as text.
   */
  #copyNumber({ bytes, offsets }: ColumnChunk, row: number): boolean {
    if (bytes === undefined || offsets === undefined) return false;
    const start = offsets[row] ?? 0;
    const size = (offsets[row + 1] ?? 0) - start;
    if (size > shortField || size === this.#nullBytes.length) return false;
    const out = this.#reserve(size);
    const from = this.#end;
    for (let at = 0; at < size; at += 1) out[from + at] = bytes[start + at] ?? 0;
    this.#end = from + size;
    return true;
  }

  /**
   * Copies a string, adding quotes if needed.
   * @returns false if the string needs any other change.
   */
  #copyText({ bytes, offsets }: ColumnChunk, row: number): boolean {
    if (bytes === undefined || offsets === undefined) return false;
    const start = offsets[row] ?? 0;
    const end = offsets[row + 1] ?? 0;
    const size = end - start;
    if (size === 0 || size > shortField || size === this.#nullBytes.length) return false;
    if (this.#firstEffects[bytes[start] ?? 0] !== effect.none) return false;
    const out = this.#reserve(size + 2);
    const effects = this.#effects;
    const from = this.#end;
    let into = from;
    let seen = 0;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      seen |= effects[byte] ?? 0;
      out[into] = byte;
      into += 1;
    }
    if (seen >= effect.other) return false;
    if (seen === effect.quotes) {
      out.copyWithin(from + 1, from, into);
      out[from] = quote;
      out[into + 1] = quote;
      into += 2;
    }
    this.#end = into;
    return true;
  }

  #putByte(byte: number): void {
    this.#reserve(1)[this.#end] = byte;
    this.#end += 1;
  }

  #putBytes(bytes: Uint8Array): void {
    const out = this.#reserve(bytes.length);
    for (let at = 0; at < bytes.length; at += 1) out[this.#end + at] = bytes[at] ?? 0;
    this.#end += bytes.length;
  }

  #reserve(size: number): Buffer<ArrayBuffer> {
    if (this.#out.length - this.#end < size) {
      const larger = Buffer.from(new ArrayBuffer(Math.max(this.#end + size, this.#out.length * 2)));
      this.#out.copy(larger, 0, 0, this.#end);
      this.#out = larger;
    }
    return this.#out;
  }
}
