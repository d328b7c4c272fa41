/**
 * Columns of `numeric`, whose scale is known only when all rows are. Their texts are held until then, and written after
 * the other columns: a column of a row group may be anywhere in the file. What DECIMAL cannot hold makes a column text.
 */
import { parquetTypeOf, type ParquetType } from './column-types.ts';
import { ColumnValues } from './column-values.ts';

/** Text held for all columns; a column that would hold more is written as text. */
export const heldBytesMax = 1 << 26;
/** Digits of the widest DECIMAL, and of one in 64 bits. */
const digitsMax = 38;
const longDigitsMax = 18;

interface HeldGroup {
  readonly present: Uint8Array<ArrayBuffer>;
  readonly rowCount: number;
  readonly count: number;
  /** In Parquet's plain encoding of byte arrays. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Where its metadata belongs. */
  readonly put: (column: ColumnValues) => void;
}

export class HeldDecimals {
  readonly #name: string;
  #groups: HeldGroup[] = [];
  /** Most digits before and after the point. */
  #whole = 0;
  #scale: number;
  bytes = 0;
  /** Whether DECIMAL holds all values so far. */
  isDecimal = true;

  constructor(type: string, name: string) {
    this.#name = name;
    const [, precision = '0', scale = '0'] = /\((\d+)(?:, *(\d+))?\)/.exec(type) ?? [];
    this.#scale = Number(scale);
    this.#whole = Math.max(0, Number(precision) - this.#scale);
    if (this.#whole + this.#scale > digitsMax) [this.#whole, this.#scale] = [0, 0];
  }

  /** Holds the values of a row group, copied. */
  hold({ present, rowCount, count, values }: ColumnValues, put: HeldGroup['put']): void {
    const texts = new Uint8Array(values.used); // a copy, unlike a slice of a Buffer
    this.#groups.push({ present: present.slice(0, rowCount), rowCount, count, texts, put });
    this.bytes += texts.length;
    for (let at = 0; at < texts.length && this.isDecimal; at += 4 + sizeAt(texts, at)) this.#widen(texts, at);
  }

  #widen(texts: Uint8Array, at: number): void {
    const start = at + 4;
    const end = start + sizeAt(texts, at);
    const first = texts[start] === minus ? start + 1 : start;
    let whole = 0;
    let scale = -1;
    for (let place = first; place < end; place += 1) {
      const byte = texts[place] ?? 0;
      if (byte === point && scale < 0) scale = 0;
      else if (byte < zero || byte > nine) this.isDecimal = false;
      else if (scale >= 0) scale += 1;
      else whole += 1;
    }
    if (whole + Math.max(0, scale) === 0) this.isDecimal = false;
    this.#whole = Math.max(this.#whole, whole);
    this.#scale = Math.max(this.#scale, scale);
    if (this.#whole + this.#scale > digitsMax) this.isDecimal = false;
  }

  /** Passes on the held row groups, with the type that holds them all. */
  release(): ParquetType {
    const type = this.isDecimal ? this.#decimalType() : parquetTypeOf('text', this.#name);
    for (const { present, rowCount, count, texts, put } of this.#groups) {
      const column = new ColumnValues(type, 0);
      column.present = present;
      column.rowCount = rowCount;
      column.count = count;
      if (this.isDecimal) this.#putDecimals(column, texts);
      else {
        column.values.reserve(texts.length);
        column.values.bytes.set(texts);
        column.values.end = texts.length;
      }
      put(column);
    }
    this.#groups = [];
    this.bytes = 0;
    return type;
  }

  #decimalType(): ParquetType {
    const isLong = this.#whole + this.#scale <= longDigitsMax;
    return {
      element: {
        name: this.#name,
        repetition_type: 'OPTIONAL',
        ...(isLong ? { type: 'INT64' } : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 }),
        converted_type: 'DECIMAL',
        precision: isLong ? longDigitsMax : digitsMax,
        scale: this.#scale,
      },
      form: 'other',
      convert: () => undefined, // its values are put here
    };
  }

  #putDecimals(column: ColumnValues, texts: Uint8Array<ArrayBuffer>): void {
    const buffer = Buffer.from(texts.buffer, texts.byteOffset, texts.length);
    const isLong = column.type.element.type === 'INT64';
    for (let at = 0; at < texts.length;) {
      const start = at + 4;
      at = start + sizeAt(texts, at);
      const value = unscaled(buffer.toString('latin1', start, at), this.#scale);
      if (isLong) column.putInteger(value);
      else column.putWideInteger(BigInt(value));
    }
    // The library takes bounds that are no big integers for values with a point.
    column.min = column.min === undefined ? undefined : BigInt(column.min);
    column.max = column.max === undefined ? undefined : BigInt(column.max);
  }
}

const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;

function sizeAt(texts: Uint8Array, at: number): number {
  return (
    (texts[at] ?? 0) |
    ((texts[at + 1] ?? 0) << 8) |
    ((texts[at + 2] ?? 0) << 16) |
    ((texts[at + 3] ?? 0) << 24)
  );
}

/** Returns a decimal without its point: `12.3` with scale 2 is 1230. A double holds fifteen digits. */
function unscaled(text: string, scale: number): number | bigint {
  const at = text.indexOf('.');
  const digits = at < 0 ? text : text.slice(0, at) + text.slice(at + 1);
  const zeros = scale - (at < 0 ? 0 : text.length - at - 1);
  const all = zeros === 0 ? digits : digits + '0'.repeat(zeros);
  return all.length <= 15 ? Number(all) : BigInt(all);
}
