/** Resolves column names in the typed query. Unresolved names are reported elsewhere. */
import { t } from '#base/texts.ts';
import { onlyPositionOf } from '#server/language/names/relations/columns-by-name.ts';
import { among, relationNamed } from '#server/language/names/relations/relations.ts';
import { readColumn, type Node } from '#server/language/tree/parse-tree.ts';
import {
  originsOf,
  unknown,
  type Column,
  type Level,
  type Meant,
  type Origin,
  type Relation,
  type Session,
  type Typed,
} from '../typing.ts';

/** Returns `unknown` if the name is unresolved or ambiguous. */
export function columnType(session: Session, level: Level, node: Node): Typed {
  const { parts } = readColumn(node);
  const found =
    parts.length > 3 ? undefined : parts.includes('*') ? findRow(level, parts) : find(level, parts);
  if (found === undefined) {
    // The name may belong to any level.
    if (session.aggregate !== undefined) session.aggregate.isUncertain = true;
    for (let at: Level | undefined = level; at !== undefined; at = at.parent) at.isUncertain = true;
    return unknown;
  }
  if (found.relation.isBarred === true) {
    session.report({
      code: 'INVALID_CLAUSE',
      message: `invalid reference to FROM-clause entry for table "${found.relation.name ?? parts.at(-2) ?? ''}". ${t('After RIGHT JOIN and FULL JOIN, LATERAL cannot use the tables before them.')}`,
      at: { ColumnRef: node },
    });
  }
  session.aggregate?.levels.add(found.level);
  session.meanings.set(node, found);
  if (found.index < 0) {
    const { columns } = found.relation;
    return columns === undefined
      ? unknown
      : // The row of a table has its own type.
        {
          type: found.relation.isTable ? undefined : 'record',
          rowOf: found.relation.aliasOf ?? found.relation.name ?? 'record',
          origins: originsOfRow(columns),
          fields: columns,
        };
  }
  const column = found.relation.columns?.[found.index];
  if (column === undefined) return unknown;
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

/** `t.*` in an expression is the row of the table. */
function findRow(level: Level, parts: readonly string[]): Meant | undefined {
  const [star, name, schema] = parts.toReversed();
  for (
    let at: Level | undefined = level;
    at !== undefined && star === '*' && name !== undefined;
    at = at.parent
  ) {
    const relation = relationNamed(at.relations, name, schema);
    if (relation !== undefined) return rowOf(at, relation);
  }
  return undefined;
}

/** The row of a scalar function is its only column. */
const rowOf = (level: Level, relation: Relation): Meant => ({
  ...{ level, relation },
  index: relation.isScalar === true && relation.columns !== undefined ? 0 : -1,
});

function find(level: Level, parts: readonly string[]): Meant | undefined {
  const name = parts.at(-1) ?? '';
  const qualifier = parts.at(-2);
  for (let at: Level | undefined = level; at !== undefined; at = at.parent) {
    if (qualifier === undefined) {
      const { places, isOpen } = among(at.relations, name);
      const [only, other] = places;
      if (isOpen || other !== undefined) return undefined;
      if (only !== undefined) return { level: at, ...only };
      continue;
    }
    const relation = relationNamed(at.relations, qualifier, parts.at(-3));
    if (relation === undefined) continue;
    const index = onlyPositionOf(relation.columns ?? [], name);
    return index === 'several' || index < 0 ? undefined : { level: at, relation, index };
  }
  // PostgreSQL resolves the name to a row only if there is no column with that name.
  for (
    let at: Level | undefined = qualifier === undefined ? level : undefined;
    at !== undefined;
    at = at.parent
  ) {
    const relation = relationNamed(at.relations, name, undefined);
    if (relation !== undefined) return rowOf(at, relation);
  }
  return undefined;
}
