/** Normalizes PostgreSQL type names as users and catalogs write them. */

export type ParameterControl = 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'list';

const aliases = new Map(
  Object.entries({
    int: 'int4',
    integer: 'int4',
    smallint: 'int2',
    bigint: 'int8',
    decimal: 'numeric',
    number: 'numeric',
    real: 'float4',
    float: 'float8',
    double: 'float8',
    'double precision': 'float8',
    boolean: 'bool',
    'character varying': 'text',
    varchar: 'text',
    character: 'text',
    char: 'text',
    bpchar: 'text',
    name: 'text',
    string: 'text',
    'timestamp with time zone': 'timestamptz',
    'timestamp without time zone': 'timestamp',
    'time with time zone': 'timetz',
    'time without time zone': 'time',
    secret: 'text',
    'user-defined': 'text',
    unknown: 'text',
  }),
);

export const integerBits: ReadonlyMap<string, bigint> = new Map([
  ['int2', 15n],
  ['int4', 31n],
  ['int8', 63n],
]);
const decimalTypes = new Set(['numeric', 'float4', 'float8']);

/**
 * Returns a type's short name without its size: `NUMERIC(10, 2)` becomes `numeric`. For a list, uses its element type.
 */
export function elementTypeOf(type: string): string {
  const base = type
    .toLowerCase()
    .replace(/\[\]\s*$/, '')
    .replace(/\([^()]*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (base === 'enum') return 'text';
  return aliases.get(base) ?? base;
}

export function isListType(type: string): boolean {
  return type.trimEnd().endsWith('[]');
}

/** Returns whether values must not be shown or stored, because the type is declared as `secret`. */
export function isSecretType(type: string): boolean {
  return /^secret(?:\[\])?$/i.test(type.trim());
}

/** Returns the values of `enum(active, locked)`; undefined for any other type. */
export function declaredChoices(type: string): readonly string[] | undefined {
  const match = /^enum\((.*)\)(?:\[\])?$/i.exec(type.trim());
  return match?.[1]
    ?.split(',')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '');
}

export function controlOf(type: string): ParameterControl {
  if (isListType(type)) return 'list';
  const base = elementTypeOf(type);
  if (integerBits.has(base) || decimalTypes.has(base)) return 'number';
  if (base === 'bool') return 'boolean';
  if (base === 'date') return 'date';
  return base === 'timestamp' || base === 'timestamptz' ? 'timestamp' : 'text';
}

/** Returns whether empty text is a valid value of the type, rather than a missing one. */
export function mayBeEmpty(type: string): boolean {
  return isListType(type) || (elementTypeOf(type) === 'text' && declaredChoices(type) === undefined);
}
