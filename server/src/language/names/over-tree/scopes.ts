/** The names visible at a query position under PostgreSQL's scoping rules: relations and their columns. */
import type { CommonTable, FromItem, Query } from '#server/language/tree/query-model.ts';
import type { ExpansionLimit } from '../expansion-limit.ts';
import { computed, concatenated, renamed, type Columns, type TableRead } from './columns.ts';

export interface Relation {
  readonly name: string | undefined;
  /** The schema of a table without an alias, if known. It can qualify names. */
  readonly schema?: string;
  /** The name of the table behind an alias. */
  readonly aliasOf?: string;
  /** Tables have system columns such as ctid, which no catalog lists. */
  readonly isTable?: true;
  /** The underlying table, if its columns keep their names. */
  readonly table?: TableRead;
  /**
   * Whether its columns require qualification. The alias in `JOIN ... USING (x) AS alias` repeats columns of the join.
   */
  readonly isOnlyQualified?: true;
  readonly columns: Columns;
  /** Columns that USING or NATURAL merged into a relation on the left, so that they are not ambiguous. */
  readonly merged: ReadonlySet<string>;
}

export interface Scope {
  readonly relations: readonly Relation[];
  readonly parent: Scope | undefined;
  /** Relations in the same FROM that are not visible here, and the reason. */
  readonly unseen?: Unseen;
}

export interface Unseen {
  readonly names: ReadonlySet<string>;
  readonly relations: readonly Relation[];
  readonly reason: 'condition' | 'lateral';
}

export interface VisibleTable {
  readonly name: string;
  readonly columns: Columns;
}

/** The result of reading part of FROM: its relations, and the ordered columns of `*`. */
export interface Joined {
  readonly relations: readonly Relation[];
  readonly star: Columns;
}

export const nothingMerged: ReadonlySet<string> = new Set();

export const single = (relation: Relation): Joined => ({
  relations: [relation],
  star: relation.columns,
});

/** Creates the relation of merged columns in `JOIN ... USING (x) AS alias`. */
export const usingRelation = (name: string, columns: Columns): Relation => ({
  name,
  columns,
  isOnlyQualified: true,
  merged: nothingMerged,
});

/** Returns a CTE's columns, with its alias list and the columns added by SEARCH and CYCLE. */
export function commonColumns(columns: Columns, { columnAliases, addedColumns = [] }: CommonTable): Columns {
  const own = renamed(columns, columnAliases);
  return own && { names: [...own.names, ...addedColumns], origins: own.origins };
}

/** Returns the columns that a join merges; undefined if they depend on unknown columns. */
export function sharedColumns(
  { isNatural, using }: Extract<FromItem, { kind: 'join' }>,
  { star: left }: Joined,
  { star: right }: Joined,
): Columns {
  if (isNatural && (left === undefined || right === undefined)) {
    return undefined;
  }
  const rightNames = new Set(right?.names);
  const names = isNatural ? [...new Set(left?.names.filter((name) => rightNames.has(name)))] : using;
  return { names, origins: names.map((name) => originIn(left, name) ?? originIn(right, name)) };
}

const originIn = (columns: Columns, name: string) => columns?.origins[columns.names.indexOf(name)];

/** Joins two sides. Merged columns come first and appear once. */
export function joined(left: Joined, right: Joined, shared: Columns, limit: ExpansionLimit): Joined {
  const both = concatenated([left.star, right.star], limit);
  const relations = [
    ...left.relations,
    ...right.relations.map((relation) => ({
      ...relation,
      merged: new Set([...relation.merged, ...(shared?.names ?? relation.columns?.names ?? [])]),
    })),
  ];
  return { relations, star: shared && both && withShared(shared, both) };
}

function withShared(shared: NonNullable<Columns>, both: NonNullable<Columns>): Columns {
  if (shared.names.length === 0) {
    return both;
  }
  const once = new Set(shared.names);
  const isOther = (_: unknown, index: number): boolean => !once.has(both.names[index] ?? '');
  return {
    names: [...shared.names, ...both.names.filter(isOther)],
    origins: [...shared.origins, ...both.origins.filter(isOther)],
  };
}

/**
 * Returns whether a name in ORDER BY is ambiguous: it matches several outputs of the query's only star, or columns of
 * several tables. Computed outputs never count, since they may be identical.
 */
export function isAmbiguousOutput(
  query: Query,
  name: string,
  { outputs, relations }: { readonly outputs: readonly string[]; readonly relations: readonly Relation[] },
): boolean {
  const stars = query.outputs.filter((output) => output.name === '*');
  const written = query.outputs.filter((output) => output.name === name);
  if (written.length === 0) {
    return stars.length === 1 && outputs.filter((output) => output === name).length > 1;
  }
  const owners = written.map(({ source }) => (source?.length === 2 ? source[0] : undefined));
  // The alias of a join's merged columns refers to columns of both sides.
  const repeats = relations.some((relation) => relation.isOnlyQualified && owners.includes(relation.name));
  return stars.length === 0 && !repeats && !owners.includes(undefined) && new Set(owners).size > 1;
}

/** Returns the names that FROM makes visible. */
export function namesIn(items: readonly FromItem[]): readonly string[] {
  return items.flatMap((item) => {
    switch (item.kind) {
      case 'table':
        return [item.alias ?? item.name];
      case 'query':
      case 'opaque':
        return item.alias === undefined ? [] : [item.alias];
      case 'join': {
        const inner = namesIn([item.left, item.right]);
        return item.alias === undefined ? inner : [item.alias];
      }
    }
  });
}

export const opaqueColumns = (names: readonly string[] | undefined): Columns => names && computed(names);
