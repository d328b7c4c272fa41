/** What a place in a query can name: relations with their columns, as PostgreSQL's rules of scope give them. */
import type { CommonTable, FromItem, Query } from '../../tree/query-model.ts';
import type { ExpansionLimit } from '../expansion-limit.ts';
import { computed, concatenated, renamed, type Columns, type TableRead } from './columns.ts';

export interface Relation {
  readonly name: string | undefined;
  /** Of a table without an alias, where the schema is known: it may be named with it. */
  readonly schema?: string;
  /** The table behind an alias. */
  readonly aliasOf?: string;
  /** A table has columns that no catalogue lists: ctid and others. */
  readonly isTable?: true;
  /** The table that it is, under its own columns' names. */
  readonly table?: TableRead;
  /** Whether its columns need its name: `JOIN ... USING (x) AS alias` repeats columns. */
  readonly isOnlyQualified?: true;
  readonly columns: Columns;
  /** Columns that USING or NATURAL merged into one of the relation on the left: not ambiguous. */
  readonly merged: ReadonlySet<string>;
}

export interface Scope {
  readonly relations: readonly Relation[];
  readonly parent: Scope | undefined;
  /** What is in the same FROM and cannot be seen from here, and why. */
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

/** What a part of FROM gives: its relations, and the columns that `*` stands for, in order. */
export interface Joined {
  readonly relations: readonly Relation[];
  readonly star: Columns;
}

export const nothingMerged: ReadonlySet<string> = new Set();

export const single = (relation: Relation): Joined => ({
  relations: [relation],
  star: relation.columns,
});

/** The merged columns of a join under a name of their own. */
export const usingRelation = (name: string, columns: Columns): Relation => ({
  name,
  columns,
  isOnlyQualified: true,
  merged: nothingMerged,
});

/** Under the names of the common table, with the columns that SEARCH and CYCLE add. */
export function commonColumns(columns: Columns, { columnAliases, addedColumns = [] }: CommonTable): Columns {
  const own = renamed(columns, columnAliases);
  return own && { names: [...own.names, ...addedColumns], origins: own.origins };
}

/** The columns that a join merges; undefined while that depends on what is not known. */
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

/** Both sides as one: merged columns come once, and first. */
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
 * Whether ORDER BY cannot tell which output is meant: by the one star that the query has, or by columns of several
 * tables. What is more than a column may be the same twice, which is no question.
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
  // What names the merged columns of a join means those of its sides.
  const repeats = relations.some((relation) => relation.isOnlyQualified && owners.includes(relation.name));
  return stars.length === 0 && !repeats && !owners.includes(undefined) && new Set(owners).size > 1;
}

/** The names under which a FROM list shows what is in it. */
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
