/** Parses input into the exact value to send, or into a problem. */
import { numberPattern } from './number-pattern.ts';
import { parsedJson } from './parsed-json.ts';
import { plainNumber } from './plain-number.ts';
import { isoDate, isoInstant, isoLocalTime, relativeMoment } from './relative-dates.ts';
import { readList } from './split-list.ts';
import { controlOf, declaredChoices, elementTypeOf, integerBits, isListType } from './value-types.ts';

type Scalar = string | number | boolean | null;

export type Parsed =
  | { readonly value: Scalar | Scalar[]; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem };

/** A problem with the input; the caller formats the message. */
export type Problem =
  | { readonly kind: 'empty' }
  /** An empty text, which must be explicit. */
  | { readonly kind: 'empty-text' }
  | { readonly kind: 'not-integer' }
  | { readonly kind: 'out-of-range'; readonly type: string }
  | { readonly kind: 'not-number' }
  | { readonly kind: 'not-boolean' }
  | { readonly kind: 'not-date' }
  | { readonly kind: 'not-timestamp' }
  | { readonly kind: 'not-uuid' }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'not-choice'; readonly choices: readonly string[] }
  /** The text contains a character that PostgreSQL cannot store. */
  | { readonly kind: 'not-storable'; readonly character: 'NUL' | 'half' }
  /** There is no input, and the default must not be used, for the reason that the finding gives. */
  | { readonly kind: 'unclear-default'; readonly finding: string }
  /** The list is empty, and the user has not confirmed that this is intended. */
  | { readonly kind: 'no-items' }
  /** An item of a list that begins like an array or a quoted text and is none. */
  | { readonly kind: 'odd-item' }
  | { readonly kind: 'in-list'; readonly item: number; readonly problem: Problem };

/** @param now the current time, for `today` and `now`. */
export function parseValue(type: string, text: string, now: Date): Parsed {
  if (text.includes('\0')) return { problem: { kind: 'not-storable', character: 'NUL' } };
  if (!text.isWellFormed()) return { problem: { kind: 'not-storable', character: 'half' } };
  if (isListType(type)) return parseList(type.trimEnd().slice(0, -2), text, now);
  const base = elementTypeOf(type);
  const trimmed = text.trim();
  switch (controlOf(type)) {
    case 'number':
      if (trimmed === '') return { problem: { kind: 'empty' } };
      return integerBits.has(base) ? parseInteger(base, trimmed) : parseDecimal(base, trimmed);
    case 'boolean':
      return trimmed === '' ? { problem: { kind: 'empty' } } : parseBoolean(trimmed);
    case 'date':
      return trimmed === '' ? { problem: { kind: 'empty' } } : parseDate(trimmed, now);
    case 'timestamp':
      return trimmed === '' ? { problem: { kind: 'empty' } } : parseTimestamp(base, trimmed, now);
    default:
      return parseText(type, base, text);
  }
}

function parseText(type: string, base: string, text: string): Parsed {
  const choices = declaredChoices(type);
  if (choices !== undefined && !choices.includes(text)) return { problem: { kind: 'not-choice', choices } };
  if (base === 'uuid') return parseUuid(text.trim());
  if (base !== 'json' && base !== 'jsonb') return { value: text };
  return parsedJson(text) === undefined ? { problem: { kind: 'not-json' } } : { value: text };
}

function parseInteger(type: string, given: string): Parsed {
  const text = plainNumber(given);
  if (!/^[+-]?\d+$/.test(text)) return { problem: { kind: 'not-integer' } };
  const value = BigInt(text.replace(/^\+/, ''));
  const limit = 1n << (integerBits.get(type) ?? 63n);
  if (value >= limit || value < -limit) return { problem: { kind: 'out-of-range', type } };
  return { value: exactNumber(value.toString()) };
}

function parseDecimal(type: string, given: string): Parsed {
  // Only a numeric may be spelled in groups or to another base.
  const text = type.startsWith('float') ? given : plainNumber(given);
  if (/^(?:nan|[+-]?inf(?:inity)?)$/i.test(text)) return { value: text };
  if (!numberPattern.test(text)) return { problem: { kind: 'not-number' } };
  const value = exactNumber(text);
  // A number outside the range of a double is reported here, next to its field, rather than by the service.
  const isOutside = type.startsWith('float') && isOutOfRange(text, type === 'float4');
  return isOutside ? { problem: { kind: 'out-of-range', type } } : { value };
}

/** PostgreSQL also refuses a number that would become zero. */
export function isOutOfRange(text: string, isSingle: boolean): boolean {
  const size = Math.abs(Number(text));
  const isZero = (isSingle ? Math.fround(size) : size) === 0;
  // Beyond the middle between the largest single and the next power of two, a number is rounded up to that.
  return (
    size > (isSingle ? 3.402_823_567_797_336_6e38 : Number.MAX_VALUE) ||
    (isZero && /^[+-]?[\d.]*[1-9]/.test(text))
  );
}

/**
 * Returns a number if a double represents it exactly, otherwise its text. PostgreSQL accepts both, and text is not
 * rounded.
 */
function exactNumber(text: string): number | string {
  const value = Number(text);
  return String(value) === text ? value : text;
}

function parseBoolean(text: string): Parsed {
  // PostgreSQL takes each word by its beginning, as far as that is clear.
  if (/^(?:t(?:r(?:ue?)?)?|y(?:es?)?|on|1)$/i.test(text)) return { value: true };
  return /^(?:f(?:a(?:l(?:se?)?)?)?|no?|off?|0)$/i.test(text)
    ? { value: false }
    : { problem: { kind: 'not-boolean' } };
}

function parseUuid(text: string): Parsed {
  const inner = /^\{(.*)\}$/.exec(text)?.[1] ?? text;
  const isUuid = /^(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}$/i.test(inner);
  return isUuid ? { value: text } : { problem: { kind: 'not-uuid' } };
}

function parseDate(text: string, now: Date): Parsed {
  const moment = relativeMoment(text, now);
  if (moment !== undefined) return { value: isoDate(moment) };
  const isDay = isInfinite(text) || isCalendarDate(text, lastYear.date);
  return isDay ? { value: text } : { problem: { kind: 'not-date' } };
}

const clock =
  /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?\s*(?:Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d)?)?$/i;

function parseTimestamp(type: string, text: string, now: Date): Parsed {
  const moment = relativeMoment(text, now);
  if (moment !== undefined) {
    // A timestamp without a time zone is local time.
    return { value: type === 'timestamptz' ? isoInstant(moment) : isoLocalTime(moment) };
  }
  const [, day = '', time] = /^(\d{4,6}-\d\d-\d\d)(?:[ Tt](.*))?$/.exec(text) ?? [];
  const isMoment =
    isInfinite(text) || (isCalendarDate(day, lastYear.timestamp) && (time === undefined || clock.test(time)));
  return isMoment ? { value: text } : { problem: { kind: 'not-timestamp' } };
}

/** The last years that PostgreSQL supports (documentation, "Date/Time Types"). */
const lastYear = { date: 5_874_897, timestamp: 294_276 } as const;

function isInfinite(text: string): boolean {
  return /^-?infinity$/i.test(text);
}

function isCalendarDate(text: string, yearMax: number): boolean {
  const match = /^(\d{4,7})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [, year = 0, month = 0, day = 0] = match.map(Number);
  if (year < 1 || year > yearMax || month < 1 || month > 12) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

function parseList(elementType: string, text: string, now: Date): Parsed {
  const { items, oddItem } = readList(text);
  if (oddItem !== undefined)
    return { problem: { kind: 'in-list', item: oddItem, problem: { kind: 'odd-item' } } };
  const values: (string | number | boolean | null)[] = [];
  for (const [index, item] of items.entries()) {
    if (item === null) {
      values.push(null);
      continue;
    }
    const parsed = parseValue(elementType, item, now);
    if (parsed.problem !== undefined)
      return { problem: { kind: 'in-list', item: index + 1, problem: parsed.problem } };
    if (!Array.isArray(parsed.value)) values.push(parsed.value);
  }
  return { value: values };
}
