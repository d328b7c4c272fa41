/**
 * GROUP BY prefers a column of FROM to an output of the same name, and a table may have columns that no model names. So
 * the name of an output may group by such a column, whose groups then show how its values are distributed. It cannot
 * where PostgreSQL would refuse that reading: an output with a column that is not grouped otherwise.
 */
import { outputName } from '#server/language/tree/output-names.ts';
import { child, list, number, strings, text, walk, type Node } from '#server/language/tree/parse-tree.ts';
import { isStar } from './expression-origins.ts';
import type { OriginScope } from './relations.ts';

/** Returns whether the name of an output in GROUP BY may group by a column of FROM that no model names. */
export function mayHideColumn(name: string, select: Node, { relations, parent }: OriginScope): boolean {
  const isOpenEnded = relations.some(
    ({ others, modelled }) => others !== undefined || modelled !== undefined,
  );
  if (!isOpenEnded) return false;
  // A column of an outer query need not be grouped.
  if (parent !== undefined) return true;
  const items = list(select.groupClause);
  // With several tables, the other items may hold a key of one, whose other columns need not be grouped then.
  if (items.length > 1 && relations.length > 1) return true;
  const targets = list(select.targetList).map((target) => child(target, 'ResTarget'));
  if (targets.some((target) => isStarOutput(target))) return true;
  const named = targets.filter((target) => nameOf(target) === name);
  const grouped = columnsGrouped(items, targets, name);
  return named.some((target) => ungrouped(target?.val).every((column) => grouped.has(column)));
}

const nameOf = (target: Node | undefined): string => text(target?.name) || (outputName(target?.val) ?? '');

function isStarOutput(target: Node | undefined): boolean {
  const column = child(target?.val, 'ColumnRef');
  return column !== undefined && isStar(column);
}

/** Returns the names of all columns in GROUP BY, and in the outputs that it means by name or place, but one. */
function columnsGrouped(
  items: readonly unknown[],
  targets: readonly (Node | undefined)[],
  except: string,
): ReadonlySet<string> {
  const found = new Set<string>();
  const noted = new Set<string>();
  const byName = Map.groupBy(targets, nameOf);
  const note = (name: string): void => {
    if (noted.has(name)) return;
    noted.add(name);
    found.add(name);
    for (const target of byName.get(name) ?? []) columnsIn(target?.val, (column) => found.add(column));
  };
  walk(items, (kind, node) => {
    const name = strings(node.fields).at(-1) ?? '';
    if (kind === 'ColumnRef' && (name !== except || list(node.fields).length > 1)) note(name);
    const place = kind === 'A_Const' ? number(child(node, 'ival')?.ival) : 0;
    if (place > 0) columnsIn(targets[place - 1]?.val, (column) => found.add(column));
    return true;
  });
  return found;
}

function columnsIn(expression: unknown, note: (name: string) => void): void {
  walk([expression], (kind, node) => {
    if (kind === 'ColumnRef') note(strings(node.fields).at(-1) ?? '');
    return true;
  });
}

/** Functions of one row, into which a column stays one that must be grouped. */
const ofOneRow = new Set(
  'date_trunc date_part date_bin extract to_char lower upper left right substring split_part length'.split(
    ' ',
  ),
);

/** Returns the names of the columns that an expression takes from the row itself: no aggregate, no subquery. */
function ungrouped(expression: unknown): readonly string[] {
  const found: string[] = [];
  walk([expression], (kind, node) => {
    if (kind === 'ColumnRef') found.push(strings(node.fields).at(-1) ?? '');
    const isOfOneRow = node.over === undefined && ofOneRow.has(strings(node.funcname).at(-1) ?? '');
    return kind !== 'SubLink' && (kind !== 'FuncCall' || isOfOneRow);
  });
  return found;
}
