/**
 * Reads amounts of money exactly, as PostgreSQL writes them in any locale. Its type has one number of decimal places, so
 * the other amounts of a column tell whether `1.234` has three of them or groups its digits.
 */

export interface Amount {
  /** Without the sign; empty if none is written. */
  readonly currency: string;
  /** The plain decimal number; undefined if its separators may be read in two ways. */
  readonly decimal: string | undefined;
}

interface Parts {
  readonly currency: string;
  readonly isNegative: boolean;
  readonly digits: string;
  readonly places: number;
  readonly point: string | undefined;
  readonly groups: readonly string[];
  /** A separator before the last three digits, which is a point or groups them. */
  readonly unclear: string | undefined;
}

/** What the amounts of one currency show. */
interface Style {
  readonly points: Set<string>;
  readonly groups: Set<string>;
  readonly unclear: Set<string>;
  hasPlain: boolean;
}

export class Amounts {
  readonly #styles = new Map<string, Style>();

  /** Takes note of the form of an amount, before any of them is read. */
  learn(text: string): void {
    const parts = partsOf(text);
    if (parts === undefined) return;
    let style = this.#styles.get(parts.currency);
    if (style === undefined) {
      style = { points: new Set(), groups: new Set(), unclear: new Set(), hasPlain: false };
      this.#styles.set(parts.currency, style);
    }
    if (parts.point !== undefined) style.points.add(parts.point);
    for (const group of parts.groups) style.groups.add(group);
    if (parts.unclear !== undefined) style.unclear.add(parts.unclear);
    else if (parts.point === undefined && parts.groups.length === 0) style.hasPlain = true;
  }

  /** Returns undefined for a text that is no amount. */
  read(text: string): Amount | undefined {
    const parts = partsOf(text);
    const style = parts && this.#styles.get(parts.currency);
    if (parts === undefined || style === undefined) return undefined;
    const { currency, isNegative, digits, unclear } = parts;
    const hasPoint = unclear === undefined ? undefined : isPoint(unclear, currency, style);
    if (!isConsistent(style) || (unclear !== undefined && hasPoint === undefined))
      return { currency, decimal: undefined };
    const places = hasPoint === true ? 3 : parts.places;
    const whole = digits.slice(0, digits.length - places);
    const number = places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
    return { currency, decimal: isNegative ? `-${number}` : number };
  }

  /** Whether there are several currencies, or forms that contradict each other. */
  get areMixed(): boolean {
    if (this.#styles.size > 1) return true;
    for (const [currency, style] of this.#styles) {
      if (!isConsistent(style)) return true;
      for (const separator of style.unclear)
        if (isPoint(separator, currency, style) === undefined) return true;
    }
    return false;
  }
}

/** Why amounts have no sum: they are of several currencies, or their decimal separator is unclear. */
export type MixedAmounts = 'currencies' | 'separators';

/** Tells whether amounts can be added: each can be read, and all are of one currency. */
export class CommonCurrency {
  #currency: string | undefined;
  mixed: MixedAmounts | undefined;

  /** Returns the number to add; undefined if there is none. */
  numberOf({ currency, decimal }: Amount): string | undefined {
    this.#currency ??= currency;
    if (currency !== this.#currency) this.mixed = 'currencies';
    else if (decimal === undefined) this.mixed ??= 'separators';
    else return decimal;
    return undefined;
  }
}

const isConsistent = ({ points, groups }: Style): boolean =>
  points.size < 2 && [...points].every((point) => !groups.has(point));

/** Yen, won and dong have no decimal places. */
const withoutPlaces = /[¥￥円₩￦원₫]/u;

/** Returns undefined if neither another amount nor the currency tells. */
function isPoint(
  separator: string,
  currency: string,
  { points, groups, hasPlain }: Style,
): boolean | undefined {
  if (points.has(separator)) return true;
  if (withoutPlaces.test(currency)) return false;
  return groups.has(separator) || points.size > 0 || hasPlain ? false : undefined;
}

const negative = /[-\u2212(]/;
/** Digits with separators, of which one may repeat. */
const number = /^\d+(?:[.,'\u2019\s]\d+)*$/;

function partsOf(text: string): Parts | undefined {
  const first = text.search(/\d/);
  if (first < 0) return undefined;
  let end = text.length;
  while (!isDigit(text.charCodeAt(end - 1))) end -= 1;
  let before = text.slice(0, first);
  let amount = text.slice(first, end);
  // The point of an abbreviation such as `Rs.` belongs to the currency.
  if (/(?:^|[^\p{L}])[.,]$/u.test(before) && /^\d+$/.test(amount)) {
    amount = `0${before.slice(-1)}${amount}`;
    before = before.slice(0, -1);
  }
  if (!number.test(amount)) return undefined;
  const around = before + text.slice(end);
  const pieces = amount.split(/\D/);
  const separators: readonly string[] = amount.match(/\D/g) ?? [];
  const last = separators.at(-1);
  const places = pieces.at(-1)?.length ?? 0;
  const isAlone = separators.length === 1;
  const isGrouped =
    last === undefined || !(last === '.' || last === ',') || separators.indexOf(last) < separators.length - 1;
  const leading = pieces[0] ?? '';
  const isUnclear = !isGrouped && isAlone && places === 3 && leading.length <= 3 && leading !== '0';
  const hasPoint = !isGrouped && !isUnclear;
  return {
    currency: around.replaceAll(/[-+\u2212()\s]/g, ''),
    isNegative: negative.test(around),
    digits: pieces.join(''),
    places: hasPoint ? places : 0,
    point: hasPoint ? last : undefined,
    groups: isUnclear ? [] : hasPoint ? separators.slice(0, -1) : separators,
    unclear: isUnclear ? last : undefined,
  };
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
