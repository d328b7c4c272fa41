/** Families of PostgreSQL's types: within one, values can be compared. */
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
    // Object.entries forgets the keys' type.
    names.split(' ').map((name) => [name, family as TypeFamily] as const),
  ),
);

/** By the type's first word: `character varying(20)` is text. A list is `other`, as is what is not listed. */
export function familyOf(type: string): TypeFamily {
  const word = /^[a-z0-9_]+/i.exec(type.trim())?.[0].toLowerCase() ?? '';
  return /\[\]\s*$/.test(type) ? 'other' : (families.get(word) ?? 'other');
}

/** False only where PostgreSQL has no `=` for the two. A declared text may stand for anything: it is often left untyped. */
export function areComparable(declared: TypeFamily, column: TypeFamily): boolean {
  return declared === column || declared === 'text' || declared === 'other' || column === 'other';
}
