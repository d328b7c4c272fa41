/** The numbers of a chart as a table. A split chart has a column for each of its series. */
import type { ChartData, ChartPoint } from '#panel-protocol/rows.ts';
import { element } from '../ui/dom.ts';
import type { NamedChart } from './chart-picture.ts';
import { pointLabel } from './point-labels.ts';
import { farLabel, wholeLabel } from './scale.ts';

export function chartTable({ data, names }: NamedChart): HTMLTableElement {
  const numbers = data.series === undefined ? [names.y] : names.series;
  const headers = [names.x, ...numbers].map((name, index) => {
    const kind = index === 0 ? 'text' : 'number';
    const cell = element('th', { title: name, data: { kind } }, name);
    cell.scope = 'col';
    return cell;
  });
  const rows = tableRows(data, numbers.length).map(({ point, cells }) =>
    element(
      'tr',
      {},
      element('td', {}, pointLabel(point, data)),
      ...cells.map((cell) =>
        element('td', { data: { kind: 'number' } }, cell === undefined ? '' : valueLabel(cell.y, data)),
      ),
    ),
  );
  return element(
    'table',
    { class: 'record' },
    element('thead', {}, element('tr', {}, ...headers)),
    element('tbody', {}, ...rows),
  );
}

export interface TableRow {
  readonly point: ChartPoint;
  /** The point of each series; undefined if the series has none here. */
  readonly cells: readonly (ChartPoint | undefined)[];
}

/**
 * Puts points of different series with the same x into one row. If a series has several of them, so has the table.
 *
 * @param count number of series, or 1.
 */
export function tableRows({ points, series, xKind }: ChartData, count: number): readonly TableRow[] {
  if (series === undefined) return points.map((point) => ({ point, cells: [point] }));
  const rows = new Map<ChartPoint['x'], { point: ChartPoint; cells: (ChartPoint | undefined)[] }[]>();
  for (const point of points) {
    const own = rows.get(point.x) ?? [];
    rows.set(point.x, own);
    const place = point.series ?? 0;
    const free = own.find(({ cells }) => cells[place] === undefined);
    if (free !== undefined) free.cells[place] = point;
    else
      own.push({
        point,
        cells: Array.from({ length: count }, (_, at) => (at === place ? point : undefined)),
      });
  }
  const all = [...rows.values()].flat();
  return xKind === 'category' ? all : all.sort((a, b) => Number(a.point.x) - Number(b.point.x));
}

function valueLabel(value: number, { yBase }: ChartData): string {
  return yBase === undefined ? wholeLabel(value) : farLabel(yBase, value);
}
