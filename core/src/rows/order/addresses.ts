/** Keys of network addresses in PostgreSQL's order: version 4 first, then shared bits, mask and all bits. */
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns a text in whose order the addresses are. The bits within the mask come before the mask; each bit is followed
 * by a later digit than the end of a shorter one, so that only shared bits are compared first.
 */
export function addressKey(text: string): string | undefined {
  const [, given = '', mask] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  // A person may write 10/8.
  const host =
    mask !== undefined && /^\d+(?:\.\d+){0,2}$/.test(given)
      ? `${given}.0.0.0`.split('.', 4).join('.')
      : given;
  const bytes = isIPv4(host) ? host.split('.').map(Number) : isIPv6(host) ? bytesOf6(host) : undefined;
  if (bytes === undefined) return undefined;
  const all = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const size = mask === undefined ? all.length : Number(mask);
  if (size > all.length) return undefined;
  // A shorter mask comes first if its bits are the same, and a space comes before the bits of longer ones.
  return `${bytes.length === 4 ? 4 : 6}${all.slice(0, size)} ${all}`;
}

function bytesOf6(host: string): number[] {
  const end = host.slice(host.lastIndexOf(':') + 1);
  const last = isIPv4(end) ? end : undefined;
  const words =
    last === undefined
      ? host
      : host.replace(last, () => {
          const [a = 0, b = 0, c = 0, d = 0] = last.split('.').map(Number);
          return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        });
  const [left = '', right] = words.split('::');
  const split = (part: string) => (part === '' ? [] : part.split(':'));
  const before = split(left);
  const after = right === undefined ? [] : split(right);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((word) => {
    const value = Number.parseInt(word, 16);
    return [value >> 8, value & 0xff];
  });
}
