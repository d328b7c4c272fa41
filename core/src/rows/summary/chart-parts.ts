/** The parts of a split chart: values of a column, or whole columns. The largest become series, the rest one more. */
import type { ChartSeries, ChartSpec } from '../rows.ts';
import type { ChartSource, NumberAt } from './chart-cells.ts';
import { NumberedTexts } from './numbered-texts.ts';

/** More series could not be told apart by their colors. */
const seriesMax = 7;

export interface Parts {
  /** Visits each part that has a number in a row. */
  readonly each: (row: number, numberAt: NumberAt, visit: (part: number, value: number) => void) => void;
  readonly seriesOf: (part: number) => ChartSeries;
}

export function isSplit({ split, measures }: ChartSpec): boolean {
  return split !== undefined || measures !== undefined;
}

/** A chart that is not split has one part. */
export function partsOf(source: ChartSource, { type, y, split, measures }: ChartSpec): Parts {
  if (measures !== undefined)
    return {
      each: (row, numberAt, visit) => {
        measures.forEach((column, part) => {
          const value = numberAt(row, column);
          if (value !== undefined) visit(part, value);
        });
      },
      seriesOf: (part) => ({ kind: 'column', column: measures[part] ?? 0 }),
    };
  const texts = split === undefined ? undefined : new NumberedTexts(source, split);
  const counted = type === 'bar' || type === 'line' ? 1 : undefined;
  return {
    each: (row, numberAt, visit) => {
      const value = y === undefined ? counted : numberAt(row, y);
      if (value !== undefined) visit(texts?.at(row) ?? 0, value);
    },
    seriesOf: (part) => ({ kind: 'value', value: texts?.texts[part] ?? null }),
  };
}

/**
 * Chooses the largest parts as series: values by size, columns in their order.
 *
 * @param weights size of each part; parts without a number have none.
 */
export function chooseSeries(
  weights: readonly (number | undefined)[],
  parts: Parts,
): { readonly series: readonly ChartSeries[]; readonly placeOf: (part: number) => number } {
  const largest: number[] = [];
  let count = 0;
  for (const [part, weight] of weights.entries()) {
    if (weight === undefined) continue;
    count += 1;
    const place = largest.findIndex((other) => weight > (weights[other] ?? 0));
    if (place >= 0) largest.splice(place, 0, part);
    else if (largest.length < seriesMax) largest.push(part);
    if (largest.length > seriesMax) largest.pop();
  }
  const isOfColumns = largest.some((part) => parts.seriesOf(part).kind === 'column');
  if (isOfColumns) largest.sort((a, b) => a - b);
  const series = largest.map((part) => parts.seriesOf(part));
  const rest = count - largest.length;
  const places = new Map(largest.map((part, place) => [part, place]));
  return {
    series: rest === 0 ? series : [...series, { kind: 'others', count: rest }],
    placeOf: (part) => places.get(part) ?? largest.length,
  };
}
