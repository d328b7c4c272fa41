/**
 * Bars on a time axis. Counts and sums are added up by the chosen period, or by the one that suits the range of times;
 * a measure whose values do not add up, such as an average, stays at its own times.
 */
import type { ChartData, ChartPoint, ChartSpec } from '../rows.ts';
import { eachRow, numberAt, type ChartSource, type NumberAt } from './chart-cells.ts';
import { chooseSeries, isSplit, partsOf } from './chart-parts.ts';
import { CombinedNumbers } from './combined-numbers.ts';
import {
  commonPeriod,
  longerOf,
  periodCount,
  periodNumber,
  periodStart,
  shortestPeriod,
  type TimePeriod,
} from './time-periods.ts';

/** What fits side by side in a small panel. */
const periodsMax = 62;
/** More periods than this would be thinner than a pixel in many panels. */
const thinPeriodsMax = 400;
/** Maximum number of bars that are not added up by a period. */
const timesMax = 1_000;
/** Maximum number of bars of a chosen period, which may be as short as a second. */
const chosenPeriodsMax = 2_000;
/** Greatest distance from 1970 of a date in JavaScript. */
const farthest = 8.64e15;

export async function timeBars(
  source: ChartSource,
  spec: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  const { times, different, untimed } = await readTimes(source, spec.x, pause);
  const period = spec.period ?? choosePeriod(different, spec.keepsTimes === true);
  const placeOf = (at: number) => (period === undefined ? at : periodNumber(at, period));
  const parts = partsOf(source, spec);
  const valueAt: NumberAt = (row, column) => numberAt(source, row, column);
  const split = isSplit(spec);
  const totals = new CombinedNumbers<number>(split ? 'sum' : spec.combination);
  const weights: number[] = [];
  let skipped = 0;
  let numbers = 0;
  let place = 0;
  const weigh = (part: number, value: number) => {
    numbers += 1;
    totals.add(place, value);
    weights[part] = (weights[part] ?? 0) + Math.abs(value);
  };
  await eachRow(source, pause, (row) => {
    const at = times[row] ?? Number.NaN;
    if (Number.isNaN(at)) return;
    const before = numbers;
    place = placeOf(at);
    parts.each(row, valueAt, weigh);
    if (numbers === before) skipped += 1;
  });
  const largest = totals.largestFirst();
  const periodsMost = spec.period === undefined ? largest.length : chosenPeriodsMax;
  const most = period === undefined ? timesMax : periodsMost;
  const shown = largest.slice(0, most).sort(([one], [other]) => one - other);
  const others = largest.slice(most);
  const chosen = chooseSeries(weights, parts);
  const none = chosen.series.map(() => undefined);
  const sums = new Map(
    shown.map(([one, total]): [number, (number | undefined)[]] => [one, split ? [...none] : [total]]),
  );
  const addUp = (row: number) => {
    const own = sums.get(placeOf(times[row] ?? Number.NaN));
    if (own === undefined) return;
    parts.each(row, valueAt, (part, value) => {
      const series = chosen.placeOf(part);
      own[series] = (own[series] ?? 0) + value;
    });
  };
  if (split) await eachRow(source, pause, addUp);
  const points = [...sums].flatMap(([one, own]) =>
    own.flatMap((y, series): ChartPoint[] =>
      y === undefined ? [] : [{ ...boundsOf(one, period), y, ...(split ? { series } : {}) }],
    ),
  );
  return {
    xKind: 'time',
    points,
    ...(split ? { series: chosen.series } : {}),
    period: period && { unit: period, isMerged: totals.size < different.size },
    skipped,
    untimed,
    rows: source.rowCount,
    others:
      others.length === 0
        ? undefined
        : { count: others.length, sum: others.reduce((sum, [, value]) => sum + value, 0) },
  };
}

/** A line through the counts that bars would show, and through zero where there are no rows. */
export async function countLine(
  source: ChartSource,
  spec: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  const data = await timeBars(source, spec, pause);
  const { period, points } = data;
  const [first, last] = [points[0], points.at(-1)];
  if (period === undefined || first === undefined || last === undefined) return data;
  const numberOf = ({ x }: ChartPoint) => periodNumber(Number(x), period.unit);
  const [low, high] = [numberOf(first), numberOf(last)];
  // The ends of a gap give the line its shape.
  const isWhole = high - low < chosenPeriodsMax;
  const zeros = (from: number, to: number): number[] =>
    isWhole ? Array.from({ length: to - from }, (_, index) => from + index) : [...new Set([from, to - 1])];
  const lines = (data.series ?? [undefined]).map((_, series) => {
    const own = data.series === undefined ? {} : { series };
    let next = low;
    const line: ChartPoint[] = [];
    const fill = (to: number) => {
      if (to > next)
        for (const at of zeros(next, to)) line.push({ ...boundsOf(at, period.unit), y: 0, ...own });
      next = to + 1;
    };
    for (const point of points) {
      if (data.series !== undefined && point.series !== series) continue;
      fill(numberOf(point));
      line.push(point);
    }
    fill(high + 1);
    return line;
  });
  return { ...data, points: lines.flat() };
}

function boundsOf(place: number, period: TimePeriod | undefined): Pick<ChartPoint, 'x' | 'end'> {
  return period === undefined
    ? { x: place }
    : { x: periodStart(place, period), end: periodStart(place + 1, period) };
}

/** Reads the time of each row; NaN for NULL, the infinities, and times that no axis could show. */
async function readTimes(source: ChartSource, x: number, pause: () => Promise<void>) {
  const times = new Float64Array(source.rowCount);
  const different = new Set<number>();
  let untimed = 0;
  await eachRow(source, pause, (row) => {
    const at = numberAt(source, row, x);
    const isTime = at !== undefined && Math.abs(at) < farthest;
    times[row] = isTime ? at : Number.NaN;
    if (isTime) different.add(at);
    else untimed += 1;
  });
  return { times, different, untimed };
}

/** Undefined if each time stays on its own. */
function choosePeriod(different: ReadonlySet<number>, keepsTimes: boolean): TimePeriod | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const at of different) {
    if (at < low) low = at;
    if (at > high) high = at;
  }
  if (different.size === 0) return undefined;
  const common = commonPeriod(different);
  if (!keepsTimes) return longerOf(shortestPeriod(low, high, periodsMax), common);
  return common !== undefined && periodCount(low, high, common) <= thinPeriodsMax ? common : undefined;
}
