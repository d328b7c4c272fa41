/** Computes a chart's data where the rows are stored, so that at most a few thousand points are transferred. */
import { cellText } from '../chunk.ts';
import { cellTag, type ColumnChunk } from '../packed-rows.ts';
import type { ColumnKind } from '../column-kind.ts';
import type { ChartData, ChartPoint, ChartSpec } from '../rows.ts';
import { epochMicroseconds } from '../timestamps.ts';

/** Maximum number of bars; the remaining categories are combined. */
const barsMax = 40;
const linePointsMax = 2_000;
const scatterPointsMax = 5_000;
/** Rows processed between pauses. */
const rowsAtATime = 20_000;

export interface ChartSource {
  /** Number of visible rows. */
  readonly rowCount: number;
  readonly kindOf: (column: number) => ColumnKind;
  readonly locate: (
    row: number,
    column: number,
  ) => { readonly packed: ColumnChunk | undefined; readonly row: number };
}

export async function chartData(
  source: ChartSource,
  spec: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  switch (spec.type) {
    case 'bar':
      return await bars(source, spec, pause);
    case 'histogram':
      return await histogram(source, spec, pause);
    case 'line':
    case 'scatter':
      return await points(source, spec, pause);
    default:
      return spec.type satisfies never;
  }
}

async function bars(
  source: ChartSource,
  { x, y }: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  const totals = new Map<string | null, number>();
  let skipped = 0;
  await eachRow(source, pause, (row) => {
    const key = textAt(source, row, x);
    const value = y === undefined ? 1 : numberAt(source, row, y);
    if (value === undefined) skipped += 1;
    else totals.set(key, (totals.get(key) ?? 0) + value);
  });
  const sorted = [...totals].sort((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, barsMax).map(([label, value]): ChartPoint => ({ x: label, y: value }));
  const others = sorted.slice(barsMax);
  const otherSum = others.reduce((sum, [, value]) => sum + value, 0);
  return {
    xKind: 'category',
    points: shown,
    skipped,
    rows: source.rowCount,
    others: others.length === 0 ? undefined : { count: others.length, sum: otherSum },
  };
}

async function histogram(
  source: ChartSource,
  { x }: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  const read = async (valueAt: (row: number) => number | undefined) => {
    const values = new Float64Array(source.rowCount);
    let count = 0;
    await eachRow(source, pause, (row) => {
      const value = valueAt(row);
      if (value !== undefined) values[count++] = value;
    });
    return values.subarray(0, count);
  };
  let known = await read((row) => numberAt(source, row, x));
  const distances = known.some(isTooLarge) ? await distancesOf(source, x, pause) : undefined;
  if (distances !== undefined) known = await read(distances.at);
  const count = known.length;
  const xKind = source.kindOf(x) === 'time' ? 'time' : 'number';
  const base = {
    xKind,
    xBase: distances?.base,
    skipped: source.rowCount - count,
    rows: source.rowCount,
  } as const;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of known) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (count === 0) return { ...base, points: [] };
  // Twice the number of bins from Sturges' rule, limited to what fits in a small panel.
  const wanted = Math.max(1, Math.min(60, Math.ceil(Math.log2(count) + 1) * 2));
  const isWhole = xKind === 'number' && known.every((value) => Number.isInteger(value));
  const width = isWhole ? Math.max(1, Math.ceil((high - low + 1) / wanted)) : (high - low) / wanted || 1;
  // Bins exclude their upper bound, except that the last bin of fractional values includes the maximum.
  const bins = isWhole ? Math.floor((high - low) / width) + 1 : low === high ? 1 : wanted;
  const counts = new Float64Array(bins);
  for (const value of known) {
    const bin = Math.min(counts.length - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return {
    ...base,
    points: Array.from(counts, (y, bin) => ({ x: low + bin * width, end: low + (bin + 1) * width, y })),
  };
}

async function points(
  source: ChartSource,
  { type, x, y }: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  const step = type === 'scatter' ? Math.max(1, Math.ceil(source.rowCount / scatterPointsMax)) : 1;
  const plain = (column: number) => (row: number) => numberAt(source, row, column);
  const read = async (xAt: ValueAt, yAt: ValueAt) => {
    const found: { x: number; y: number }[] = [];
    let skipped = 0;
    await eachRow(source, pause, (row) => {
      if (row % step !== 0) return;
      const at = xAt(row);
      const value = yAt(row);
      if (at === undefined || value === undefined) skipped += 1;
      else found.push({ x: at, y: value });
    });
    return { found, skipped };
  };
  const yAt = y === undefined ? () => undefined : plain(y);
  const first = await read(plain(x), yAt);
  const isWide = {
    x: first.found.some((one) => isTooLarge(one.x)),
    y: first.found.some((one) => isTooLarge(one.y)),
  };
  const far = {
    x: isWide.x ? await distancesOf(source, x, pause) : undefined,
    y: isWide.y && y !== undefined ? await distancesOf(source, y, pause) : undefined,
  };
  const { found, skipped } =
    far.x === undefined && far.y === undefined ? first : await read(far.x?.at ?? plain(x), far.y?.at ?? yAt);
  const xKind = source.kindOf(x) === 'time' ? 'time' : 'number';
  const base = { xKind, xBase: far.x?.base, yBase: far.y?.base, skipped, rows: source.rowCount } as const;
  if (type === 'scatter') {
    return { ...base, points: found, sampled: step === 1 ? undefined : found.length + skipped };
  }
  found.sort((a, b) => a.x - b.x);
  const isThinned = found.length > linePointsMax;
  return {
    ...base,
    points: isThinned ? extremes(found) : found,
    sampled: isThinned ? linePointsMax : undefined,
  };
}

/** Keeps the minimum and maximum of each stretch, so that the line's shape is preserved. */
function extremes(sorted: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  const kept: { x: number; y: number }[] = [];
  const size = Math.ceil((sorted.length * 2) / linePointsMax);
  for (let from = 0; from < sorted.length; from += size) {
    const stretch = sorted.slice(from, from + size);
    const least = stretch.reduce((a, b) => (b.y < a.y ? b : a));
    const greatest = stretch.reduce((a, b) => (b.y > a.y ? b : a));
    if (least === greatest) kept.push(least);
    else if (least.x <= greatest.x) kept.push(least, greatest);
    else kept.push(greatest, least);
  }
  return kept;
}

async function eachRow(
  { rowCount }: ChartSource,
  pause: () => Promise<void>,
  visit: (row: number) => void,
): Promise<void> {
  for (let row = 0; row < rowCount; row += 1) {
    visit(row);
    if (row % rowsAtATime === rowsAtATime - 1) await pause();
  }
}

function textAt(source: ChartSource, row: number, column: number): string | null {
  const { packed, row: at } = source.locate(row, column);
  return packed === undefined ? null : (cellText(packed, at) ?? null);
}

type ValueAt = (row: number) => number | undefined;

function isTooLarge(value: number): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/**
 * Returns whole numbers as distances from the smallest. Undefined if a number is not whole or the range is too large.
 */
async function distancesOf(
  source: ChartSource,
  column: number,
  pause: () => Promise<void>,
): Promise<{ readonly base: string; readonly at: ValueAt } | undefined> {
  const wholeAt = (row: number) => {
    const { packed, row: at } = source.locate(row, column);
    const text = (packed && cellText(packed, at))?.trim() ?? '';
    return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  };
  const range: { isWhole: boolean; least?: bigint; greatest?: bigint } = { isWhole: true };
  await eachRow(source, pause, (row) => {
    if (!range.isWhole || numberAt(source, row, column) === undefined) return;
    const value = wholeAt(row);
    if (value === undefined) range.isWhole = false;
    else {
      if (range.least === undefined || value < range.least) range.least = value;
      if (range.greatest === undefined || value > range.greatest) range.greatest = value;
    }
  });
  const { isWhole, least, greatest } = range;
  if (!isWhole || least === undefined || greatest === undefined || isTooLarge(Number(greatest - least)))
    return undefined;
  return {
    base: String(least),
    at: (row) => {
      const value = wholeAt(row);
      return value === undefined ? undefined : Number(value - least);
    },
  };
}

/** Returns a finite number, or a time in milliseconds since 1970. Undefined for any other cell. */
function numberAt(source: ChartSource, row: number, column: number): number | undefined {
  const { packed, row: at } = source.locate(row, column);
  if (packed === undefined || packed.tags[at] === cellTag.null) return undefined;
  if (packed.tags[at] === cellTag.number) return packed.numbers?.[at];
  const text = cellText(packed, at) ?? '';
  const value =
    source.kindOf(column) === 'time'
      ? epochMicroseconds(text) / 1_000
      : text.trim() === ''
        ? Number.NaN
        : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
