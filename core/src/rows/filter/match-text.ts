/**
 * Finds the cells of a packed column that contain the search text. ASCII text is searched for in the bytes of the whole
 * column at once; only ambiguous cells are decoded individually.
 */
import { cellText } from '../chunk.ts';
import { cellTag, type ColumnChunk } from '../packed-rows.ts';

export interface TextQuery {
  readonly text: string;
  readonly matchCase: boolean;
}

const ascii = /^[\x00-\x7f]*$/;

/** Calls `found` once for each row of the chunk whose cell contains the text, never for NULL. */
export function eachMatch(
  chunk: ColumnChunk,
  rowCount: number,
  { text, matchCase }: TextQuery,
  found: (row: number) => void,
): void {
  const needle = matchCase ? text : text.toLowerCase();
  if (needle === '' || !ascii.test(needle)) {
    eachMatchByCell(chunk, rowCount, { needle, matchCase }, found);
    return;
  }
  matchPacked(chunk, rowCount, { needle, matchCase }, found);
  // Numbers and booleans have no bytes, so they are searched as text.
  for (let row = 0; row < rowCount; row += 1) {
    const tag = chunk.tags[row];
    if (tag === cellTag.number || tag === cellTag.true || tag === cellTag.false) {
      const value = cellText(chunk, row) ?? '';
      if ((matchCase ? value : value.toLowerCase()).includes(needle)) found(row);
    }
  }
}

interface Needle {
  readonly needle: string;
  readonly matchCase: boolean;
}

function matchPacked(
  { bytes, offsets }: ColumnChunk,
  rowCount: number,
  { needle, matchCase }: Needle,
  found: (row: number) => void,
): void {
  if (bytes === undefined || offsets === undefined) return;
  // Latin-1 decodes one character per byte, so positions in the text are byte positions. ASCII letters are the same in
  // UTF-8.
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const haystack = matchCase ? raw : raw.toLowerCase();
  let row = 0;
  for (let at = haystack.indexOf(needle); at >= 0;) {
    while (row < rowCount - 1 && (offsets[row + 1] ?? 0) <= at) row += 1;
    const end = offsets[row + 1] ?? 0;
    if (at + needle.length <= end) {
      found(row);
      at = haystack.indexOf(needle, end);
    } else {
      // This match extends into the next cell, so it does not count.
      at = haystack.indexOf(needle, at + 1);
    }
  }
}

function eachMatchByCell(
  chunk: ColumnChunk,
  rowCount: number,
  { needle, matchCase }: Needle,
  found: (row: number) => void,
): void {
  for (let row = 0; row < rowCount; row += 1) {
    // An ASCII cell cannot contain search text with non-ASCII letters.
    if (needle !== '' && isAscii(chunk, row)) continue;
    const value = cellText(chunk, row);
    if (value !== undefined && (matchCase ? value : value.toLowerCase()).includes(needle)) found(row);
  }
}

function isAscii({ bytes, offsets }: ColumnChunk, row: number): boolean {
  if (bytes === undefined || offsets === undefined) return true;
  const end = offsets[row + 1] ?? 0;
  for (let at = offsets[row] ?? 0; at < end; at += 1) if ((bytes[at] ?? 0) >= 0x80) return false;
  return true;
}
