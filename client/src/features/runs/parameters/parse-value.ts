/** From what a person typed for a parameter to the exact value that is sent, or to what is wrong with it. */
import type { ParameterValue } from '../../../../../api/contract/execute.ts';
import type { ParameterControl } from '../../results/index.ts';

export type Parsed =
  | { readonly value: ParameterValue; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem };

/** What is wrong, for the caller to put into words. */
export type Problem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-integer' }
  | { readonly kind: 'out-of-range'; readonly type: string }
  | { readonly kind: 'not-number' }
  | { readonly kind: 'not-boolean' }
  | { readonly kind: 'not-date' }
  | { readonly kind: 'not-timestamp' }
  | { readonly kind: 'not-uuid' }
  | { readonly kind: 'in-list'; readonly item: number; readonly problem: Problem };

const integerBits: Readonly<Record<string, bigint>> = {
  int2: 15n,
  smallint: 15n,
  int4: 31n,
  int: 31n,
  integer: 31n,
  int8: 63n,
  bigint: 63n,
};
const decimalTypes = new Set(['numeric', 'decimal', 'float4', 'float8', 'real', 'double', 'number']);

/** The name of a type without its size: `numeric(10, 2)` is `numeric`. */
function baseOf(type: string): string {
  return type
    .toLowerCase()
    .replace(/\(.*?\)/g, '')
    .trim();
}

export function controlOf(type: string): ParameterControl {
  const base = baseOf(type);
  if (base.endsWith('[]')) return 'list';
  if (base in integerBits || decimalTypes.has(base)) return 'number';
  if (base === 'bool' || base === 'boolean') return 'boolean';
  if (base === 'date') return 'date';
  return base.startsWith('timestamp') ? 'timestamp' : 'text';
}

/** @param now the moment that `today` and `now` mean. */
export function parseValue(type: string, text: string, now: Date): Parsed {
  const base = baseOf(type);
  if (base.endsWith('[]')) return parseList(base.slice(0, -2), text, now);
  const trimmed = text.trim();
  const control = controlOf(base);
  if (control === 'text') return base === 'uuid' ? parseUuid(trimmed) : { value: text };
  if (trimmed === '') return { problem: { kind: 'empty' } };
  switch (control) {
    case 'number':
      return base in integerBits ? parseInteger(base, trimmed) : parseDecimal(trimmed);
    case 'boolean':
      return parseBoolean(trimmed);
    case 'date':
      return parseDate(trimmed, now);
    case 'timestamp':
      return parseTimestamp(trimmed, now);
    default:
      return { value: text };
  }
}

function parseInteger(type: string, text: string): Parsed {
  if (!/^[+-]?\d+$/.test(text)) return { problem: { kind: 'not-integer' } };
  const value = BigInt(text.replace(/^\+/, ''));
  const limit = 1n << (integerBits[type] ?? 63n);
  if (value >= limit || value < -limit) return { problem: { kind: 'out-of-range', type } };
  return { value: exactNumber(value.toString()) };
}

function parseDecimal(text: string): Parsed {
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(text)) return { value: text };
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return { problem: { kind: 'not-number' } };
  return { value: exactNumber(text) };
}

/** A number where one holds every digit, else its text: PostgreSQL reads both the same, and a text is never rounded. */
function exactNumber(text: string): number | string {
  const value = Number(text);
  return String(value) === text ? value : text;
}

function parseBoolean(text: string): Parsed {
  if (/^(?:true|t|yes|y|on|1)$/i.test(text)) return { value: true };
  return /^(?:false|f|no|n|off|0)$/i.test(text) ? { value: false } : { problem: { kind: 'not-boolean' } };
}

function parseUuid(text: string): Parsed {
  const isUuid = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text);
  return isUuid ? { value: text } : { problem: { kind: 'not-uuid' } };
}

const relative = /^(today|now)(?:\s*([+-])\s*(\d+)\s*(minute|hour|day|week|month|year)s?)?$/i;

/** The moment that `today - 30 days` means; undefined for other texts. */
function relativeMoment(text: string, now: Date): Date | undefined {
  const match = relative.exec(text);
  if (match === null) return undefined;
  const [, anchor = '', sign, amountText = '0', unit = 'day'] = match;
  const amount = Number(amountText) * (sign === '-' ? -1 : 1);
  const moment = new Date(now);
  if (anchor.toLowerCase() === 'today') moment.setHours(0, 0, 0, 0);
  switch (unit.toLowerCase()) {
    case 'minute':
      moment.setMinutes(moment.getMinutes() + amount);
      break;
    case 'hour':
      moment.setHours(moment.getHours() + amount);
      break;
    case 'week':
      moment.setDate(moment.getDate() + amount * 7);
      break;
    case 'month':
      addMonths(moment, amount);
      break;
    case 'year':
      addMonths(moment, amount * 12);
      break;
    default:
      moment.setDate(moment.getDate() + amount);
  }
  return moment;
}

/** As PostgreSQL adds months: the 31st becomes the last day of a shorter month. */
function addMonths(moment: Date, months: number): void {
  const day = moment.getDate();
  moment.setDate(1);
  moment.setMonth(moment.getMonth() + months);
  const lastDay = new Date(moment.getFullYear(), moment.getMonth() + 1, 0).getDate();
  moment.setDate(Math.min(day, lastDay));
}

function parseDate(text: string, now: Date): Parsed {
  const moment = relativeMoment(text, now);
  if (moment !== undefined) return { value: isoDate(moment) };
  return isCalendarDate(text) || isInfinite(text) ? { value: text } : { problem: { kind: 'not-date' } };
}

function parseTimestamp(text: string, now: Date): Parsed {
  const moment = relativeMoment(text, now);
  if (moment !== undefined) return { value: moment.toISOString() };
  const match =
    /^(\d{4,6}-\d\d-\d\d)(?:[ T]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?\s*(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(
      text,
    );
  const isValid = (match?.[1] !== undefined && isCalendarDate(match[1])) || isInfinite(text);
  return isValid ? { value: text } : { problem: { kind: 'not-timestamp' } };
}

function isInfinite(text: string): boolean {
  return /^-?infinity$/i.test(text);
}

function isCalendarDate(text: string): boolean {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match.map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return day >= 1 && date.getUTCMonth() === month - 1;
}

function isoDate(moment: Date): string {
  const month = String(moment.getMonth() + 1).padStart(2, '0');
  return `${String(moment.getFullYear()).padStart(4, '0')}-${month}-${String(moment.getDate()).padStart(2, '0')}`;
}

function parseList(elementType: string, text: string, now: Date): Parsed {
  const items = splitList(text);
  const values: (string | number | boolean | null)[] = [];
  for (const [index, item] of items.entries()) {
    const parsed = parseValue(elementType, item, now);
    if (parsed.problem !== undefined)
      return { problem: { kind: 'in-list', item: index + 1, problem: parsed.problem } };
    if (!Array.isArray(parsed.value)) values.push(parsed.value);
  }
  return { value: values };
}

/**
 * The items of a pasted list: one a line, or separated by commas. Quotes keep commas, line breaks and outer blanks;
 * doubled quotes inside them mean one. Blank items are dropped, so that a trailing comma or line is harmless; an empty
 * item is written `""`.
 */
export function splitList(text: string): string[] {
  const items: string[] = [];
  for (const match of text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,\r\n]*))\s*?(?:,|\r\n|\r|\n|$)/g)) {
    const [, quoted, bare = ''] = match;
    if (quoted !== undefined) items.push(quoted.replaceAll('""', '"'));
    else if (bare.trim() !== '') items.push(bare.trim());
  }
  return items;
}
