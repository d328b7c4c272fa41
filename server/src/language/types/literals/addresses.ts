/** Checks literals of network address types. */
import { t } from '#base/texts.ts';
import type { LiteralProblem } from './literal-problem.ts';

const invalid = (shown: string, text: string): LiteralProblem => ({
  message: `invalid input syntax for type ${shown}: "${text}"`,
});

export function checkAddress(text: string, shown: string): LiteralProblem | undefined {
  // PostgreSQL also accepts hexadecimal cidr values.
  if (shown === 'cidr' && /^0x/i.test(text)) return undefined;
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  const value = address.includes(':') ? version6(address) : version4(address, shown, bits !== undefined);
  if (value === undefined) return undefined;
  const size = address.includes(':') ? 128n : 32n;
  if (value === 'invalid' || BigInt(bits ?? 0) > size) return invalid(shown, text);
  return shown === 'cidr' && bits !== undefined && value % 2n ** (size - BigInt(bits)) !== 0n
    ? {
        message: `invalid cidr value: "${text}"`,
        remedy: () =>
          t('It has bits set to the right of the mask: write inet, or the address of the network.'),
      }
    : undefined;
}

/** Returns the whole address as a number. Octets may be missing only in a network. */
function version4(address: string, shown: string, hasBits: boolean): bigint | 'invalid' {
  const plain = address.replace(/\.$/, '');
  const octets = /^\d{1,9}(?:\.\d{1,9}){0,3}$/.test(plain) ? plain.split('.').map(BigInt) : [];
  const isShort = octets.length < 4 && !hasBits && shown === 'inet';
  return octets.length === 0 || isShort || octets.some((octet) => octet > 255n)
    ? 'invalid'
    : octets.reduce((sum, octet) => sum * 256n + octet, 0n) * 256n ** BigInt(4 - octets.length);
}

/** Returns undefined if the address ends in IPv4 notation, since PostgreSQL also accepts unusual forms of it. */
function version6(address: string): bigint | 'invalid' | undefined {
  const lastColon = address.lastIndexOf(':');
  const last = address.slice(lastColon + 1);
  const endsAsVersion4 = last.includes('.') && /^[\d.]*$/.test(last);
  if (lastColon >= 0 && endsAsVersion4 && /^[\da-f:]*$/i.test(address.slice(0, lastColon))) return undefined;
  const sides = address.split('::').map((side) => (side === '' ? [] : side.split(':')));
  const [left = [], right = []] = sides;
  const missing = 8 - left.length - right.length;
  const isFull = sides.length === 1 ? missing === 0 : sides.length === 2 && missing > 0;
  const groups = [...left, ...Array.from({ length: Math.max(missing, 0) }, () => '0'), ...right];
  return isFull && groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
    ? BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`)
    : 'invalid';
}

const number = String.raw`\s*[+-]?(?:0x)?[\da-f]+`;
const pair = String.raw`\s*[+-]?[\da-f]{1,2}`;
const times = (count: number, part: string, separator = ''): string =>
  Array.from({ length: count }, () => part).join(separator);
/** The forms that PostgreSQL's sscanf accepts (mac.c), where digits may be missing. */
const macForms = new RegExp(
  `^(?:${[
    times(6, number, ':'),
    times(6, number, '-'),
    ...[':', '-'].map((separator) => times(2, times(3, pair), separator)),
    ...[String.raw`\.`, '-'].map((separator) => times(3, times(2, pair), separator)),
    times(6, pair),
  ].join('|')})\\s*$`,
  'i',
);
/** A trailing single digit is ignored. */
const mac8Form = /^\s*(?:[\da-f]{2}[:.-]?){6}(?:(?:[\da-f]{2}[:.-]?){2})?[^]?\s*$/i;

export const checkMac = (text: string, shown: string): LiteralProblem | undefined =>
  (shown === 'macaddr' ? macForms : mac8Form).test(text) ? undefined : invalid(shown, text);
