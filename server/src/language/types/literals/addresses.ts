/** Checks literals of network addresses. */
interface Problem {
  readonly message: string;
  readonly remedy?: string;
}

const invalid = (shown: string, text: string): Problem => ({
  message: `invalid input syntax for type ${shown}: "${text}"`,
});

export function checkAddress(text: string, shown: string): Problem | undefined {
  if (text.includes(':')) {
    return isVersion6(text) ? undefined : invalid(shown, text);
  }
  const octets = /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?$/.exec(text);
  if (octets === null) {
    const isShort = shown === 'inet' && /^\d+(?:\.\d+){1,2}$/.test(text);
    return isShort || !/^[\da-f./]+$/i.test(text) ? invalid(shown, text) : undefined;
  }
  const parts = octets.slice(1, 5).map(Number);
  const bits = Number(octets[5] ?? 32);
  if (parts.some((part) => part > 255) || bits > 32) return invalid(shown, text);
  const value = parts.reduce((sum, part) => sum * 256 + part, 0);
  return shown === 'cidr' && value % 2 ** (32 - bits) !== 0
    ? {
        message: `invalid cidr value: "${text}"`,
        remedy: 'It has bits set to the right of the mask: write inet, or the address of the network.',
      }
    : undefined;
}

function isVersion6(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const sides = address.replace(/(?<=:)\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const groups = sides.flatMap((side) => (side === '' ? [] : side.split(':')));
  const isFull = sides.length === 1 ? groups.length === 8 : sides.length === 2 && groups.length < 8;
  return (
    address !== '' &&
    isFull &&
    groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    Number(bits ?? 0) <= 128
  );
}

export function checkMac(text: string, shown: string): Problem | undefined {
  const digits = text.trim().replaceAll(/[:.-]/g, '');
  const length = shown === 'macaddr' ? [12] : [12, 16];
  const isShort = /^[\da-f]{1,2}(?:[:-][\da-f]{1,2}){5}$/i.test(text.trim());
  return isShort || (/^[\da-f]+$/i.test(digits) && length.includes(digits.length))
    ? undefined
    : invalid(shown, text);
}
