/**
 * Collects pairs of columns compared in conditions. The catalog decides whether each is the ID of a different table. What
 * USING and NATURAL compare depends on the columns of tables, so that is found with the names.
 */
import {
  child,
  columnOf,
  operationOf,
  strings,
  text,
  type ColumnName,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import type { IdSide } from '../model.ts';
import {
  commonTablesOf,
  conditionsOf,
  expressionRun,
  ownerOf,
  relationsOf,
  targetsOf,
  type Relation,
  type Report,
  type Select,
} from '../select.ts';

export function unrelatedIds(select: Select, report: Report): void {
  const relations = relationsOf(select);
  for (const condition of conditionsOf(select.node)) {
    const expression = child(condition, 'A_Expr');
    const operation = expression === undefined ? undefined : operationOf(expression);
    const run = expressionRun(report, condition);
    if (operation?.operator === '=' && run !== undefined) {
      const left = sideOf(columnOf(operation.left), relations);
      const right = sideOf(columnOf(operation.right), relations);
      if (left !== undefined && right !== undefined) report.ids({ left, right, run, isCondition: true });
    }
    compareWithSubquery(child(condition, 'SubLink'), select, relations, report);
  }
}

/** Handles `a.id IN (SELECT b.id FROM b)` and `= ANY`. */
function compareWithSubquery(
  link: Node | undefined,
  select: Select,
  relations: readonly Relation[],
  report: Report,
): void {
  const query = child(child(link, 'subselect'), 'SelectStmt');
  const run = expressionRun(report, link?.testexpr);
  if (query === undefined || run === undefined || text(link?.subLinkType) !== 'ANY_SUBLINK') return;
  // Without an operator, it is IN.
  if ('operName' in (link ?? {}) && strings(link?.operName).join('.') !== '=') return;
  const [target] = targetsOf(query);
  const own = commonTablesOf(query).map(({ ctename }) => text(ctename));
  const commonTables = own.length === 0 ? select.commonTables : new Set([...select.commonTables, ...own]);
  const left = sideOf(columnOf(link?.testexpr), relations);
  const right = sideOf(columnOf(target?.value), relationsOf({ ...select, commonTables, node: query }));
  if (left !== undefined && right !== undefined) report.ids({ left, right, run, isCondition: false });
}

/** Returns undefined unless the column certainly belongs to a single table. */
function sideOf(column: ColumnName | undefined, relations: readonly Relation[]): IdSide | undefined {
  const name = column?.parts.at(-1);
  if (column === undefined || name === undefined || name === '*') return undefined;
  const owner =
    column.parts.length > 1 ? ownerOf(column, relations) : relations.length === 1 ? relations[0] : undefined;
  return owner?.table === undefined || owner.hasColumnAliases
    ? undefined
    : { column: name, alias: owner.alias, table: owner.table };
}
