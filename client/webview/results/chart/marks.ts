/** Draws the bars, lines and points of a chart. */
import type { ChartPoint } from '#panel-protocol/rows.ts';
import type { ChartPicture } from './chart-picture.ts';
import { titleOf } from './point-labels.ts';
import { dashOf, isDots, seriesGroup } from './series-looks.ts';
import { stacksOf } from './stacks.ts';
import { make, round, title } from './svg-parts.ts';

export interface Places {
  readonly frame: { readonly left: number; readonly right: number };
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** A line with more points than this is drawn without individual marks. */
const markedPointsMax = 60;

export function drawMarks(svg: SVGSVGElement, picture: ChartPicture, at: Places): void {
  const { type: kind } = picture;
  switch (kind) {
    case 'line':
      drawLines(svg, picture, at);
      return;
    case 'scatter':
      drawPoints(svg, picture.data.points, picture, at);
      return;
    case 'bar':
      (picture.data.xKind === 'time' ? drawTimeBars : drawBars)(svg, picture, at);
      return;
    case 'histogram':
      drawRanges(svg, picture, at);
      return;
    default:
      kind satisfies never;
  }
}

function drawLines(svg: SVGSVGElement, picture: ChartPicture, at: Places): void {
  const { data, names } = picture;
  const lines = data.series?.map((_, index) => data.points.filter(({ series }) => series === index));
  // The largest series is drawn last, above the others.
  for (const [index, points] of [...(lines ?? [data.points]).entries()].reverse()) {
    const series = lines === undefined ? undefined : index;
    const group = seriesGroup(picture, series);
    svg.append(group);
    const hasLine = !isDots(picture, series);
    if (hasLine) {
      const line = make('path', { d: pathOf(points, at), class: 'chart-path', ...dashOf(series) });
      const name = series === undefined ? undefined : names.series[series];
      if (name !== undefined) line.append(title(name));
      group.append(line);
    }
    if (!hasLine || points.length <= markedPointsMax) drawPoints(group, points, picture, at);
  }
}

function pathOf(points: readonly ChartPoint[], { x, y }: Places): string {
  return points
    .map((point, index) => `${index === 0 ? 'M' : 'L'}${round(x(middleOf(point)))} ${round(y(point.y))}`)
    .join('');
}

/** The count of a period stands above its name. */
function middleOf({ x, end }: ChartPoint): number {
  return end === undefined ? Number(x) : (Number(x) + end) / 2;
}

function drawPoints(
  place: SVGElement,
  points: readonly ChartPoint[],
  picture: ChartPicture,
  { x, y }: Places,
): void {
  for (const point of points) {
    const at = { cx: round(x(middleOf(point))), cy: round(y(point.y)), r: 2.5 };
    const mark = make('circle', { ...at, class: 'chart-point' });
    mark.append(titleOf(point, picture));
    place.append(mark);
  }
}

function drawBars(svg: SVGSVGElement, picture: ChartPicture, { frame, x, y }: Places): void {
  const { stacks, segments } = stacksOf(picture.data.points);
  const step = (frame.right - frame.left) / Math.max(1, stacks.length);
  const groups = groupsOf(svg, picture);
  for (const { point, place, from, to } of segments) {
    const bar = make('rect', {
      x: round(x(place) - step * 0.36),
      width: round(Math.max(1, step * 0.72)),
      y: round(Math.min(y(from), y(to))),
      height: round(point.y === 0 ? 0 : Math.max(1, Math.abs(y(to) - y(from)))),
      class: 'chart-bar',
    });
    bar.append(titleOf(point, picture));
    groups(point).append(bar);
  }
}

/** Greatest width of a bar that stands at a time of its own, in pixels. */
const timeBarWidth = 8;

/** Bars of periods are as wide as those; others stand at their times, however near each other. */
function drawTimeBars(svg: SVGSVGElement, picture: ChartPicture, { frame, x, y }: Places): void {
  const { stacks, segments } = stacksOf(picture.data.points);
  const free = (frame.right - frame.left) / Math.max(1, stacks.length);
  const groups = groupsOf(svg, picture);
  for (const { point, from, to } of segments) {
    const start = x(Number(point.x));
    const length = point.end === undefined ? 0 : x(point.end) - start;
    const width =
      point.end === undefined ? Math.max(1, Math.min(timeBarWidth, free * 0.72)) : Math.max(1, length * 0.8);
    const bar = make('rect', {
      x: round(start + (length - width) / 2),
      width: round(width),
      y: round(Math.min(y(from), y(to))),
      height: round(point.y === 0 ? 0 : Math.max(1, Math.abs(y(to) - y(from)))),
      class: 'chart-bar',
    });
    bar.append(titleOf(point, picture));
    groups(point).append(bar);
  }
}

/** Returns the group of a point's series. */
export function groupsOf(svg: SVGSVGElement, picture: ChartPicture): (point: ChartPoint) => SVGElement {
  const groups = picture.data.series?.map((_, index) => seriesGroup(picture, index)) ?? [];
  svg.append(...groups);
  return ({ series }) => (series === undefined ? undefined : groups[series]) ?? svg;
}

function drawRanges(svg: SVGSVGElement, picture: ChartPicture, { x, y }: Places): void {
  for (const point of picture.data.points) {
    const left = x(Number(point.x)) + 0.5;
    const right = x(point.end ?? Number(point.x)) - 0.5;
    const bar = make('rect', {
      x: round(left),
      y: round(Math.min(y(point.y), y(0))),
      width: round(Math.max(1, right - left)),
      height: round(point.y === 0 ? 0 : Math.max(1, Math.abs(y(point.y) - y(0)))),
      class: 'chart-bar',
    });
    bar.append(titleOf(point, picture));
    svg.append(bar);
  }
}
