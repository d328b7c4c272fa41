/** Checks DISTINCT with ORDER BY: the sort expressions must be selected (parse_clause.c). */
import { t } from '#base/texts.ts';
import { child, constantOf, isNode, list, readColumn, type Node } from '#server/language/tree/parse-tree.ts';
import { positionOf } from '../../names/relations/columns-by-name.ts';
import { SimilarExpressions } from '../resolution/similar-expressions.ts';
import type { Column, Level, Meant, Session } from '../typing.ts';

export function checkDistinct(
  session: Session,
  level: Level,
  select: Node,
  outputs: readonly Column[],
): void {
  const distinct = list(select.distinctClause);
  const sorts = list(select.sortClause).map((entry) => child(entry, 'SortBy')?.node);
  if (distinct.length === 0 || sorts.length === 0 || level.isUncertain) return;
  const targets = list(select.targetList).map((entry) => child(entry, 'ResTarget') ?? {});
  const isPlain = targets.length === outputs.length;
  /** Resolves an output's name or number to its expression; undefined if unknown. */
  const resolved = (entry: unknown): unknown => {
    const constant = constantOf(entry);
    if (constant !== undefined)
      return isPlain && constant.kind === 'number' ? targets[Number(constant.value) - 1]?.val : undefined;
    const { parts } = readColumn(child(entry, 'ColumnRef') ?? {});
    const [name = ''] = parts;
    const index = parts.length === 1 ? positionOf(outputs, name) : -1;
    if (index < 0) return entry;
    return isPlain ? targets[index]?.val : undefined;
  };
  const isOn = distinct.some((entry) => isNode(entry) && Object.keys(entry).length > 0);
  if (isOn) {
    const wanted = distinct.map(resolved);
    const given = sorts.map(resolved);
    if (wanted.includes(undefined) || given.includes(undefined)) return;
    const isWanted = sameAsOneOf(session, wanted);
    const first = given.findIndex((entry) => !isWanted(entry));
    const isCovered = sameAsOneOf(session, given.slice(0, first < 0 ? undefined : first));
    if (first >= 0 && !wanted.every(isCovered)) {
      say(
        `SELECT DISTINCT ON expressions must match initial ORDER BY expressions. ${t('Sort by them first.')}`,
        sorts[first],
      );
    }
    return;
  }
  const isSelected = sameAsOneOf(
    session,
    targets.map(({ val }) => val),
  );
  for (const sort of sorts) {
    const own = resolved(sort);
    const isColumn = child(own, 'ColumnRef') !== undefined;
    const meant = meaningOf(session, own);
    const isOpen =
      own === undefined || (isColumn && (!isPlain || meant === undefined || meant.level !== level));
    if (!isOpen && !isSelected(own)) {
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

function sameAsOneOf(session: Session, expressions: readonly unknown[]): (expression: unknown) => boolean {
  const grouped = new SimilarExpressions(session, expressions);
  return (expression) => isNode(expression) && grouped.mayHave(expression);
}

function meaningOf(session: Session, node: unknown): Meant | undefined {
  const column = child(node, 'ColumnRef');
  return column === undefined ? undefined : session.meanings.get(column);
}
