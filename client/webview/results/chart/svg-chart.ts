/**
 * A chart as SVG: bars, a line or points. Drawn without a library: four chart types need little code, the SVG is also
 * the saved format, and the colors come from the theme.
 */
import { periodNumber, periodStart } from '#panel-protocol/rows.ts';
import type { ChartPicture } from './chart-picture.ts';
import { drawLegend, layOutLegend } from './legend.ts';
import { drawMarks } from './marks.ts';
import { categoryLabel } from './point-labels.ts';
import {
  niceTicks,
  periodLabel,
  periodTicks,
  tickLabels,
  timeLabels,
  timeTicks,
  valueAxis,
  widthOf,
} from './scale.ts';
import { textureDefinitions } from './series-looks.ts';
import { drawSidewaysBars } from './sideways-bars.ts';
import { stacksOf, type Stack } from './stacks.ts';
import { cutToFit, greatest, least, make, round, text, textMeasure, title } from './svg-parts.ts';

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

/** Height of the line that says which part of the rows is drawn. */
const partHeight = 15;
/** A lower picture has less space around its marks. */
const lowHeight = 160;
/** The least height of the marks. */
const plotLeast = 24;
/** Bold letters, of the names of the axes, are wider. */
const boldness = 1.1;

export function drawChart({ part, ...whole }: ChartPicture): SVGSVGElement {
  if (part === undefined) return drawMarked(whole);
  const { width, names } = whole;
  const measure = textMeasure();
  // On the line of the axis' name, which stands in the middle, if there is room beside it.
  const room = width / 2 - (measure(names.axis ?? names.x) * boldness) / 2 - 40;
  const beside = measure(part) <= room ? drawMarked(whole) : undefined;
  const isBeside = beside !== undefined && !beside.hasAttribute('data-sideways');
  const svg = isBeside ? beside : drawMarked({ ...whole, height: whole.height - partHeight });
  const height = svg.height.baseVal.value + (isBeside ? 0 : partHeight);
  svg.setAttribute('height', String(height));
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const at = { x: width - 16, y: height - 5, 'text-anchor': 'end', class: 'chart-part' };
  const shown = cutToFit(part, width - 24, measure);
  const words = text(shown, at);
  if (shown !== part) words.append(title(part));
  svg.append(words);
  return svg;
}

function drawMarked(picture: ChartPicture): SVGSVGElement {
  const { width, data } = picture;
  const measure = textMeasure();
  const legend = layOutLegend(picture, measure);
  const { stacks } = stacksOf(picture.type === 'bar' ? data.points : []);
  const isSideways = data.xKind === 'category' && !fitsBelow(stacks, width - 80, measure);
  const svg = isSideways
    ? drawSidewaysBars(picture, legend.height, measure)
    : drawUpright(picture, stacks, { above: legend.height, measure });
  if (isSideways) svg.setAttribute('data-sideways', '');
  const isSplit = data.series !== undefined;
  svg.setAttribute('class', isSplit ? 'chart-picture chart-split' : 'chart-picture');
  svg.setAttribute('aria-label', picture.label);
  if (isSplit) svg.prepend(textureDefinitions());
  drawLegend(svg, picture, legend);
  return svg;
}

function drawUpright(
  picture: ChartPicture,
  stacks: readonly Stack[],
  { above, measure }: { readonly above: number; readonly measure: (text: string) => number },
): SVGSVGElement {
  const { width, height, names } = picture;
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  const isLow = height < lowHeight;
  const sides = { left: 64, right: width - 16, bottom: height - (isLow ? 29 : 46) };
  const top = above + (isLow ? 8 : 14);
  // A name that is too long beside the axis stands above it, unless that leaves no room for the marks.
  const nameHeight = measure(names.y) * boldness;
  const isBeside =
    nameHeight <= 2 * Math.min((top + sides.bottom) / 2 - above, height - (top + sides.bottom) / 2);
  const isAbove = !isBeside && sides.bottom - (above + 20) >= plotLeast;
  const outer = { ...sides, top: isAbove ? above + 20 : top };
  // Long numbers get the space they need, but never more than a third of the picture.
  const labels = verticalScale(picture, outer, stacks).ticks.map((tick) => tick.label);
  const frame = { ...outer, left: Math.max(outer.left, Math.min(width / 3, widthOf(labels) + 30)) };
  if (frame.right - frame.left < 40 || frame.bottom - frame.top < plotLeast) return svg;
  const y = verticalScale(picture, frame, stacks);
  const x = horizontalScale(picture, frame, stacks);
  drawGrid(svg, frame, y);
  drawXAxis(svg, frame, x);
  drawMarks(svg, picture, { frame, x: x.place, y: y.place });
  const middle = (frame.top + frame.bottom) / 2;
  const name = { 'text-anchor': 'middle', class: 'chart-name' };
  const bold = (words: string) => measure(words) * boldness;
  const room = isAbove ? width - 20 : 2 * Math.min(middle - above, height - middle);
  const shown = cutToFit(names.y, room, bold);
  const yName = isAbove
    ? text(shown, { x: 6, y: above + 13, class: 'chart-name' })
    : text(shown, { x: 0, y: 0, transform: `translate(12 ${middle}) rotate(-90)`, ...name });
  if (shown !== names.y) yName.append(title(names.y));
  svg.append(
    text(names.axis ?? names.x, { x: (frame.left + frame.right) / 2, y: height - 5, ...name }),
    yName,
  );
  return svg;
}

function verticalScale({ type, data }: ChartPicture, frame: Frame, stacks: readonly Stack[]): Scale {
  const values = data.points.map((point) => point.y);
  const isCount = type === 'line' && data.period !== undefined;
  const isFromZero = type === 'bar' || type === 'histogram' || isCount;
  const tops = stacks.length === 0 ? values : stacks.flatMap(({ up, down }) => [up, down]);
  const ends = [least(tops), greatest(tops), ...(isFromZero ? [0] : [])];
  const height = frame.bottom - frame.top;
  const { ticks, low, high } = valueAxis(least(ends), greatest(ends), {
    height,
    isWhole: values.every(Number.isInteger),
  });
  const shown = wholeOnly(ticks, data.yBase);
  const place = (value: number) => frame.bottom - ((value - low) / (high - low || 1)) * height;
  const labels = tickLabels(shown, data.yBase);
  return { place, ticks: shown.map((value, index) => ({ at: place(value), label: labels[index] ?? '' })) };
}

/** Returns whether the name of each category fits below its bar. If not, the bars lie beside their names. */
function fitsBelow(stacks: readonly Stack[], width: number, measure: (text: string) => number): boolean {
  const step = width / Math.max(1, stacks.length);
  return stacks.every(({ x }) => measure(`${categoryLabel(x)}  `) <= step);
}

/** Drops fractional ticks if there is a base: offsets from a whole number are whole numbers too. */
function wholeOnly(ticks: readonly number[], base: string | undefined): readonly number[] {
  return base === undefined ? ticks : ticks.filter((tick) => Number.isInteger(tick));
}

function horizontalScale({ type, data }: ChartPicture, frame: Frame, stacks: readonly Stack[]): Scale {
  const width = frame.right - frame.left;
  if (data.xKind === 'category') {
    const step = width / Math.max(1, stacks.length);
    const place = (index: number) => frame.left + (index + 0.5) * step;
    const ticks = stacks.map(({ x }, index) => ({ at: place(index), label: categoryLabel(x) }));
    return { place, ticks };
  }
  const low = least(data.points.map((point) => Number(point.x)));
  const high = greatest(data.points.map((point) => point.end ?? Number(point.x)));
  const span = high - low || 1;
  const unit = data.period?.unit;
  // A bar at a time reaches beyond it.
  const edge = type === 'bar' && unit === undefined ? 5 : 0;
  const place = (value: number) => frame.left + edge + ((value - low) / span) * (width - 2 * edge);
  const isTime = data.xKind === 'time';
  const inside = (count: number) =>
    unit !== undefined
      ? periodTicks(low, high, count, unit)
      : wholeOnly(isTime ? timeTicks(low, high, count) : niceTicks(low, high, count), data.xBase).filter(
          (value) => value >= low && value <= high,
        );
  // The name of an hour is long, and most of it is the same for all.
  const isNamed = unit !== undefined && !['second', 'minute', 'hour'].includes(unit);
  const labelled = (values: readonly number[]) =>
    isNamed
      ? values.map((value) => periodLabel(value, unit))
      : isTime
        ? timeLabels(values, span)
        : tickLabels(values, data.xBase);
  // Round times are up to 2.5 times as far from each other as would fit, round numbers hardly.
  const closest = isTime ? 70 : 110;
  const widest = widthOf(labelled(inside(Math.max(2, Math.floor(width / closest)))));
  const distance = Math.max(closest, isTime ? widest + 14 : widest * 1.5);
  const even = inside(Math.max(1, Math.floor(width / distance)));
  const last = unit === undefined ? high : periodStart(periodNumber(high - 1, unit), unit);
  // One time alone does not tell how long the axis is.
  const isAlone = isTime && even.length < 2 && place(last) - place(low) >= distance;
  const values = isAlone ? [low, last] : even;
  const labels = labelled(values);
  // The name of a period stands below the middle of its bar.
  const middle = (value: number) =>
    unit === undefined ? value : (value + periodStart(periodNumber(value, unit) + 1, unit)) / 2;
  const ticks = values.map((value, index) => ({ at: place(middle(value)), label: labels[index] ?? '' }));
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
  const y = frame.bottom + (frame.bottom + 46 > svg.height.baseVal.value ? 12 : 16);
  let end = 0;
  for (const { at, label } of ticks) {
    // A long label at either end is shifted inward, and left out if it would touch the one before.
    const half = widthOf([label]) / 2 + 2;
    const x = Math.max(half, Math.min(at, frame.right + 16 - half));
    if (x - half < end) continue;
    end = x + half;
    svg.append(text(label, { x: round(x), y, 'text-anchor': 'middle', class: 'chart-tick' }));
  }
}
