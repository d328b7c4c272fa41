/**
 * Stable sorting of packed columns by an index permutation; rows never move. Numbers and times are sorted by integers
 * or by the bits of doubles, strings by bytes. Only ties are compared in full.
 */
import { cellText } from '../chunk.ts';
import type { ColumnKind } from '../column-kind.ts';
import { compareDecimal } from '../decimal.ts';
import { numberOf, type TypeOrder } from '../order/type-order.ts';
import { cellTag, type Chunk, type ColumnChunk } from '../packed-rows.ts';
import type { SortKey } from '../rows.ts';
import { compareTimes, epochMicroseconds, epochMicrosecondsOfBytes } from '../timestamps.ts';
import { TextFolder } from './folded-texts.ts';
import { identity, radixOrder } from './radix.ts';
import { textOrder } from './text-order.ts';

export interface SortSource {
  readonly chunks: readonly Chunk[];
  /** Index of the first row of each chunk, ascending. */
  readonly starts: readonly number[];
  readonly rowCount: number;
  readonly kindOf: (column: number) => ColumnKind;
  /** The order of a type that is not ordered by its kind. */
  readonly ownOrderOf?: ((column: number) => TypeOrder | undefined) | undefined;
}

type Rows = Uint32Array<ArrayBuffer>;

/**
 * Returns the order of `rows` by several keys; equal rows keep their order. NULLs come last in both directions, since
 * users sort to find values.
 * @param rows the rows to sort, in their current order; undefined for all rows.
 */
export function sortRows(source: SortSource, keys: readonly SortKey[], rows?: Rows): Rows {
  let order = rows ?? identity(source.rowCount);
  // Sort by the least significant key first. Every pass is stable, so earlier passes break the ties of later ones.
  for (const key of keys.toReversed()) order = sortByOne(source, key, order);
  return order;
}

function sortByOne(source: SortSource, key: SortKey, order: Rows): Rows {
  const kind = source.kindOf(key.column);
  const { nulls, rest } = splitNulls(source, key.column, order);
  const own = source.ownOrderOf?.(key.column);
  const sorted =
    own !== undefined && !isInByteOrder(source, key.column, own, rest)
      ? comparedOrder(source, { ...key, compare: own.compare }, rest)
      : kind === 'number' || kind === 'time'
        ? numberOrder(source, { ...key, kind }, rest)
        : textOrderOf(source, key, rest);
  const result = new Uint32Array(order.length);
  for (let index = 0; index < sorted.length; index += 1) result[index] = rest[sorted[index] ?? 0] ?? 0;
  result.set(nulls, rest.length);
  return result;
}

/** Returns a function that locates the cells of a column. It returns the same object on every call. */
function cellReader(
  source: SortSource,
  column: number,
): (row: number) => { chunk: ColumnChunk | undefined; index: number } {
  const find = chunkFinder(source.starts);
  const found: { chunk: ColumnChunk | undefined; index: number } = { chunk: undefined, index: 0 };
  // Access is mostly sequential, so look up a chunk only when leaving the current one.
  let first = 0;
  let next = 0;
  return (row) => {
    if (row < first || row >= next) {
      const at = find(row);
      found.chunk = source.chunks[at]?.columns[column];
      first = source.starts[at] ?? 0;
      next = source.starts[at + 1] ?? Number.POSITIVE_INFINITY;
    }
    found.index = row - first;
    return found;
  };
}

function splitNulls(source: SortSource, column: number, order: Rows): Record<'nulls' | 'rest', Rows> {
  const read = cellReader(source, column);
  const nulls = new Uint32Array(order.length);
  const rest = new Uint32Array(order.length);
  let nullCount = 0;
  let restCount = 0;
  for (const row of order) {
    const { chunk, index } = read(row);
    if (chunk === undefined || chunk.tags[index] === cellTag.null) nulls[nullCount++] = row;
    else rest[restCount++] = row;
  }
  return { nulls: nulls.subarray(0, nullCount), rest: rest.subarray(0, restCount) };
}

/** Returns whether the values are in the order of their bytes, which are sorted far faster than texts are compared. */
function isInByteOrder(
  source: SortSource,
  column: number,
  { isInByteOrder }: TypeOrder,
  rows: Rows,
): boolean {
  if (isInByteOrder === undefined) return false;
  const read = cellReader(source, column);
  return rows.every((row) => {
    const { chunk, index } = read(row);
    const { bytes, offsets } = chunk ?? {};
    return (
      bytes !== undefined &&
      offsets !== undefined &&
      isInByteOrder(bytes, offsets[index] ?? 0, offsets[index + 1] ?? 0)
    );
  });
}

function textOrderOf(source: SortSource, { column, descending }: SortKey, rows: Rows): Rows {
  const read = cellReader(source, column);
  const byteCount = source.chunks.reduce(
    (sum, { columns }) => sum + (columns[column]?.bytes?.length ?? 0),
    0,
  );
  const texts = new TextFolder(rows.length, byteCount);
  for (let position = 0; position < rows.length;) {
    const row = rows[position] ?? 0;
    const { chunk, index } = read(row);
    if (chunk === undefined) break; // unreachable: rows of missing chunks count as NULL
    const most = Math.min(chunk.tags.length - index, rows.length - position);
    let length = 1;
    while (length < most && rows[position + length] === row + length) length += 1;
    if (length === 1) texts.add(chunk, index);
    else texts.addRun(chunk, { first: index, end: index + length });
    position += length;
  }
  const textOf = textReader(source, column);
  return textOrder(texts, rows.length, {
    descending,
    read: (position) => textOf(rows[position] ?? 0),
    isSame: sameCells(source, column, rows),
  });
}

function numberOrder(
  source: SortSource,
  key: SortKey & { readonly kind: 'number' | 'time' },
  rows: Rows,
): Rows {
  const { values, hasExact } = numbersOf(source, key, rows);
  // Doubles are in order only as far as they are exact.
  if (
    key.kind === 'time' &&
    values.some((value) => Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER)
  )
    return comparedOrder(source, { ...key, compare: compareTimes }, rows);
  const { low, high } = wholeKeys(values, key.descending) ?? doubleKeys(values, key.descending);
  const order = radixOrder(low, high);
  if (hasExact) settleExact(source, key, { rows, values, order });
  return order;
}

/** Sorts by comparing texts, each different one only once. */
function comparedOrder(
  source: SortSource,
  { column, descending, compare }: SortKey & Pick<TypeOrder, 'compare'>,
  rows: Rows,
): Rows {
  const textOf = textReader(source, column);
  const positions = new Map<string, number[]>();
  for (let position = 0; position < rows.length; position += 1) {
    const text = textOf(rows[position] ?? 0);
    const same = positions.get(text);
    if (same === undefined) positions.set(text, [position]);
    else same.push(position);
  }
  const direction = descending ? -1 : 1;
  const order = new Uint32Array(rows.length);
  let place = 0;
  // Different texts of equal values keep the order of their rows.
  let equal: number[] = [];
  let before: string | undefined;
  const put = () => {
    order.set(
      equal.sort((a, b) => a - b),
      place,
    );
    place += equal.length;
    equal = [];
  };
  for (const [text, own] of [...positions].sort(([a], [b]) => direction * compare(a, b))) {
    if (before !== undefined && compare(before, text) !== 0) put();
    for (const position of own) equal.push(position);
    before = text;
  }
  put();
  return order;
}

/** Returns one double per row, with -0 normalized to 0. */
function numbersOf(
  source: SortSource,
  { column, kind }: { readonly column: number; readonly kind: 'number' | 'time' },
  rows: Rows,
): { readonly values: Float64Array; readonly hasExact: boolean } {
  const read = cellReader(source, column);
  const values = new Float64Array(rows.length);
  let hasExact = false;
  for (let position = 0; position < rows.length; position += 1) {
    const { chunk, index } = read(rows[position] ?? 0);
    if (chunk === undefined) continue;
    const tag = chunk.tags[index];
    let value: number;
    if (tag === cellTag.number) value = chunk.numbers?.[index] ?? 0;
    else if (kind === 'time') value = timeOf(chunk, index);
    else {
      const text = cellText(chunk, index) ?? '';
      value = numberOf(text);
      // A file without types has its numbers as texts.
      hasExact ||= isRounded(text, value);
    }
    if (tag === cellTag.exact) hasExact = true;
    values[position] = value === 0 ? 0 : value;
  }
  return { values, hasExact };
}

/** Whether other numbers may round to the same double. It has fifteen digits exactly. */
function isRounded(text: string, value: number): boolean {
  return text.length > 15 || !Number.isFinite(value) || (Math.abs(value) < 1e-300 && /e/i.test(text));
}

interface NumberKeys {
  readonly low: Rows;
  /** Undefined if one word is enough. */
  readonly high?: Rows | undefined;
}

/**
 * Returns each integer's distance from the minimum (from the maximum if descending), which has fewer digits to sort by.
 * Undefined unless all values are integers and the distances are exact.
 */
function wholeKeys(values: Float64Array, descending: boolean): NumberKeys | undefined {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value !== Math.floor(value)) return undefined;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || max - min > Number.MAX_SAFE_INTEGER)
    return values.length === 0 ? { low: new Uint32Array(0) } : undefined;
  const low = new Uint32Array(values.length);
  const high = max - min > 0xffffffff ? new Uint32Array(values.length) : undefined;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    const distance = descending ? max - value : value - min;
    if (high === undefined) {
      low[index] = distance;
    } else {
      const upper = Math.floor(distance / 0x100000000);
      high[index] = upper;
      low[index] = distance - upper * 0x100000000;
    }
  }
  return { low, high };
}

/**
 * Returns the bits of each double, mapped to unsigned integers that sort in the same order. NaN is the greatest,
 * as in PostgreSQL.
 */
function doubleKeys(
  values: Float64Array,
  descending: boolean,
): Required<NumberKeys> & { readonly high: Rows } {
  const low = new Uint32Array(values.length);
  const high = new Uint32Array(values.length);
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  const turn = descending ? 0xffffffff : 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    double[0] = value;
    const isNegative = value < 0;
    const lower = words[0] ?? 0;
    const upper = words[1] ?? 0;
    low[index] = (isNegative ? ~lower : lower) ^ turn;
    high[index] = (Number.isNaN(value) ? 0xffffffff : isNegative ? ~upper : upper | 0x80000000) ^ turn;
  }
  return { low, high };
}

function sameCells(source: SortSource, column: number, rows: Rows): (a: number, b: number) => boolean {
  const [readA, readB] = [cellReader(source, column), cellReader(source, column)];
  return (a, b) => {
    const one = readA(rows[a] ?? 0);
    const other = readB(rows[b] ?? 0);
    const bytes = one.chunk?.bytes;
    const otherBytes = other.chunk?.bytes;
    if (bytes === undefined || otherBytes === undefined) return false;
    const start = one.chunk?.offsets?.[one.index] ?? 0;
    const otherStart = other.chunk?.offsets?.[other.index] ?? 0;
    const length = (one.chunk?.offsets?.[one.index + 1] ?? 0) - start;
    // Cells without bytes are numbers or booleans.
    if (length === 0 || length !== (other.chunk?.offsets?.[other.index + 1] ?? 0) - otherStart) return false;
    for (let index = 0; index < length; index += 1)
      if (bytes[start + index] !== otherBytes[otherStart + index]) return false;
    return true;
  };
}

/** Sorts numbers by digits if they round to the same double. */
function settleExact(
  source: SortSource,
  { column, descending }: SortKey,
  { rows, values, order }: { readonly rows: Rows; readonly values: Float64Array; readonly order: Rows },
): void {
  const textOf = textReader(source, column);
  const isSame = sameCells(source, column, rows);
  const direction = descending ? -1 : 1;
  let start = 0;
  for (let end = 1; end <= order.length; end += 1) {
    if (end < order.length && Object.is(values[order[end] ?? 0], values[order[start] ?? 0])) continue;
    const first = order[start] ?? 0;
    const group = order.subarray(start, end);
    if (!group.every((position) => position === first || isSame(first, position))) {
      const tied = Array.from(group, (position) => ({
        position,
        text: textOf(rows[position] ?? 0),
      }));
      // Each different text is compared only once.
      const ranks = new Map<string, number>();
      let before: string | undefined;
      for (const text of [...new Set(tied.map(({ text }) => text))].sort(
        (a, b) => direction * compareDecimal(a, b),
      )) {
        const isNext = before !== undefined && compareDecimal(before, text) !== 0;
        ranks.set(text, isNext ? ranks.size : (ranks.get(before ?? '') ?? 0));
        before = text;
      }
      // Array.prototype.sort is stable, so equal numbers keep their order.
      tied.sort((a, b) => (ranks.get(a.text) ?? 0) - (ranks.get(b.text) ?? 0));
      order.set(
        tied.map(({ position }) => position),
        start,
      );
    }
    start = end;
  }
}

/** Returns the time in a cell, in microseconds since 1970; NaN if it is not a time. */
export function timeOf(chunk: ColumnChunk, index: number): number {
  const { bytes, offsets } = chunk;
  if (bytes === undefined || offsets === undefined) return Number.NaN;
  const fast = epochMicrosecondsOfBytes(bytes, offsets[index] ?? 0, offsets[index + 1] ?? 0);
  return fast ?? epochMicroseconds(cellText(chunk, index) ?? '');
}

function textReader(source: SortSource, column: number): (row: number) => string {
  const read = cellReader(source, column);
  return (row) => {
    const { chunk, index } = read(row);
    return chunk === undefined ? '' : (cellText(chunk, index) ?? '');
  };
}

/** Returns a function that finds the chunk of a row. It remembers the last chunk, since access is mostly sequential. */
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
