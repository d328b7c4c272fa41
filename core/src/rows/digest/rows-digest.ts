/**
 * Computes two digests of rows: one depends on their order, the other does not. docs/evidence.md documents the hashed
 * form, so that anyone can recompute the digests from the service's response.
 */
import { createHash } from 'node:crypto';
import { parseJson } from '#api/client/json.ts';
import { canonicalJson } from '../canonical-json.ts';
import { cellText } from '../chunk.ts';
import { cellTag, type Chunk, type ColumnChunk } from '../packed-rows.ts';
import type { RowsDigest, StoreColumn } from '../rows.ts';

/** Cells to process between pauses; this takes a few milliseconds. */
const cellsAtATime = 20_000;
/** Number of buckets by first digest byte, so that each bucket sorts within milliseconds. */
const bucketCount = 256;

/** @param rowCount number of rows to hash, from the first row in the service's order. */
export async function digestRows(
  source: { readonly columns: readonly StoreColumn[]; readonly chunks: readonly Chunk[] },
  rowCount: number,
  context: { readonly pause: () => Promise<void>; readonly progress: (rows: number) => void },
): Promise<RowsDigest> {
  const inOrder = createHash('sha256');
  inOrder.update(`${whole(JSON.stringify(source.columns.map(({ name, type }) => [name, type])))}\n`);
  const buckets: string[][] = Array.from({ length: bucketCount }, () => []);
  const rowsAtATime = Math.max(1, Math.floor(cellsAtATime / Math.max(1, source.columns.length)));
  let done = 0;
  for (const chunk of source.chunks) {
    const last = Math.min(chunk.rowCount, rowCount - done);
    for (let row = 0; row < last; row += 1) {
      const line = whole(rowLine(chunk.columns, row));
      inOrder.update(`${line}\n`);
      const own = createHash('sha256').update(line).digest('hex');
      buckets[Number.parseInt(own.slice(0, 2), 16)]?.push(own);
      done += 1;
      if (done % rowsAtATime === 0) {
        context.progress(done);
        await context.pause();
      }
    }
    if (done >= rowCount) break;
  }
  const asSet = createHash('sha256');
  for (const bucket of buckets) {
    if (bucket.length === 0) continue;
    asSet.update(`${bucket.sort().join('\n')}\n`);
    bucket.length = 0;
    await context.pause();
  }
  return { rowCount: done, sha256: inOrder.digest('hex'), setSha256: asSet.digest('hex') };
}

/** Half a character is U+FFFD in packed texts, so it is in names and in JSON, which keep it as an escape. */
function whole(json: string): string {
  if (!json.includes(String.raw`\ud`)) return json;
  return json.replaceAll(/\\\\|\\ud[89a-f]../g, (found) =>
    found.startsWith(String.raw`\u`) ? '\uFFFD' : found,
  );
}

function rowLine(columns: readonly ColumnChunk[], row: number): string {
  let line = '[';
  for (let column = 0; column < columns.length; column += 1) {
    const packed = columns[column];
    line += (column === 0 ? '' : ',') + (packed === undefined ? 'null' : cellJson(packed, row));
  }
  return `${line}]`;
}

function cellJson(column: ColumnChunk, row: number): string {
  const text = cellText(column, row);
  if (text === undefined) return 'null';
  switch (column.tags[row]) {
    case cellTag.text:
      return JSON.stringify(text);
    case cellTag.json:
      // Members of objects have no fixed order; white space and escapes have several forms.
      return /[{\s\\]/.test(text) ? canonicalJson(parseJson(text)) : text;
    default:
      return text;
  }
}
