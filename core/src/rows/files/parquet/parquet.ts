/**
 * Encodes rows as Parquet, one row group at a time. A column is text if Parquet has no exact type for it. Values that are
 * none of their column's type are texts in another column at the end of the file: earlier groups are written by then.
 */
import type { RowGroup, SchemaElement } from 'hyparquet';
import type * as hyparquetWriter from 'hyparquet-writer';
import { packRows } from '#core/rows/chunk.ts';
import type { Chunk, ColumnChunk } from '#core/rows/packed-rows.ts';
import { emptyColumn } from '#core/rows/page-rows.ts';
import { distinctNames } from '../distinct-names.ts';
import type { FileColumn, RowsEncoder } from '../rows-encoder.ts';
import type { CellRow } from '../text-writer.ts';
import { isNumericType, parquetTypeOf } from './column-types.ts';
import { ColumnValues } from './column-values.ts';
import { heldBytesMax, HeldDecimals } from './held-decimals.ts';
import { writeColumn } from './pages.ts';

/** Rows per group. A whole group is buffered, and readers can skip groups. */
const groupRows = 50_000;
/** Rows added between checks of the group size. */
const stepRows = 1_000;
/** A group also ends once a column reaches this size, since strings may be long. */
const groupColumnBytes = 1 << 23;

export function createParquetEncoder(
  columns: readonly FileColumn[],
  { ByteWriter, ParquetWriter }: typeof hyparquetWriter,
): RowsEncoder {
  const names = distinctNames(columns.map((column) => column.name));
  const values = columns.map(
    (column, index) => new ColumnValues(parquetTypeOf(column.type, names[index] ?? ''), groupRows),
  );
  const bytes = new ByteWriter(1 << 20);
  const held = new Map(
    columns.flatMap(({ type }, index) =>
      isNumericType(type) ? [[index, new HeldDecimals(type, names[index] ?? '')] as const] : [],
    ),
  );
  const elements = values.map(({ type }) => type.element);
  /** Whether the column has a value of its type. */
  const isTyped = columns.map(() => false);
  /** The texts of values that are none of their column's type, by column. */
  const odd = new Map<number, ColumnValues>();
  const schema: SchemaElement[] = [{ name: 'root', num_children: columns.length }];
  // The library writes the header and footer of the file; this module writes the groups.
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'Identity Queries' });
  const compress = (plain: Uint8Array) => file.compressors.SNAPPY(plain);
  const plainColumns = columns.map(() => ({ isJson: false }));
  let groupCount = 0;

  const take = (): Uint8Array[] => {
    const taken = bytes.getBytes().slice();
    // Discard the bytes that were taken; `offset` keeps counting.
    bytes.index = 0;
    return [taken];
  };
  const release = (index: number, column: HeldDecimals): void => {
    elements[index] = column.release().element;
    held.delete(index);
  };
  const endGroup = (): void => {
    if (groupCount === 0) return;
    const group: RowGroup = { columns: [], total_byte_size: 0n, num_rows: BigInt(groupCount) };
    for (const [index, column] of values.entries()) {
      const put = (ready: ColumnValues) => {
        group.columns[index] = writeColumn(bytes, ready, compress);
      };
      const later = held.get(index);
      if (later === undefined) put(column);
      else later.hold(column, put);
      isTyped[index] ||= column.count > 0;
    }
    for (const [at, column] of [...odd.values()].entries()) {
      column.padTo(groupCount);
      group.columns[columns.length + at] = writeColumn(bytes, column, compress);
    }
    file.row_groups.push(group);
    const bytesHeld = [...held.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [index, later] of held) {
      if (bytesHeld > heldBytesMax) later.isDecimal = false;
      if (!later.isDecimal) release(index, later);
    }
    file.num_rows += BigInt(groupCount);
    groupCount = 0;
    for (const column of [...values, ...odd.values()]) column.begin();
  };
  /** Makes a column without any value so far a text: all its rows are NULL. */
  const makeText = (index: number, { rowCount: rows, type }: ColumnValues): ColumnValues => {
    const text = new ColumnValues(parquetTypeOf('text', type.element.name), groupRows);
    text.padTo(rows);
    values[index] = text;
    elements[index] = text.type.element;
    for (const { columns: written } of file.row_groups) {
      const { meta_data } = written[index] ?? {};
      if (meta_data !== undefined) meta_data.type = 'BYTE_ARRAY';
    }
    return text;
  };
  const oddOf = (index: number): ColumnValues => {
    const found = odd.get(index);
    if (found !== undefined) return found;
    const name = distinctNames([...names, ...oddNames(), `${names[index]} (text)`]).at(-1) ?? '';
    const made = new ColumnValues(parquetTypeOf('text', name), groupRows);
    odd.set(index, made);
    return made;
  };
  const oddNames = () => [...odd.values()].map(({ type }) => type.element.name);
  /** Adds the cells of a column, those that are none of its type as texts. */
  const addCells = (index: number, cells: ColumnChunk, from: number, to: number): void => {
    let column = values[index];
    for (let at = from; column !== undefined && at < to;) {
      const misfit = column.take(cells, at, to);
      if (misfit < 0) return;
      if (column.count === 0 && isTyped[index] === false) {
        column = makeText(index, column);
        at = misfit;
        continue;
      }
      const texts = oddOf(index);
      texts.padTo(column.rowCount);
      texts.take(cells, misfit, misfit + 1);
      column.padTo(column.rowCount + 1);
      at = misfit + 1;
    }
  };
  const add = (chunk: Chunk, from: number, to: number): void => {
    for (const index of columns.keys())
      addCells(index, chunk.columns[index] ?? emptyColumn(chunk.rowCount), from, to);
    groupCount += to - from;
    const isLarge = [...values, ...odd.values()].some((column) => column.values.end >= groupColumnBytes);
    if (groupCount >= groupRows || isLarge) endGroup();
  };
  const addChunk = (chunk: Chunk): void => {
    if (columns.length === 0) return;
    for (let from = 0; from < chunk.rowCount;) {
      const to = Math.min(chunk.rowCount, from + stepRows, from + groupRows - groupCount);
      add(chunk, from, to);
      from = to;
    }
  };
  /** Earlier groups have no odd values. */
  const completeGroups = (): void => {
    for (const { columns: written, num_rows } of file.row_groups)
      for (const { type } of [...odd.values()].slice(written.length - columns.length)) {
        const nulls = new ColumnValues(type, groupRows);
        nulls.padTo(Number(num_rows));
        written.push(writeColumn(bytes, nulls, compress));
      }
  };
  return {
    get oddColumns() {
      return [...odd].map(([index, { type }]) => ({
        name: columns[index]?.name ?? '',
        texts: type.element.name,
      }));
    },
    start: take,
    rows: (rows) => {
      addChunk(packRows(rows.map(textsOf), plainColumns));
      return take();
    },
    packed: (chunk) => {
      addChunk(chunk);
      return take();
    },
    end: () => {
      endGroup();
      for (const [index, column] of held) release(index, column);
      completeGroups();
      for (const element of elements) schema.push(element);
      for (const { type } of odd.values()) schema.push(type.element);
      schema[0] = { name: 'root', num_children: columns.length + odd.size };
      for (const group of file.row_groups) addSizes(group);
      void file.finish(); // completes synchronously with this writer
      return take();
    },
  };
}

function addSizes(group: RowGroup): void {
  let compressed = 0n;
  for (const { meta_data } of group.columns) {
    group.total_byte_size += meta_data?.total_uncompressed_size ?? 0n;
    compressed += meta_data?.total_compressed_size ?? 0n;
  }
  group.total_compressed_size = compressed;
}

function textsOf(row: CellRow): readonly (string | null)[] {
  return row.map(({ text }) => text);
}
