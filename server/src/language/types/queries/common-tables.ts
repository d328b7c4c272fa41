/** Types WITH: the columns that each CTE provides to later ones. */
import { t } from '#base/texts.ts';
import { VisibleTables } from '#server/language/names/relations/visible-tables.ts';
import { child, list, number, strings, text, type Node } from '#server/language/tree/parse-tree.ts';
import type { Columns, Session, VisibleTable } from '../typing.ts';
import { aliased } from './column-aliases.ts';
import { checkAddedNames, checkRecursion } from './recursion.ts';
import { sidesOf } from './set-operations.ts';

type ColumnsOf = (
  session: Session,
  select: Node,
  tables: VisibleTables<VisibleTable>,
  keepsUnknown?: boolean,
) => Columns;

export function commonTables(
  session: Session,
  select: Node,
  outer: VisibleTables<VisibleTable>,
  columnsOf: ColumnsOf,
): VisibleTables<VisibleTable> {
  const clause = child(select, 'withClause');
  const entries = list(clause?.ctes).map((entry) => child(entry, 'CommonTableExpr') ?? {});
  if (entries.length === 0) return outer;
  const isRecursive = clause?.recursive === true;
  checkNames(session, entries);
  checkRecursion(session, entries, isRecursive);
  const visible = new VisibleTables(outer);
  const own: readonly VisibleTable[] = isRecursive
    ? entries.map((entry) => ({ name: text(entry.ctename), columns: undefined }))
    : [];
  for (const table of own) visible.add(table);
  for (const [index, entry] of entries.entries()) {
    const name = text(entry.ctename);
    const query = child(child(entry, 'ctequery'), 'SelectStmt');
    const aliases = {
      what: `WITH query "${name}"`,
      names: strings(entry.aliascolnames),
      at: entry.ctequery,
      location: number(entry.location),
    };
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
    if (self !== undefined) self.isOpen = true;
    const columns = query === undefined ? undefined : columnsOf(session, query, visible);
    if (self !== undefined) {
      self.isOpen = false;
      if (first !== undefined) checkTypes(session, { name, first, before: self.columns, after: columns });
    }
    for (const side of sides) session.sides.delete(side);
    const added = 'search_clause' in entry || 'cycle_clause' in entry;
    const named = aliased(session, columns, aliases);
    if (added && named !== undefined) checkAddedNames(session, entry, named);
    // The types of the columns that SEARCH and CYCLE add are not told.
    const shown = added ? undefined : named;
    if (isRecursive && self !== undefined) self.columns = shown;
    else visible.add({ name, columns: shown });
  }
  return visible;
}

function checkNames(session: Session, entries: readonly Node[]): void {
  const seen = new Set<string>();
  for (const { ctename, location } of entries) {
    const name = text(ctename);
    if (seen.has(name)) {
      const message = `WITH query name "${name}" specified more than once.`;
      session.report({ code: 'INVALID_CLAUSE', message, at: undefined, location: number(location) });
    }
    seen.add(name);
  }
}

interface RecursiveColumns {
  readonly name: string;
  /** The non-recursive term. */
  readonly first: Node;
  readonly before: Columns;
  readonly after: Columns;
}

/** A recursive query keeps the types of its non-recursive term. */
function checkTypes(session: Session, { name, first, before, after }: RecursiveColumns): void {
  const targets = list(first.targetList);
  for (const [index, { type: given }] of (before ?? []).entries()) {
    const type = after?.[index]?.type;
    if (given === undefined || type === undefined || given === type) continue;
    const [one, other] = [given, type].map((own) => session.coercion.shown(own));
    const at = targets.length === before?.length ? child(targets[index], 'ResTarget')?.val : undefined;
    session.report({
      code: 'TYPE_MISMATCH',
      message: `recursive query "${name}" column ${index + 1} has type ${one} in non-recursive term but type ${other} overall. ${t('Cast one to the type of the other.')}`,
      at: at ?? { SelectStmt: first },
    });
  }
}
