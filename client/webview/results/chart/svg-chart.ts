/**
 * A chart as SVG: bars, a line or points. Drawn without a library: four chart types need little code, the SVG is also
 * the saved format, and the colors come from the theme.
 */
import type { ChartData, ChartPoint, ChartType } from '../../../../panel-protocol/rows.ts';
import {
  categoryLabels,
  type CategoryLabels,
  farLabel,
  niceTicks,
  numberLabel,
  tickLabels,
  timeLabel,
  timeTicks,
  wholeLabel,
  wholeTicks,
  widthOf,
} from './scale.ts';
import { t } from '../ui/l10n.ts';

const space = 'http://www.w3.org/2000/svg';

export interface ChartPicture {
  readonly type: ChartType;
  readonly data: ChartData;
  readonly width: number;
  readonly height: number;
  readonly xName: string;
  readonly yName: string;
  /** Accessible description of the picture. */
  readonly label: string;
}

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Scale {
  readonly place: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

export function drawChart(picture: ChartPicture): SVGSVGElement {
  const { width, height, label, data } = picture;
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  svg.setAttribute('class', 'chart-picture');
  svg.setAttribute('aria-label', label);
  const { isTilted, charsMax } = labelsOf(picture, width - 80);
  const below = isTilted ? tiltedHeight(data.points.map(({ x }) => cut(categoryLabel(x), charsMax))) : 46;
  const outer = { left: 64, right: width - 16, top: 14, bottom: height - below };
  // Long numbers get the space they need, but never more than a third of the picture.
  const labels = verticalScale(picture, outer).ticks.map((tick) => tick.label);
  const frame = { ...outer, left: Math.max(outer.left, Math.min(width / 3, widthOf(labels) + 30)) };
  if (frame.right - frame.left < 40 || frame.bottom - frame.top < 30) return svg;
  const y = verticalScale(picture, frame);
  const x = horizontalScale(picture, frame);
  drawGrid(svg, frame, y);
  drawXAxis(svg, frame, { ...x, isTilted });
  drawMarks(svg, picture, { frame, x: x.place, y: y.place });
  const middle = (frame.top + frame.bottom) / 2;
  const name = { 'text-anchor': 'middle', class: 'chart-name' };
  // Bold letters are wider than those in tick labels.
  const yChars = Math.floor((2 * Math.min(middle, height - middle)) / (widthOf(['m']) * 1.1));
  svg.append(
    text(picture.xName, { x: (frame.left + frame.right) / 2, y: height - 6, ...name }),
    text(cut(picture.yName, yChars), {
      x: 0,
      y: 0,
      transform: `translate(12 ${middle}) rotate(-90)`,
      ...name,
    }),
  );
  return svg;
}

function verticalScale({ type, data }: ChartPicture, frame: Frame): Scale {
  const values = data.points.map((point) => point.y);
  const isFromZero = type === 'bar' || type === 'histogram';
  const ends = [least(values), greatest(values), ...(isFromZero ? [0] : [])];
  const height = frame.bottom - frame.top;
  const count = Math.max(2, Math.floor(height / 44));
  const ticks = (values.every(Number.isInteger) ? wholeTicks : niceTicks)(least(ends), greatest(ends), count);
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  const shown = wholeOnly(ticks, data.yBase);
  const place = (value: number) => frame.bottom - ((value - low) / (high - low || 1)) * height;
  const labels = tickLabels(shown, data.yBase);
  return { place, ticks: shown.map((value, index) => ({ at: place(value), label: labels[index] ?? '' })) };
}

/** Pictures below this height get shorter labels, so that the bars keep more than half of the height. */
const lowPicture = 200;

function labelsOf({ data, height }: ChartPicture, width: number): CategoryLabels {
  if (data.xKind !== 'category') return { isTilted: false, every: 1, charsMax: 32 };
  const longest = greatest(data.points.map(({ x }) => categoryLabel(x).length));
  const labels = categoryLabels(width / Math.max(1, data.points.length), longest);
  const charsMax = labels.isTilted && height < lowPicture ? 7 : labels.charsMax;
  return { ...labels, charsMax };
}

/** Returns the height of labels at 45 degrees, with the name of the axis below them. */
function tiltedHeight(labels: readonly string[]): number {
  return Math.ceil(widthOf(labels) * Math.SQRT1_2) + 34;
}

/** Drops fractional ticks if there is a base: offsets from a whole number are whole numbers too. */
function wholeOnly(ticks: readonly number[], base: string | undefined): readonly number[] {
  return base === undefined ? ticks : ticks.filter((tick) => Number.isInteger(tick));
}

function horizontalScale(picture: ChartPicture, frame: Frame): Scale {
  const { data } = picture;
  const width = frame.right - frame.left;
  if (data.xKind === 'category') {
    const step = width / Math.max(1, data.points.length);
    const place = (index: number) => frame.left + (index + 0.5) * step;
    const { every, charsMax } = labelsOf(picture, width);
    const ticks = data.points
      .map(({ x }, index) => ({ at: place(index), label: cut(categoryLabel(x), charsMax) }))
      .filter((_, index) => index % every === 0);
    return { place, ticks };
  }
  const low = least(data.points.map((point) => Number(point.x)));
  const high = greatest(data.points.map((point) => point.end ?? Number(point.x)));
  const span = high - low || 1;
  const place = (value: number) => frame.left + ((value - low) / span) * width;
  const isTime = data.xKind === 'time';
  const inside = (count: number) =>
    wholeOnly(isTime ? timeTicks(low, high, count) : niceTicks(low, high, count), data.xBase).filter(
      (value) => value >= low && value <= high,
    );
  const labelled = (values: readonly number[]) =>
    isTime ? values.map((value) => timeLabel(value, span)) : tickLabels(values, data.xBase);
  const count = Math.max(2, Math.floor(width / 110));
  const labelWidth = Math.max(110, widthOf(labelled(inside(count))) * 1.5);
  const values = inside(Math.max(1, Math.min(count, Math.floor(width / labelWidth))));
  const labels = labelled(values);
  const ticks = values.map((value, index) => ({ at: place(value), label: labels[index] ?? '' }));
  return { place, ticks };
}

function drawGrid(svg: SVGSVGElement, frame: Frame, { ticks }: Scale): void {
  for (const { at, label } of ticks) {
    svg.append(
      make('line', { x1: frame.left, x2: frame.right, y1: round(at), y2: round(at), class: 'chart-line' }),
      text(label, { x: frame.left - 6, y: round(at + 4), 'text-anchor': 'end', class: 'chart-tick' }),
    );
  }
}

function drawXAxis(svg: SVGSVGElement, frame: Frame, scale: Scale & { readonly isTilted: boolean }): void {
  const y = frame.bottom + 16;
  for (const { at, label } of scale.ticks) {
    const tilted = { x: 0, y: 0, transform: `translate(${round(at + 4)} ${y - 4}) rotate(-45)` };
    // A long label at either end is shifted inward.
    const half = widthOf([label]) / 2 + 2;
    const x = Math.max(half, Math.min(at, frame.right + 16 - half));
    svg.append(
      scale.isTilted
        ? text(label, { ...tilted, 'text-anchor': 'end', class: 'chart-tick' })
        : text(label, { x: round(x), y, 'text-anchor': 'middle', class: 'chart-tick' }),
    );
  }
}

interface Places {
  readonly frame: Frame;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** A line with more points than this is drawn without individual marks. */
const markedPointsMax = 60;

function drawMarks(svg: SVGSVGElement, { type: kind, data }: ChartPicture, at: Places): void {
  switch (kind) {
    case 'line':
      svg.append(make('path', { d: pathOf(data.points, at), class: 'chart-path' }));
      if (data.points.length <= markedPointsMax) drawPoints(svg, data, at);
      return;
    case 'scatter':
      drawPoints(svg, data, at);
      return;
    case 'bar':
    case 'histogram':
      drawBars(svg, { data, isHistogram: kind === 'histogram' }, at);
      return;
    default:
      kind satisfies never;
  }
}

function pathOf(points: readonly ChartPoint[], { x, y }: Places): string {
  return points
    .map((point, index) => `${index === 0 ? 'M' : 'L'}${round(x(Number(point.x)))} ${round(y(point.y))}`)
    .join('');
}

function drawPoints(svg: SVGSVGElement, data: ChartData, { x, y }: Places): void {
  for (const point of data.points) {
    const place = { cx: round(x(Number(point.x))), cy: round(y(point.y)), r: 2.5 };
    const mark = make('circle', { ...place, class: 'chart-point' });
    mark.append(titleOf(point, data));
    svg.append(mark);
  }
}

function drawBars(
  svg: SVGSVGElement,
  { data, isHistogram }: { readonly data: ChartData; readonly isHistogram: boolean },
  { frame, x, y }: Places,
): void {
  const step = (frame.right - frame.left) / Math.max(1, data.points.length);
  data.points.forEach((point, index) => {
    const left = isHistogram ? x(Number(point.x)) + 0.5 : x(index) - step * 0.36;
    const right = isHistogram ? x(point.end ?? Number(point.x)) - 0.5 : x(index) + step * 0.36;
    const height = Math.abs(y(point.y) - y(0));
    const bar = make('rect', {
      x: round(left),
      y: round(Math.min(y(point.y), y(0))),
      width: round(Math.max(1, right - left)),
      height: round(point.y === 0 ? 0 : Math.max(1, height)),
      class: 'chart-bar',
    });
    bar.append(titleOf(point, data));
    svg.append(bar);
  });
}

function titleOf(point: ChartPoint, data: ChartData): SVGElement {
  const title = make('title', {});
  const value = data.yBase === undefined ? numberLabel(point.y) : farLabel(data.yBase, point.y);
  title.textContent = `${pointLabel(point, data)}: ${value}`;
  return title;
}

/** Returns the label of a point's category, for tooltips and the table. */
export function pointLabel({ x, end }: ChartPoint, { xKind, xBase }: ChartData): string {
  if (xKind === 'category') return categoryLabel(x);
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

function categoryLabel(x: ChartPoint['x']): string {
  return x === null ? 'NULL' : x === '' ? t('(empty)') : String(x);
}

function make<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

function text(content: string, attributes: Readonly<Record<string, string | number>>): SVGTextElement {
  const made = make('text', attributes);
  made.textContent = content;
  return made;
}

function cut(label: string, max: number): string {
  return label.length > max ? `${label.slice(0, max - 1)}…` : label;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
}

function greatest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), values[0] ?? 0);
}
