/**
 * Stable sorting of packed columns by an index permutation: rows are never moved. Numbers and times go through a radix
 * sort of their doubles, texts through one of their first eight folded bytes; only ties are compared in full.
 */
import { cellTag, cellText, type Chunk, type ColumnChunk } from './chunk.ts';
import type { ColumnKind } from './column-kind.ts';
import { compareDecimal } from './decimal.ts';
import type { SortKey } from './rows.ts';
import { epochMicroseconds, epochMicrosecondsOfBytes } from './timestamps.ts';

export interface SortSource {
  readonly chunks: readonly Chunk[];
  /** First row of each chunk, ascending. */
  readonly starts: readonly number[];
  readonly rowCount: number;
  readonly kindOf: (column: number) => ColumnKind;
}

/**
 * The order of `rows` by several keys; equal rows keep their order. NULLs come last whichever the direction: who sorts
 * looks for values.
 * @param rows the rows to sort in their present order; undefined means all.
 */
export function sortRows(
  source: SortSource,
  keys: readonly SortKey[],
  rows?: Uint32Array<ArrayBuffer>,
): Uint32Array<ArrayBuffer> {
  let order = rows === undefined ? identity(source.rowCount) : rows.slice();
  // Least significant key first: every pass is stable, so the last one decides and the others break its ties.
  for (const key of keys.toReversed()) order = sortByOne(source, key, order);
  return order;
}

function identity(count: number): Uint32Array<ArrayBuffer> {
  const order = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) order[index] = index;
  return order;
}

function sortByOne(
  source: SortSource,
  key: SortKey,
  order: Uint32Array<ArrayBuffer>,
): Uint32Array<ArrayBuffer> {
  const kind = source.kindOf(key.column);
  const keys =
    kind === 'number' || kind === 'time'
      ? numericKeys(source, key.column, kind)
      : textKeys(source, key.column);
  const { nulls, rest } = splitNulls(order, keys.isNull);
  if (key.descending) invert(keys, rest);
  const sorted = radixSort(rest, keys);
  eachRun(sorted, keys, (run) => {
    if (run.some((row) => keys.isPartial[row] !== 0)) keys.sortTied(run, key.descending ? -1 : 1);
  });
  const result = new Uint32Array(order.length);
  result.set(sorted);
  result.set(nulls, sorted.length);
  return result;
}

/** Makes the least key the greatest: a stable sort downwards. */
function invert(keys: Keys, rows: Uint32Array): void {
  for (const row of rows) {
    keys.high[row] = ~(keys.high[row] ?? 0);
    keys.low[row] = ~(keys.low[row] ?? 0);
  }
}

interface Keys {
  /** 64 bits a row whose unsigned order is the wanted order, as far as 64 bits go. */
  readonly high: Uint32Array<ArrayBuffer>;
  readonly low: Uint32Array<ArrayBuffer>;
  readonly isNull: Uint8Array<ArrayBuffer>;
  /** Not 0 where the 64 bits do not hold all of this row's value. */
  readonly isPartial: Uint8Array<ArrayBuffer>;
  /** Puts rows of equal keys in order, in place. */
  readonly sortTied: TieSorter;
}

type TieSorter = (rows: Uint32Array<ArrayBuffer>, direction: 1 | -1) => void;

function createKeys(rowCount: number, sortTied: TieSorter): Keys {
  return {
    high: new Uint32Array(rowCount),
    low: new Uint32Array(rowCount),
    isNull: new Uint8Array(rowCount),
    isPartial: new Uint8Array(rowCount),
    sortTied,
  };
}

/** Reads each tied row's value once, then sorts by it. */
function tieSorter<T>(read: (row: number) => T, compare: (a: T, b: T) => number): TieSorter {
  return (rows, direction) => {
    const tied = Array.from(rows, (row) => ({ row, value: read(row) }));
    // Array.prototype.sort is stable.
    tied.sort((a, b) => direction * compare(a.value, b.value));
    tied.forEach(({ row }, index) => (rows[index] = row));
  };
}

function numericKeys(source: SortSource, column: number, kind: ColumnKind): Keys {
  const text = textReader(source, column);
  const keys = createKeys(source.rowCount, tieSorter(text, compareDecimal));
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  eachChunk(source, column, (chunk, count, start) => {
    for (let index = 0; index < count; index += 1) {
      const row = start + index;
      const tag = chunk.tags[index];
      if (tag === cellTag.null) {
        keys.isNull[row] = 1;
        continue;
      }
      const value =
        tag === cellTag.number
          ? (chunk.numbers?.[index] ?? 0)
          : kind === 'time'
            ? timeOf(chunk, index)
            : numberOf(cellText(chunk, index) ?? '');
      // Zero has one key whatever its sign; not-a-number is the greatest, as in PostgreSQL.
      double[0] = value === 0 ? 0 : value;
      const low = words[0] ?? 0;
      const high = words[1] ?? 0;
      const isNegative = value < 0;
      keys.high[row] = Number.isNaN(value) ? 0xffffffff : isNegative ? ~high : high | 0x80000000;
      keys.low[row] = isNegative ? ~low : low;
      if (tag === cellTag.exact) keys.isPartial[row] = 1;
    }
  });
  return keys;
}

function timeOf(chunk: ColumnChunk, index: number): number {
  const { bytes, offsets } = chunk;
  if (bytes === undefined || offsets === undefined) return Number.NaN;
  const fast = epochMicrosecondsOfBytes(bytes, offsets[index] ?? 0, offsets[index + 1] ?? 0);
  return fast ?? epochMicroseconds(cellText(chunk, index) ?? '');
}

/** A number out of PostgreSQL's text, `NaN` and the infinities included. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function textKeys(source: SortSource, column: number): Keys {
  const text = textReader(source, column);
  const find = chunkFinder(source.starts);
  const compareWhole = tieSorter(
    (row) => {
      const value = text(row);
      return { value, folded: foldText(value) };
    },
    (a, b) => compareCodePoints(a.folded, b.folded) || compareCodePoints(a.value, b.value),
  );

  /** Eight more bytes at a time; whole texts only where there are few, or letters beyond ASCII. */
  const sortFrom = (rows: Uint32Array<ArrayBuffer>, direction: 1 | -1, skipped: number): void => {
    if (areSame(source, column, rows)) return;
    if (rows.length < wholeComparisonMax || !fillKeys(rows, skipped)) {
      compareWhole(rows, direction);
      return;
    }
    if (direction < 0) invert(keys, rows);
    const sorted = radixSort(rows, keys);
    if (sorted !== rows) rows.set(sorted);
    eachRun(rows, keys, (run) => {
      // What has no more bytes differs in case at most.
      if (run.some((row) => keys.isPartial[row] === moreBytes)) sortFrom(run, direction, skipped + 8);
      else if (run.some((row) => keys.isPartial[row] !== 0)) compareWhole(run, direction);
    });
  };
  const keys = createKeys(source.rowCount, (rows, direction) => sortFrom(rows, direction, 8));

  /** @returns false when a text holds letters beyond ASCII at this place. */
  const fillKeys = (rows: Uint32Array, skipped: number): boolean => {
    for (const row of rows) {
      const at = find(row);
      const packed = source.chunks[at]?.columns[column];
      const index = row - (source.starts[at] ?? 0);
      if (packed?.bytes === undefined || packed.offsets === undefined) return false;
      const start = Math.min((packed.offsets[index] ?? 0) + skipped, packed.offsets[index + 1] ?? 0);
      const wasPartial = keys.isPartial[row] ?? 0;
      if (!fillPrefix(keys, row, { bytes: packed.bytes, start, end: packed.offsets[index + 1] ?? 0 }))
        return false;
      // Letters in upper case further to the front still count at the very end.
      if (keys.isPartial[row] === 0 && wasPartial !== 0) keys.isPartial[row] = upperCase;
    }
    return true;
  };

  eachChunk(source, column, (chunk, count, start) => {
    for (let index = 0; index < count; index += 1) {
      const row = start + index;
      const tag = chunk.tags[index];
      if (tag === cellTag.null) {
        keys.isNull[row] = 1;
      } else if (tag === cellTag.number || tag === cellTag.false || tag === cellTag.true) {
        const shown = Buffer.from(cellText(chunk, index) ?? '');
        fillPrefix(keys, row, { bytes: shown, start: 0, end: shown.length });
      } else if (chunk.bytes !== undefined && chunk.offsets !== undefined) {
        const at = {
          bytes: chunk.bytes,
          start: chunk.offsets[index] ?? 0,
          end: chunk.offsets[index + 1] ?? 0,
        };
        if (fillPrefix(keys, row, at)) continue;
        // Letters beyond ASCII: fold the text itself.
        const folded = Buffer.from(foldText(cellText(chunk, index) ?? ''));
        fillPrefix(keys, row, { bytes: folded, start: 0, end: folded.length });
        keys.isPartial[row] = moreBytes;
      }
    }
  });
  return keys;
}

/** Whether all rows hold the very same text, as they do in columns of few values. */
function areSame(source: SortSource, column: number, rows: Uint32Array): boolean {
  const find = chunkFinder(source.starts);
  const bytesOf = (row: number) => {
    const at = find(row);
    const packed = source.chunks[at]?.columns[column];
    const index = row - (source.starts[at] ?? 0);
    return {
      bytes: packed?.bytes,
      start: packed?.offsets?.[index] ?? 0,
      end: packed?.offsets?.[index + 1] ?? 0,
    };
  };
  const first = bytesOf(rows[0] ?? 0);
  const length = first.end - first.start;
  for (const row of rows) {
    const other = bytesOf(row);
    if (other.end - other.start !== length) return false;
    for (let index = 0; index < length; index += 1) {
      if (other.bytes?.[other.start + index] !== first.bytes?.[first.start + index]) return false;
    }
  }
  // Cells without bytes are numbers or booleans, whose keys may be cut.
  return first.bytes !== undefined && length > 0;
}

/** Below this many tied rows, comparing whole texts costs less than another pass. */
const wholeComparisonMax = 2_000;

/** Values of `isPartial`: the key lacks further bytes, or only what upper case letters were. */
const moreBytes = 1;
const upperCase = 2;

/** Makes a key of the first eight bytes, ASCII letters in lower case. False when there are others than ASCII. */
function fillPrefix(
  keys: Keys,
  row: number,
  at: { readonly bytes: Uint8Array; readonly start: number; readonly end: number },
): boolean {
  let high = 0;
  let low = 0;
  let isAscii = true;
  let isFolded = false;
  for (let index = 0; index < 8; index += 1) {
    const place = at.start + index;
    let byte = place < at.end ? (at.bytes[place] ?? 0) : 0;
    if (byte >= 0x80) isAscii = false;
    if (byte >= 0x41 && byte <= 0x5a) {
      byte += 0x20;
      isFolded = true;
    }
    if (index < 4) high = (high << 8) | byte;
    else low = (low << 8) | byte;
  }
  keys.high[row] = high;
  keys.low[row] = low;
  keys.isPartial[row] = at.end - at.start > 8 ? moreBytes : isFolded ? upperCase : 0;
  return isAscii;
}

const ascii = /^[\x20-\x7e]*$/;

/** Without case and accents, so that Ärzte stands beside Arzt; what differs only in these is ordered by code point. */
function foldText(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The order in which texts are sorted. */
export function compareTexts(a: string, b: string): number {
  return compareCodePoints(foldText(a), foldText(b)) || compareCodePoints(a, b);
}

/** UTF-16 order differs from code point order only where surrogates meet the units above them. */
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

function textReader(source: SortSource, column: number): (row: number) => string {
  const find = chunkFinder(source.starts);
  return (row) => {
    const at = find(row);
    const chunk = source.chunks[at]?.columns[column];
    return chunk === undefined ? '' : (cellText(chunk, row - (source.starts[at] ?? 0)) ?? '');
  };
}

/** Finds the chunk of a row; remembers the last one, since neighbours are asked for together. */
export function chunkFinder(starts: readonly number[]): (row: number) => number {
  let last = 0;
  return (row) => {
    const first = starts[last] ?? 0;
    const next = starts[last + 1] ?? Number.POSITIVE_INFINITY;
    if (row >= first && row < next) return last;
    let from = 0;
    let to = starts.length - 1;
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if ((starts[middle] ?? 0) <= row) from = middle;
      else to = middle - 1;
    }
    last = from;
    return from;
  };
}

function eachChunk(
  source: SortSource,
  column: number,
  visit: (chunk: ColumnChunk, rowCount: number, start: number) => void,
): void {
  source.chunks.forEach((chunk, index) => {
    const packed = chunk.columns[column];
    if (packed !== undefined) visit(packed, chunk.rowCount, source.starts[index] ?? 0);
  });
}

function splitNulls(
  order: Uint32Array<ArrayBuffer>,
  isNull: Uint8Array,
): Record<'nulls' | 'rest', Uint32Array<ArrayBuffer>> {
  const nulls = new Uint32Array(order.length);
  const rest = new Uint32Array(order.length);
  let nullCount = 0;
  let restCount = 0;
  for (const row of order) {
    if (isNull[row] === 1) nulls[nullCount++] = row;
    else rest[restCount++] = row;
  }
  return { nulls: nulls.subarray(0, nullCount), rest: rest.subarray(0, restCount) };
}

const radixMin = 20_000;
const digitBits = 16;
const buckets = 1 << digitBits;

/** Least significant digit first, 16 bits at a time; a digit that is the same everywhere costs one counting pass. */
function radixSort(order: Uint32Array<ArrayBuffer>, keys: Keys): Uint32Array<ArrayBuffer> {
  // Counting 65,536 buckets four times does not pay for few rows.
  if (order.length < radixMin) {
    const { high, low } = keys;
    return order.sort((a, b) => (high[a] ?? 0) - (high[b] ?? 0) || (low[a] ?? 0) - (low[b] ?? 0));
  }
  let from = order;
  let to: Uint32Array<ArrayBuffer> = new Uint32Array(order.length);
  const counts = new Uint32Array(buckets);
  for (const { words, shift } of [
    { words: keys.low, shift: 0 },
    { words: keys.low, shift: digitBits },
    { words: keys.high, shift: 0 },
    { words: keys.high, shift: digitBits },
  ]) {
    counts.fill(0);
    for (const row of from) {
      const digit = ((words[row] ?? 0) >>> shift) & (buckets - 1);
      counts[digit] = (counts[digit] ?? 0) + 1;
    }
    const firstRow = from[0];
    if (firstRow === undefined) return from;
    if (counts[((words[firstRow] ?? 0) >>> shift) & (buckets - 1)] === from.length) continue;
    let sum = 0;
    for (let digit = 0; digit < buckets; digit += 1) {
      const count = counts[digit] ?? 0;
      counts[digit] = sum;
      sum += count;
    }
    for (const row of from) {
      const digit = ((words[row] ?? 0) >>> shift) & (buckets - 1);
      const place = counts[digit] ?? 0;
      to[place] = row;
      counts[digit] = place + 1;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Visits each run of two or more equal keys; what it visits may be put in another order. */
function eachRun(
  sorted: Uint32Array<ArrayBuffer>,
  keys: Keys,
  visit: (run: Uint32Array<ArrayBuffer>) => void,
): void {
  // Found before any is visited: sorting a run goes on to write its keys.
  const edges: number[] = [];
  let start = 0;
  for (let end = 1; end <= sorted.length; end += 1) {
    const first = sorted[start] ?? 0;
    const row = sorted[end] ?? 0;
    if (end < sorted.length && keys.high[row] === keys.high[first] && keys.low[row] === keys.low[first])
      continue;
    if (end - start > 1) edges.push(start, end);
    start = end;
  }
  for (let edge = 0; edge < edges.length; edge += 2) visit(sorted.subarray(edges[edge], edges[edge + 1]));
}
