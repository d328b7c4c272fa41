/** Groups PostgreSQL types into families of comparable types. */
export type TypeFamily = 'text' | 'number' | 'boolean' | 'time' | 'uuid' | 'json' | 'other';

const families: ReadonlyMap<string, TypeFamily> = new Map(
  Object.entries({
    text: 'text varchar char character bpchar name citext',
    number: 'integer int bigint smallint int2 int4 int8 numeric decimal real float float4 float8 double',
    boolean: 'boolean bool',
    time: 'date timestamp timestamptz',
    uuid: 'uuid',
    json: 'json jsonb',
  }).flatMap(([family, names]) =>
    // Object.entries widens the keys to strings.
    names.split(' ').map((name) => [name, family as TypeFamily] as const),
  ),
);

/** Uses the type's first word: `character varying(20)` is text. Arrays and unlisted types are `other`. */
export function familyOf(type: string): TypeFamily {
  const word = /^[a-z0-9_]+/i.exec(type.trim())?.[0].toLowerCase() ?? '';
  return /\[\]\s*$/.test(type) ? 'other' : (families.get(word) ?? 'other');
}

/**
 * Returns false only if PostgreSQL has no `=` operator for the two. A parameter declared as text is comparable with
 * anything, since many parameters are left untyped.
 */
export function areComparable(declared: TypeFamily, column: TypeFamily): boolean {
  return declared === column || declared === 'text' || declared === 'other' || column === 'other';
}
