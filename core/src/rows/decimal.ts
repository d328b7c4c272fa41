/** Compares decimal numbers in text form exactly; as doubles, close numbers would compare as equal. */

interface Decimal {
  readonly isNegative: boolean;
  /** Digits without leading zeros. */
  readonly digits: string;
  /** Power of ten: the value is 0.digits x 10^exponent. */
  readonly exponent: number;
}

/**
 * Compares two decimal numbers; negative if a < b. As in PostgreSQL, NaN equals itself and is greater than infinity.
 * Other texts are equal to each other and greater than any number.
 */
export function compareDecimal(a: string, b: string): number {
  const left = parseDecimal(a);
  const right = parseDecimal(b);
  if (left === undefined || right === undefined) return rankOf(a, left) - rankOf(b, right);
  if (left.digits === '' && right.digits === '') return 0;
  const signA = signOf(left);
  const signB = signOf(right);
  return signA === signB ? signA * compareMagnitude(left, right) : signA - signB;
}

/** Returns whether two strings represent the same number, such as 1.0 and 1. A non-number equals only itself. */
export function equalDecimals(a: string, b: string): boolean {
  return a === b || (isNumberText(a) && isNumberText(b) && compareDecimal(a, b) === 0);
}

/** Returns the same text for equal numbers, and the text itself for anything else. */
export function decimalKey(text: string): string {
  // Plain numbers are by far the most common, and are their own key.
  if (text.length <= plainDigitsMax && /^-?(?:[1-9]\d*(?:\.\d*[1-9])?|0\.\d*[1-9])$/.test(text)) return text;
  const value = parseDecimal(text);
  if (value === undefined) return rankOf(text, value) === rank.other ? text : `rank ${rankOf(text, value)}`;
  let end = value.digits.length;
  while (value.digits[end - 1] === '0') end -= 1;
  const digits = value.digits.slice(0, end);
  if (digits === '') return '0';
  const sign = value.isNegative ? '-' : '';
  return sign + (plainText(digits, value.exponent) ?? `.${digits}e${value.exponent}`);
}

/** Longer numbers, and numbers with more decimal places, are written with an exponent. */
const plainDigitsMax = 1_000;

function plainText(digits: string, exponent: number): string | undefined {
  if (Math.max(exponent, digits.length, digits.length - exponent) > plainDigitsMax) return undefined;
  if (exponent >= digits.length) return digits.padEnd(exponent, '0');
  return exponent > 0
    ? `${digits.slice(0, exponent)}.${digits.slice(exponent)}`
    : `0.${'0'.repeat(-exponent)}${digits}`;
}

/** Where numbers and what is no number come. */
const rank = { low: -1, number: 0, high: 1, nan: 2, other: 3 } as const;

function rankOf(text: string, value: Decimal | undefined): number {
  if (value !== undefined) return rank.number;
  const special = specialNumber(text);
  if (special === undefined) return rank.other;
  return Number.isNaN(special) ? rank.nan : special < 0 ? rank.low : rank.high;
}

/** Returns NaN or an infinity, as PostgreSQL or another program writes it; undefined for any other text. */
export function specialNumber(text: string): number | undefined {
  const found = /^\s*(?:(nan)|([+-]?)inf(?:inity)?)\s*$/i.exec(text);
  if (found === null) return undefined;
  const [, nan, sign] = found;
  return nan !== undefined ? Number.NaN : sign === '-' ? -Infinity : Infinity;
}

/** Returns whether a text is a decimal number, NaN or an infinity. */
export function isNumberText(text: string): boolean {
  return parseDecimal(text) !== undefined || specialNumber(text) !== undefined;
}

export function isDecimal(text: string): boolean {
  return parseDecimal(text) !== undefined;
}

function signOf(value: Decimal): number {
  return value.digits === '' ? 0 : value.isNegative ? -1 : 1;
}

function compareMagnitude(a: Decimal, b: Decimal): number {
  if (a.exponent !== b.exponent) return a.exponent - b.exponent;
  const length = Math.max(a.digits.length, b.digits.length);
  const left = a.digits.padEnd(length, '0');
  const right = b.digits.padEnd(length, '0');
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Sign, whole part, fraction and power of ten; all parts may be missing. */
export const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

function parseDecimal(text: string): Decimal | undefined {
  const match = decimalPattern.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const all = whole + fraction;
  if (all === '') return undefined;
  const digits = all.replace(/^0+/, '');
  const leadingZeros = all.length - digits.length;
  return { isNegative: sign === '-', digits, exponent: whole.length - leadingZeros + Number(power) };
}
