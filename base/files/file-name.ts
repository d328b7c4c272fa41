/** Creates file names from external text, such as the names of queries and connections. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';

/** File systems limit the length in bytes, usually to 255. This leaves room for an extension and a copy suffix. */
const mostBytes = 200;

/**
 * Control, bidirectional and zero-width characters, and unpaired surrogates. A name must be exactly what it looks like.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Windows device names, with any extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\xb9\xb2\xb3])(?=\.|$)/i;

/** Whitespace before an extension does not prevent a name from being a device name. */
export const isDeviceName = (name: string): boolean => device.test(name.replace(/\s+(?=\.|$)/, ''));

/** Returns a file name that is valid on every file system. */
export function fileNameOf(text: string): string {
  const plain = cutBytes(
    text
      .normalize('NFC')
      .replaceAll(unseen, '-')
      .replace(/[<>:"/\\|?*]+/g, '-')
      .replace(/^[.\s]+/, ''),
    mostBytes,
  ).replace(/[.\s]+$/, '');
  return plain === '' || isDeviceName(plain) ? `result-${plain}`.replace(/-$/, '') : plain;
}

/** Returns the name of a temporary file next to the target, whose own name may already be as long as allowed. */
export function draftNameOf(target: string): string {
  return partNameOf(target, randomBytes(6).toString('hex'));
}

/** @param mark distinguishes parts of one file. */
export function partNameOf(target: string, mark: string): string {
  return `.${cutBytes(path.basename(target), mostBytes)}.${mark}.part`;
}

function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let cut = '';
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > most) break;
    cut += character;
  }
  return cut;
}
