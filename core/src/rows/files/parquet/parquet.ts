/** Encodes rows as Parquet, one row group at a time. A column is text if Parquet has no exact type for it. */
import type { RowGroup, SchemaElement } from 'hyparquet';
import type * as hyparquetWriter from 'hyparquet-writer';
import { t } from '#base/texts.ts';
import { packRows } from '#core/rows/chunk.ts';
import type { Chunk } from '#core/rows/packed-rows.ts';
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
  const schema: SchemaElement[] = [{ name: 'root', num_children: columns.length }];
  // The library writes the header and footer of the file; this module writes the groups.
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'Identity Queries' });
  const compress = (plain: Uint8Array) => file.compressors.SNAPPY(plain);
  const plainColumns = columns.map(() => ({ isJson: false }));
  let groupCount = 0;
  let rowCount = 0;

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
    }
    file.row_groups.push(group);
    const bytesHeld = [...held.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [index, later] of held) {
      if (bytesHeld > heldBytesMax) later.isDecimal = false;
      if (!later.isDecimal) release(index, later);
    }
    file.num_rows += BigInt(groupCount);
    groupCount = 0;
    for (const column of values) column.begin();
  };
  const add = (chunk: Chunk, from: number, to: number): void => {
    for (const [index, column] of values.entries()) {
      const misfit = column.take(chunk.columns[index] ?? emptyColumn(chunk.rowCount), from, to);
      if (misfit >= 0) throw misfitOf(columns[index], rowCount + misfit + 1);
    }
    groupCount += to - from;
    const isFull = groupCount >= groupRows || values.some((column) => column.values.end >= groupColumnBytes);
    if (isFull) endGroup();
  };
  const addChunk = (chunk: Chunk): void => {
    if (columns.length === 0) return;
    for (let from = 0; from < chunk.rowCount;) {
      const to = Math.min(chunk.rowCount, from + stepRows, from + groupRows - groupCount);
      add(chunk, from, to);
      from = to;
    }
    rowCount += chunk.rowCount;
  };
  return {
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
      for (const element of elements) schema.push(element);
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

function misfitOf(column: FileColumn | undefined, row: number): Error {
  return new Error(
    t(
      `Parquet can't store the value of column "{0}" in row {1} as {2}. Export as CSV or JSON instead.`,
      column?.name ?? '',
      row,
      column?.type ?? '',
    ),
  );
}
