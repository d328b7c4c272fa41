/** Resolves column names in the typed query. Unresolved names are reported elsewhere. */
import { readColumn, type Node } from '#server/language/tree/parse-tree.ts';
import { hasNameless, onlyPositionOf } from '../columns-by-name.ts';
import {
  originsOf,
  unknown,
  type Column,
  type Level,
  type Origin,
  type Relation,
  type Session,
  type Typed,
} from '../typing.ts';

/** Returns `unknown` if the name is unresolved or ambiguous. */
export function columnType(session: Session, level: Level, node: Node): Typed {
  const { parts } = readColumn(node);
  const found = parts.includes('*') || parts.length > 3 ? undefined : find(level, parts);
  if (found === undefined) {
    // The name may belong to any level.
    if (session.aggregate !== undefined) session.aggregate.isUncertain = true;
    for (let at: Level | undefined = level; at !== undefined; at = at.parent) at.isUncertain = true;
    return unknown;
  }
  session.aggregate?.levels.add(found.level);
  if (found.index < 0) {
    const { columns } = found.relation;
    // The name of a scalar function refers to its only column.
    if (found.relation.isScalar === true && columns?.[0] !== undefined) {
      return columns[0];
    }
    return columns === undefined
      ? unknown
      : // The row of a table has its own type.
        {
          type: found.relation.isTable ? undefined : 'record',
          origins: originsOfRow(columns),
          fields: columns,
        };
  }
  session.meanings.set(node, found);
  const column = found.relation.columns?.[found.index];
  if (column === undefined) {
    return unknown;
  }
  const { type, enumeration, modelType, origins, fields, nullable } = column;
  return {
    type,
    origins,
    ...(fields === undefined ? {} : { fields }),
    ...(enumeration === undefined ? {} : { enumeration }),
    ...(modelType === undefined ? {} : { modelType }),
    ...(nullable === undefined ? {} : { nullable }),
  };
}

/** Cached, since rows may be wide and are often mentioned several times. */
const rowOrigins = new WeakMap<readonly Column[], readonly Origin[]>();

function originsOfRow(columns: readonly Column[]): readonly Origin[] {
  const origins = rowOrigins.get(columns) ?? originsOf(columns);
  rowOrigins.set(columns, origins);
  return origins;
}

interface Found {
  readonly level: Level;
  readonly relation: Relation;
  /** Index of the column, or -1 for the whole row. */
  readonly index: number;
}

function find(level: Level, parts: readonly string[]): Found | undefined {
  const name = parts.at(-1) ?? '';
  const qualifier = parts.at(-2);
  const schema = parts.at(-3);
  for (let at: Level | undefined = level; at !== undefined; at = at.parent) {
    const found = qualifier === undefined ? bare(at, name) : qualified(at, name, qualifier, schema);
    if (found !== undefined) {
      return found === 'unknown' ? undefined : found;
    }
  }
  // PostgreSQL resolves the name to a row only if there is no column with that name.
  for (
    let at: Level | undefined = qualifier === undefined ? level : undefined;
    at !== undefined;
    at = at.parent
  ) {
    const relation = at.relations.find((own) => own.name === name && !own.isNameless);
    if (relation !== undefined) {
      return { level: at, relation, index: -1 };
    }
  }
  return undefined;
}

function bare(level: Level, name: string): Found | 'unknown' | undefined {
  const index = indexOf(level.relations);
  if (index === 'unknown') return index;
  const place = index?.get(name);
  if (index !== undefined) return place === undefined || place === 'unknown' ? place : { level, ...place };
  let found: Found | undefined;
  for (const relation of level.relations) {
    if (relation.isOnlyQualified) continue;
    if (relation.columns === undefined) return 'unknown';
    const index = onlyPositionOf(relation.columns, name);
    if (index === 'several') return 'unknown';
    if (index >= 0 && !relation.merged.has(name)) {
      if (found !== undefined) return 'unknown';
      found = { level, relation, index };
    } else if (index < 0 && hasNameless(relation.columns)) {
      return 'unknown';
    }
  }
  return found;
}

type Place = Pick<Found, 'relation' | 'index'>;
type Index = ReadonlyMap<string, Place | 'unknown'> | 'unknown';

/** Up to this number, searching relations is faster than indexing them. */
const fewMax = 8;
/** FROM's relations grow while it is read, so an index is valid only while their number stays the same. */
const indexes = new WeakMap<
  readonly Relation[],
  { readonly length: number; index: Index | 'depends' | undefined }
>();

/**
 * Returns an index of the relations' bare column names. Returns undefined if the relations cannot be indexed, and on
 * the first call, which is often the only one.
 */
function indexOf(relations: readonly Relation[]): Index | undefined {
  if (relations.length <= fewMax) return undefined;
  const known = indexes.get(relations);
  if (known?.length !== relations.length) {
    indexes.set(relations, { length: relations.length, index: undefined });
    return undefined;
  }
  known.index ??= made(relations) ?? 'depends';
  return known.index === 'depends' ? undefined : known.index;
}

function made(relations: readonly Relation[]): Index | undefined {
  if (relations.some((own) => !own.isOnlyQualified && own.columns === undefined)) return 'unknown';
  const places = new Map<string, Place | 'unknown'>();
  for (const relation of relations) {
    const { columns = [] } = relation;
    if (relation.isOnlyQualified) continue;
    if (hasNameless(columns)) return undefined;
    for (const [index, { name = '' }] of columns.entries()) {
      const isRepeated = onlyPositionOf(columns, name) === 'several';
      if (isRepeated) places.set(name, 'unknown');
      else if (!relation.merged.has(name)) {
        places.set(name, places.has(name) ? 'unknown' : { relation, index });
      }
    }
  }
  return places;
}

function qualified(
  level: Level,
  name: string,
  qualifier: string,
  schema: string | undefined,
): Found | 'unknown' | undefined {
  const relation = level.relations.find(
    (own) => own.name === qualifier && !own.isNameless && (schema === undefined || own.schema === schema),
  );
  if (relation === undefined) return undefined;
  if (relation.columns === undefined) return 'unknown';
  const index = onlyPositionOf(relation.columns, name);
  return index === 'several' || index < 0 ? 'unknown' : { level, relation, index };
}
