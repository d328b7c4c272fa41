/** Maps PostgreSQL type names to column kinds, which determine how values are displayed, aligned and compared. */

export type ColumnKind = 'number' | 'boolean' | 'time' | 'json' | 'text';

const numberTypes = new Set([
  ...['int2', 'int4', 'int8', 'smallint', 'integer', 'bigint', 'numeric', 'decimal', 'float4', 'float8'],
  ...['real', 'double precision', 'oid', 'money'],
]);
const timeTypes = new Set([
  'date',
  'timestamp',
  'timestamptz',
  'timestamp with time zone',
  'timestamp without time zone',
]);

export function columnKindOf(type: string): ColumnKind {
  const name = type
    .trim()
    .toLowerCase()
    .replace(/\([^()]*\)/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  if (name.endsWith('[]') || name.startsWith('_') || name === 'json' || name === 'jsonb') return 'json';
  if (numberTypes.has(name)) return 'number';
  if (timeTypes.has(name)) return 'time';
  return name === 'bool' || name === 'boolean' ? 'boolean' : 'text';
}

/** What the values of a column are compared as. */
export interface TypedColumn {
  readonly type: string;
  readonly kind: ColumnKind;
}
