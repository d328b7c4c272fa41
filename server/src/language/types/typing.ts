/** What the typing of a statement works with: what an expression, a relation and a query are to it. */
import type { ColumnName } from '../../protocol.ts';
import type { Node } from '../tree/parse-tree.ts';
import type { TypeCatalogue, TypeName } from './catalogue.ts';
import type { Coercion } from './coercion.ts';

/** A column of a table of a model that a value is made of. */
export type Origin = ColumnName;

/** What is known of an expression's value. */
export interface Typed {
  /** Undefined while unknown, which spreads and about which nothing is said; `unknown` for a literal without a type. */
  readonly type: TypeName | undefined;
  /** Of a literal that has no type yet; null for NULL. */
  readonly text?: string | null;
  /** Of a row: what it has. */
  readonly fields?: readonly Column[] | undefined;
  /** Columns that its value is made of, not those that only decide which rows there are. */
  readonly origins: readonly Origin[];
  /** False where it is certainly never NULL. */
  readonly nullable?: boolean;
  /** A placeholder whose type nobody declared: byte offset. */
  readonly placeholder?: number;
}

export interface Column extends Typed {
  /** Undefined where it cannot be told. */
  readonly name: string | undefined;
}

/** Undefined where it is not known which there are. */
export type Columns = readonly Column[] | undefined;

/** Something in FROM. */
export interface Relation {
  readonly name: string | undefined;
  readonly schema?: string | undefined;
  readonly columns: Columns;
  /** A table of a model, which may have a key that decides its other columns. */
  readonly isTable: boolean;
  /** Columns that need its name, since a join has merged them. */
  readonly merged: ReadonlySet<string>;
  /** Whether its columns are only found by its name. */
  readonly isOnlyQualified: boolean;
  /** Whether its name means nothing: the merged columns of a join. */
  readonly isNameless: boolean;
  /** Whether its row is its one column: a function of FROM that gives plain values. */
  readonly isScalar?: true;
}

/** Where in a query an expression stands, as PostgreSQL names it. */
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

/** One query while it is typed. Its subqueries have it as their parent. */
export interface Level {
  readonly parent: Level | undefined;
  readonly depth: number;
  relations: readonly Relation[];
  /** What `*` stands for. */
  star: Columns;
  clause: Clause;
  hasAggregates: boolean;
  /** Whether what is aggregated cannot be told. */
  isUncertain: boolean;
  /** Names of WITH that are seen here. */
  readonly tables: readonly VisibleTable[];
  readonly windows: Set<string>;
}

export interface VisibleTable {
  readonly name: string;
  columns: Columns;
}

/** What a name in the tree was found to mean. */
export interface Meant {
  readonly level: Level;
  readonly relation: Relation;
  readonly index: number;
}

export interface TypeProblem {
  readonly code: TypeCode;
  readonly message: string;
  /** What it is about: a node of the tree, with its name around it. */
  readonly at: unknown;
  /** Where it is one place: byte offset. */
  readonly location?: number;
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

/** Of the innermost aggregate or query: which levels its columns are of. */
export interface Seen {
  readonly levels: Set<Level>;
  /** The levels of the aggregates in it. */
  readonly aggregates: Set<Level>;
  /** Whether it mentions what is not known, so that its level is not. */
  isUncertain: boolean;
}

export interface Session {
  readonly catalogue: TypeCatalogue;
  readonly coercion: Coercion;
  /** The columns of a table of a model; undefined while unknown. */
  columnsOf(schema: string | undefined, table: string): Columns;
  isTable(schema: string | undefined, table: string): boolean;
  report(problem: TypeProblem): void;
  /** The type that was declared for the placeholder at the byte offset. */
  declared(location: number): TypeName | undefined;
  /** A use of a placeholder decides its type. */
  used(location: number, type: TypeName): void;
  /** What an expression was found to be. */
  note(node: Node, typed: Typed): void;
  readonly meanings: Map<Node, Meant>;
  /** Types a query inside of the level. */
  query(select: Node, parent: Level | undefined, tables: readonly VisibleTable[]): Columns;
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

/** At most so many columns are remembered of a value. */
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
