/** Types WITH: the columns that each CTE provides to later ones. */
import { child, list, number, strings, text, type Node } from '#server/language/tree/parse-tree.ts';
import type { Columns, Session, VisibleTable } from '../typing.ts';
import { aliased } from './column-aliases.ts';
import { sidesOf } from './set-operations.ts';

type ColumnsOf = (
  session: Session,
  select: Node,
  tables: readonly VisibleTable[],
  keepsUnknown?: boolean,
) => Columns;

export function commonTables(
  session: Session,
  select: Node,
  outer: readonly VisibleTable[],
  columnsOf: ColumnsOf,
): readonly VisibleTable[] {
  const clause = child(select, 'withClause');
  const entries = list(clause?.ctes).map((entry) => child(entry, 'CommonTableExpr') ?? {});
  if (entries.length === 0) return outer;
  const isRecursive = clause?.recursive === true;
  const own: VisibleTable[] = isRecursive
    ? entries.map((entry) => ({ name: text(entry.ctename), columns: undefined }))
    : [];
  for (const [index, entry] of entries.entries()) {
    const name = text(entry.ctename);
    const query = child(child(entry, 'ctequery'), 'SelectStmt');
    const aliases = {
      what: `WITH query "${name}"`,
      names: strings(entry.aliascolnames),
      at: entry.ctequery,
      location: number(entry.location),
    };
    const visible = [...own, ...outer];
    const self = own[index];
    const isSelfReading = isRecursive && query !== undefined && child(query, 'withClause') === undefined;
    const first = isSelfReading ? child(query, 'larg') : undefined;
    const sides = first === undefined ? [] : sidesOf(first);
    for (const side of sides) session.sides.set(side, columnsOf(session, side, visible, true));
    if (first !== undefined && self !== undefined) {
      // The recursive term uses the columns of the non-recursive term.
      const quiet = { ...session, report: () => undefined };
      self.columns = aliased(quiet, columnsOf(quiet, first, visible), aliases);
      session.columnCount = quiet.columnCount;
    }
    const columns = query === undefined ? undefined : columnsOf(session, query, visible);
    for (const side of sides) session.sides.delete(side);
    const added = 'search_clause' in entry || 'cycle_clause' in entry;
    const named = added ? undefined : aliased(session, columns, aliases);
    if (isRecursive && self !== undefined) self.columns = named;
    else own.unshift({ name, columns: named });
  }
  return [...own, ...outer];
}
