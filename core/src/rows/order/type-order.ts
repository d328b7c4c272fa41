/**
 * PostgreSQL's order of the values of a type, from their texts. Sorting, filters, groups, the footer and comparisons all
 * use it. Enumerations, composite types and the collations of text are known only to the service, so they are ordered
 * as text.
 */
import { parseJson } from '#api/client/json.ts';
import type { ColumnKind } from '../column-kind.ts';
import { compareDecimal, decimalKey, isNumberText, specialNumber } from '../decimal.ts';
import { jsonKey } from '../json-key.ts';
import { compareTexts } from '../sort/folded-texts.ts';
import { compareTimes, timeKey } from '../timestamps.ts';
import { addressKey } from './addresses.ts';
import { intervalMicroseconds, timeOfDay } from './durations.ts';
import { listOf, type ParsedList, type Range, rangesOf } from './lists.ts';

export interface TypeOrder {
  /** Negative if `a` comes before `b`. Texts that are no values of the type come last, in the order of text. */
  readonly compare: (a: string, b: string) => number;
  /** Returns the same text for equal values, such as 1.0 and 1. */
  readonly identityOf: (text: string) => string;
  /** Whether a text is a value of the type. */
  readonly has: (text: string) => boolean;
  /** Whether a text is written so that values are in the order of their bytes. */
  readonly isInByteOrder?: (bytes: Uint8Array, start: number, end: number) => boolean;
}

/** The orders by kind, which have fast ways over packed columns. */
const kindOrders: Readonly<Record<ColumnKind, TypeOrder>> = {
  number: {
    compare: compareNumbers,
    identityOf: decimalKey,
    has: isNumberText,
  },
  time: {
    compare: compareTimes,
    identityOf: (text) => timeKey(text) ?? text,
    has: (text) => timeKey(text) !== undefined,
  },
  text: { compare: compareTexts, identityOf: (text) => text, has: () => true },
  boolean: {
    compare: (a, b) => compareTexts(booleanText(a), booleanText(b)),
    identityOf: booleanText,
    has: () => true,
  },
  // Ordered by their texts, of which equal values may have several.
  json: { compare: compareTexts, identityOf: jsonKey, has: () => true },
};

/** Returns the order of a column: that of its type, or of its kind if the type has no order of its own. */
export function orderOf(type: string, kind: ColumnKind): TypeOrder {
  return ownOrderOf(type) ?? kindOrders[kind];
}

const made = new Map<string, TypeOrder | undefined>();

/** Returns the order of a type whose values are not ordered as numbers, times or text. */
export function ownOrderOf(type: string): TypeOrder | undefined {
  const name = type
    .trim()
    .toLowerCase()
    .replace(/\([^()]*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^interval [a-z ]+/, 'interval');
  if (!made.has(name)) made.set(name, makeOrder(name));
  return made.get(name);
}

function makeOrder(name: string): TypeOrder | undefined {
  if (name.endsWith('[]')) return listOrder(name.slice(0, -2));
  if (name.startsWith('_')) return listOrder(name.slice(1));
  const element = rangeElements.get(name.replace('multirange', 'range'));
  if (element !== undefined) return rangeOrder(element);
  switch (name) {
    case 'interval':
      return keyOrder(intervalMicroseconds, compareKeys, String);
    case 'time':
    case 'time without time zone':
      return keyOrder(
        timeOfDay,
        (a, b) => compareKeys(a.at, b.at),
        ({ at }) => String(at),
      );
    case 'timetz':
    case 'time with time zone':
      return keyOrder(
        timeOfDay,
        (a, b) => compareKeys(a.at - a.east, b.at - b.east) || compareKeys(b.east, a.east),
        ({ at, east }) => `${at} ${east}`,
      );
    case 'inet':
    case 'cidr':
      return keyOrder(addressKey, compareKeys, String);
    case 'money':
      return keyOrder(moneyKey, compareKeys, String);
    case 'pg_lsn':
      return keyOrder(lsnKey, compareKeys, String);
    case 'xid8':
      return kindOrders.number;
    case 'tid':
      return keyOrder(tidKey, compareKeys, String);
    case 'uuid':
      return groupOrder('-', [8, 4, 4, 4, 12]);
    case 'macaddr':
      return groupOrder(':', [2, 2, 2, 2, 2, 2]);
    case 'macaddr8':
      return groupOrder(':', [2, 2, 2, 2, 2, 2, 2, 2]);
    case 'bytea':
      return keyOrder((text) => text.toLowerCase(), compareKeys, String);
    case 'bit':
    case 'bit varying':
    case 'varbit':
      return keyOrder((text) => text, compareKeys, String);
    default:
      return undefined;
  }
}

type Plain = string | number | bigint;

function compareKeys<Key extends Plain>(a: Key, b: Key): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function keyOrder<Key>(
  keyOf: (text: string) => Key | undefined,
  compare: (a: Key, b: Key) => number,
  write: (key: Key) => string,
): TypeOrder {
  return {
    compare: (a, b) => {
      if (a === b) return 0;
      const left = keyOf(a);
      const right = keyOf(b);
      if (left === undefined || right === undefined)
        return Number(left === undefined) - Number(right === undefined) || compareTexts(a, b);
      return compare(left, right);
    },
    identityOf: (text) => {
      const key = keyOf(text);
      return key === undefined ? text : write(key);
    },
    has: (text) => keyOf(text) !== undefined,
  };
}

/** PostgreSQL's own tools write `t` and `f` to files, others `TRUE`. */
function booleanText(text: string): string {
  const lower = text.toLowerCase();
  return lower === 't' ? 'true' : lower === 'f' ? 'false' : lower;
}

function compareNumbers(a: string, b: string): number {
  // A double has fifteen digits exactly.
  return a.length <= 15 && b.length <= 15 && !/[a-z]/i.test(a + b) && a !== '' && b !== ''
    ? Number(a) - Number(b)
    : compareDecimal(a, b);
}

/** Parses PostgreSQL's text form of a number, including `NaN` and the infinities. */
export function numberOf(text: string): number {
  const value = Number(text);
  if (Number.isNaN(value)) return specialNumber(text) ?? value;
  return value === 0 && text.trim() === '' ? Number.NaN : value;
}

/**
 * All values of a column have the same number of decimal places, so their digits decide. A currency of letters is before
 * or after them.
 */
function moneyKey(text: string): bigint | undefined {
  const digits = text.replaceAll(/\D/g, '');
  const amount = text.slice(text.search(/\d/), text.lastIndexOf(digits.at(-1) ?? ''));
  if (digits === '' || /\p{L}/u.test(amount)) return undefined;
  const fraction = /[.,](\d{1,2})\)?\D*$/.exec(text)?.[1] ?? '';
  const cents = BigInt(digits) * 10n ** BigInt(2 - fraction.length);
  return /[-(\u2212]/.test(text) ? -cents : cents;
}

/** The order of hexadecimal digits in groups, which that of the bytes is where they are written as PostgreSQL does. */
function groupOrder(separator: string, sizes: readonly number[]): TypeOrder {
  const form = Buffer.from(sizes.map((size) => '0'.repeat(size)).join(separator));
  /** What stands for each byte in the form: a digit, a separator, or nothing. */
  const forms = new Uint8Array(256);
  for (const digit of Buffer.from('0123456789abcdef')) forms[digit] = 0x30;
  forms[separator.charCodeAt(0)] = separator.charCodeAt(0);
  return {
    ...keyOrder(groupedDigits(separator, sizes), compareKeys, String),
    isInByteOrder: (bytes, start, end) => {
      if (end - start !== form.length) return false;
      for (let index = 0; index < form.length; index += 1)
        if (forms[bytes[start + index] ?? 0] !== form[index]) return false;
      return true;
    },
  };
}

/** Writes hexadecimal digits as PostgreSQL does. It reads them in other groups and in braces, too. */
function groupedDigits(separator: string, sizes: readonly number[]): (text: string) => string {
  const [first = 0] = sizes;
  const mark = separator.charCodeAt(0);
  const length = sizes.reduce((sum, size) => sum + size + 1, -1);
  return (text) => {
    const lower = text.toLowerCase();
    if (lower.length === length && lower.charCodeAt(first) === mark) return lower;
    const digits = lower.replaceAll(/[{}:.-]/g, '');
    let at = 0;
    return sizes.map((size) => digits.slice(at, (at += size))).join(separator);
  };
}

function lsnKey(text: string): bigint | undefined {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text) ?? [];
  return high === undefined || low === undefined
    ? undefined
    : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

function tidKey(text: string): number | undefined {
  const [, block, place] = /^\((\d+),(\d+)\)$/.exec(text) ?? [];
  return block === undefined ? undefined : Number(block) * 65_536 + Number(place);
}

/** The kind of an element, which decides its order if its type has none of its own. */
function elementOrder(type: string): TypeOrder {
  return orderOf(type, elementKinds.get(type) ?? 'text');
}

const elementKinds: ReadonlyMap<string, ColumnKind> = new Map([
  ...'int2 int4 int8 smallint integer bigint numeric decimal float4 float8 real oid'
    .split(' ')
    .map((type) => [type, 'number'] as const),
  ['double precision', 'number'],
  ...'date timestamp timestamptz'.split(' ').map((type) => [type, 'time'] as const),
  ['timestamp with time zone', 'time'],
  ['timestamp without time zone', 'time'],
]);

function listOrder(type: string): TypeOrder {
  const element = elementOrder(type);
  return keyOrder<ParsedList>(
    (text) => listOf(text, parseJson),
    (a, b) => {
      const count = Math.min(a.items.length, b.items.length);
      for (let index = 0; index < count; index += 1) {
        const [one, other] = [a.items[index] ?? null, b.items[index] ?? null];
        const order =
          one === null || other === null
            ? Number(one === null) - Number(other === null)
            : element.compare(one, other);
        if (order !== 0) return order;
      }
      if (a.items.length !== b.items.length) return a.items.length - b.items.length;
      if (a.sizes.length !== b.sizes.length) return a.sizes.length - b.sizes.length;
      const place = a.sizes.findIndex((size, index) => size !== b.sizes[index]);
      return place < 0 ? 0 : (a.sizes[place] ?? 0) - (b.sizes[place] ?? 0);
    },
    ({ items, sizes }) =>
      JSON.stringify([sizes, items.map((item) => (item === null ? null : element.identityOf(item)))]),
  );
}

const rangeElements: ReadonlyMap<string, string> = new Map([
  ['int4range', 'int4'],
  ['int8range', 'int8'],
  ['numrange', 'numeric'],
  ['tsrange', 'timestamp'],
  ['tstzrange', 'timestamptz'],
  ['daterange', 'date'],
]);

/** The next value of types whose ranges PostgreSQL writes as `[1,5)`, whatever bounds they were given. */
const nextValues: ReadonlyMap<string, (text: string) => string | undefined> = new Map([
  ['int4', nextInteger],
  ['int8', nextInteger],
  ['date', nextDay],
]);

function nextInteger(text: string): string | undefined {
  return /^\s*[-+]?\d+\s*$/.test(text) ? String(BigInt(text) + 1n) : undefined;
}

function nextDay(text: string): string | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(day) ? undefined : new Date(day + 86_400_000).toISOString().slice(0, 10);
}

/** A range is a list of one; a multirange is a list of any number. */
function rangeOrder(type: string): TypeOrder {
  const element = elementOrder(type);
  const next = nextValues.get(type) ?? (() => undefined);
  const usual = (given: Range): Range => {
    const lower = given.hasLower || given.lower === undefined ? undefined : next(given.lower);
    const upper = given.hasUpper && given.upper !== undefined ? next(given.upper) : undefined;
    if (lower === undefined && upper === undefined) return given;
    const range: Range = {
      ...given,
      ...(lower === undefined ? {} : { lower, hasLower: true }),
      ...(upper === undefined ? {} : { upper, hasUpper: false }),
    };
    const isEmpty =
      range.lower !== undefined &&
      range.upper !== undefined &&
      element.compare(range.lower, range.upper) >= 0;
    return { ...range, isEmpty };
  };
  const bound = (one: string | undefined, other: string | undefined, infinite: number): number => {
    if (one === undefined || other === undefined)
      return infinite * (Number(one === undefined) - Number(other === undefined));
    return element.compare(one, other);
  };
  const compare = (a: Range, b: Range): number => {
    if (a.isEmpty || b.isEmpty) return Number(b.isEmpty) - Number(a.isEmpty);
    return (
      bound(a.lower, b.lower, -1) ||
      (a.lower === undefined ? 0 : Number(b.hasLower) - Number(a.hasLower)) ||
      bound(a.upper, b.upper, 1) ||
      (a.upper === undefined ? 0 : Number(a.hasUpper) - Number(b.hasUpper))
    );
  };
  const written = ({ isEmpty, lower, upper, hasLower, hasUpper }: Range) =>
    isEmpty
      ? null
      : [hasLower, lower && element.identityOf(lower), upper && element.identityOf(upper), hasUpper];
  return keyOrder<readonly Range[]>(
    (text) => rangesOf(text)?.map(usual),
    (a, b) => {
      for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
        const [one, other] = [a[index], b[index]];
        const order = one === undefined || other === undefined ? 0 : compare(one, other);
        if (order !== 0) return order;
      }
      return a.length - b.length;
    },
    (ranges) => JSON.stringify(ranges.map(written)),
  );
}
