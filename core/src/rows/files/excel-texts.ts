/**
 * Rewrites a workbook whose column turned out to have numbers that Excel would alter: its earlier numbers become text, as
 * the later ones are. Needs disk space for a second copy; memory use is bounded.
 */
import { createReadStream } from 'node:fs';
import type * as fflate from 'fflate';
import { rewriteFile } from '#base/files/private-file.ts';
import { textCell } from './excel.ts';

const numberCell = /<c r="([A-Z]{1,3})(\d{1,7})"><v>([^<]*)<\/v><\/c>/g;

/** @param letters the columns. @returns the size of the file in bytes. */
export async function numbersToTexts(
  path: string,
  letters: readonly string[],
  zip: typeof fflate,
): Promise<number> {
  const columns = new Set(letters);
  const pieces: Uint8Array[] = [];
  const archive = new zip.Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  const source = new zip.Unzip((file) => {
    const copy = new zip.ZipDeflate(file.name, { level: 4 });
    archive.add(copy);
    const isSheet = file.name.startsWith('xl/worksheets/');
    const decoder = new TextDecoder();
    let rest = '';
    file.ondata = (error, bytes, isLast) => {
      if (error !== null) throw error;
      if (!isSheet) {
        copy.push(bytes, isLast);
        return;
      }
      const text = rest + decoder.decode(bytes, { stream: !isLast });
      const end = isLast ? text.length : endOfCells(text);
      rest = text.slice(end);
      const whole = text
        .slice(0, end)
        .replaceAll(numberCell, (cell, column: string, row: string, digits: string) =>
          columns.has(column) ? textCell(column + row, digits) : cell,
        );
      copy.push(zip.strToU8(whole), isLast);
    };
    file.start();
  });
  source.register(zip.UnzipInflate);
  return await rewriteFile(path, 'texts', async (handle) => {
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 18 })) {
      source.push(piece as Buffer); // no encoding is set, so the stream yields buffers
      for (const bytes of pieces.splice(0)) await handle.appendFile(bytes);
    }
    source.push(new Uint8Array(0), true);
    archive.end();
    for (const bytes of pieces.splice(0)) await handle.appendFile(bytes);
  });
}

function endOfCells(text: string): number {
  const end = '</c>';
  const at = text.lastIndexOf(end);
  return at === -1 ? 0 : at + end.length;
}
