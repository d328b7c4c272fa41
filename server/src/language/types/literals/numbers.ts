/** Checks numeric literals. */
import { isOutOfRange } from '#base/values/parse-value.ts';
import { plainNumber } from '#base/values/plain-number.ts';

interface Problem {
  readonly message: string;
}

const digits = String.raw`\d(?:_?\d)*`;
const other = String.raw`0x(?:_?[\da-f])+|0o(?:_?[0-7])+|0b(?:_?[01])+`;
const integer = new RegExp(`^([+-]?)(${other}|${digits})$`, 'i');
const numeric = new RegExp(
  `^(?:nan|[+-]?(?:${other}|(?:${digits}(?:\\.(?:${digits})?)?|\\.${digits})(?:e[+-]?${digits})?|inf(?:inity)?))$`,
  'i',
);
const float = /^[+-]?(?:0x.*|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|nan.*|inf(?:inity)?)$/i;

/** Removes whitespace, which PostgreSQL ignores. A regular expression would take quadratic time. */
function trimmed(text: string): string {
  const isSpace = (at: number) => ' \t\n\v\f\r'.includes(text.charAt(at));
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(start)) start += 1;
  while (end > start && isSpace(end - 1)) end -= 1;
  return text.slice(start, end);
}

export const checkInteger =
  (least: bigint, most: bigint) =>
  (text: string, shown: string): Problem | undefined => {
    const [, sign, number] = integer.exec(trimmed(text)) ?? [];
    if (number === undefined) return { message: `invalid input syntax for type ${shown}: "${text}"` };
    const size = BigInt(number.replaceAll('_', '').replace(/^0+(?=\d)/, ''));
    const value = sign === '-' ? -size : size;
    return value < least || value > most
      ? { message: `value "${text}" is out of range for type ${shown}` }
      : undefined;
  };

export const numericOverflow = 'value overflows numeric format';

export function checkNumeric(text: string, shown: string): Problem | undefined {
  const plain = trimmed(text);
  if (!numeric.test(plain)) return { message: `invalid input syntax for type ${shown}: "${text}"` };
  return overflowsNumeric(plain) ? { message: numericOverflow } : undefined;
}

/** A numeric has at most 131,072 digits before the decimal point, and 16,383 after it. */
function overflowsNumeric(text: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^[+-]?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text.replaceAll('_', '')) ?? [];
  const shift = Number(exponent);
  if (fraction.length - shift > 16_383) return true;
  const first = `${whole}${fraction}`.search(/[1-9]/);
  return first !== -1 && whole.length - first + shift > 131_072;
}

/** Returns whether a numeric has more digits before the decimal point than its type: 1000 as `numeric(5, 2)`. */
export function overflowsPrecision(text: string, precision: number, scale: number): boolean {
  const plain = plainNumber(trimmed(text));
  if (/inf/i.test(plain)) return true;
  const [, whole = '', fraction = '', exponent = '0'] =
    /^[+-]?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(plain) ?? [];
  const all = BigInt(`0${whole}${fraction}`);
  const shift = Number(exponent) - fraction.length + scale;
  if (all === 0n || Math.abs(shift) > shiftMax) return all !== 0n && shift > 0;
  // PostgreSQL rounds half away from zero before it counts.
  const kept =
    shift < 0
      ? (all * 2n + 10n ** BigInt(-shift)) / (2n * 10n ** BigInt(-shift))
      : all * 10n ** BigInt(shift);
  return kept >= 10n ** BigInt(precision);
}

/** A number of so many more places is nothing or too large, and its powers would take long. */
const shiftMax = 20_000;

export function checkFloat(text: string, shown: string): Problem | undefined {
  const plain = trimmed(text);
  if (!float.test(plain)) return { message: `invalid input syntax for type ${shown}: "${text}"` };
  return /^[+-]?[\d.]/.test(plain) &&
    !/^[+-]?0x/i.test(plain) &&
    isOutOfRange(plain, shown === 'real' || shown === 'float4')
    ? { message: `"${text}" is out of range for type ${shown}` }
    : undefined;
}
