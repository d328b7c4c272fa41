/** Kinds of types, coarse enough to be inferred from tokens. */

export type TypeKind =
  | 'text'
  | 'number'
  | 'time'
  | 'boolean'
  | 'json'
  | 'array'
  | 'uuid'
  | 'interval'
  | 'address'
  | 'bytes';

/** Returns the kind of a type, or undefined if it has none. */
export function kindOfType(type: string | undefined): TypeKind | undefined {
  const plain = type?.toLowerCase() ?? '';
  if (plain.endsWith(']') || /^any(?:compatible)?array/.test(plain)) return 'array';
  if (/^(?:text|character|varchar|char|name|citext|bpchar)\b/.test(plain)) return 'text';
  if (/^(?:integer|bigint|smallint|numeric|decimal|real|double|int\d?|float\d?)\b/.test(plain))
    return 'number';
  if (/^(?:timestamp|date|timestamptz)\b/.test(plain)) return 'time';
  if (/^bool/.test(plain)) return 'boolean';
  if (/^jsonb?\b/.test(plain)) return 'json';
  if (/^(?:inet|cidr)$/.test(plain)) return 'address';
  if (plain === 'bytea') return 'bytes';
  if (plain === 'uuid') return 'uuid';
  return plain === 'interval' ? 'interval' : undefined;
}
