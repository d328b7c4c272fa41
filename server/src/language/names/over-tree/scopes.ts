/** The names visible at a query position under PostgreSQL's scoping rules: relations and their columns. */
import type { CommonTable, FromItem, Query } from '#server/language/tree/query-model.ts';
import type { Joined as JoinedOf, Relation as RelationOf } from '../relations/relations.ts';
import { aliased, computed, type Column, type Columns, type TableRead } from './columns.ts';

export type Relation = RelationOf<Column, TableRead>;
export type Joined = JoinedOf<Column, TableRead>;

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

/** Returns a CTE's columns, with its alias list and the columns added by SEARCH and CYCLE. */
export function commonColumns(columns: Columns, { columnAliases, addedColumns = [] }: CommonTable): Columns {
  const own = aliased(columns, columnAliases);
  return own && [...own, ...addedColumns.map(computed)];
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
  if (written.length === 0)
    return stars.length === 1 && outputs.filter((output) => output === name).length > 1;
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

export const opaqueColumns = (names: readonly string[] | undefined): Columns => names?.map(computed);
