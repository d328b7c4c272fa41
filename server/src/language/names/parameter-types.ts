/** Maps PostgreSQL's type names to those of `-- @param`. */

const words: ReadonlyMap<string, string> = new Map([
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int', 'integer'],
  ['int8', 'bigint'],
  ['float4', 'real'],
  ['double precision', 'float8'],
  ['float', 'float8'],
  ['decimal', 'numeric'],
  ['bool', 'boolean'],
  ['bpchar', 'text'],
  ['character', 'text'],
  ['char', 'text'],
  ['name', 'text'],
  ['citext', 'text'],
  ['varchar', 'text'],
  ['character varying', 'text'],
  ['timestamp with time zone', 'timestamptz'],
  ['timestamp without time zone', 'timestamp'],
  ['time with time zone', 'timetz'],
  ['time without time zone', 'time'],
]);

export interface ParameterType {
  /** Type of a single value. */
  readonly type: string;
  readonly isList: boolean;
}

/** Returns undefined for a type that `-- @param` cannot name. Drops sizes: `character varying(20)` becomes `text`. */
export function parameterTypeOf(type: string): ParameterType | undefined {
  const isList = /\[\d*\]\s*$/.test(type);
  const plain = type
    .toLowerCase()
    .replaceAll(/\([^()]*\)|\[\d*\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain === '' || plain === 'unknown' ? undefined : { type: words.get(plain) ?? plain, isList };
}
