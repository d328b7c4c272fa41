/** The relations that a query reads, with the origins of their columns, and the resolution of names within them. */
import { mixed, oneOf, unknownOrigin, type Origin } from './origin.ts';

export interface OriginColumn {
  readonly name: string;
  readonly origin: Origin;
  /** Whether many rows of its table have the same value, as the model says. */
  readonly hasFewValues?: boolean;
  /** Whether all of its values are small, by its type. */
  readonly isOfFixedSize?: boolean;
}

/** Whether values of a type of PostgreSQL have a fixed size, which is small. */
export const isFixedType = (type: string): boolean =>
  /^(?:bool|boolean|smallint|integer|bigint|int[248]|real|double precision|float[48]|date|timestamp|timestamptz|time|timetz|interval|uuid)(?: ?\(\d\))?(?: with(?:out)? time zone)?$/i.test(
    type.trim(),
  );

/** The columns of a relation or result, in order. */
export interface OriginColumns {
  readonly list: readonly OriginColumn[];
  /** Present if there may be unlisted columns; contains their origin. */
  readonly others?: {
    readonly origin: Origin;
    /** Whether every name refers to a column and cannot be a function called with the row. */
    readonly isEveryName?: true;
    /** How often they occur. Default: once. */
    readonly copies?: number;
  };
  /**
   * Present if the list has all columns of tables, as their models name them: these tables, in order. The models may be
   * outdated or leave columns out, so that neither places nor the absence of a name are known.
   */
  readonly modelled?: string;
}

export interface TableSource {
  /** The schema of a table that is named without one. */
  readonly schema: string;
  /** Returns the columns of a table in order; undefined if the table is unknown. */
  readonly columnsOf: (schema: string | undefined, table: string) => OriginColumns | undefined;
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

/** The columns of tables of which nothing else is known. */
export const unknownOf = (tables: string): OriginColumns => ({
  list: [],
  others: { origin: { ...unknownOrigin, column: `${tables}.*` } },
});

/** New names apply by place. */
export function renamedColumns(columns: OriginColumns, names: readonly string[]): OriginColumns {
  if (names.length === 0) return columns;
  if (columns.modelled !== undefined) return renamedColumns(unknownOf(columns.modelled), names);
  const list = columns.list.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
  const extra = names.slice(columns.list.length).map((name) => ({ name, origin: columns.others?.origin }));
  return columns.others === undefined ? { list } : { ...columns, list: [...list, ...extra] };
}

export function joinedColumns(parts: readonly OriginColumns[]): OriginColumns {
  const others = parts.flatMap((part) => part.others ?? []);
  const list = parts.flatMap((part) => part.list);
  const copies = others.reduce((sum, each) => sum + (each.copies ?? 1), 0);
  const isModelled = parts.some(({ modelled }) => modelled !== undefined);
  return {
    list,
    // After unlisted columns, the positions of further columns are unknown.
    ...(others.length === 0 ? {} : { others: { origin: mixed(others.map(({ origin }) => origin)), copies } }),
    ...(isModelled
      ? { modelled: parts.map((part) => part.modelled ?? String(part.list.length)).join() }
      : {}),
  };
}

/** Combines the columns of two queries by position, when each query contributes some of the rows. */
export function columnsOfEither(one: OriginColumns, other: OriginColumns): OriginColumns {
  const isByPlace = one.modelled === other.modelled && one.list.length === other.list.length;
  if (one.others === undefined && other.others === undefined && isByPlace)
    return {
      ...one,
      list: one.list.map(({ name, origin }, index) => ({
        name,
        origin: oneOf([origin, other.list[index]?.origin]),
      })),
    };
  const all = wholeRow(joinedColumns([one, other]));
  const origin = all === undefined ? undefined : { ...all, isExact: false };
  const copies = Math.max(one.others?.copies ?? 1, other.others?.copies ?? 1);
  return { list: one.list.map(({ name }) => ({ name, origin })), others: { origin, copies } };
}

/** Returns the origins of all columns, also of those that no model may name. */
export function allOrigins({ list, others, modelled }: OriginColumns): readonly Origin[] {
  const unnamed = modelled === undefined ? [] : [unknownOf(modelled).others?.origin];
  return [...list.map(({ origin }) => origin), ...(others === undefined ? [] : [others.origin]), ...unnamed];
}

export const wholeRow = (columns: OriginColumns): Origin => mixed(allOrigins(columns));

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
  let isPerhapsInner = false;
  for (let at = scope; at !== undefined; at = at.parent) {
    const having = at.relations.filter(({ list }) => list.some((column) => column.name === name));
    const columns = having.flatMap(({ list }) => list.filter((column) => column.name === name));
    // A table of the inner query may have a column of this name that no model names.
    const inner = isPerhapsInner ? [noColumn(untabled(name))] : [];
    if (columns.length > 0) {
      // The table may lack an open column, whose name then means another value.
      const isUnsure =
        having.every(({ modelled }) => modelled !== undefined) &&
        columns.some(({ origin }) => origin === undefined) &&
        isMaskedIn(name, at);
      const outer = isUnsure ? [noColumn(untabled(name))] : [];
      return [...possible, ...inner, ...columns.map(aColumn), ...outer];
    }
    // The name may refer to an unlisted column, to a whole relation, or to something in an outer query.
    for (const relation of at.relations) {
      isPerhapsInner ||= relation.modelled !== undefined;
      if (relation.others !== undefined) possible.push(noColumn(relation.others.origin));
      if (relation.name === name) possible.push(noColumn(wholeRow(relation)));
    }
  }
  return possible;
}

const untabled = (name: string): Origin => ({
  ...unknownOrigin,
  column: `${name}, without the name of its table,`,
});

/** Returns whether a name may be that of another, masked value in the query or an outer one. */
function isMaskedIn(name: string, scope: OriginScope | undefined): boolean {
  for (let at = scope; at !== undefined; at = at.parent)
    for (const { name: own, list, others } of at.relations)
      if (
        own === name ||
        others?.origin !== undefined ||
        list.some((column) => column.name === name && column.origin !== undefined)
      )
        return true;
  return false;
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
