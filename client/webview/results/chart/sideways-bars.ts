/**
 * Bars beside the names of their categories, for names that do not fit below the bars. Names stay readable, so the
 * picture may be higher than its place, which then scrolls.
 */
import type { ChartPicture } from './chart-picture.ts';
import { groupsOf } from './marks.ts';
import { categoryLabel, titleOf } from './point-labels.ts';
import { numberLabel } from './scale.ts';
import { stacksOf, type Stack } from './stacks.ts';
import { cutToFit, greatest, least, make, round, text, title } from './svg-parts.ts';

/** Heights in pixels of a row with a name and its bar, and of the names of the axes. */
const rowHeight = { least: 18, most: 34 };
const heading = 22;
const bottom = 6;
/** Names take at most this part of the width, so that the bars keep the rest. */
const namesShare = 0.45;
/** Space in pixels on both sides of a name. */
const beside = { before: 8, after: 8 };
/** Bold letters, of the names of the axes, are wider. */
const boldness = 1.1;

/** @param above height to keep free above the bars. @param measure returns the width of a text in pixels. */
export function drawSidewaysBars(
  picture: ChartPicture,
  above: number,
  measure: (text: string) => number,
): SVGSVGElement {
  const { data, width, names } = picture;
  const { stacks, segments } = stacksOf(data.points);
  const top = above + heading;
  const fitting = (picture.height - top - bottom) / Math.max(1, stacks.length);
  const step = Math.max(rowHeight.least, Math.min(rowHeight.most, fitting));
  const height = Math.max(picture.height, Math.ceil(top + stacks.length * step + bottom));
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  const nameWidth = width * namesShare;
  const bold = (name: string) => measure(name) * boldness;
  const cutName = (name: string) => cutToFit(name, nameWidth, measure);
  const axis = cutToFit(names.x, nameWidth, bold);
  const shown = stacks.map(({ x }) => cutName(categoryLabel(x)));
  const left = Math.ceil(greatest([bold(axis), ...shown.map(measure)])) + beside.before + beside.after;
  const right = width - greatest(stacks.map((stack) => measure(totalLabel(stack)))) - 14;
  if (right - left < 20) return svg;
  const low = Math.min(0, least(stacks.map(({ down }) => down)));
  const high = Math.max(0, greatest(stacks.map(({ up }) => up)));
  const place = (value: number) => left + ((value - low) / (high - low || 1)) * (right - left);
  const middleOf = (index: number) => top + (index + 0.5) * step;
  const head = { y: above + 14, class: 'chart-name' };
  const zero = round(place(0));
  svg.append(
    text(axis, { x: left - beside.after, 'text-anchor': 'end', ...head }),
    text(cutToFit(names.y, width - left, bold), { x: left, ...head }),
    make('line', { x1: zero, x2: zero, y1: top, y2: round(top + stacks.length * step), class: 'chart-line' }),
  );
  const groups = groupsOf(svg, picture);
  for (const { point, place: index, from, to } of segments) {
    const bar = make('rect', {
      x: round(Math.min(place(from), place(to))),
      y: round(middleOf(index) - step * 0.36),
      width: round(point.y === 0 ? 0 : Math.max(1, Math.abs(place(to) - place(from)))),
      height: round(step * 0.72),
      class: 'chart-bar',
    });
    bar.append(titleOf(point, picture));
    groups(point).append(bar);
  }
  for (const [index, stack] of stacks.entries())
    drawTexts(svg, stack, {
      ...{ name: shown[index] ?? '', right: left - beside.after },
      ...{ end: place(stack.up), y: round(middleOf(index) + 4) },
    });
  return svg;
}

/** Draws the name of a category, which may be cut, before its bar, and its total behind it. */
function drawTexts(
  svg: SVGSVGElement,
  stack: Stack,
  at: { readonly name: string; readonly right: number; readonly end: number; readonly y: number },
): void {
  const whole = categoryLabel(stack.x);
  const name = text(at.name, { x: at.right, y: at.y, 'text-anchor': 'end', class: 'chart-tick' });
  if (at.name !== whole) name.append(title(`${whole}: ${totalLabel(stack)}`));
  svg.append(name, text(totalLabel(stack), { x: round(at.end + 5), y: at.y, class: 'chart-value' }));
}

function totalLabel({ up, down }: Stack): string {
  return numberLabel(up + down);
}
