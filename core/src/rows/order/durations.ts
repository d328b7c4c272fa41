/** Parses intervals and times of day, in every style in which PostgreSQL writes them. */

const microseconds: ReadonlyMap<string, bigint> = new Map([
  ['microsecond', 1n],
  ['millisecond', 1_000n],
  ['sec', 1_000_000n],
  ['second', 1_000_000n],
  ['min', 60_000_000n],
  ['minute', 60_000_000n],
  ['hour', 3_600_000_000n],
  ['day', 86_400_000_000n],
  ['week', 7n * 86_400_000_000n],
  ['mon', 30n * 86_400_000_000n],
  ['month', 30n * 86_400_000_000n],
  ['year', 360n * 86_400_000_000n],
]);
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
  const sum = sumOf(isNegative ? rest.slice(1) : rest);
  return sum === undefined || (ago === undefined) !== isNegative ? sum : -sum;
}

/** `-3 4:05:06` in the style of the SQL standard, where a sign of the first of several parts alone is that of all. */
const sharesSign = /^-[\d-]+(?: [\d:.]+)+$/;

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
      ? times(hours, 'hour') + times(minutes, 'minute') + times(seconds, 'second')
      : years !== undefined
        ? times(years, 'year') + times(months, 'month')
        : amount === undefined || !microseconds.has(singular(unit))
          ? undefined
          : times(amount, singular(unit));
  return size === undefined ? undefined : sign === '-' ? -size : size;
}

function singular(unit: string): string {
  return unit.toLowerCase().replace(/s$/, '');
}

/** @param amount digits, with up to six decimal places. */
function times(amount: string, unit: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  const size = microseconds.get(unit) ?? 0n;
  return BigInt(whole) * size + (BigInt(fraction.slice(0, 6).padEnd(6, '0')) * size) / 1_000_000n;
}

function isoMicroseconds(text: string): bigint | undefined {
  const [, sign, days = '', hours = ''] = /^([-+]?)P([^T]*)(?:T(.*))?$/.exec(text) ?? [];
  let sum = 0n;
  for (const [place, own] of [days, hours].entries()) {
    if (own.replaceAll(/[-+]?\d{1,20}(?:\.\d{0,20})?[YMWDHS]/g, '') !== '') return undefined;
    for (const [, minus, amount = '0', unit] of own.matchAll(/([-+]?)(\d{1,20}(?:\.\d{0,20})?)([YMWDHS])/g)) {
      const name = place === 1 && unit === 'M' ? 'minute' : isoUnits[unit as keyof typeof isoUnits]; // as matched
      sum += (minus === '-' ? -1n : 1n) * times(amount, name);
    }
  }
  return sign === '-' ? -sum : sum;
}

/** Returns microseconds since midnight, and those by which the clock is ahead of UTC. */
export function timeOfDay(text: string): { readonly at: number; readonly east: number } | undefined {
  const found = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:\s*(Z|[-+]\d\d(?::?\d\d){0,2}))?$/i.exec(
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
