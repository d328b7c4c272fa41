/** Packs rows of values as columns, and reads their cells. Independent of the editor. */
import { ExactNumber, jsonText } from '../../../api/client/json.ts';
import { columnKindOf } from './column-kind.ts';
import { cellTag, type CellTag, type Chunk, type ColumnChunk } from './packed-rows.ts';

/** How the cells of each column type are packed. */
export function packingOf(columns: readonly { readonly type: string }[]): { readonly isJson: boolean }[] {
  return columns.map((column) => ({ isJson: columnKindOf(column.type) === 'json' }));
}

/**
 * Packs rows. A row may be shorter than the columns (missing cells are NULL).
 * @param isJson whether a bare string in the column is a JSON value (`jsonb` containing `"a"`).
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

/** Maximum time that packing may block a thread, in milliseconds. */
const sliceMs = 8;

/** The same, yielding between columns: ten thousand rows of twenty columns take some 50 ms. */
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

/** One text buffer for all columns: a new one for each would create megabytes of garbage. */
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
 * The distinct buffers of a chunk, for a transfer list; without shared ones. Afterwards the chunk is unusable on this
 * side.
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

/** The text of a cell as received; undefined for NULL. */
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

/** The first bytes of a cell's text: at least `maxChars` characters if it has that many. */
export function cellTextStart(column: ColumnChunk, row: number, maxChars: number): string | undefined {
  const { bytes, offsets } = column;
  const start = offsets?.[row] ?? 0;
  const end = offsets?.[row + 1] ?? 0;
  if (bytes === undefined || end - start <= maxChars) return cellText(column, row);
  return utf8(bytes, start, characterStart(bytes, Math.min(end, start + maxChars * 3)));
}

/** Steps back to the start of a character, so that truncation never splits one. */
function characterStart(bytes: Uint8Array, index: number): number {
  let at = index;
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

function utf8(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}
