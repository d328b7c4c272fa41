/** Packs rows into columns and reads their cells. Does not depend on the editor. */
import { ExactNumber, jsonText } from '#api/client/json.ts';
import { columnKindOf } from './column-kind.ts';
import { cellTag, type CellTag, type Chunk, type ColumnChunk } from './packed-rows.ts';

export function packingOf(columns: readonly { readonly type: string }[]): { readonly isJson: boolean }[] {
  return columns.map((column) => ({ isJson: columnKindOf(column.type) === 'json' }));
}

/**
 * Packs rows into columns. If a row is shorter than the columns, its missing cells are NULL.
 * @param columns `isJson` means that a bare string in the column is a JSON value (`jsonb` containing `"a"`).
 */
export function packRows(
  rows: readonly (readonly unknown[])[],
  columns: readonly { readonly isJson: boolean }[],
): Chunk {
  return {
    rowCount: rows.length,
    columns: columns.map(({ isJson }, index) => packColumn(rows, index, isJson)),
  };
}

/** Maximum time that packing may block the thread, in milliseconds. */
const sliceMs = 8;

/** Like `packRows`, but yields between columns: packing 10,000 rows of 20 columns takes about 50 ms. */
export async function packRowsInSlices(
  rows: readonly (readonly unknown[])[],
  columns: readonly { readonly isJson: boolean }[],
): Promise<Chunk> {
  const packed: ColumnChunk[] = [];
  let started = performance.now();
  for (const [index, { isJson }] of columns.entries()) {
    packed.push(packColumn(rows, index, isJson));
    if (performance.now() - started < sliceMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    started = performance.now();
  }
  return { rowCount: rows.length, columns: packed };
}

/** All columns share one text buffer, since a buffer per column would create megabytes of garbage. */
const scratchMax = 1 << 22;
let scratch = Buffer.from(new ArrayBuffer(1 << 16));

function packColumn(rows: readonly (readonly unknown[])[], index: number, isJson: boolean): ColumnChunk {
  const count = rows.length;
  const tags = new Uint8Array(count);
  let numbers: Float64Array<ArrayBuffer> | undefined;
  let offsets: Uint32Array<ArrayBuffer> | undefined;
  let end = 0;
  for (let row = 0; row < count; row += 1) {
    const cell = toCell(rows[row]?.[index], isJson);
    tags[row] = cell.tag;
    if (typeof cell.value === 'number') {
      numbers ??= new Float64Array(count);
      numbers[row] = cell.value;
    } else if (cell.value !== undefined) {
      offsets ??= new Uint32Array(count + 1);
      const room = end + cell.value.length * 3;
      if (room > scratch.length) scratch = grow(scratch, end, Math.max(room, scratch.length * 2));
      end += scratch.write(cell.value, end, 'utf8');
    }
    if (offsets !== undefined) offsets[row + 1] = end;
  }
  const bytes = offsets === undefined ? undefined : new Uint8Array(scratch.subarray(0, end));
  // Don't keep a large buffer after one page of long strings.
  if (scratch.length > scratchMax) scratch = Buffer.from(new ArrayBuffer(1 << 16));
  return { tags, numbers, bytes, offsets };
}

function grow(bytes: Buffer<ArrayBuffer>, used: number, size: number): Buffer<ArrayBuffer> {
  const larger = Buffer.from(new ArrayBuffer(size));
  bytes.copy(larger, 0, 0, used);
  return larger;
}

type Cell = { readonly tag: CellTag; readonly value: string | number | undefined };

const nullCell: Cell = { tag: cellTag.null, value: undefined };
const trueCell: Cell = { tag: cellTag.true, value: undefined };
const falseCell: Cell = { tag: cellTag.false, value: undefined };

function toCell(value: unknown, isJson: boolean): Cell {
  if (value === null || value === undefined) return nullCell;
  switch (typeof value) {
    case 'string':
      return isJson ? { tag: cellTag.json, value: JSON.stringify(value) } : { tag: cellTag.text, value };
    case 'number':
      return { tag: cellTag.number, value };
    case 'boolean':
      return value ? trueCell : falseCell;
    case 'bigint':
      return { tag: cellTag.exact, value: value.toString() };
    default:
      if (value instanceof ExactNumber) return { tag: cellTag.exact, value: value.text };
      return { tag: cellTag.json, value: jsonText(value) };
  }
}

/**
 * Returns the distinct buffers of a chunk for a transfer list, excluding shared ones. After the transfer, this thread
 * can no longer use the chunk.
 */
export function buffersOf(chunk: Chunk): ArrayBuffer[] {
  const buffers = partsOf(chunk).map(({ buffer }) => buffer);
  return [...new Set(buffers)].filter((buffer) => !(buffer instanceof SharedArrayBuffer));
}

export function sizeOf(chunk: Chunk): number {
  return partsOf(chunk).reduce((sum, part) => sum + part.byteLength, 0);
}

function partsOf(chunk: Chunk) {
  return chunk.columns.flatMap(({ tags, numbers, bytes, offsets }) =>
    [tags, numbers, bytes, offsets].filter((part) => part !== undefined),
  );
}

/** Returns the text of a cell as received, or undefined for NULL. */
export function cellText(column: ColumnChunk, row: number): string | undefined {
  switch (column.tags[row]) {
    case cellTag.false:
      return 'false';
    case cellTag.true:
      return 'true';
    case cellTag.number:
      return String(column.numbers?.[row]);
    case cellTag.exact:
    case cellTag.text:
    case cellTag.json: {
      const { bytes, offsets } = column;
      if (bytes === undefined || offsets === undefined) return '';
      return utf8(bytes, offsets[row] ?? 0, offsets[row + 1] ?? 0);
    }
    default:
      return undefined;
  }
}

/** Returns the start of a cell's text: at least `maxChars` characters, or the whole text if it is shorter. */
export function cellTextStart(column: ColumnChunk, row: number, maxChars: number): string | undefined {
  const { bytes, offsets } = column;
  const start = offsets?.[row] ?? 0;
  const end = offsets?.[row + 1] ?? 0;
  if (bytes === undefined || end - start <= maxChars) return cellText(column, row);
  return utf8(bytes, start, characterStart(bytes, Math.min(end, start + maxChars * 3)));
}

/** Moves an index back to the start of a character, so that truncation never splits one. */
function characterStart(bytes: Uint8Array, index: number): number {
  let at = index;
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

function utf8(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}
