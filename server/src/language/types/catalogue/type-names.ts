/** Reads type names in parse trees and in the service's column descriptions. */
import { list, strings, type Node } from '#server/language/tree/parse-tree.ts';
import type { TypeCatalogue, TypeName } from './catalogue.ts';

/** Type names in SQL and in services that differ from those in pg_type. */
const aliases: Readonly<Record<string, TypeName>> = {
  int: 'int4',
  decimal: 'numeric',
  dec: 'numeric',
  float: 'float8',
  char: 'bpchar',
  character: 'bpchar',
  varchar: 'varchar',
  'char varying': 'varchar',
  timestamp: 'timestamp',
  time: 'time',
};

/** Returns undefined if the type is not PostgreSQL's own. */
export function typeWritten(catalogue: TypeCatalogue, written: string): TypeName | undefined {
  const plain = written
    .toLowerCase()
    .replaceAll(/\([^()]*\)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const element = plain.replaceAll(/\[\d*\]/g, '').trim();
  const name =
    aliases[element] ??
    catalogue.typeShownAs(element) ??
    (catalogue.type(element) === undefined ? undefined : element);
  const type = name === undefined ? undefined : catalogue.type(name);
  if (type === undefined || type.kind === 'p') return undefined;
  return /\[\d*\]\s*$/.test(plain) ? type.array : type.name;
}

/** Returns the name without its schema, quotes, modifier or dimensions: `string` for `public."string"(20)[]`. */
export function typeNameIn(written: string): string {
  const end = written.search(/[([]/);
  const [names, rest] = end < 0 ? [written, ''] : [written.slice(0, end), written.slice(end)];
  if (!/^(?:\([^()]*\))?(?:\[\d*\])*$/.test(rest)) return '';
  const name = names.endsWith('"') ? names.slice(0, -1) : names;
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('"')) + 1);
}

export interface ReadType {
  /** Undefined if the type is not PostgreSQL's own. */
  readonly type: TypeName | undefined;
  /** The name as written; undefined if it has a schema. */
  readonly name: string | undefined;
  readonly hasModifier: boolean;
}

export function readTypeName(catalogue: TypeCatalogue, node: Node | undefined): ReadType {
  const names = strings(node?.names);
  const hasModifier = list(node?.typmods).length > 0;
  const isPlain = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog');
  const name = names.at(-1);
  const fact = isPlain && name !== undefined ? catalogue.type(name) : undefined;
  if (node === undefined || node.setof === true || node.pct_type === true || fact === undefined)
    return { type: undefined, name: names.length === 1 ? name : undefined, hasModifier };
  const isArray = list(node.arrayBounds).length > 0;
  return { type: isArray ? fact.array : fact.name, name, hasModifier };
}
