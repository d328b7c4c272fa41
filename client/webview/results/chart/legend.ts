/**
 * The column that splits a chart and the names of its series, above it: in the picture itself so that a saved picture
 * has them too.
 */
import type { ChartType } from '#panel-protocol/rows.ts';
import type { ChartPicture } from './chart-picture.ts';
import { dashOf, isDots, seriesGroup } from './series-looks.ts';
import { cut, make, round, text, title } from './svg-parts.ts';

const lineHeight = 16;
const markWidths = { bar: 12, line: 20 };
const space = { afterMark: 5, afterName: 14, above: 4, beside: 12 };
/** Names are cut to fewer characters until they fit. */
const charsMax = [32, 24, 18, 14, 11, 8, 6, 4];
/** Bold letters are wider. */
const boldness = 1.1;
/** A lower picture needs its height for the marks. */
const [lowHeight, lowestHeight] = [240, 140];

export interface LegendItem {
  readonly label: string;
  /** Index of its series; undefined for the column's name, which comes first. */
  readonly series: number | undefined;
  readonly x: number;
  readonly line: number;
}

type Label = Pick<LegendItem, 'label' | 'series'>;

export interface Legend {
  readonly items: readonly LegendItem[];
  readonly height: number;
}

/** @param measure returns the width of a text in pixels. */
export function layOutLegend(
  { type, names, width, height }: Pick<ChartPicture, 'type' | 'names' | 'width' | 'height'>,
  measure: (text: string) => number,
): Legend {
  const linesMax = height < lowestHeight ? 1 : height < lowHeight ? 2 : 3;
  const isNamed = names.split !== undefined && names.legend.length > 0;
  let items: readonly LegendItem[] = [];
  for (const most of charsMax) {
    items = flow(
      [
        ...(isNamed ? [{ label: `${cut(names.split, most)}:`, series: undefined }] : []),
        ...names.legend.map((name, series) => ({ label: cut(name, most), series })),
      ],
      {
        width: width - 2 * space.beside,
        widthOf: ({ label, series }) =>
          series === undefined ? measure(label) * boldness : nameStart(type) + measure(label),
      },
    );
    if ((items.at(-1)?.line ?? 0) < linesMax) break;
  }
  const last = items.at(-1);
  return { items, height: last === undefined ? 0 : space.above + (last.line + 1) * lineHeight };
}

/** Puts labels side by side, and on the next line if they do not fit. */
function flow(
  labels: readonly Label[],
  { width, widthOf }: { readonly width: number; readonly widthOf: (label: Label) => number },
): readonly LegendItem[] {
  let [x, line] = [0, 0];
  return labels.map((label) => {
    const own = widthOf(label);
    if (x > 0 && x + own > width) [x, line] = [0, line + 1];
    const item = { ...label, x: space.beside + x, line };
    x += own + space.afterName;
    return item;
  });
}

export function drawLegend(svg: SVGSVGElement, picture: ChartPicture, { items }: Legend): void {
  const { names, type } = picture;
  for (const { label, series, x, line } of items) {
    const middle = space.above + (line + 0.5) * lineHeight;
    const group = seriesGroup(picture, series);
    if (series !== undefined) group.append(markOf(picture, series, { x, middle }));
    const name = text(label, {
      x: round(series === undefined ? x : x + nameStart(type)),
      y: round(middle + 4),
      class: series === undefined ? 'chart-name' : 'chart-legend',
    });
    const whole = series === undefined ? `${names.split ?? ''}:` : (names.legend[series] ?? '');
    if (label !== whole) name.append(title(whole));
    group.append(name);
    svg.append(group);
  }
}

function nameStart(type: ChartType): number {
  return (type === 'bar' ? markWidths.bar : markWidths.line) + space.afterMark;
}

function markOf(
  picture: ChartPicture,
  index: number,
  { x, middle }: { readonly x: number; readonly middle: number },
): SVGElement {
  if (picture.type === 'bar')
    return make('rect', {
      ...{ x: round(x), y: middle - 6 },
      ...{ width: markWidths.bar, height: markWidths.bar, rx: 1, class: 'chart-key' },
    });
  const width = markWidths.line;
  if (isDots(picture, index))
    return make('circle', { cx: round(x + width / 2), cy: middle, r: 2.5, class: 'chart-key' });
  const line = { d: `M${round(x)} ${middle}h${width}`, class: 'chart-path' };
  return make('path', { ...line, ...dashOf(index) });
}
