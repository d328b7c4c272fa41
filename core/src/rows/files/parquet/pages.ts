/** Writes columns of a row group as pages, with their metadata. */
import type { ColumnChunk } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import type { ColumnValues } from './column-values.ts';
import { bitsOf, dictionaryOf, type Dictionary } from './dictionary.ts';
import { GrowingBytes } from './growing-bytes.ts';

export type Compress = (bytes: Uint8Array) => Uint8Array;

/** Constants of parquet.thrift. */
const encodings = { PLAIN: 0, RLE_DICTIONARY: 8 } as const;
const pageTypes = { dictionary: 2, data: 3 } as const;

/**
 * Appends a column.
 * @returns the column's metadata.
 */
export function writeColumn(writer: ByteWriter, column: ColumnValues, compress: Compress): ColumnChunk {
  const { type, name } = column.type.element;
  const start = writer.offset;
  let uncompressed = 0;
  const put = (header: GrowingBytes, parts: readonly Uint8Array[], size: number) => {
    writer.appendBytes(header.used);
    for (const part of parts) writer.appendBytes(part);
    uncompressed += header.end + size;
  };
  const dictionary = type === 'BYTE_ARRAY' ? dictionaryOf(column.values, column.count) : undefined;
  if (dictionary !== undefined) {
    const bytes = compress(dictionary.texts.used);
    const sizes = { uncompressed: dictionary.texts.end, compressed: bytes.length };
    put(dictionaryHeader(sizes, dictionary.count), [bytes], sizes.uncompressed);
  }
  const dataOffset = writer.offset;
  const levels = levelsOf(column);
  const values = valuesOf(column, dictionary);
  const bytes = compress(values.used);
  const sizes = { uncompressed: levels.end + values.end, compressed: levels.end + bytes.length };
  const encoding = dictionary === undefined ? 'PLAIN' : 'RLE_DICTIONARY';
  put(dataHeader(sizes, column, { encoding, levels: levels.end }), [levels.used, bytes], sizes.uncompressed);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: type ?? 'BYTE_ARRAY',
      encodings: dictionary === undefined ? [encoding] : ['PLAIN', encoding],
      path_in_schema: [name],
      codec: 'SNAPPY',
      num_values: BigInt(column.rowCount),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataOffset),
      ...(dictionary === undefined ? {} : { dictionary_page_offset: BigInt(start) }),
      statistics: statisticsOf(column, dictionary),
      encoding_stats: [
        ...(dictionary === undefined
          ? []
          : [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const]),
        { page_type: 'DATA_PAGE_V2', encoding, count: 1 },
      ],
    },
  };
}

function statisticsOf(column: ColumnValues, dictionary: Dictionary | undefined) {
  const { min, max, rowCount, count } = column;
  const null_count = BigInt(rowCount - count);
  if (column.type.element.type === 'BYTE_ARRAY') {
    const texts = dictionary ?? { texts: column.values, count };
    return { ...textBounds(texts.texts, texts.count), null_count };
  }
  if (min === undefined || max === undefined) return { null_count };
  // Zeros of either sign compare as equal, so the bounds must include both.
  const bounds = { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max };
  return { ...bounds, null_count };
}

/** Returns the smallest and largest strings in byte order. */
function textBounds({ bytes, view }: GrowingBytes, count: number) {
  let least: Uint8Array | undefined;
  let greatest: Uint8Array | undefined;
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const size = view.getUint32(at, true);
    const start = at + 4;
    at = start + size;
    if (least === undefined || isBefore(bytes, { start, end: at }, least, true))
      least = boundOf(bytes, start, at);
    if (greatest === undefined || isBefore(bytes, { start, end: at }, greatest, false))
      greatest = boundOf(bytes, start, at);
  }
  return least === undefined || greatest === undefined ? {} : { min_value: least, max_value: greatest };
}

/** Maximum bytes of a bound in the statistics; the library truncates bounds to far fewer. */
const boundBytes = 256;

function boundOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.subarray(start, Math.min(end, start + boundBytes)));
}

/** @param isLess if false, returns whether the string is greater. */
function isBefore(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  other: Uint8Array,
  isLess: boolean,
): boolean {
  const size = Math.min(end - start, other.length);
  for (let at = 0; at < size; at += 1) {
    const difference = (bytes[start + at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference < 0 === isLess;
  }
  return isLess ? end - start < other.length : end - start > other.length;
}

/** Encodes definition levels with Parquet's hybrid of run-length encoding and bit packing. */
function levelsOf({ present, rowCount, count }: ColumnValues): GrowingBytes {
  const levels = new GrowingBytes();
  if (count === 0 || count === rowCount) {
    levels.putVarint(rowCount * 2);
    levels.putByte(count === 0 ? 0 : 1);
  } else {
    putBits(levels, present.subarray(0, rowCount), 1);
  }
  return levels;
}

function valuesOf(column: ColumnValues, dictionary: Dictionary | undefined): GrowingBytes {
  if (dictionary !== undefined) {
    const places = new GrowingBytes(1 << 16);
    const bits = bitsOf(dictionary.count);
    places.putByte(bits);
    putBits(places, dictionary.places, bits);
    return places;
  }
  if (column.type.element.type !== 'BOOLEAN') return column.values;
  const packed = new GrowingBytes();
  const { bytes } = column.values;
  for (let index = 0; index < column.count; index += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8 && index + bit < column.count; bit += 1)
      byte |= (bytes[index + bit] ?? 0) << bit;
    packed.putByte(byte);
  }
  return packed;
}

/** Appends bit-packed numbers in groups of eight, lowest bit first. */
function putBits(into: GrowingBytes, numbers: Uint8Array | Uint32Array, bits: number): void {
  const groups = Math.ceil(numbers.length / 8);
  into.putVarint(groups * 2 + 1);
  into.reserve(groups * bits);
  let waiting = 0;
  let filled = 0;
  for (let index = 0; index < groups * 8; index += 1) {
    // A row group has at most 2^16 rows, so numbers have at most 16 bits and 32 bits never overflow.
    waiting |= (numbers[index] ?? 0) << filled;
    filled += bits;
    for (; filled >= 8; filled -= 8) {
      into.putByte(waiting & 0xff);
      waiting >>>= 8;
    }
  }
}

interface PageSizes {
  readonly uncompressed: number;
  readonly compressed: number;
}

/** Encodes a PageHeader of parquet.thrift in the compact protocol. */
function dictionaryHeader({ uncompressed, compressed }: PageSizes, count: number): GrowingBytes {
  const header = new GrowingBytes(64);
  putIntegers(header, [pageTypes.dictionary, uncompressed, compressed]);
  // Header of field 7, a struct: its ID is 4 higher than that of field 3.
  header.putByte(0x4c);
  putIntegers(header, [count, encodings.PLAIN]);
  header.putByte(0);
  header.putByte(0);
  return header;
}

function dataHeader(
  { uncompressed, compressed }: PageSizes,
  { rowCount, count }: ColumnValues,
  { encoding, levels }: { readonly encoding: keyof typeof encodings; readonly levels: number },
): GrowingBytes {
  const header = new GrowingBytes(64);
  putIntegers(header, [pageTypes.data, uncompressed, compressed]);
  // Header of field 8, a struct: its ID is 5 higher than that of field 3.
  header.putByte(0x5c);
  putIntegers(header, [rowCount, rowCount - count, rowCount, encodings[encoding], levels, 0]);
  header.putByte(0);
  header.putByte(0);
  return header;
}

/** Writes the first fields of a struct, which are non-negative 32-bit integers. */
function putIntegers(header: GrowingBytes, values: readonly number[]): void {
  for (const value of values) {
    header.putByte(0x15);
    header.putVarint(value * 2);
  }
}
