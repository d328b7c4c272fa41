/** Points of lines and scatter charts, downsampled. */
import type { ChartData, ChartPoint, ChartSpec } from '../rows.ts';
import {
  distancesOf,
  eachRow,
  isTooLarge,
  numberAt,
  type ChartSource,
  type NumberAt,
} from './chart-cells.ts';
import { chooseSeries, isSplit, partsOf, type Parts } from './chart-parts.ts';

const linePointsMax = 2_000;
const scatterPointsMax = 5_000;

interface Found {
  readonly x: number;
  readonly y: number;
  readonly part: number;
}

/** All series share one base for x and one for y, so they stay comparable and exact. */
export async function points(
  source: ChartSource,
  spec: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  const { type, x, y } = spec;
  const parts = partsOf(source, spec);
  const step = stepOf(source, spec);
  const plain: NumberAt = (row, column) => numberAt(source, row, column);
  const read = (xAt: NumberAt, yAt: NumberAt) => readPoints(source, { x, step, parts, xAt, yAt }, pause);
  const first = await read(plain, plain);
  const isWide = {
    x: first.found.some((one) => isTooLarge(one.x)),
    y: first.found.some((one) => isTooLarge(one.y)),
  };
  const measured = spec.measures ?? (y === undefined ? [] : [y]);
  const far = {
    x: isWide.x ? await distancesOf(source, [x], pause) : undefined,
    y: isWide.y ? await distancesOf(source, measured, pause) : undefined,
  };
  const { found, skipped } =
    far.x === undefined && far.y === undefined ? first : await read(far.x?.at ?? plain, far.y?.at ?? plain);
  const xKind = source.kindOf(x) === 'time' ? 'time' : 'number';
  const base = { xKind, xBase: far.x?.base, yBase: far.y?.base, skipped, rows: source.rowCount } as const;
  if (type === 'scatter') {
    return {
      ...base,
      points: found.map(withoutPart),
      sampled: step === 1 ? undefined : found.length + skipped,
    };
  }
  found.sort((a, b) => a.x - b.x);
  if (isSplit(spec)) {
    const weights: number[] = [];
    for (const one of first.found) weights[one.part] = (weights[one.part] ?? 0) + Math.abs(one.y);
    return { ...base, ...lines(found, chooseSeries(weights, parts)) };
  }
  const isThinned = found.length > linePointsMax;
  return {
    ...base,
    points: (isThinned ? extremes(found, linePointsMax) : found).map(withoutPart),
    sampled: isThinned ? linePointsMax : undefined,
  };
}

/** A scatter chart of many rows reads only some of them. */
function stepOf({ rowCount }: ChartSource, { type }: ChartSpec): number {
  return type === 'scatter' ? Math.max(1, Math.ceil(rowCount / scatterPointsMax)) : 1;
}

interface Reading {
  readonly x: number;
  readonly step: number;
  readonly parts: Parts;
  readonly xAt: NumberAt;
  readonly yAt: NumberAt;
}

async function readPoints(
  source: ChartSource,
  { x, step, parts, xAt, yAt }: Reading,
  pause: () => Promise<void>,
): Promise<{ readonly found: Found[]; readonly skipped: number }> {
  const found: Found[] = [];
  let skipped = 0;
  let at = 0;
  // One function for all rows: creating one for each is slower.
  const add = (part: number, value: number) => {
    found.push({ x: at, y: value, part });
  };
  await eachRow(source, pause, (row) => {
    if (row % step !== 0) return;
    const before = found.length;
    const own = xAt(row, x);
    if (own !== undefined) {
      at = own;
      parts.each(row, yAt, add);
    }
    if (found.length === before) skipped += 1;
  });
  return { found, skipped };
}

function withoutPart({ x, y }: Found): ChartPoint {
  return { x, y };
}

/** Gives each line the same number of points at most, so that a long one does not thin out a short one. */
function lines(
  sorted: readonly Found[],
  { series, placeOf }: ReturnType<typeof chooseSeries>,
): Pick<ChartData, 'points' | 'series' | 'sampled'> {
  const found = series.map((): Found[] => []);
  for (const one of sorted) found[placeOf(one.part)]?.push(one);
  const most = Math.floor(linePointsMax / Math.max(1, series.length));
  const kept = found.map((line) => (line.length > most ? extremes(line, most) : line));
  const points = kept.flatMap((line, place) => line.map(({ x, y }): ChartPoint => ({ x, y, series: place })));
  return { points, series, sampled: points.length < sorted.length ? points.length : undefined };
}

/** Keeps the minimum and maximum of each stretch, so that the line's shape is preserved. */
function extremes(sorted: readonly Found[], most: number): Found[] {
  const kept: Found[] = [];
  const size = Math.ceil((sorted.length * 2) / most);
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
