/**
 * Judges the value of a declared parameter as PostgreSQL's input function of its type does, with the size of the type.
 * It knows no catalogue: a word that may be a time zone is one.
 */
import { plainNumber } from '#base/values/plain-number.ts';
import { elementTypeOf } from '#base/values/value-types.ts';
import { inputProblem } from './literal.ts';
import { numericOverflow } from './numbers.ts';

/** @param type as written, for example `numeric(4,2)`; no list. @returns whether PostgreSQL surely refuses the text. */
export function isRefusedInput(type: string, text: string): boolean {
  const base = /^bit\s+varying\b/i.test(type.trim()) ? 'varbit' : elementTypeOf(type);
  const [size, scale = 0] = sizesOf(type);
  const problem = inputProblem(base, text, { isTimeZone });
  // A numeric of a size is rounded before it is measured.
  if (problem !== undefined && (size === undefined || problem.message !== numericOverflow)) return true;
  switch (base) {
    case 'numeric':
      return size !== undefined && !fitsNumeric(plainNumber(text.trim()), size, scale);
    case 'bit':
      return bitCount(text) !== (size ?? 1);
    case 'varbit':
      return size !== undefined && bitCount(text) > size;
    default:
      return (
        characters.test(type.trim()) &&
        !fitsCharacters(text, size ?? (hasOne.test(type.trim()) ? 1 : undefined))
      );
  }
}

const characters = /^(?:varchar|character|char|bpchar)\b/i;
/** Without a size, only these have one character. */
const hasOne = /^char(?:acter)?(?!\s*varying)\s*$/i;

/** Time zones that the runtime knows, and what looks like the abbreviation of one. */
function isTimeZone(word: string): boolean {
  if (/^(?:z|zulu|uct|utc|[a-z]{1,4}t|ms[kd]|mes?z)$/.test(word)) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: word }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // no zone
  }
}

function sizesOf(type: string): readonly number[] {
  const found = /\(\s*(\d+)\s*(?:,\s*(-?\d+)\s*)?\)/.exec(type);
  return (found ?? [])
    .slice(1)
    .flatMap((size: string | undefined) => (size === undefined ? [] : [Number(size)]));
}

/** Blanks at the end are cut off, not refused. */
function fitsCharacters(text: string, size: number | undefined): boolean {
  if (size === undefined) return true;
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return [...text.slice(0, end)].length <= size;
}

function bitCount(text: string): number {
  const digits = text.replace(/^[bx]/i, '').length;
  return /^x/i.test(text) ? digits * 4 : digits;
}

/** Rounded to the scale, as PostgreSQL does: the digits before the point are limited. */
function fitsNumeric(text: string, precision: number, scale: number): boolean {
  if (/^nan$/i.test(text)) return true;
  const [, whole, fraction = '', exponent = '0'] =
    /^[-+]?(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) return !/inf/i.test(text);
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return true;
  /** How many digits are before the place to which it is rounded. */
  const kept = digits.length - fraction.length + Number(exponent) + scale;
  if (kept < 0 || kept > digits.length) return kept <= precision;
  const rounded = BigInt(digits.slice(0, kept) || '0') + ((digits[kept] ?? '0') >= '5' ? 1n : 0n);
  return rounded.toString().length <= precision || rounded === 0n;
}
