/**
 * The shape of a statement from its tokens: its queries, what each reads, gives and mentions. Unlike a parse tree it
 * knows where every alias is written, and it also exists while the text is broken. Indexes are those of code tokens.
 */

export type DefinitionKind = 'common-table' | 'alias' | 'table' | 'column';

/** A name that the text gives. */
export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly token: number;
  /** For a column that takes its name from what it is made of: the token behind which `AS name` can be written. */
  readonly aliasBehind?: number;
}

export interface OutlineOutput {
  readonly first: number;
  readonly last: number;
  /** Undefined where the column has no name, or one that is not simple to tell. */
  readonly definition?: Definition;
  /** For `*`: empty, or the one qualifier. */
  readonly star?: readonly string[];
}

export interface OutlineRelation {
  /** What qualifies its columns; undefined for a subquery without alias. */
  readonly definition?: Definition;
  readonly columnAliases: readonly Definition[];
  readonly query?: OutlineQuery;
  readonly commonTable?: OutlineCommonTable;
  /** What a function is called that has no alias. */
  readonly functionName?: string;
  /** A table of a model. */
  readonly table?: { readonly schema?: string; readonly name: string };
  /** Where the table's own name stands. */
  readonly tableToken?: number;
}

export type Clause = 'expression' | 'group' | 'order' | 'using';

/** `a.b.c` in an expression. */
export interface Mention {
  readonly tokens: readonly number[];
  readonly clause: Clause;
  readonly hasStar: boolean;
  /** Already known in FROM: the common table that is read. */
  readonly target?: Definition;
}

/** One SELECT. */
export interface OutlineSelect {
  readonly first: number;
  readonly last: number;
  /** The SELECT whose relations this one sees besides its own. */
  readonly parent: OutlineSelect | undefined;
  readonly outputs: OutlineOutput[];
  readonly relations: OutlineRelation[];
  readonly mentions: Mention[];
  /** Where each clause begins, by its first word. */
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
  /** The branches of set operations; one where there is none. */
  readonly branches: (OutlineSelect | OutlineQuery)[];
  /** ORDER BY and the like behind set operations. */
  tail?: OutlineSelect;
}

export interface Outline {
  readonly query: OutlineQuery | undefined;
  readonly queries: readonly OutlineQuery[];
  readonly selects: readonly OutlineSelect[];
  /** Names that are none of a query's: types, functions, words of syntax. */
  readonly others: ReadonlySet<number>;
}

export const isSelect = (branch: OutlineSelect | OutlineQuery): branch is OutlineSelect =>
  'relations' in branch;

/** The first of the SELECTs: it names the columns. */
export function firstSelect(query: OutlineQuery): OutlineSelect | undefined {
  const [branch] = query.branches;
  return branch === undefined || isSelect(branch) ? branch : firstSelect(branch);
}
