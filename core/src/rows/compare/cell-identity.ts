/**
 * Decides whether two cells are equal, by kind of column: numbers by exact value (1.0 equals 1), times by instant, JSON
 * regardless of member order, everything else byte by byte. NULL equals NULL. Equal cells have equal hashes.
 */
import { cellText } from '../chunk.ts';
import type { ColumnKind } from '../column-kind.ts';
import { decimalKey, equalDecimals, isDecimal } from '../decimal.ts';
import { orderOf, ownOrderOf, type TypeOrder } from '../order/type-order.ts';
import { cellTag, type ColumnChunk } from '../packed-rows.ts';
import { epochMicroseconds, epochMicrosecondsOfBytes, exactMicroseconds } from '../timestamps.ts';

export interface CellIdentity {
  readonly equals: (a: ColumnChunk, rowA: number, b: ColumnChunk, rowB: number) => boolean;
  /** Returns a 32-bit hash. */
  readonly hash: (column: ColumnChunk, row: number) => number;
}

/** @param type the common type, which may have equal values of different texts, such as `1 day` and `24:00:00`. */
export function identityOf(kind: ColumnKind, type = ''): CellIdentity {
  const own = ownOrderOf(type);
  const { equalTexts, hash } = own === undefined ? rules[kind] : ruleOf(own);
  return {
    hash: (column, row) => (column.tags[row] === cellTag.null ? nullHash : hash(column, row)),
    equals: (a, rowA, b, rowB) => {
      const tagA = a.tags[rowA];
      const tagB = b.tags[rowB];
      if (tagA === cellTag.null || tagB === cellTag.null) return tagA === tagB;
      if (tagA === cellTag.number && tagB === cellTag.number) return a.numbers?.[rowA] === b.numbers?.[rowB];
      if (tagA === tagB && haveSameBytes(a, rowA, b, rowB)) return true;
      return equalTexts(a, rowA, b, rowB);
    },
  };
}

interface Rule {
  /** Compares two cells that are not NULL and not byte-identical. */
  readonly equalTexts: CellIdentity['equals'];
  readonly hash: CellIdentity['hash'];
}

function ruleOf({ identityOf: keyOf }: TypeOrder): Rule {
  const key = (column: ColumnChunk, row: number) => keyOf(cellText(column, row) ?? '');
  return {
    equalTexts: (a, rowA, b, rowB) => key(a, rowA) === key(b, rowB),
    hash: (column, row) => hashText(key(column, row)),
  };
}

const rules: Readonly<Record<ColumnKind, Rule>> = {
  text: {
    // Cells with different tags may have the same text: a number on one side, digits from a file on the other.
    equalTexts: (a, rowA, b, rowB) =>
      a.tags[rowA] !== b.tags[rowB] && cellText(a, rowA) === cellText(b, rowB),
    hash: (column, row) => hashCell(column, row),
  },
  number: {
    equalTexts: (a, rowA, b, rowB) => equalDecimals(cellText(a, rowA) ?? '', cellText(b, rowB) ?? ''),
    hash: (column, row) => {
      if (column.tags[row] === cellTag.number) return hashNumber(column.numbers?.[row] ?? 0);
      const text = cellText(column, row) ?? '';
      return isDecimal(text) ? hashNumber(Number(text)) : hashText(decimalKey(text));
    },
  },
  boolean: ruleOf(orderOf('', 'boolean')),
  time: { equalTexts: equalTimes, hash: hashTime },
  json: ruleOf(orderOf('', 'json')),
};

function haveSameBytes(a: ColumnChunk, rowA: number, b: ColumnChunk, rowB: number): boolean {
  const startA = a.offsets?.[rowA] ?? 0;
  const length = (a.offsets?.[rowA + 1] ?? 0) - startA;
  const startB = b.offsets?.[rowB] ?? 0;
  if ((b.offsets?.[rowB + 1] ?? 0) - startB !== length) return false;
  const bytesA = a.bytes;
  const bytesB = b.bytes;
  if (bytesA === undefined || bytesB === undefined) return true;
  for (let index = 0; index < length; index += 1) {
    if (bytesA[startA + index] !== bytesB[startB + index]) return false;
  }
  return true;
}

/** Only behind a clock, since the end of a date such as 10000-01-31 looks like a zone. */
const zone = /:[\d.]+\s*(?:Z|[+-]\d\d(?::?\d\d){0,2})(?: BC)?$/;

function equalTimes(a: ColumnChunk, rowA: number, b: ColumnChunk, rowB: number): boolean {
  const quickA = quickMicroseconds(a, rowA);
  const quickB = quickMicroseconds(b, rowB);
  if (quickA !== undefined && quickB !== undefined && quickA !== quickB) return false;
  const textA = cellText(a, rowA) ?? '';
  const textB = cellText(b, rowB) ?? '';
  if (textA === textB) return true;
  // A time without a zone is not an instant, so it only equals another time without a zone.
  if (zone.test(textA) !== zone.test(textB)) return false;
  const exactA = exactMicroseconds(textA);
  return exactA !== undefined && exactA === exactMicroseconds(textB);
}

function quickMicroseconds({ bytes, offsets }: ColumnChunk, row: number): number | undefined {
  if (bytes === undefined || offsets === undefined) return undefined;
  const value = epochMicrosecondsOfBytes(bytes, offsets[row] ?? 0, offsets[row + 1] ?? 0);
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined;
}

function hashTime(column: ColumnChunk, row: number): number {
  const quick = quickMicroseconds(column, row);
  if (quick !== undefined) return hashNumber(quick);
  const text = cellText(column, row) ?? '';
  const value = epochMicroseconds(text);
  return Number.isNaN(value) ? hashText(text) : hashNumber(value);
}

const nullHash = 0x2545_f491;
const scratchDouble = new Float64Array(1);
const scratchWords = new Uint32Array(scratchDouble.buffer);

function hashNumber(value: number): number {
  // Normalize -0, which equals 0.
  scratchDouble[0] = value === 0 ? 0 : value;
  return mixed((scratchWords[0] ?? 0) ^ Math.imul(scratchWords[1] ?? 0, 0x85eb_ca6b));
}

function hashCell(column: ColumnChunk, row: number): number {
  const { bytes, offsets } = column;
  const tag = column.tags[row];
  const isPacked = tag === cellTag.text || tag === cellTag.exact || tag === cellTag.json;
  if (!isPacked || bytes === undefined || offsets === undefined) return hashText(cellText(column, row) ?? '');
  return hashBytes(bytes, offsets[row] ?? 0, offsets[row + 1] ?? 0);
}

function hashText(text: string): number {
  const bytes = Buffer.from(text);
  return hashBytes(bytes, 0, bytes.length);
}

/** Computes MurmurHash3: four bytes at a time. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c_9dc5;
  let index = start;
  for (; index + 3 < end; index += 4) {
    const word =
      (bytes[index] ?? 0) |
      ((bytes[index + 1] ?? 0) << 8) |
      ((bytes[index + 2] ?? 0) << 16) |
      ((bytes[index + 3] ?? 0) << 24);
    hash = stirred(hash, word);
  }
  for (let rest = 0; index < end; index += 1) {
    rest = (rest << 8) | (bytes[index] ?? 0);
    if (index === end - 1) hash = stirred(hash, rest);
  }
  return mixed(hash ^ (end - start));
}

function stirred(hash: number, word: number): number {
  let value = Math.imul(word, 0xcc9e_2d51);
  value = Math.imul((value << 15) | (value >>> 17), 0x1b87_3593);
  value ^= hash;
  return (Math.imul((value << 13) | (value >>> 19), 5) + 0xe654_6b64) | 0;
}

/** Applies the final mix of MurmurHash3, in which every input bit affects about half of the output bits. */
export function mixed(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2_ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
