/** Builds one column of packed rows; reuses its memory from page to page. */
import { cellTag, type CellTag, type ColumnChunk } from '../packed-rows.ts';

/** Don't keep a large buffer after one page of long strings. */
const keptBytesMax = 1 << 22;

export class ColumnBuilder {
  tags: Uint8Array<ArrayBuffer>;
  offsets: Uint32Array<ArrayBuffer>;
  numbers: Float64Array<ArrayBuffer> | undefined;
  bytes = Buffer.from(new ArrayBuffer(1 << 12));
  /** Number of bytes in use. */
  end = 0;
  #hasNumbers = false;
  #hasTexts = false;

  /** @param rows the capacity in rows. */
  constructor(rows: number) {
    this.tags = new Uint8Array(rows);
    this.offsets = new Uint32Array(rows + 1);
  }

  /**
   * Resets the builder.
   * @param rows number of earlier rows without the column, which are NULL.
   */
  begin(rows: number): void {
    if (this.bytes.length > keptBytesMax) this.bytes = Buffer.from(new ArrayBuffer(1 << 12));
    this.end = 0;
    this.#hasNumbers = false;
    this.#hasTexts = false;
    this.tags.fill(cellTag.null, 0, rows);
    this.offsets.fill(0, 0, rows + 1);
    this.numbers?.fill(0);
  }

  growRows(rows: number): void {
    const { tags, offsets, numbers } = this;
    this.tags = new Uint8Array(rows);
    this.tags.set(tags);
    this.offsets = new Uint32Array(rows + 1);
    this.offsets.set(offsets);
    if (numbers === undefined) return;
    this.numbers = new Float64Array(rows);
    this.numbers.set(numbers);
  }

  /** Makes room for `size` more bytes. */
  reserve(size: number): Buffer<ArrayBuffer> {
    if (this.bytes.length - this.end < size) {
      const larger = Buffer.from(new ArrayBuffer(Math.max(this.end + size, this.bytes.length * 2)));
      this.bytes.copy(larger, 0, 0, this.end);
      this.bytes = larger;
    }
    return this.bytes;
  }

  /** Ends a cell without text. */
  endCell(row: number, tag: CellTag): void {
    this.tags[row] = tag;
    this.offsets[row + 1] = this.end;
  }

  /** Ends a cell whose text is the bytes up to `end`. */
  endText(row: number, tag: CellTag, end: number): void {
    this.end = end;
    this.#hasTexts = true;
    this.endCell(row, tag);
  }

  putText(row: number, tag: CellTag, text: string): void {
    const bytes = this.reserve(text.length * 3);
    this.endText(row, tag, this.end + bytes.write(text, this.end, 'utf8'));
  }

  putNumber(row: number, value: number): void {
    this.numbers ??= new Float64Array(this.tags.length);
    this.numbers[row] = value;
    this.#hasNumbers = true;
    this.endCell(row, cellTag.number);
  }

  /** Returns the size of a copy, in bytes. */
  sizeOf(rows: number): number {
    const texts = this.#hasTexts ? aligned(this.end) + aligned((rows + 1) * 4) : 0;
    return aligned(rows) + texts + (this.#hasNumbers ? rows * 8 : 0);
  }

  /** Copies the column to an offset in memory. */
  copyTo(memory: ArrayBuffer, place: number, rows: number): ColumnChunk {
    const { tags, numbers, bytes, offsets, end } = this;
    let at = place;
    const next = (size: number) => {
      const from = at;
      at += aligned(size);
      return from;
    };
    const copied: { -readonly [Part in keyof ColumnChunk]: ColumnChunk[Part] } = {
      tags: new Uint8Array(memory, next(rows), rows),
      numbers: undefined,
      bytes: undefined,
      offsets: undefined,
    };
    copied.tags.set(tags.subarray(0, rows));
    if (this.#hasNumbers && numbers !== undefined) {
      copied.numbers = new Float64Array(memory, next(rows * 8), rows);
      copied.numbers.set(numbers.subarray(0, rows));
    }
    if (this.#hasTexts) {
      copied.offsets = new Uint32Array(memory, next((rows + 1) * 4), rows + 1);
      copied.offsets.set(offsets.subarray(0, rows + 1));
      copied.bytes = new Uint8Array(memory, next(end), end);
      copied.bytes.set(bytes.subarray(0, end));
    }
    return copied;
  }

  finish(rows: number): ColumnChunk {
    return this.copyTo(new ArrayBuffer(this.sizeOf(rows)), 0, rows);
  }
}

/** Rounds a size up to a multiple of eight bytes, the alignment of doubles. */
function aligned(size: number): number {
  return Math.ceil(size / 8) * 8;
}

/** Puts all columns in one block of memory, since transferring one buffer is cheaper than forty. */
export function finishColumns(
  builders: readonly ColumnBuilder[],
  rows: number,
  take: (size: number) => ArrayBuffer,
): readonly ColumnChunk[] {
  const memory = take(builders.reduce((sum, builder) => sum + builder.sizeOf(rows), 0));
  let place = 0;
  return builders.map((builder) => {
    const from = place;
    place += builder.sizeOf(rows);
    return builder.copyTo(memory, from, rows);
  });
}
