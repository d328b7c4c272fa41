/** The words for the points of a chart: names of categories, tooltips, and the table of numbers. */
import type { ChartData, ChartPoint } from '#panel-protocol/rows.ts';
import { t } from '../ui/l10n.ts';
import { shownText } from '../ui/shown-text.ts';
import type { NamedChart } from './chart-picture.ts';
import { farLabel, numberLabel, periodLabel, wholeLabel } from './scale.ts';
import { title } from './svg-parts.ts';

/** Returns the tooltip of a point: its category, its series and its value. */
export function titleOf(point: ChartPoint, { data, names }: Pick<NamedChart, 'data' | 'names'>): SVGElement {
  const series = point.series === undefined ? undefined : names.series[point.series];
  const value = valueLabel(point, data);
  // A series may have a colon in its name.
  const place = [pointLabel(point, data), series].filter((part) => part !== undefined).join(' · ');
  return title(series === undefined ? `${place}: ${value}` : `${place} · ${value}`);
}

function valueLabel({ y }: ChartPoint, { yBase }: ChartData): string {
  return yBase === undefined ? numberLabel(y) : farLabel(yBase, y);
}

/** Returns the label of a point's category, for tooltips and the table. */
export function pointLabel({ x, end }: ChartPoint, { xKind, xBase, period }: ChartData): string {
  if (xKind === 'category') return categoryLabel(x);
  if (period !== undefined && end !== undefined) {
    const label = periodLabel(Number(x), period.unit);
    // The last day of a week belongs to it.
    if (period.unit === 'week') return t('{0} to {1}', label, periodLabel(end - 1, 'day'));
    return label.includes(':') ? `${label}+00` : label;
  }
  const one = (value: number) =>
    xKind === 'time'
      ? new Date(value).toISOString().replace('T', ' ').replace('.000Z', '+00')
      : xBase !== undefined
        ? farLabel(xBase, value)
        : Number.isInteger(value)
          ? wholeLabel(value)
          : numberLabel(value);
  return end === undefined ? one(Number(x)) : t('{0} to {1}', one(Number(x)), one(end));
}

export function categoryLabel(x: ChartPoint['x']): string {
  return x === null ? 'NULL' : x === '' ? t('(empty)') : shownText(String(x));
}
