/**
 * A chart as SVG: bars, a line or points. Drawn without a library: four chart types need little code, the SVG is also
 * the saved format, and the colors come from the theme.
 */
import type { ChartData, ChartPoint } from '../../../../panel-protocol/rows.ts';
import { niceTicks, tickLabels, timeLabel, timeTicks, wholeTicks, widthOf } from './scale.ts';
import { categoryLabel, titleOf } from './point-labels.ts';
import type { ChartPicture } from './chart-picture.ts';
import { drawSidewaysBars } from './sideways-bars.ts';
import { cut, greatest, least, make, round, text } from './svg-parts.ts';

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
  if (data.xKind === 'category' && !fitsBelow(data, width - 80)) return drawSidewaysBars(picture);
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  svg.setAttribute('class', 'chart-picture');
  svg.setAttribute('aria-label', label);
  const outer = { left: 64, right: width - 16, top: 14, bottom: height - 46 };
  // Long numbers get the space they need, but never more than a third of the picture.
  const labels = verticalScale(picture, outer).ticks.map((tick) => tick.label);
  const frame = { ...outer, left: Math.max(outer.left, Math.min(width / 3, widthOf(labels) + 30)) };
  if (frame.right - frame.left < 40 || frame.bottom - frame.top < 30) return svg;
  const y = verticalScale(picture, frame);
  const x = horizontalScale(picture, frame);
  drawGrid(svg, frame, y);
  drawXAxis(svg, frame, x);
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

/** Returns whether the name of each category fits below its bar. If not, the bars lie beside their names. */
function fitsBelow({ points }: ChartData, width: number): boolean {
  const step = width / Math.max(1, points.length);
  return widthOf(points.map(({ x }) => `${categoryLabel(x)} `)) <= step;
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
    const ticks = data.points.map(({ x }, index) => ({ at: place(index), label: categoryLabel(x) }));
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

function drawXAxis(svg: SVGSVGElement, frame: Frame, { ticks }: Scale): void {
  const y = frame.bottom + 16;
  for (const { at, label } of ticks) {
    // A long label at either end is shifted inward.
    const half = widthOf([label]) / 2 + 2;
    const x = Math.max(half, Math.min(at, frame.right + 16 - half));
    svg.append(text(label, { x: round(x), y, 'text-anchor': 'middle', class: 'chart-tick' }));
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
