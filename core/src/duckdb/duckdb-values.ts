/** Values and types of DuckDB, as this product writes those of PostgreSQL: exactly. */

const types: readonly (readonly [RegExp, string])[] = [
  [/\[\d*\]$|^(?:STRUCT|MAP|UNION)\b/, 'jsonb'],
  [/^BOOLEAN$/, 'bool'],
  [/^(?:TINYINT|UTINYINT|SMALLINT)$/, 'int2'],
  [/^(?:USMALLINT|INTEGER)$/, 'int4'],
  [/^(?:UINTEGER|BIGINT)$/, 'int8'],
  [/^(?:UBIGINT|U?HUGEINT|BIGNUM|VARINT|DECIMAL\b.*)$/, 'numeric'],
  [/^FLOAT$/, 'float4'],
  [/^DOUBLE$/, 'float8'],
  [/^DATE$/, 'date'],
  [/^TIMESTAMP WITH TIME ZONE$/, 'timestamptz'],
  [/^TIMESTAMP/, 'timestamp'],
  [/^TIME WITH TIME ZONE$/, 'timetz'],
  [/^TIME/, 'time'],
  [/^INTERVAL$/, 'interval'],
  [/^UUID$/, 'uuid'],
  [/^BLOB$/, 'bytea'],
];

export function columnTypeOf(type: { toString(): string; readonly alias?: string | undefined }): string {
  if (type.alias === 'JSON') return 'jsonb';
  const name = String(type);
  return types.find(([form]) => form.test(name))?.[1] ?? 'text';
}

const infiniteDays = 2_147_483_647;

/**
 * Returns a value to send: of JSON and composed types the JSON text, since a number may have more digits than one of
 * JavaScript.
 *
 * @param type as `columnTypeOf` names it.
 */
export function valueOf(value: unknown, type = 'text'): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'jsonb') return typeof value === 'string' ? value : jsonOf(value);
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) return String(value);
      return type === 'float4' ? shortest(value) : value;
    case 'object':
      return textOf(value);
    default:
      return value;
  }
}

/** Returns the shortest number that is the same single-precision one. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

interface Held {
  readonly bytes?: unknown;
  readonly days?: unknown;
  readonly items?: unknown;
  readonly entries?: unknown;
  readonly months?: unknown;
  /** Of a decimal number. */
  readonly scale?: unknown;
  readonly value?: unknown;
  toString(): string;
}

function textOf(value: Held): string {
  if (value.bytes instanceof Uint8Array && value.constructor.name.includes('Blob'))
    return `\\x${Buffer.from(value.bytes).toString('hex')}`;
  if (value.months === undefined && typeof value.days === 'number' && Math.abs(value.days) === infiniteDays)
    return value.days > 0 ? 'infinity' : '-infinity';
  return value.toString().replace(/^(\S+) \(BC\)(.*)$/, '$1$2 BC');
}

/** Returns the JSON text of a composed value and what it holds. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(valueOf(value));
  const held: Held = value;
  if (Array.isArray(held.items)) return `[${held.items.map(jsonOf).join(',')}]`;
  // A map has a list of pairs, a struct an object.
  if (Array.isArray(held.entries))
    return objectOf(
      held.entries.map(({ key, value: own }: { readonly key: unknown; readonly value: unknown }) => [
        String(key),
        own,
      ]),
    );
  if (typeof held.entries === 'object' && held.entries !== null)
    return objectOf(Object.entries(held.entries));
  if ('tag' in held) return jsonOf(held.value);
  return held.scale === undefined ? JSON.stringify(textOf(held)) : held.toString();
}

const objectOf = (entries: readonly (readonly [string, unknown])[]): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${jsonOf(value)}`).join(',')}}`;
