/** Periods on a time axis, from seconds to years, in UTC as the axis is. Weeks start on Monday. */

export const timePeriods = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type TimePeriod = (typeof timePeriods)[number];

const day = 86_400_000;
const lengths = { second: 1_000, minute: 60_000, hour: 3_600_000, day } as const;
/** 1970-01-01 was a Thursday. */
const daysFromMonday = 3;

/** Returns the number of the period that contains a time. Adjacent periods have adjacent numbers. */
export function periodNumber(at: number, period: TimePeriod): number {
  if (period === 'week') return Math.floor((Math.floor(at / day) + daysFromMonday) / 7);
  if (period !== 'month' && period !== 'year') return Math.floor(at / lengths[period]);
  const date = new Date(at);
  const year = date.getUTCFullYear();
  return period === 'year' ? year : year * 12 + date.getUTCMonth();
}

/** Returns when a period starts, in milliseconds since 1970. */
export function periodStart(number: number, period: TimePeriod): number {
  if (period === 'week') return (number * 7 - daysFromMonday) * day;
  if (period !== 'month' && period !== 'year') return number * lengths[period];
  const months = period === 'year' ? number * 12 : number;
  // Unlike Date.UTC, setUTCFullYear accepts years below 100.
  return new Date(0).setUTCFullYear(Math.floor(months / 12), months - Math.floor(months / 12) * 12, 1);
}

/** How many times it takes to tell a period from chance: any two days may be Mondays. */
const timesLeast: Readonly<Record<TimePeriod, number>> = {
  ...{ second: 1, minute: 1, hour: 1, day: 1 },
  ...{ week: 4, month: 2, year: 2 },
};

/** Returns the longest period that each of these times starts; undefined if there is none. */
export function commonPeriod(times: ReadonlySet<number>): TimePeriod | undefined {
  const all = [...times];
  const isStart = (at: number, period: TimePeriod) => periodStart(periodNumber(at, period), period) === at;
  return timePeriods.findLast(
    (period) => all.length >= timesLeast[period] && all.every((at) => isStart(at, period)),
  );
}

/** Returns the shortest period of which at most `most` lie between two times. */
export function shortestPeriod(low: number, high: number, most: number): TimePeriod {
  return timePeriods.find((period) => periodCount(low, high, period) <= most) ?? 'year';
}

export function periodCount(low: number, high: number, period: TimePeriod): number {
  return periodNumber(high, period) - periodNumber(low, period) + 1;
}

export function longerOf(one: TimePeriod, other: TimePeriod | undefined): TimePeriod {
  return other !== undefined && timePeriods.indexOf(other) > timePeriods.indexOf(one) ? other : one;
}
