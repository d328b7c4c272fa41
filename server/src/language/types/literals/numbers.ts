/** Literals of numbers. */
interface Problem {
  readonly message: string;
}

const space = String.raw`[ \t\n\v\f\r]*`;
const digits = String.raw`\d(?:_?\d)*`;
const other = String.raw`0x(?:_?[\da-f])+|0o(?:_?[0-7])+|0b(?:_?[01])+`;
const integer = new RegExp(`^${space}([+-]?)(${other}|${digits})${space}$`, 'i');
const numeric = new RegExp(
  `^${space}[+-]?(?:${other}|(?:${digits})?\\.?(?:${digits})?(?:e[+-]?${digits})?|nan|inf(?:inity)?)${space}$`,
  'i',
);
const float = new RegExp(
  `^${space}[+-]?(?:0x.*|(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?|nan.*|inf(?:inity)?)${space}$`,
  'i',
);

export const checkInteger =
  (least: bigint, most: bigint) =>
  (text: string, shown: string): Problem | undefined => {
    const [, sign, number] = integer.exec(text) ?? [];
    if (number === undefined) {
      return { message: `invalid input syntax for type ${shown}: "${text}"` };
    }
    const size = BigInt(number.replaceAll('_', '').replace(/^0+(?=\d)/, ''));
    const value = sign === '-' ? -size : size;
    return value < least || value > most
      ? { message: `value "${text}" is out of range for type ${shown}` }
      : undefined;
  };

export function checkNumeric(text: string, shown: string): Problem | undefined {
  return numeric.test(text) && /[\dn]/i.test(text)
    ? undefined
    : { message: `invalid input syntax for type ${shown}: "${text}"` };
}

export function checkFloat(text: string, shown: string): Problem | undefined {
  return float.test(text) ? undefined : { message: `invalid input syntax for type ${shown}: "${text}"` };
}
