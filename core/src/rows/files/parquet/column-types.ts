/**
 * Maps each PostgreSQL type to a Parquet type that represents it exactly. Other types become text, so no number loses
 * digits.
 */
import type { SchemaElement } from 'hyparquet';
import { exactMicroseconds } from '#core/rows/timestamps.ts';

export type Value = string | number | bigint | boolean;

/** The form of a value. `text`, `integer` and `moment` are converted from bytes without creating a string. */
export type ByteForm = 'text' | 'integer' | 'double' | 'moment' | 'other';

export interface ParquetType {
  readonly element: SchemaElement;
  readonly form: ByteForm;
  /**
   * Converts a value from text.
   * @returns undefined if the type cannot represent it.
   */
  readonly convert: (text: string) => Value | undefined;
}

/** Whether the type of a column in the file depends on its values. */
export function isNumericType(type: string): boolean {
  return /^(?:numeric|decimal)\s*(?:\(|$)/i.test(type.trim());
}

/** The type of a column; `numeric` is text here, see `HeldDecimals`. */
export function parquetTypeOf(type: string, name: string): ParquetType {
  const plain = type.trim().toLowerCase();
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  switch (plain) {
    case 'int2':
    case 'smallint':
    case 'int4':
    case 'integer':
      return {
        element: { ...optional, type: 'INT32' },
        form: 'integer',
        convert: (text) => integer(text, 2 ** 31),
      };
    case 'int8':
    case 'bigint':
    case 'oid':
      return { element: { ...optional, type: 'INT64' }, form: 'integer', convert: bigInteger };
    case 'float4':
    case 'real':
    case 'float8':
    case 'double precision':
      return { element: { ...optional, type: 'DOUBLE' }, form: 'double', convert: double };
    case 'bool':
    case 'boolean':
      return {
        element: { ...optional, type: 'BOOLEAN' },
        form: 'other',
        convert: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
      };
    case 'date':
      return {
        element: { ...optional, type: 'INT32', converted_type: 'DATE' },
        form: 'other',
        convert: (text) => {
          const micros = exactMicroseconds(text);
          return micros === undefined ? infinityOf(text, 2 ** 31 - 1) : Number(micros / 86_400_000_000n);
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
        form: 'moment',
        convert: (text) => int64(exactMicroseconds(text)) ?? infinityOf(text, 2n ** 63n - 1n),
      };
    }
    default:
      return {
        element: { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' },
        form: 'text',
        convert: (text) => text,
      };
  }
}

function integer(text: string, end: number): number | undefined {
  const value = Number(text);
  return /^-?\d+$/.test(text) && value >= -end && value < end ? value : undefined;
}

function bigInteger(text: string): bigint | undefined {
  return /^-?\d{1,19}$/.test(text) ? int64(BigInt(text)) : undefined;
}

function int64(value: bigint | undefined): bigint | undefined {
  return value === undefined || value !== BigInt.asIntN(64, value) ? undefined : value;
}

/** Parquet has no infinite times. DuckDB writes and reads them as the outermost numbers, which order as they should. */
function infinityOf(text: string, most: number | bigint): number | bigint | undefined {
  return text === 'infinity' ? most : text === '-infinity' ? -most : undefined;
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
