/** The types shared by all typing: expressions, relations and queries. */
import type { ColumnName } from '../../protocol.ts';
import type { Node } from '../tree/parse-tree.ts';
import type { TypeCatalogue, TypeName } from './catalogue/catalogue.ts';
import type { Coercion } from './resolution/coercion.ts';

/** A model column that a value derives from. */
export type Origin = ColumnName;

/** The known facts of an expression's value. */
export interface Typed {
  /** Undefined if unknown, which propagates and suppresses findings; `unknown` for a literal without a type. */
  readonly type: TypeName | undefined;
  /** The enumeration of a model's column, which the catalogue does not know. */
  readonly enumeration?: string;
  /** The type of a model's column or of a cast as it is written, if the catalogue does not know it: `geometry(Point,4326)`. */
  readonly modelType?: string;
  /** The text of a literal without a type; null for NULL. */
  readonly text?: string | null;
  /** The fields of a row. */
  readonly fields?: readonly Column[] | undefined;
  /** Columns that its value derives from, not those that only select rows. */
  readonly origins: readonly Origin[];
  /** False only if it is certainly never NULL. */
  readonly nullable?: boolean;
  /** Byte offset, if it is a placeholder without a declared type. */
  readonly placeholder?: number;
}

export interface Column extends Typed {
  /** Undefined if unknown. */
  readonly name: string | undefined;
  /** The model's column behind a column that USING merged. */
  readonly mergedFrom?: Origin;
}

/** Undefined if unknown. */
export type Columns = readonly Column[] | undefined;

/** A relation in FROM. */
export interface Relation {
  readonly name: string | undefined;
  readonly schema?: string | undefined;
  readonly columns: Columns;
  /** Whether it is a model's table, whose key may determine its other columns. */
  readonly isTable: boolean;
  /** Columns that require qualification, since a join merged them. */
  readonly merged: ReadonlySet<string>;
  /** Whether all its columns require qualification. */
  readonly isOnlyQualified: boolean;
  /** Whether its name cannot be used: the merged columns of a join. */
  readonly isNameless: boolean;
  /** Whether its row is its single column: a function in FROM that returns scalars. */
  readonly isScalar?: true;
}

/** The clause of an expression, in PostgreSQL's words. */
export type Clause =
  | 'SELECT'
  | 'WHERE'
  | 'JOIN conditions'
  | 'HAVING'
  | 'GROUP BY'
  | 'ORDER BY'
  | 'LIMIT'
  | 'OFFSET'
  | 'VALUES'
  | 'FROM'
  | 'WINDOW'
  | 'FILTER';

/** The typing state of one query; the parent of its subqueries. */
export interface Level {
  readonly parent: Level | undefined;
  readonly depth: number;
  relations: readonly Relation[];
  /** The columns of `*`. */
  star: () => Columns;
  clause: Clause;
  hasAggregates: boolean;
  /** Whether the aggregated columns are unknown. */
  isUncertain: boolean;
  /** The CTEs visible here. */
  readonly tables: readonly VisibleTable[];
  /** The entries of WINDOW, by name. */
  readonly windows: ReadonlyMap<string, Node>;
  /** Number of set-returning calls so far. */
  sets: number;
}

export interface VisibleTable {
  readonly name: string;
  columns: Columns;
}

/** The resolved meaning of a name in the tree. */
export interface Meant {
  readonly level: Level;
  readonly relation: Relation;
  readonly index: number;
}

export interface TypeProblem {
  readonly code: TypeCode;
  readonly message: string;
  /** The affected node of the tree, wrapped in its name. */
  readonly at: unknown;
  /** Byte offset, if the problem has a single position. */
  readonly location?: number;
  /** Whether it depends on a key that the models do not name. */
  readonly isLikely?: boolean;
  readonly fix?: { readonly title: string; readonly newText: string };
}

export const typeCodes = [
  'TYPE_MISMATCH',
  'INVALID_LITERAL',
  'FOREIGN_FUNCTION',
  'FOREIGN_TYPE',
  'AGGREGATE_MISUSE',
  'AGGREGATE_IN_WHERE',
  'SUBQUERY_COLUMNS',
  'UNGROUPED_COLUMN',
  'SET_OPERATION_COLUMNS',
] as const;
export type TypeCode = (typeof typeCodes)[number];

/** The levels whose columns the innermost aggregate or query uses. */
export interface Seen {
  /** The query that contains the aggregate. */
  readonly level: Level;
  readonly levels: Set<Level>;
  /** The levels of nested aggregates. */
  readonly aggregates: Set<Level>;
  /** Whether it mentions something unknown, which makes its level unknown. */
  isUncertain: boolean;
}

export interface Session {
  readonly catalogue: TypeCatalogue;
  readonly coercion: Coercion;
  /** The columns of a model's table; undefined if unknown. */
  columnsOf(schema: string | undefined, table: string): Columns;
  isTable(schema: string | undefined, table: string): boolean;
  /** Whether the models name a type that PostgreSQL lacks: a domain, an enumeration or an extension's type. */
  isModelType(name: string): boolean;
  report(problem: TypeProblem): void;
  /** The declared type of the placeholder at the byte offset. */
  declared(location: number): TypeName | undefined;
  /** Records the type that a placeholder's use requires. */
  used(location: number, type: TypeName): void;
  /** Records the type of an expression. */
  note(node: Node, typed: Typed): void;
  /** Records the columns of `*`. */
  noteStar(node: Node, columns: readonly Column[]): void;
  readonly meanings: Map<Node, Meant>;
  /** Types a query nested in the level. */
  query(select: Node, parent: Level | undefined, tables: readonly VisibleTable[]): Columns;
  /** Columns of the non-recursive sides of a recursive query, which are typed once although they are used twice. */
  readonly sides: Map<Node, Columns>;
  /** Undefined outside of aggregates. */
  aggregate: Seen | undefined;
  depth: number;
  columnCount: number;
}

export const unknown: Typed = { type: undefined, origins: [] };

export const typed = (type: TypeName | undefined, ...parts: readonly Typed[]): Typed => ({
  type,
  origins: originsOf(parts),
});

/** Maximum origins per value. */
const originsMax = 64;

export function originsOf(parts: readonly Typed[]): readonly Origin[] {
  if (parts.length === 1) {
    return parts[0]?.origins ?? [];
  }
  const origins: Origin[] = [];
  for (const part of parts) {
    for (const origin of part.origins) {
      if (origins.length < originsMax && !origins.includes(origin)) {
        origins.push(origin);
      }
    }
  }
  return origins;
}
