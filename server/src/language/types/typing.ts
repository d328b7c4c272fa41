/** Shared types for typing expressions, relations and queries. */
import type { ColumnName } from '#server/protocol.ts';
import type { Relation as RelationOf } from '../names/relations/relations.ts';
import type { VisibleTables } from '../names/relations/visible-tables.ts';
import type { Node } from '../tree/parse-tree.ts';
import type { TypeCatalogue, TypeName } from './catalogue/catalogue.ts';
import type { Coercion } from './resolution/coercion.ts';

/** A model column that a value derives from. */
export type Origin = ColumnName;

/** The known facts about an expression's value. */
export interface Typed {
  /** Undefined if unknown, which propagates and suppresses findings; `unknown` for an untyped literal. */
  readonly type: TypeName | undefined;
  /** The enumeration of a model's column, which PostgreSQL's catalog does not contain. */
  readonly enumeration?: string;
  /**
   * The type of a model's column or a cast as written, if PostgreSQL's catalog does not contain it:
   * `geometry(Point,4326)`.
   */
  readonly modelType?: string;
  /** The text of an untyped literal; null for NULL. */
  readonly text?: string | null;
  /** The table or query whose whole row it is. */
  readonly rowOf?: string;
  /** The fields of a row. */
  readonly fields?: readonly Column[] | undefined;
  /** Columns that the value derives from, excluding those that only select rows. */
  readonly origins: readonly Origin[];
  /** False only if the value is certainly never NULL. */
  readonly nullable?: boolean;
  /** Byte offset of the value, if it is a placeholder without a declared type. */
  readonly placeholder?: number;
}

export interface Column extends Typed {
  /** Undefined if unknown. */
  readonly name: string | undefined;
  /** The model column that a merged USING column takes its value from. */
  readonly mergedFrom?: Origin;
}

/** Undefined if unknown. */
export type Columns = readonly Column[] | undefined;

export type Relation = RelationOf<Column>;

/** The clause that contains an expression, in PostgreSQL's words. */
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

/** The typing state of a query; `parent` is the enclosing query's state. */
export interface Level {
  readonly parent: Level | undefined;
  readonly depth: number;
  relations: readonly Relation[];
  /** The columns of `*`. */
  star: () => Columns;
  clause: Clause;
  hasAggregates: boolean;
  /** Whether it is uncertain which columns are used and aggregated. */
  isUncertain: boolean;
  /** The CTEs visible in the query. */
  readonly tables: VisibleTables<VisibleTable>;
  /** The items of the WINDOW clause, by name. */
  readonly windows: ReadonlyMap<string, Node>;
  /** Number of set-returning calls so far. */
  sets: number;
  /** Whether FROM reads the recursive query that this query is a term of. */
  readsItself: boolean;
}

export interface VisibleTable {
  readonly name: string;
  columns: Columns;
  /** Whether the recursive query of this name is being typed. */
  isOpen?: boolean;
}

/** The column that a name in the tree resolves to. */
export interface Meant {
  readonly level: Level;
  readonly relation: Relation;
  /** Index of the column, or -1 for the whole row. */
  readonly index: number;
}

/** A token of the affected expression, and what to write instead. */
export interface Rewrite {
  readonly token: string;
  readonly newText: string;
}

export interface TypeProblem {
  readonly code: TypeCode;
  readonly message: string;
  /** The affected node, wrapped in an object with its type as the key. */
  readonly at: unknown;
  /** Byte offset, if the problem has a single position. */
  readonly location?: number;
  /** Whether the problem depends on more than the text: a primary key, a collation, or what PostgreSQL evaluates. */
  readonly isLikely?: boolean;
  readonly rewrite?: Rewrite;
  /** What else the expression may be meant as; none is certain. */
  readonly alternatives?: readonly Rewrite[];
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
  'ORDINAL_OUT_OF_RANGE',
  'INVALID_CLAUSE',
] as const;
export type TypeCode = (typeof typeCodes)[number];

/** The levels whose columns the innermost aggregate uses. */
export interface Seen {
  /** The query that contains the aggregate. */
  readonly level: Level;
  readonly levels: Set<Level>;
  /** The levels of nested aggregates. */
  readonly aggregates: Set<Level>;
  /** Whether an unknown name is mentioned, so that the aggregate's level is uncertain. */
  isUncertain: boolean;
}

export interface Session {
  /** The model whose tables need no qualifier. */
  readonly model: string;
  readonly catalogue: TypeCatalogue;
  readonly coercion: Coercion;
  /** Returns the columns of a model's table, or undefined if they are unknown. */
  columnsOf(schema: string | undefined, table: string): Columns;
  /** Returns whether a model uses a type that PostgreSQL lacks: a domain, an enumeration or an extension's type. */
  isModelType(name: string): boolean;
  report(problem: TypeProblem): void;
  /** Returns the declared type of the placeholder at the byte offset. */
  declared(location: number): TypeName | undefined;
  /** Records the type that a placeholder's use requires. */
  used(location: number, type: TypeName): void;
  /** Records the type of an expression. */
  note(node: Node, typed: Typed): void;
  noteStar(node: Node, columns: readonly Column[]): void;
  readonly meanings: Map<Node, Meant>;
  /** Types a query nested in the given level. */
  query(select: Node, parent: Level | undefined, tables: VisibleTables<VisibleTable>): Columns;
  /** Columns of the branches of a recursive CTE's non-recursive term, which are used twice but typed once. */
  readonly sides: Map<Node, Columns>;
  /** The innermost aggregate; undefined outside aggregates. */
  aggregate: Seen | undefined;
  depth: number;
  columnCount: number;
  /** The number of COLLATE clauses. */
  collations: number;
  /** The number of parts around the expression that PostgreSQL may leave out. */
  optional: number;
}

/** Types a part that PostgreSQL may never evaluate: a branch of CASE, or an unused query. */
export function perhaps<T>(session: Session, run: () => T): T {
  session.optional++;
  const result = run();
  session.optional--;
  return result;
}

/** Reports a constant that PostgreSQL refuses only when it evaluates it, which may never be. */
export function reportValue(session: Session, at: unknown, message: string): void {
  session.report({ code: 'INVALID_LITERAL', message, at, isLikely: session.optional > 0 });
}

export const unknown: Typed = { type: undefined, origins: [] };

export const typed = (type: TypeName | undefined, ...parts: readonly Typed[]): Typed => ({
  type,
  origins: originsOf(parts),
});

const noOrigins: readonly Origin[] = [];

/** Maximum number of origins per value. */
const originsMax = 64;

export function originsOf(parts: readonly Typed[]): readonly Origin[] {
  // Usually at most one part has origins: its list is shared.
  const first = parts.find(({ origins: of }) => of.length > 0)?.origins ?? noOrigins;
  if (parts.every(({ origins: of }) => of.length === 0 || of === first)) return first;
  const origins: Origin[] = [];
  for (const part of parts) {
    for (const origin of part.origins) {
      if (origins.length < originsMax && !origins.includes(origin)) origins.push(origin);
    }
  }
  return origins;
}
