/** Rows as Parquet: each column in the type that holds it exactly, else as text. */
import type { SchemaElement } from 'hyparquet';
import type * as hyparquetWriter from 'hyparquet-writer';
import type { FileColumn, RowsEncoder } from './rows-encoder.ts';
import { distinctNames } from './serialize.ts';
import type { CellRow } from './text-writer.ts';
import { exactMicroseconds } from '../timestamps.ts';
import { t } from '../../util/texts.ts';

/** Rows of a group, which is in memory whole; readers skip groups. */
const groupRows = 50_000;

type Value = string | number | bigint | boolean | null;

interface ParquetColumn {
  readonly element: SchemaElement;
  /** @returns undefined for a text that the type does not hold. */
  readonly convert: (text: string) => Value | undefined;
}

export function createParquetEncoder(
  columns: readonly FileColumn[],
  { ByteWriter, ParquetWriter }: typeof hyparquetWriter,
): RowsEncoder {
  const names = distinctNames(columns.map((column) => column.name));
  const parquet = columns.map((column, index) => parquetColumn(column.type, names[index] ?? ''));
  const bytes = new ByteWriter(1 << 20);
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...parquet.map((column) => column.element)],
    createdBy: 'Identity Queries',
  });
  let pending: Value[][] = columns.map(() => []);
  let rowCount = 0;

  const take = (): Uint8Array[] => {
    const taken = bytes.getBytes().slice();
    // What was handed out is not needed again; `offset` goes on counting.
    bytes.index = 0;
    return [taken];
  };
  const writeGroup = (): Uint8Array[] => {
    if (pending[0] === undefined || pending[0].length === 0) return [];
    // Nothing to wait for: this writer has no `flush`.
    void writer.write({
      columnData: pending.map((data, index) => ({ name: names[index] ?? '', data })),
      rowGroupSize: groupRows,
    });
    pending = columns.map(() => []);
    return take();
  };
  const add = (row: CellRow) => {
    rowCount += 1;
    row.forEach(({ text }, index) => {
      const column = parquet[index];
      const value = text === null ? null : column?.convert(text);
      if (value === undefined) throw misfit(columns[index], rowCount);
      pending[index]?.push(value);
    });
  };
  return {
    start: take,
    rows: (rows) => {
      rows.forEach(add);
      return (pending[0]?.length ?? 0) >= groupRows ? writeGroup() : [];
    },
    end: () => {
      const last = writeGroup();
      void writer.finish();
      return [...last, ...take()];
    },
  };
}

function misfit(column: FileColumn | undefined, row: number): Error {
  return new Error(
    t(
      'Parquet cannot hold the value of column {0} in row {1} as {2}. Export as CSV or JSON instead.',
      column?.name ?? '',
      row,
      column?.type ?? '',
    ),
  );
}

function parquetColumn(type: string, name: string): ParquetColumn {
  const plain = type.trim().toLowerCase();
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  const decimal = /^(?:numeric|decimal)\((\d+)(?:, *(\d+))?\)$/.exec(plain);
  if (decimal !== null && Number(decimal[1]) <= 18) {
    const scale = Number(decimal[2] ?? 0);
    return {
      element: {
        ...optional,
        type: 'INT64',
        converted_type: 'DECIMAL',
        precision: Number(decimal[1]),
        scale,
      },
      convert: (text) => unscaled(text, scale),
    };
  }
  switch (plain) {
    case 'int2':
    case 'smallint':
    case 'int4':
    case 'integer':
      return { element: { ...optional, type: 'INT32' }, convert: (text) => integer(text, 2 ** 31) };
    case 'int8':
    case 'bigint':
    case 'oid':
      return { element: { ...optional, type: 'INT64' }, convert: bigInteger };
    case 'float4':
    case 'real':
    case 'float8':
    case 'double precision':
      return { element: { ...optional, type: 'DOUBLE' }, convert: double };
    case 'bool':
    case 'boolean':
      return {
        element: { ...optional, type: 'BOOLEAN' },
        convert: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
      };
    case 'date':
      return {
        element: { ...optional, type: 'INT32', converted_type: 'DATE' },
        convert: (text) => {
          const micros = exactMicroseconds(text);
          return micros === undefined ? undefined : Number(micros / 86_400_000_000n);
        },
      };
    case 'timestamp':
    case 'timestamp without time zone':
    case 'timestamptz':
    case 'timestamp with time zone': {
      const isAdjustedToUTC = plain === 'timestamptz' || plain === 'timestamp with time zone';
      return {
        element: {
          ...optional,
          type: 'INT64',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit: 'MICROS' },
        },
        convert: exactMicroseconds,
      };
    }
    default:
      // Numbers of any size among them: as text they lose nothing.
      return {
        element: { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' },
        convert: (text) => text,
      };
  }
}

function integer(text: string, end: number): number | undefined {
  const value = Number(text);
  return /^-?\d+$/.test(text) && value >= -end && value < end ? value : undefined;
}

function bigInteger(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

function double(text: string): number | undefined {
  switch (text.toLowerCase()) {
    case 'nan':
      return Number.NaN;
    case 'infinity':
      return Number.POSITIVE_INFINITY;
    case '-infinity':
      return Number.NEGATIVE_INFINITY;
    default: {
      const value = Number(text);
      return text.trim() === '' || Number.isNaN(value) ? undefined : value;
    }
  }
}

/** `12.3` with scale 2 is 1230. */
function unscaled(text: string, scale: number): bigint | undefined {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole + fraction === '' || fraction.slice(scale).replaceAll('0', '') !== '') return undefined;
  const value = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  return sign === '-' ? -value : value;
}
