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

/** @param type as `columnTypeOf` names it. */
export function valueOf(value: unknown, type = 'text'): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'jsonb') return typeof value === 'string' ? jsonText(value) : jsonOf(value);
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

/** Parsed only to be written again; what is no JSON stays a text. */
function jsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
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
  readonly value?: unknown;
  toString(): string;
}

function textOf(value: Held): string {
  if (value.bytes instanceof Uint8Array && value.constructor.name.includes('Blob'))
    return `\\x${Buffer.from(value.bytes).toString('hex')}`;
  if (value.months === undefined && typeof value.days === 'number' && Math.abs(value.days) === infiniteDays)
    return value.days > 0 ? 'infinity' : '-infinity';
  return value.toString();
}

function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'object' || value === null) return valueOf(value);
  const held: Held = value;
  if (Array.isArray(held.items)) return held.items.map(jsonOf);
  // A map has a list of pairs, a struct an object.
  if (Array.isArray(held.entries))
    return Object.fromEntries(
      held.entries.map(({ key, value: own }: { readonly key: unknown; readonly value: unknown }) => [
        String(key),
        jsonOf(own),
      ]),
    );
  if (typeof held.entries === 'object' && held.entries !== null)
    return Object.fromEntries(Object.entries(held.entries).map(([key, own]) => [key, jsonOf(own)]));
  if ('tag' in held) return jsonOf(held.value);
  return textOf(held);
}
