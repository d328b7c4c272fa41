/** Computes a chart's data where the rows are stored, so that at most a few thousand points are transferred. */
import type { ChartData, ChartSpec } from '../rows.ts';
import { bars, splitBars } from './chart-bars.ts';
import { distancesOf, eachRow, isTooLarge, numberAt, type ChartSource } from './chart-cells.ts';
import { isSplit } from './chart-parts.ts';
import { points } from './chart-points.ts';
import { countLine, timeBars } from './chart-time-bars.ts';

export async function chartData(
  source: ChartSource,
  spec: ChartSpec,
  pause: () => Promise<void>,
): Promise<ChartData> {
  switch (spec.type) {
    case 'bar':
      if (source.kindOf(spec.x) === 'time') return await timeBars(source, spec, pause);
      return await (isSplit(spec) ? splitBars : bars)(source, spec, pause);
    case 'histogram':
      return await histogram(source, spec, pause);
    case 'line':
      if (source.kindOf(spec.x) === 'time' && spec.y === undefined && spec.measures === undefined)
        return await countLine(source, spec, pause);
      return await points(source, spec, pause);
    case 'scatter':
      return await points(source, spec, pause);
    default:
      return spec.type satisfies never;
  }
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
  const distances = known.some(isTooLarge) ? await distancesOf(source, [x], pause) : undefined;
  if (distances !== undefined) known = await read((row) => distances.at(row, x));
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
