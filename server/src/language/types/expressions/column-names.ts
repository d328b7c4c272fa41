/** Resolves a column name in the typed query. Unresolved names are reported elsewhere. */
import { readColumn, type Node } from '../../tree/parse-tree.ts';
import {
  typed,
  unknown,
  type Column,
  type Level,
  type Relation,
  type Session,
  type Typed,
} from '../typing.ts';

/** Unknown if undetermined or ambiguous. */
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
    // The name of a function means its only column.
    if (found.relation.isScalar === true && columns?.[0] !== undefined) {
      return columns[0];
    }
    return columns === undefined
      ? unknown
      : // A table's row has its own type.
        { ...typed(found.relation.isTable ? undefined : 'record', ...columns), fields: columns };
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

interface Found {
  readonly level: Level;
  readonly relation: Relation;
  /** -1 for the whole row. */
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
  // PostgreSQL reads the name as the row only if no column has it.
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
  let found: Found | undefined;
  for (const relation of level.relations) {
    if (relation.isOnlyQualified) continue;
    if (relation.columns === undefined) return 'unknown';
    const index = indexOf(relation.columns, name);
    if (index === 'several') return 'unknown';
    if (index >= 0 && !relation.merged.has(name)) {
      if (found !== undefined) return 'unknown';
      found = { level, relation, index };
    } else if (index < 0 && relation.columns.some((column) => column.name === undefined)) {
      return 'unknown';
    }
  }
  return found;
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
  const index = indexOf(relation.columns, name);
  return index === 'several' || index < 0 ? 'unknown' : { level, relation, index };
}

/** A short list is searched faster than it is indexed. */
const shortMax = 8;
/** Lists may be long, and lookups repeat. */
const indexes = new WeakMap<readonly Column[], Map<string, number>>();

function indexOf(columns: readonly Column[], name: string): number | 'several' {
  if (columns.length <= shortMax) {
    const first = columns.findIndex((column) => column.name === name);
    return first >= 0 && columns.findLastIndex((column) => column.name === name) !== first
      ? 'several'
      : first;
  }
  let index = indexes.get(columns);
  if (index === undefined) {
    index = new Map();
    for (const [at, column] of columns.entries()) {
      if (column.name !== undefined) index.set(column.name, index.has(column.name) ? -2 : at);
    }
    indexes.set(columns, index);
  }
  const at = index.get(name) ?? -1;
  return at === -2 ? 'several' : at;
}
