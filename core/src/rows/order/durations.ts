/** Parses intervals and times of day, in every style in which PostgreSQL writes them, and with the units that it reads. */

const second = 1_000_000n;
const day = 86_400n * second;
const unitNames: readonly (readonly [names: string, size: bigint])[] = [
  ['us usec microsecond', 1n],
  ['ms msec millisecond', 1_000n],
  ['s sec second', second],
  ['m min minute', 60n * second],
  ['h hr hour', 3_600n * second],
  ['d day', day],
  ['w week', 7n * day],
  ['mon month', 30n * day],
  ['y yr year', 360n * day],
  ['dec decade', 3_600n * day],
  ['c cent century centurie', 36_000n * day],
  ['mil millennium millennia', 360_000n * day],
];
const microseconds: ReadonlyMap<string, bigint> = new Map(
  unitNames.flatMap(([names, size]) => names.split(' ').map((name) => [name, size] as const)),
);
const isoUnits = { Y: 'year', M: 'month', W: 'week', D: 'day', H: 'hour', S: 'second' } as const;
/** Later than any interval that has an end. */
const endless = 1n << 100n;

/** Returns the length by which PostgreSQL compares: a month has 30 days, a day 24 hours. */
export function intervalMicroseconds(text: string): bigint | undefined {
  const trimmed = text.trim();
  if (/^-?infinity$/i.test(trimmed)) return trimmed.startsWith('-') ? -endless : endless;
  if (/^[-+]?P/.test(trimmed)) return isoMicroseconds(trimmed);
  const [, rest = '', ago] = /^@?\s*(.*?)(\s+ago)?$/i.exec(trimmed) ?? [];
  if (rest === '') return undefined;
  const isNegative = sharesSign.test(rest);
  const sum = sumOf(isNegative ? rest.slice(1) : bareNumber.test(rest) ? `${rest} s` : rest);
  return sum === undefined || (ago === undefined) !== isNegative ? sum : -sum;
}

/** `-3 4:05:06` in the style of the SQL standard, where a sign of the first of several parts alone is that of all. */
const sharesSign = /^-[\d-]+(?: [\d:.]+)+$/;
/** Without a unit, a number before a clock is days, and one alone is seconds. */
const bareNumber = /^[-+]?\d+(?:\.\d*)?$/;

function sumOf(text: string): bigint | undefined {
  let sum = 0n;
  for (let at = 0; at < text.length;) {
    const found = part.exec(text.slice(at, at + 200));
    if (found === null) return undefined;
    const value = partOf(found);
    if (value === undefined) return undefined;
    sum += value;
    at += found[0].length;
  }
  return sum;
}

/** `04:05:06.7`, `1-2` (years and months), or a number with a unit or (days) without. */
const part =
  /^([-+]?)(?:(\d+):(\d\d)(?::(\d\d(?:\.\d*)?))?|(\d+)-(\d+)|(\d+(?:\.\d*)?)(?:\s*([a-z]+))?)(?:\s+|$)/i;

function partOf(found: RegExpExecArray): bigint | undefined {
  const [, sign, hours, minutes = '0', seconds = '0', years, months = '0', amount, unit = 'day'] = found;
  const size =
    hours !== undefined
      ? times(hours, 3_600n * second) + times(minutes, 60n * second) + times(seconds, second)
      : years !== undefined
        ? times(years, 360n * day) + times(months, 30n * day)
        : amount === undefined
          ? undefined
          : timesUnit(amount, unit);
  return size === undefined ? undefined : sign === '-' ? -size : size;
}

function timesUnit(amount: string, unit: string): bigint | undefined {
  const name = unit.toLowerCase();
  const size = microseconds.get(name) ?? microseconds.get(name.replace(/s$/, ''));
  return size === undefined ? undefined : times(amount, size);
}

/** @param amount digits, with up to six decimal places. */
function times(amount: string, size: bigint): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole) * size + (BigInt(fraction.slice(0, 6).padEnd(6, '0')) * size) / 1_000_000n;
}

function isoMicroseconds(text: string): bigint | undefined {
  const [, sign, days = '', hours = ''] = /^([-+]?)P([^T]*)(?:T(.*))?$/.exec(text) ?? [];
  let sum = 0n;
  for (const [place, own] of [days, hours].entries()) {
    if (own.replaceAll(/[-+]?\d{1,20}(?:\.\d{0,20})?[YMWDHS]/g, '') !== '') return undefined;
    for (const [, minus, amount = '0', unit] of own.matchAll(/([-+]?)(\d{1,20}(?:\.\d{0,20})?)([YMWDHS])/g)) {
      const name = place === 1 && unit === 'M' ? 'minute' : isoUnits[unit as keyof typeof isoUnits]; // as matched
      sum += (minus === '-' ? -1n : 1n) * (timesUnit(amount, name) ?? 0n);
    }
  }
  return sign === '-' ? -sum : sum;
}

/** Returns microseconds since midnight, and those by which the clock is ahead of UTC. */
export function timeOfDay(text: string): { readonly at: number; readonly east: number } | undefined {
  const found = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:\s*(Z|[-+]\d\d(?::?\d\d){0,2}))?$/i.exec(
    text.trim(),
  );
  if (found === null) return undefined;
  const [, hour, minute, second = '0', fraction = '', zone = 'Z'] = found;
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  const [hours = '0', minutes = '0', rest = '0'] =
    zone.toUpperCase() === 'Z' ? [] : (zone.slice(1).match(/\d\d/g) ?? []);
  const offset = Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest);
  return {
    at: seconds * 1e6 + Number(fraction.padEnd(6, '0')),
    east: (zone.startsWith('-') ? -offset : offset) * 1e6,
  };
}
