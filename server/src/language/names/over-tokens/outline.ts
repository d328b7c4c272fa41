/**
 * The outline of a statement from its tokens: queries with their sources, outputs and mentions. Unlike a parse tree it
 * has the position of every alias and works for broken text. Indexes refer to code tokens.
 */

export type DefinitionKind = 'common-table' | 'alias' | 'table' | 'column';

/** A name defined in the text. */
export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly token: number;
  /** For an implicitly named column: insert `AS name` after this token. */
  readonly aliasBehind?: number;
}

export interface OutlineOutput {
  readonly first: number;
  readonly last: number;
  /** Undefined if the column has no simple name. */
  readonly definition?: Definition;
  /** For `*`: its qualifier, or empty. */
  readonly star?: readonly string[];
}

export interface OutlineRelation {
  /** Qualifier of its columns; undefined for a subquery without an alias. */
  readonly definition?: Definition;
  readonly columnAliases: readonly Definition[];
  readonly query?: OutlineQuery;
  readonly commonTable?: OutlineCommonTable;
  /** Name of a function without an alias. */
  readonly functionName?: string;
  /** Set for a table of a model. */
  readonly table?: { readonly schema?: string; readonly name: string };
  /** Token of the table's own name. */
  readonly tableToken?: number;
}

export type Clause = 'expression' | 'group' | 'order' | 'using';

/** A dotted name `a.b.c` in an expression. */
export interface Mention {
  readonly tokens: readonly number[];
  readonly clause: Clause;
  readonly hasStar: boolean;
  /** Set if FROM resolved it already: the CTE it reads. */
  readonly target?: Definition;
}

/** One SELECT. */
export interface OutlineSelect {
  readonly first: number;
  readonly last: number;
  /** The enclosing SELECT, whose relations are visible here too. */
  readonly parent: OutlineSelect | undefined;
  readonly outputs: OutlineOutput[];
  readonly relations: OutlineRelation[];
  readonly mentions: Mention[];
  /** Start of each clause, by its first word. */
  readonly clauses: { readonly word: string; readonly first: number; readonly last: number }[];
  isNatural: boolean;
}

export interface OutlineCommonTable {
  readonly definition: Definition;
  readonly columnAliases: readonly Definition[];
  readonly first: number;
  readonly last: number;
  query?: OutlineQuery;
}

export interface OutlineQuery {
  readonly first: number;
  readonly last: number;
  readonly commonTables: OutlineCommonTable[];
  /** The branches of set operations; a single branch without them. */
  readonly branches: (OutlineSelect | OutlineQuery)[];
  /** ORDER BY and similar clauses after set operations. */
  tail?: OutlineSelect;
}

export interface Outline {
  readonly query: OutlineQuery | undefined;
  readonly queries: readonly OutlineQuery[];
  readonly selects: readonly OutlineSelect[];
  /** Names outside of queries: types, functions, syntax words. */
  readonly others: ReadonlySet<number>;
}

export const isSelect = (branch: OutlineSelect | OutlineQuery): branch is OutlineSelect =>
  'relations' in branch;

/** The first SELECT of a query, which names its columns. */
export function firstSelect(query: OutlineQuery): OutlineSelect | undefined {
  const [branch] = query.branches;
  return branch === undefined || isSelect(branch) ? branch : firstSelect(branch);
}
