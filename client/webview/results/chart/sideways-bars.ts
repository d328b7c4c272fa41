/**
 * Bars beside the names of their categories, for names that do not fit below the bars. Names stay readable, so the
 * picture may be higher than its place, which then scrolls.
 */
import type { ChartPicture } from './chart-picture.ts';
import { categoryLabel, titleOf, valueLabel } from './point-labels.ts';
import { charsIn, widthOf } from './scale.ts';
import { cut, greatest, least, make, round, text } from './svg-parts.ts';

/** Heights in pixels of a row with a name and its bar, and of the names of the axes. */
const rowHeight = { least: 18, most: 34 };
const top = 22;
const bottom = 6;

export function drawSidewaysBars(picture: ChartPicture): SVGSVGElement {
  const { data, width, label, xName, yName } = picture;
  const { points } = data;
  const names = points.map(({ x }) => cut(categoryLabel(x), charsIn(width * 0.45)));
  const values = points.map((point) => valueLabel(point, data));
  const fitting = (picture.height - top - bottom) / Math.max(1, points.length);
  const step = Math.max(rowHeight.least, Math.min(rowHeight.most, fitting));
  const height = Math.max(picture.height, Math.ceil(top + points.length * step + bottom));
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  svg.setAttribute('class', 'chart-picture');
  svg.setAttribute('aria-label', label);
  const left = Math.max(widthOf(names), widthOf([cut(xName, charsIn(width * 0.45))])) + 20;
  const right = width - widthOf(values) - 14;
  if (right - left < 20) return svg;
  const low = Math.min(0, least(points.map(({ y }) => y)));
  const high = Math.max(0, greatest(points.map(({ y }) => y)));
  const place = (value: number) => left + ((value - low) / (high - low || 1)) * (right - left);
  const heading = { y: 14, class: 'chart-name' };
  svg.append(
    text(cut(xName, charsIn(left - 8)), { x: left - 8, 'text-anchor': 'end', ...heading }),
    text(cut(yName, charsIn(width - left)), { x: left, ...heading }),
    make('line', {
      x1: round(place(0)),
      x2: round(place(0)),
      y1: top,
      y2: round(top + points.length * step),
      class: 'chart-line',
    }),
  );
  points.forEach((point, index) => {
    const middle = top + (index + 0.5) * step;
    const from = Math.min(place(0), place(point.y));
    const length = Math.abs(place(point.y) - place(0));
    const bar = make('rect', {
      x: round(from),
      y: round(middle - step * 0.36),
      width: round(point.y === 0 ? 0 : Math.max(1, length)),
      height: round(step * 0.72),
      class: 'chart-bar',
    });
    bar.append(titleOf(point, data));
    const name = text(names[index] ?? '', {
      x: round(left - 8),
      y: round(middle + 4),
      'text-anchor': 'end',
      class: 'chart-tick',
    });
    if (names[index] !== categoryLabel(point.x)) name.append(titleOf(point, data));
    const value = { x: round(from + length + 5), y: round(middle + 4), class: 'chart-value' };
    svg.append(name, bar, text(values[index] ?? '', value));
  });
  return svg;
}
