/** Round numbers and times along an axis. Pure arithmetic. */
import { periodNumber, periodStart, type TimePeriod } from '#panel-protocol/rows.ts';
import { language } from '../ui/l10n.ts';

const niceSteps = [1, 2, 2.5, 5, 10];

/** Returns about `count` round values that cover both ends. */
export function niceTicks(low: number, high: number, count: number): number[] {
  return ticksCovering({ low, high, count }, niceSteps);
}

/** Like `niceTicks`, but without fractions: half a row is meaningless. */
export function wholeTicks(low: number, high: number, count: number): number[] {
  const end = low === high ? low + 1 : high;
  return ticksCovering({ low, high: end, count: Math.min(count, Math.abs(end - low)) }, [1, 2, 5, 10]);
}

export interface ValueAxis {
  readonly ticks: readonly number[];
  /** Ends of the axis. */
  readonly low: number;
  readonly high: number;
}

/** The part of an axis that may be empty at each end, so that it ends with a tick. */
const spareMax = 1 / 8;
/** Space in pixels between ticks; in a low chart, a few may be nearer each other. */
const tickSpace = { usual: 44, least: 24 };
const fewTicks = 8 / 3;

/** Returns an axis of round numbers that ends near the values: with a tick, or at the values themselves. */
export function valueAxis(
  low: number,
  high: number,
  { height, isWhole }: { readonly height: number; readonly isWhole: boolean },
): ValueAxis {
  const few = Math.min(fewTicks, height / tickSpace.least);
  const count = Math.max(1, height / tickSpace.usual, few);
  const ticksOf = isWhole ? wholeTicks : niceTicks;
  const spare = (high - low) * spareMax;
  const isNear = (tick: number) => tick >= low - spare && tick <= high + spare;
  const near = (times: number) => ticksOf(low, high, count * times).filter(isNear);
  // One tick alone does not tell how long the axis is. There is no second one if all values are the same.
  const ticks = [1, 2, 4, 8].map(near).find(({ length }) => length > 1) ?? ticksOf(low, high, count);
  return { ticks, low: Math.min(low, ticks[0] ?? low), high: Math.max(high, ticks.at(-1) ?? high) };
}

function ticksCovering(
  { low, high, count }: { readonly low: number; readonly high: number; readonly count: number },
  steps: readonly number[],
): number[] {
  const from = Math.min(low, high);
  const to = low === high ? from + (from === 0 ? 1 : Math.abs(from) * 0.1) : Math.max(low, high);
  const rough = (to - from) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = steps.map((one) => one * power).find((one) => one >= rough) ?? rough;
  const first = Math.floor(from / step);
  const last = Math.ceil(to / step);
  // Multiplied rather than summed, so that 0.3 does not become 0.30000000000000004.
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => {
    const at = (first + index) * step;
    return Number.isInteger(step) ? at : Number(at.toPrecision(15));
  });
  // Adjacent ticks near a very large number can be the same double.
  return [...new Set(ticks)];
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Each is at most 2.5 times the one before, so that an axis has no fewer labels than half of those that fit. */
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 4, 7, 14].map((count) => count * day),
];
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000];

/** Returns ticks between two times, in UTC: whole seconds up to weeks, then the first days of months and years. */
export function timeTicks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / Math.max(1, count);
  const step = steps.find((one) => one >= rough);
  if (step !== undefined) {
    const first = Math.ceil(low / step);
    const length = Math.max(0, Math.floor(high / step) - first + 1);
    return Array.from({ length }, (_, index) => (first + index) * step);
  }
  const months = monthSteps.find((one) => one * 30.4 * day >= rough) ?? 120_000;
  const start = new Date(low);
  const ticks: number[] = [];
  const firstMonth = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
  for (let month = firstMonth; ; month += months) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (at > high || Number.isNaN(at)) return ticks;
    if (at >= low) ticks.push(at);
  }
}

/** Parts of a time: month, date, minute, second. */
const timeParts = [
  [0, 7],
  [0, 10],
  [5, 16],
  [11, 19],
] as const;

/** Returns labels just long enough to distinguish adjacent ticks. */
export function timeLabels(ticks: readonly number[], span: number): readonly string[] {
  const texts = ticks.map((at) => new Date(at).toISOString().replace('T', ' '));
  const coarsest = span > 2 * 365 * day ? 0 : span > 2 * day ? 1 : span > 10 * minute ? 2 : 3;
  const all = timeParts.slice(coarsest).map(([from, to]) => texts.map((text) => text.slice(from, to)));
  return all.find((labels) => new Set(labels).size === labels.length) ?? all.at(-1) ?? [];
}

/** Returns the starts of periods along an axis: every one, or as many as fit at round distances. */
export function periodTicks(low: number, high: number, count: number, period: TimePeriod): number[] {
  const starts = timeTicks(low, high, count).map((at) => periodStart(periodNumber(at, period), period));
  const inside = [...new Set(starts)].filter((at) => at >= low && at < high);
  return inside.length > 0 ? inside : [low];
}

/** Names the period that starts at a time. */
export function periodLabel(start: number, period: TimePeriod): string {
  const text = new Date(start).toISOString();
  const date = text.replace(/T.*$/, '');
  const minute = text.slice(0, date.length + 6).replace('T', ' ');
  return {
    year: date.slice(0, -6),
    month: date.slice(0, -3),
    ...{ week: date, day: date, hour: minute, minute },
    second: `${minute}${text.slice(date.length + 6, date.length + 9)}`,
  }[period];
}

const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 4 });
const plain = new Intl.NumberFormat(language, { maximumSignificantDigits: 12 });

export function numberLabel(value: number): string {
  return Math.abs(value) >= 100_000 ? compact.format(value) : plain.format(value);
}

export function wholeLabel(value: number): string {
  return plain.format(value);
}

const exact = new Intl.NumberFormat(language, { maximumSignificantDigits: 17 });
const integer = new Intl.NumberFormat(language);

/** Formats a number at a distance from `base`, a whole number that a double cannot hold. */
export function farLabel(base: string, distance: number): string {
  return integer.format(BigInt(base) + BigInt(Math.round(distance)));
}

/** Returns short labels if they still distinguish the ticks. @param base see `ChartData.xBase` */
export function tickLabels(ticks: readonly number[], base: string | undefined): readonly string[] {
  if (base !== undefined) return ticks.map((tick) => farLabel(base, tick));
  const short = ticks.map(numberLabel);
  return new Set(short).size === ticks.length ? short : ticks.map((tick) => exact.format(tick));
}

/** Average width of a character in tick labels, in pixels. */
const charWidth = 6.2;

export function widthOf(labels: readonly string[]): number {
  return labels.reduce((most, { length }) => Math.max(most, length), 0) * charWidth;
}
