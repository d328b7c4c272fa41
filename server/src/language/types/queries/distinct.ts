/** DISTINCT with ORDER BY: sort expressions must be selected (parse_clause.c). */
import { t } from '../../../../../core/src/util/texts.ts';
import { child, constantOf, isNode, list, readColumn, type Node } from '../../tree/parse-tree.ts';
import type { Column, Level, Meant, Session } from '../typing.ts';
import { GroupedExpressions } from './grouped-expressions.ts';

export function checkDistinct(
  session: Session,
  level: Level,
  select: Node,
  outputs: readonly Column[],
): void {
  const distinct = list(select.distinctClause);
  const sorts = list(select.sortClause).map((entry) => child(entry, 'SortBy')?.node);
  if (distinct.length === 0 || sorts.length === 0 || level.isUncertain) {
    return;
  }
  const targets = list(select.targetList).map((entry) => child(entry, 'ResTarget') ?? {});
  const isPlain = targets.length === outputs.length;
  /** The expression behind an output's number or name; undefined if unknown. */
  const resolved = (entry: unknown): unknown => {
    const constant = constantOf(entry);
    if (constant !== undefined) {
      return isPlain && constant.kind === 'number' ? targets[Number(constant.value) - 1]?.val : undefined;
    }
    const { parts } = readColumn(child(entry, 'ColumnRef') ?? {});
    const index = parts.length === 1 ? outputs.findIndex(({ name }) => name === parts[0]) : -1;
    if (index < 0) return entry;
    return isPlain ? targets[index]?.val : undefined;
  };
  const isSame = (one: unknown, other: unknown): boolean => {
    const [left, right] = [meaningOf(session, one), meaningOf(session, other)];
    return left !== undefined && right !== undefined
      ? left.relation === right.relation && left.index === right.index
      : isNode(one) && new GroupedExpressions(session, [other]).mayHave(one);
  };
  const isOn = distinct.some((entry) => isNode(entry) && Object.keys(entry).length > 0);
  if (isOn) {
    const wanted = distinct.map(resolved);
    const given = sorts.map(resolved);
    if (wanted.includes(undefined) || given.includes(undefined)) return;
    const first = given.findIndex((entry) => !wanted.some((own) => isSame(own, entry)));
    const covered = given.slice(0, first < 0 ? undefined : first);
    if (first >= 0 && wanted.some((own) => !covered.some((entry) => isSame(own, entry)))) {
      say(
        `SELECT DISTINCT ON expressions must match initial ORDER BY expressions. ${t('Sort by them first.')}`,
        sorts[first],
      );
    }
    return;
  }
  const values = targets.map(({ val }) => val);
  for (const sort of sorts) {
    const own = resolved(sort);
    const isColumn = child(own, 'ColumnRef') !== undefined;
    const meant = meaningOf(session, own);
    const isOpen =
      own === undefined || (isColumn && (!isPlain || meant === undefined || meant.level !== level));
    if (!isOpen && !values.some((value) => isSame(own, value))) {
      say(
        `for SELECT DISTINCT, ORDER BY expressions must appear in select list. ${t('Add it to the SELECT list, or sort by a selected column.')}`,
        sort,
      );
    }
  }

  function say(message: string, at: unknown): void {
    session.report({ code: 'TYPE_MISMATCH', message, at });
  }
}

/** The meaning of a column, also under a cast that may leave it unchanged. */
function meaningOf(session: Session, node: unknown): Meant | undefined {
  const column = child(node, 'ColumnRef');
  return column === undefined ? undefined : session.meanings.get(column);
}
