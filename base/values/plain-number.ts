/** Reads the spellings of numbers that PostgreSQL 16 and later take beside plain digits: `1_000`, `0x1F`, `0o17`, `0b11`. */

const digits = String.raw`\d(?:_?\d)*`;
const prefixed = /^([+-]?)(0x(?:_?[\da-f])+|0o(?:_?[0-7])+|0b(?:_?[01])+)$/i;
const grouped = new RegExp(
  `^[+-]?(?:${digits}(?:\\.(?:${digits})?)?|\\.${digits})(?:e[+-]?${digits})?$`,
  'i',
);

/** Longer texts are no numbers that a person spells so, and their value would take quadratic time. */
const lengthMax = 1_000;

/** @returns the number in plain digits, so that every version reads it; another text is returned as it is. */
export function plainNumber(text: string): string {
  const [, sign = '', number] = text.length > lengthMax ? [] : (prefixed.exec(text) ?? []);
  if (number !== undefined)
    return `${sign === '-' ? '-' : ''}${BigInt(number.replaceAll('_', '').toLowerCase())}`;
  return text.includes('_') && grouped.test(text) ? text.replaceAll('_', '') : text;
}
