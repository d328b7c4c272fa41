/** Numbers by category, and sums by category and series. They are made of doubles, so they have no base, unlike lines. */
import type { ChartData, ChartPoint, ChartSpec } from '../rows.ts';
import { eachRow, numberAt, textAt, type ChartSource, type NumberAt } from './chart-cells.ts';
import { chooseSeries, partsOf } from './chart-parts.ts';
import { CombinedNumbers } from './combined-numbers.ts';
import { NumberedTexts } from './numbered-texts.ts';

/** Maximum number of bars; the remaining categories are combined. */
const barsMax = 40;

export async function bars(
  source: ChartSource,
  { x, y, combination }: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  const totals = new CombinedNumbers<string | null>(combination);
  let skipped = 0;
  await eachRow(source, pause, (row) => {
    const key = textAt(source, row, x);
    const value = y === undefined ? 1 : numberAt(source, row, y);
    if (value === undefined) skipped += 1;
    else totals.add(key, value);
  });
  const sorted = totals.largestFirst();
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

/**
 * Reads the rows twice: to find the largest categories and series, then to add up only these. All combinations of both
 * can be far more than the rows.
 */
export async function splitBars(
  source: ChartSource,
  spec: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  const categories = new NumberedTexts(source, spec.x);
  const parts = partsOf(source, spec);
  const plain: NumberAt = (row, column) => numberAt(source, row, column);
  const valueAt = spec.measures === undefined ? readOnce(source.rowCount, plain) : plain;
  const totals: number[] = [];
  const weights: number[] = [];
  let skipped = 0;
  let numbers = 0;
  let current = 0;
  const add = (part: number, value: number) => {
    numbers += 1;
    const category = categories.at(current);
    totals[category] = (totals[category] ?? 0) + value;
    weights[part] = (weights[part] ?? 0) + Math.abs(value);
  };
  await eachRow(source, pause, (row) => {
    const before = numbers;
    current = row;
    parts.each(row, valueAt, add);
    if (numbers === before) skipped += 1;
  });
  const sorted = [...totals.entries()].sort((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, barsMax).map(([category]) => category);
  const textOf = (category: number) => categories.texts[category] ?? null;
  const others = sorted.slice(barsMax);
  const { series, placeOf } = chooseSeries(weights, parts);
  const places = new Map(shown.map((category, place) => [category, place]));
  const sums = shown.map((): (number | undefined)[] => series.map(() => undefined));
  await eachRow(source, pause, (row) => {
    const own = sums[places.get(categories.at(row)) ?? -1];
    if (own === undefined) return;
    parts.each(row, valueAt, (part, value) => {
      const place = placeOf(part);
      own[place] = (own[place] ?? 0) + value;
    });
  });
  const points = sums.flatMap((own, place) =>
    own.flatMap((y, index): ChartPoint[] =>
      y === undefined ? [] : [{ x: textOf(shown[place] ?? 0), y, series: index }],
    ),
  );
  const otherSum = others.reduce((sum, [, value]) => sum + value, 0);
  return {
    xKind: 'category',
    points,
    series,
    skipped,
    rows: source.rowCount,
    others: others.length === 0 ? undefined : { count: others.length, sum: otherSum },
  };
}

/** Keeps the numbers of the only column that is read, since parsing them takes most of the time. */
function readOnce(rowCount: number, numberAt: NumberAt): NumberAt {
  const unread = Number.NaN;
  const none = Number.POSITIVE_INFINITY;
  const read = new Float64Array(rowCount).fill(unread);
  return (row, column) => {
    let value = read[row] ?? none;
    if (Number.isNaN(value)) read[row] = value = numberAt(row, column) ?? none;
    return value === none ? undefined : value;
  };
}
