/** Names of files out of texts that come from elsewhere: names of queries and connections, words of a service. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';

/** File systems count bytes, mostly 255; an ending and what stands for a copy need room too. */
const mostBytes = 200;

/** Control, bidirectional and zero-width characters, and halves of characters: a name is to be what it looks like. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** What Windows takes for a device, whatever ending follows. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\.|$)/i;

/** A name that every file system takes, of one file in the folder it is put into. */
export function fileNameOf(text: string): string {
  const plain = cutBytes(
    text
      .normalize('NFC')
      .replaceAll(unseen, '-')
      .replace(/[<>:"/\\|?*]+/g, '-')
      .replace(/^[.\s]+/, ''),
    mostBytes,
  ).replace(/[.\s]+$/, '');
  // White space before an ending does not make it another device.
  return plain === '' || device.test(plain.replace(/\s+(?=\.|$)/, ''))
    ? `result-${plain}`.replace(/-$/, '')
    : plain;
}

/** Beside the file, whose name may be as long as the file system allows. */
export function draftNameOf(target: string): string {
  return partNameOf(target, randomBytes(6).toString('hex'));
}

/** @param mark tells parts of one file apart. */
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
