/**
 * Converts PostgreSQL's positions to UTF-16 offsets: error positions are in code points, node locations in UTF-8 bytes.
 */

/** Returns the UTF-16 offset of a code point, given its 0-based index. */
export function offsetOfCodePoint(text: string, codePoints: number): number {
  let offset = 0;
  for (let passed = 0; passed < codePoints && offset < text.length; passed++) offset += widthAt(text, offset);
  return offset;
}

/** Returns the UTF-16 offset for a UTF-8 byte offset. */
export function offsetOfByte(text: string, bytes: number): number {
  let offset = 0;
  let passed = 0;
  while (passed < bytes && offset < text.length) {
    const width = widthAt(text, offset);
    passed += bytesOf(text.charCodeAt(offset), width);
    offset += width;
  }
  return offset;
}

/** Returns a function like offsetOfByte that is faster for many offsets in the same text. */
export function byteMapper(text: string): (bytes: number) => number {
  if (/^[\x00-\x7f]*$/.test(text)) return (bytes) => Math.min(bytes, text.length);
  const offsets: number[] = [];
  for (let offset = 0; offset < text.length;) {
    const width = widthAt(text, offset);
    const bytes = bytesOf(text.charCodeAt(offset), width);
    for (let part = 0; part < bytes; part++) offsets.push(offset);
    offset += width;
  }
  return (bytes) => offsets[bytes] ?? text.length;
}

/** Returns the number of UTF-16 code units of the code point at the offset. An unpaired surrogate counts as one. */
function widthAt(text: string, offset: number): 1 | 2 {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

function bytesOf(unit: number, width: 1 | 2): number {
  if (width === 2) return 4;
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}
