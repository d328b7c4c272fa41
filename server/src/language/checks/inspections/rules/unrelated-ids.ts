/** Collects pairs of compared columns. The catalog decides whether each is the ID of a different table. */
import {
  child,
  columnOf,
  conjunctsOf,
  list,
  operationOf,
  strings,
  text,
  type ColumnName,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import type { IdSide } from '../model.ts';
import {
  expressionRun,
  joinConditions,
  nameRun,
  ownerOf,
  relationsOf,
  targetsOf,
  type Relation,
  type Report,
  type Select,
} from '../select.ts';

export function unrelatedIds(select: Select, report: Report): void {
  const { node } = select;
  const relations = relationsOf(select);
  const conditions = [
    ...conjunctsOf(node.whereClause),
    ...list(node.fromClause).flatMap(joinConditions).flatMap(conjunctsOf),
  ];
  for (const condition of conditions) {
    const expression = child(condition, 'A_Expr');
    const operation = expression === undefined ? undefined : operationOf(expression);
    const run = expressionRun(report, condition);
    if (operation?.operator === '=' && run !== undefined) {
      const left = sideOf(columnOf(operation.left), relations);
      const right = sideOf(columnOf(operation.right), relations);
      if (left !== undefined && right !== undefined) {
        report.ids({ left, right, run, isCondition: true });
      }
    }
    compareWithSubquery(child(condition, 'SubLink'), select, relations, report);
  }
  joinedByName(relations, report);
}

/** Handles `a.id IN (SELECT b.id FROM b)`. */
function compareWithSubquery(
  link: Node | undefined,
  select: Select,
  relations: readonly Relation[],
  report: Report,
): void {
  const query = child(child(link, 'subselect'), 'SelectStmt');
  const run = expressionRun(report, link?.testexpr);
  if (query === undefined || run === undefined || text(link?.subLinkType) !== 'ANY_SUBLINK') {
    return;
  }
  const [target] = targetsOf(query);
  const left = sideOf(columnOf(link?.testexpr), relations);
  const right = sideOf(columnOf(target?.value), relationsOf({ ...select, node: query }));
  if (left !== undefined && right !== undefined) {
    report.ids({ left, right, run, isCondition: false });
  }
}

/** Maximum number of earlier tables that a joined one is paired with: all pairs of thousands would be millions. */
const earlierMax = 50;

/** For USING and NATURAL JOIN, pairs the joined table with each earlier one. */
function joinedByName(relations: readonly Relation[], report: Report): void {
  for (const [index, { join, table, alias, location }] of relations.entries()) {
    if (join === undefined || table === undefined) {
      continue;
    }
    const columns = join.isNatural === true ? [undefined] : strings(join.usingClause);
    const run = nameRun(report, location, table.schema === undefined ? 1 : 2);
    for (const other of relations.slice(Math.max(0, index - earlierMax), index)) {
      if (other.table === undefined) {
        continue;
      }
      for (const column of columns) {
        const named = column === undefined ? {} : { column };
        const left = { ...named, alias: other.alias, table: other.table };
        report.ids({ left, right: { ...named, alias, table }, run, isCondition: false });
      }
    }
  }
}

/** Returns undefined unless the column certainly belongs to a single table. */
function sideOf(column: ColumnName | undefined, relations: readonly Relation[]): IdSide | undefined {
  const name = column?.parts.at(-1);
  if (column === undefined || name === undefined || name === '*') {
    return undefined;
  }
  const owner =
    column.parts.length > 1 ? ownerOf(column, relations) : relations.length === 1 ? relations[0] : undefined;
  return owner?.table === undefined || owner.hasColumnAliases
    ? undefined
    : { column: name, alias: owner.alias, table: owner.table };
}
