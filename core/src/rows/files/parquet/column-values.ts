/** The cells of one column of a row group: NULL flags, and values in Parquet's plain encoding. */
import { cellText } from '#core/rows/chunk.ts';
import { cellTag, type ColumnChunk } from '#core/rows/packed-rows.ts';
import { epochMicrosecondsOfBytes } from '#core/rows/timestamps.ts';
import type { ParquetType, Value } from './column-types.ts';
import { GrowingBytes } from './growing-bytes.ts';

/** A larger buffer is released after each row group. */
const keptBytesMax = 1 << 23;

export class ColumnValues {
  readonly type: ParquetType;
  /** 1 for each cell that is not NULL, otherwise 0. */
  present: Uint8Array<ArrayBuffer>;
  rowCount = 0;
  /** Number of non-NULL values. */
  count = 0;
  values = new GrowingBytes();
  min: number | bigint | undefined;
  max: number | bigint | undefined;

  constructor(type: ParquetType, rows: number) {
    this.type = type;
    this.present = new Uint8Array(rows);
  }

  begin(): void {
    this.rowCount = 0;
    this.count = 0;
    if (this.values.bytes.length > keptBytesMax) this.values = new GrowingBytes();
    this.values.end = 0;
    this.min = undefined;
    this.max = undefined;
  }

  /**
   * Adds the cells of a range of rows.
   * @returns the first row that the type cannot represent, or -1 if there is none.
   */
  take(column: ColumnChunk, from: number, to: number): number {
    for (let row = from; row < to; row += 1) {
      const tag = column.tags[row];
      if (tag === cellTag.null) this.#note(0);
      else {
        if (!this.#put(column, row, tag ?? 0)) return row;
        this.#note(1);
      }
    }
    return -1;
  }

  /** Adds NULL for all rows before one that are missing. */
  padTo(rows: number): void {
    while (this.rowCount < rows) this.#note(0);
  }

  #note(isPresent: 0 | 1): void {
    this.present[this.rowCount] = isPresent;
    this.rowCount += 1;
    this.count += isPresent;
  }

  #put(column: ColumnChunk, row: number, tag: number): boolean {
    if (tag >= cellTag.exact && column.bytes !== undefined && column.offsets !== undefined) {
      const start = column.offsets[row] ?? 0;
      const end = column.offsets[row + 1] ?? 0;
      if (this.#putBytes(column.bytes, start, end)) return true;
    }
    const value = this.type.convert(cellText(column, row) ?? '');
    if (value === undefined) return false;
    this.#putValue(value);
    return true;
  }

  /**
   * Adds a value directly from its bytes.
   * @returns false if the value must be converted as text.
   */
  #putBytes(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): boolean {
    switch (this.type.form) {
      case 'text':
        this.#putText(bytes, start, end);
        return true;
      case 'integer': {
        const value = shortInteger(bytes, start, end);
        // Nine digits always fit in 32 bits.
        if (value === undefined || (end - start > 9 && this.type.element.type === 'INT32')) return false;
        this.#putNumber(value);
        return true;
      }
      case 'moment': {
        const value = epochMicrosecondsOfBytes(bytes, start, end);
        if (value === undefined || !Number.isSafeInteger(value)) return false;
        this.#putNumber(value);
        return true;
      }
      case 'double':
      case 'other':
        return false;
      default:
        return this.type.form satisfies never;
    }
  }

  #putText(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): void {
    const size = end - start;
    const { values } = this;
    values.reserve(size + 4);
    values.view.setUint32(values.end, size, true);
    const into = values.bytes;
    const from = values.end + 4;
    if (size > 64) into.set(bytes.subarray(start, end), from);
    else for (let at = 0; at < size; at += 1) into[from + at] = bytes[start + at] ?? 0;
    values.end = from + size;
  }

  #putValue(value: Value): void {
    const { values } = this;
    switch (typeof value) {
      case 'string': {
        const bytes = new Uint8Array(Buffer.from(value, 'utf8'));
        this.#putText(bytes, 0, bytes.length);
        return;
      }
      case 'boolean':
        values.putByte(value ? 1 : 0);
        this.#widen(value ? 1 : 0);
        return;
      case 'bigint':
        values.reserve(8);
        values.view.setBigInt64(values.end, value, true);
        values.end += 8;
        this.#widen(value);
        return;
      case 'number':
        this.#putNumber(value);
        return;
      default:
        value satisfies never;
    }
  }

  /** Adds a 64-bit integer. */
  putInteger(value: number | bigint): void {
    if (typeof value === 'number') this.#putNumber(value);
    else this.#putValue(value);
  }

  /** Adds an integer of 128 bits, as DECIMAL has them: most significant byte first. */
  putWideInteger(value: bigint): void {
    const { values } = this;
    values.reserve(16);
    values.view.setBigInt64(values.end, value >> 64n);
    values.view.setBigUint64(values.end + 8, BigInt.asUintN(64, value));
    values.end += 16;
    this.#widen(value);
  }

  #putNumber(value: number): void {
    const { values } = this;
    values.reserve(8);
    const { view, end } = values;
    switch (this.type.element.type) {
      case 'INT32':
        view.setInt32(end, value, true);
        values.end += 4;
        break;
      case 'INT64':
        view.setInt32(end, value % 0x1_0000_0000, true);
        view.setInt32(end + 4, Math.floor(value / 0x1_0000_0000), true);
        values.end += 8;
        break;
      default:
        view.setFloat64(end, value, true);
        values.end += 8;
    }
    if (!Number.isNaN(value)) this.#widen(value);
  }

  #widen(value: number | bigint): void {
    if (this.min === undefined || value < this.min) this.min = value;
    if (this.max === undefined || value > this.max) this.max = value;
  }
}

/** Parses up to fifteen digits, which a double represents exactly. Undefined for anything else. */
function shortInteger(bytes: Uint8Array, start: number, end: number): number | undefined {
  const isNegative = bytes[start] === 0x2d;
  const first = isNegative ? start + 1 : start;
  if (first === end || end - first > 15) return undefined;
  let value = 0;
  for (let at = first; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return isNegative && value !== 0 ? -value : value;
}
