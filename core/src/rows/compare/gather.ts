/** Packs cells from arbitrary rows into a new column. */
import { cellTag, type ColumnChunk } from '../packed-rows.ts';

/** A cell of a packed column; undefined for NULL. */
export type GatheredCell = { readonly packed: ColumnChunk; readonly row: number } | undefined;

export function gather(count: number, cellAt: (index: number) => GatheredCell): ColumnChunk {
  const tags = new Uint8Array(count);
  const cells: GatheredCell[] = [];
  let size = 0;
  let hasBytes = false;
  let hasNumbers = false;
  for (let index = 0; index < count; index += 1) {
    const cell = cellAt(index);
    cells.push(cell);
    const tag = cell?.packed.tags[cell.row] ?? cellTag.null;
    tags[index] = tag;
    if (tag === cellTag.number) hasNumbers = true;
    if (cell === undefined || !isPacked(tag)) continue;
    hasBytes = true;
    size += (cell.packed.offsets?.[cell.row + 1] ?? 0) - (cell.packed.offsets?.[cell.row] ?? 0);
  }
  const numbers = hasNumbers ? new Float64Array(count) : undefined;
  const bytes = hasBytes ? new Uint8Array(size) : undefined;
  const offsets = hasBytes ? new Uint32Array(count + 1) : undefined;
  let end = 0;
  for (const [index, cell] of cells.entries()) {
    const tag = tags[index] ?? cellTag.null;
    if (cell !== undefined && tag === cellTag.number && numbers !== undefined)
      numbers[index] = cell.packed.numbers?.[cell.row] ?? 0;
    if (cell?.packed.bytes !== undefined && bytes !== undefined && isPacked(tag)) {
      const start = cell.packed.offsets?.[cell.row] ?? 0;
      const stop = cell.packed.offsets?.[cell.row + 1] ?? 0;
      bytes.set(cell.packed.bytes.subarray(start, stop), end);
      end += stop - start;
    }
    if (offsets !== undefined) offsets[index + 1] = end;
  }
  return { tags, numbers, bytes, offsets };
}

function isPacked(tag: number): boolean {
  return tag === cellTag.exact || tag === cellTag.text || tag === cellTag.json;
}
