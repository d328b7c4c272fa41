/** Finds the bounds of JSON values in UTF-8, for packing without parsing. */

/** Bytes that end the plain part of a string: quotes, backslashes, and control characters, which JSON forbids. */
const isSpecial = new Uint8Array(256);
isSpecial.fill(1, 0, 0x20);
isSpecial[0x22] = 1;
isSpecial[0x5c] = 1;

export const ascii = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Returns the first position from `at` on that is not whitespace. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  for (let place = at; ; place += 1) {
    const byte = bytes[place];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return place;
  }
}

/**
 * @param at the position after the opening quote.
 * @returns the position after the closing quote, or -1 if there is none.
 */
export function stringEnd(bytes: Uint8Array, at: number): number {
  let place = at;
  for (;;) {
    while (isSpecial[bytes[place] ?? 0] === 0) place += 1;
    const byte = bytes[place];
    if (byte === ascii.quote) return place + 1;
    if (byte !== ascii.backslash) return -1;
    place += 2;
  }
}

/**
 * Returns the position after a value, or -1 if it does not end. Looks only at quotes and brackets; the parser validates
 * the value.
 */
export function valueEnd(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let place = at;
  for (;;) {
    const byte = bytes[place];
    switch (byte) {
      case undefined:
        return -1;
      case ascii.quote:
        place = stringEnd(bytes, place + 1);
        if (place < 0 || depth === 0) return place;
        continue;
      case ascii.openList:
      case ascii.openObject:
        depth += 1;
        break;
      case ascii.closeList:
      case ascii.closeObject:
        depth -= 1;
        if (depth === 0) return place + 1;
        // This bracket closes the enclosing list or object, so the value ends here.
        if (depth < 0) return place;
        break;
      case ascii.comma:
        if (depth === 0) return place;
        break;
      default:
        break;
    }
    place += 1;
  }
}

/** Returns the position after a number according to JSON's grammar, or -1 if it is not a number. */
export function numberEnd(bytes: Uint8Array, at: number): number {
  let place = bytes[at] === ascii.minus ? at + 1 : at;
  const first = bytes[place];
  const whole = digitsEnd(bytes, place);
  if (whole === place || (first === ascii.zero && whole > place + 1)) return -1;
  place = whole;
  if (bytes[place] === 0x2e) {
    const fraction = digitsEnd(bytes, place + 1);
    if (fraction === place + 1) return -1;
    place = fraction;
  }
  if (bytes[place] === 0x65 || bytes[place] === 0x45) {
    place += 1;
    if (bytes[place] === 0x2b || bytes[place] === ascii.minus) place += 1;
    const exponent = digitsEnd(bytes, place);
    if (exponent === place) return -1;
    place = exponent;
  }
  return place;
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  let place = at;
  for (let byte = bytes[place] ?? 0; byte >= ascii.zero && byte <= ascii.nine; byte = bytes[place] ?? 0)
    place += 1;
  return place;
}
