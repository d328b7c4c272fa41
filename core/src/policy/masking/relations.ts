/** The relations that a query reads, with the origins of their columns, and the resolution of names within them. */
import { mixed, oneOf, unknownOrigin, type Origin } from './origin.ts';

export interface OriginColumn {
  readonly name: string;
  readonly origin: Origin;
}

/** The columns of a relation or result, in order. */
export interface OriginColumns {
  readonly list: readonly OriginColumn[];
  /** Present if there may be unlisted columns; contains their origin. */
  readonly others?: {
    readonly origin: Origin;
    /** Whether every name refers to a column and cannot be a function called with the row. */
    readonly isEveryName?: true;
  };
}

export interface OriginRelation extends OriginColumns {
  readonly name: string;
}

/** The relations of a query, with those of its enclosing query as `parent`. */
export interface OriginScope {
  readonly relations: readonly OriginRelation[];
  readonly parent: OriginScope | undefined;
}

export const nothingKnown: OriginColumns = { list: [], others: { origin: unknownOrigin } };

export function renamedColumns(columns: OriginColumns, names: readonly string[]): OriginColumns {
  if (names.length === 0) return columns;
  const list = columns.list.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
  const extra = names.slice(columns.list.length).map((name) => ({ name, origin: columns.others?.origin }));
  return columns.others === undefined ? { list } : { ...columns, list: [...list, ...extra] };
}

export function joinedColumns(parts: readonly OriginColumns[]): OriginColumns {
  const others = parts.flatMap((part) => (part.others === undefined ? [] : [part.others.origin]));
  const list = parts.flatMap((part) => part.list);
  // After unlisted columns, the positions of further columns are unknown.
  return others.length === 0 ? { list } : { list, others: { origin: mixed(others) } };
}

/** Combines the columns of two queries by position, when each query contributes some of the rows. */
export function columnsOfEither(one: OriginColumns, other: OriginColumns): OriginColumns {
  if (one.others === undefined && other.others === undefined && one.list.length === other.list.length)
    return {
      list: one.list.map(({ name, origin }, index) => ({
        name,
        origin: oneOf([origin, other.list[index]?.origin]),
      })),
    };
  const all = wholeRow(joinedColumns([one, other]));
  const origin = all === undefined ? undefined : { ...all, isExact: false };
  return { list: one.list.map(({ name }) => ({ name, origin })), others: { origin } };
}

export function wholeRow({ list, others }: OriginColumns): Origin {
  return mixed([...list.map(({ origin }) => origin), others?.origin]);
}

/** What a name may mean. */
export interface Meaning {
  readonly origin: Origin;
  /** Whether it is a listed column. If not, it may be a whole row, or a function called with one. */
  readonly isColumn: boolean;
}

const aColumn = ({ origin }: OriginColumn): Meaning => ({ origin, isColumn: true });
const noColumn = (origin: Origin): Meaning => ({ origin, isColumn: false });

/** Returns what an unqualified name may mean. Empty if the name is unknown. */
export function meaningsOf(name: string, scope: OriginScope | undefined): readonly Meaning[] {
  const possible: Meaning[] = [];
  for (let at = scope; at !== undefined; at = at.parent) {
    const columns = at.relations.flatMap(({ list }) => list.filter((column) => column.name === name));
    if (columns.length > 0) return [...possible, ...columns.map(aColumn)];
    // The name may refer to an unlisted column, to a whole relation, or to something in an outer query.
    for (const relation of at.relations) {
      if (relation.others !== undefined) possible.push(noColumn(relation.others.origin));
      if (relation.name === name) possible.push(noColumn(wholeRow(relation)));
    }
  }
  return possible;
}

/** Returns what `relation.name` or `schema.relation.name` may mean. */
export function meaningsIn(
  qualifier: readonly string[],
  name: string,
  scope: OriginScope | undefined,
): readonly Meaning[] {
  const relation = qualifier.at(-1) ?? '';
  return relationsNamed(qualifier, scope).flatMap((found) => {
    const columns = found.list.filter((column) => column.name === name);
    if (columns.length > 0) return columns.map(aColumn);
    // `alias.name` may also call a function with the row, unless the name is known to be a column.
    const isColumn = found.others?.isEveryName === true || name === relation || usualColumns.has(name);
    const origin = found.others === undefined || !isColumn ? unknownOrigin : found.others.origin;
    return [noColumn(origin), noColumn(wholeRow(found))];
  });
}

/** Usual column names of functions in FROM. */
const usualColumns: ReadonlySet<string> = new Set(['key', 'value', 'ordinality']);

/**
 * Returns the innermost relation with this name. A schema-qualified name does not match aliases in PostgreSQL, so it
 * may refer to an outer relation, and all candidates are returned.
 */
export function relationsNamed(
  qualifier: readonly string[],
  scope: OriginScope | undefined,
): readonly OriginRelation[] {
  const name = qualifier.at(-1);
  const all: OriginRelation[] = [];
  for (let at = scope; at !== undefined; at = at.parent) {
    const found = at.relations.filter((relation) => relation.name === name);
    if (found.length > 0 && qualifier.length === 1) return found;
    for (const relation of found) all.push(relation);
  }
  return all;
}
