/** Reports unused CTEs and NOT IN over nullable columns. */
import { t } from '#base/texts.ts';
import {
  child,
  columnOf,
  columnsIn,
  conjunctsOf,
  constantOf,
  list,
  number,
  text,
  walk,
  type ColumnName,
  type Node,
} from '#server/language/tree/parse-tree.ts';
import { commonTablesOf, nameRun, ownerOf, relationsOf, type Report, type Select } from '../select.ts';

export function unusedCommonTables({ node }: Select, report: Report): void {
  const tables = commonTablesOf(node);
  if (tables.length === 0) return;
  const inQuery = namesRead({ ...node, withClause: undefined });
  const inTables = tables.map(namesRead);
  const readers = new Map<string, number>();
  for (const name of inTables.flatMap((names) => [...names])) readers.set(name, (readers.get(name) ?? 0) + 1);
  tables.forEach((table, index) => {
    const name = text(table.ctename);
    const ofItself = inTables[index]?.has(name) === true ? 1 : 0;
    if (!inQuery.has(name) && (readers.get(name) ?? 0) <= ofItself) {
      report.problem({
        code: 'UNUSED_CTE',
        message: t('"{0}" is never used. Remove it, or use it in FROM.', name),
        run: nameRun(report, number(table.location), 1),
      });
    }
  });
}

/** Returns the unqualified table names used anywhere in the part. */
function namesRead(part: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  walk(part, (kind, node) => {
    if (kind === 'RangeVar' && !('schemaname' in node)) names.add(text(node.relname));
    return true;
  });
  return names;
}

/** Checks `x NOT IN (SELECT y ...)`, which is never true if a y is NULL. */
export function notInNullable(select: Select, report: Report): void {
  const { node } = select;
  walk([node.whereClause, node.havingClause, node.targetList, node.fromClause], (name, inner) => {
    if (name === 'BoolExpr' && inner.boolop === 'NOT_EXPR') {
      const link = child(list(inner.args)[0], 'SubLink');
      const subselect = child(child(link, 'subselect'), 'SelectStmt');
      if (link?.subLinkType === 'ANY_SUBLINK' && !('operName' in link) && subselect !== undefined)
        look(select, subselect, report);
    }
    return name !== 'SelectStmt';
  });
}

function look({ commonTables }: Select, node: Node, report: Report): void {
  const targets = list(node.targetList);
  const value = child(targets[0], 'ResTarget')?.val;
  const column = columnOf(value);
  const inner: Select = {
    node,
    commonTables,
    place: 'expression',
    seesOuter: true,
    isSide: false,
    isDistinctSide: false,
  };
  const relations = relationsOf(inner);
  if (targets.length !== 1 || 'larg' in node || 'withClause' in node) return;
  if (constantOf(value)?.kind === 'null') {
    const at = report.offsetOf(constantOf(value)?.location ?? 0);
    report.problem({
      code: 'NOT_IN_NULLABLE',
      message: describeNullable(t('The subquery')),
      run: { first: at, last: at },
    });
    return;
  }
  if (column === undefined || column.parts.includes('*') || excludesNull(node, column)) return;
  const run = nameRun(report, column.location, column.parts.length);
  const owner =
    column.parts.length === 1 && relations.length === 1 ? relations[0] : ownerOf(column, relations);
  const name = column.parts.at(-1) ?? '';
  if (owner?.isNullExtended === true) {
    report.problem({ code: 'NOT_IN_NULLABLE', message: describeNullable(column.parts.join('.')), run });
  } else if (owner?.table !== undefined && !owner.hasColumnAliases) {
    report.fact({ kind: 'not-in', column: name, tables: [owner.table], run });
  }
}

export const describeNullable = (what: string): string =>
  t(
    '"{0}" can be NULL, and then NOT IN is never true. Add WHERE ... IS NOT NULL to the subquery, or use NOT EXISTS.',
    what,
  );

/**
 * Returns whether a condition probably excludes NULL from the column. Any condition on the column counts, unless WHERE
 * tests it only with IS NULL.
 */
function excludesNull(node: Node, column: ColumnName): boolean {
  const isOurs = ({ parts }: ColumnName): boolean => parts.at(-1) === column.parts.at(-1);
  const joins: unknown[] = [];
  walk(node.fromClause, (name, inner) => {
    if (name === 'JoinExpr') {
      for (const each of conjunctsOf(inner.quals)) joins.push(each);
    }
    return name !== 'SelectStmt';
  });
  return (
    [...conjunctsOf(node.whereClause), ...conjunctsOf(node.havingClause), ...joins].some((part) =>
      columnsIn(part, true).some(isOurs),
    ) && !onlyIsNull(conjunctsOf(node.whereClause), isOurs)
  );
}

function onlyIsNull(parts: readonly unknown[], isOurs: (column: ColumnName) => boolean): boolean {
  const about = parts.filter((part) => columnsIn(part, true).some(isOurs));
  return about.length > 0 && about.every((part) => child(part, 'NullTest')?.nulltesttype === 'IS_NULL');
}
