/** Converts PostgreSQL's dates and timestamps to comparable numbers. Displayed text is never reformatted. */

const day = String.raw`(\d{4,7})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const clock = String.raw`([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d|60)(?:\.(\d{1,6}))?)?`;
const zoneName = String.raw`Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d){0,2}`;
const pattern = new RegExp(String.raw`^${day}(?:[ T]${clock})?\s*(${zoneName})?( BC)?$`);

/**
 * Returns microseconds since 1970 in UTC, an infinity for PostgreSQL's infinities, or NaN if the text is not a date.
 */
export function epochMicroseconds(text: string): number {
  const time = parsedTime(text);
  if (time !== undefined) return time.seconds * 1e6 + time.micros;
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  return text === '-infinity' ? Number.NEGATIVE_INFINITY : Number.NaN;
}

/** A double holds the whole seconds of every year that PostgreSQL has. */
function parsedTime(text: string): { readonly seconds: number; readonly micros: number } | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, writtenYear, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone, bc] = match;
  // Year 1 BC is year 0.
  const year = bc === undefined ? Number(writtenYear) : 1 - Number(writtenYear);
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const micros = Number(fraction.padEnd(6, '0'));
  const days = daysSinceEpoch(year, Number(month), Number(day));
  // A code such as 1000-02-30 is no time, so it is not the same as 1000-03-02.
  const isBeyondMonth = Number(day) > 28 && days >= daysSinceEpoch(year, Number(month) + 1, 1);
  if (isBeyondMonth || Number(writtenYear) === 0 || seconds * 1e6 + micros > 86_400e6) return undefined;
  return { seconds: days * 86_400 + seconds - zoneSeconds(zone), micros };
}

/** Compares two times exactly; negative if a < b. Other texts are equal to each other and later than any time. */
export function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [epochMicroseconds(a), epochMicroseconds(b)];
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  // Larger numbers of microseconds are rounded.
  if (Math.abs(left) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(left) || !Number.isFinite(right))
    return left < right ? -1 : left > right ? 1 : 0;
  const [exactLeft, exactRight] = [exactMicroseconds(a) ?? 0n, exactMicroseconds(b) ?? 0n];
  return exactLeft < exactRight ? -1 : exactLeft > exactRight ? 1 : 0;
}

/** Returns the same text for equal times; undefined if the text is no time. */
export function timeKey(text: string): string | undefined {
  const exact = exactMicroseconds(text);
  if (exact !== undefined) return String(exact);
  return text === 'infinity' || text === '-infinity' ? text : undefined;
}

function zoneSeconds(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const digits = zone.slice(1).replaceAll(':', '').padEnd(6, '0');
  const seconds =
    Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4, 6));
  return zone.startsWith('-') ? -seconds : seconds;
}

/**
 * Like `epochMicroseconds`, for the most common form, `2026-01-31 08:00:00[.123456][+00[:00]]`, parsed without creating
 * a string. Undefined for any other form, which may still be a time.
 */
export function epochMicrosecondsOfBytes(bytes: Uint8Array, start: number, end: number): number | undefined {
  const separator = bytes[start + 10];
  const isForm =
    end - start >= 19 &&
    bytes[start + 4] === dash &&
    bytes[start + 7] === dash &&
    (separator === space || separator === letterT) &&
    bytes[start + 13] === colon &&
    bytes[start + 16] === colon;
  if (!isForm) return undefined;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const days = daysSinceEpoch(year, twoDigits(bytes, start + 5), twoDigits(bytes, start + 8));
  let seconds =
    days * 86_400 +
    twoDigits(bytes, start + 11) * 3_600 +
    twoDigits(bytes, start + 14) * 60 +
    twoDigits(bytes, start + 17);
  let at = start + 19;
  let micros = 0;
  if (bytes[at] === point && at < end) {
    let unit = 100_000;
    for (at += 1; at < end && isDigit(bytes[at]); at += 1) {
      micros += ((bytes[at] ?? 0) - zero) * unit;
      unit /= 10;
    }
  }
  if (at < end) {
    const sign = bytes[at] === plus ? -1 : bytes[at] === dash ? 1 : 0;
    const length = end - at;
    if (sign !== 0 && (length === 3 || (length === 6 && bytes[at + 3] === colon))) {
      seconds +=
        sign * (twoDigits(bytes, at + 1) * 3_600 + (length === 6 ? twoDigits(bytes, at + 4) * 60 : 0));
    } else if (!(bytes[at] === letterZ && length === 1)) {
      return undefined;
    }
  }
  const value = seconds * 1e6 + micros;
  return Number.isInteger(value) ? value : undefined;
}

const zero = 0x30;
const nine = 0x39;
const dash = 0x2d;
const plus = 0x2b;
const colon = 0x3a;
const point = 0x2e;
const space = 0x20;
const letterT = 0x54;
const letterZ = 0x5a;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

/** Parses two digits; NaN if either is not a digit. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at];
  const ones = bytes[at + 1];
  return isDigit(tens) && isDigit(ones) ? ((tens ?? 0) - zero) * 10 + ((ones ?? 0) - zero) : Number.NaN;
}

/** Returns the days since 1970-01-01 in PostgreSQL's calendar. Counts 400-year cycles that start in March. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const turn = Math.floor(shifted / 400);
  const yearOfTurn = shifted - turn * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfTurn = yearOfTurn * 365 + Math.floor(yearOfTurn / 4) - Math.floor(yearOfTurn / 100) + dayOfYear;
  return turn * 146_097 + dayOfTurn - 719_468;
}

/**
 * Like `epochMicroseconds`, but without rounding to a double. Undefined for infinities and anything that is not a date.
 */
export function exactMicroseconds(text: string): bigint | undefined {
  const time = parsedTime(text);
  return time === undefined ? undefined : BigInt(time.seconds) * 1_000_000n + BigInt(time.micros);
}
