/**
 * A statement's outline, read from its tokens: queries with their sources, outputs and mentions. Unlike a parse tree,
 * it contains the position of every alias and works for invalid text. All indexes refer to code tokens.
 */

export type DefinitionKind = 'common-table' | 'alias' | 'table' | 'column' | 'window';

/** A name defined in the text. */
export interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly token: number;
  /** For a column without an explicit name: the token after which `AS name` can be inserted. */
  readonly aliasBehind?: number;
}

export interface OutlineOutput {
  readonly first: number;
  readonly last: number;
  /** Undefined if the column has no simple name. */
  readonly definition?: Definition;
  /** The name of a column of VALUES, or of a row's field, as in `(a).b`. */
  readonly name?: string;
  /** For `*`: the qualifier, or an empty array. */
  readonly star?: readonly string[];
}

export interface OutlineRelation {
  /** The first token of its item in FROM. */
  readonly first?: number;
  /** The name that qualifies the columns; undefined for a subquery without an alias. */
  readonly definition?: Definition;
  readonly columnAliases: readonly Definition[];
  readonly query?: OutlineQuery;
  readonly commonTable?: OutlineCommonTable;
  readonly functionName?: string;
  /** The functions of ROWS FROM. */
  readonly functionNames?: readonly string[];
  /** Columns that the text names: those of JSON_TABLE and XMLTABLE, or of the alias behind USING. */
  readonly ownColumns?: readonly string[];
  /** Set for the alias behind USING, whose columns belong to the joined tables, too. */
  readonly isOnlyQualified?: true;
  /** For the alias of a join in brackets: the relations inside. */
  readonly joined?: readonly OutlineRelation[];
  /** For that alias: the brackets, inside of which it is not known yet. */
  readonly brackets?: { readonly first: number; readonly last: number };
  /** For that alias: the columns that USING or NATURAL make one. */
  readonly isMerged?: (column: string) => boolean;
  /** For the relations inside: the brackets, outside of which only the alias names them. */
  readonly inside?: { readonly first: number; readonly last: number };
  /** Set for a function WITH ORDINALITY. */
  readonly hasOrdinality?: true;
  /** Set only for a model's table. */
  readonly table?: { readonly schema?: string; readonly name: string };
  /** The token of the table name, without the schema. */
  readonly tableToken?: number;
}

export type Clause = 'expression' | 'group' | 'order' | 'using' | 'window';

/** A dotted name `a.b.c` in an expression. */
export interface Mention {
  readonly tokens: readonly number[];
  readonly clause: Clause;
  readonly hasStar: boolean;
  /** The CTE, if FROM has already resolved the name. */
  readonly target?: Definition;
}

export interface OutlineSelect {
  readonly first: number;
  readonly last: number;
  /** The enclosing SELECT, whose relations are also visible here. */
  readonly parent: OutlineSelect | undefined;
  readonly outputs: OutlineOutput[];
  readonly relations: OutlineRelation[];
  readonly mentions: Mention[];
  /** The clauses in order, each with its first word. */
  readonly clauses: { readonly word: string; readonly first: number; readonly last: number }[];
  /** The conditions behind ON, each with the first token of the tables that it joins. */
  readonly conditions: { readonly first: number; readonly last: number; readonly from: number }[];
  /** The items of FROM that see the tables before them, but none on the other side of a RIGHT or FULL JOIN. */
  readonly laterals: LateralItem[];
  /** Where FROM ends: the first tokens of the joined tables that still wait for a condition. */
  waiting: readonly number[];
  /** The names of its WINDOW clause. */
  readonly windows: Definition[];
  isNatural: boolean;
}

/** A function or a LATERAL subquery in FROM. */
export interface LateralItem {
  /** The tokens inside of its brackets. */
  readonly first: number;
  readonly last: number;
  /** The first token of its item. */
  readonly until: number;
  /** Where the items begin and end that it must not read. */
  readonly hidden: readonly (readonly [number, number])[];
}

export interface OutlineCommonTable {
  readonly definition: Definition;
  readonly columnAliases: readonly Definition[];
  readonly first: number;
  readonly last: number;
  /** The columns that SEARCH and CYCLE add. */
  readonly added: Definition[];
  /** Tokens of SEARCH and CYCLE that name its columns. */
  readonly uses: number[];
  /** Whether it is a query, and no DELETE or the like. */
  readonly isQuery: boolean;
  readonly query: OutlineQuery | undefined;
}

export interface OutlineQuery {
  readonly first: number;
  readonly last: number;
  readonly commonTables: OutlineCommonTable[];
  /** The branches of a set operation; a single branch for other queries. */
  readonly branches: (OutlineSelect | OutlineQuery)[];
  /** ORDER BY and similar clauses that follow a set operation. */
  tail?: OutlineSelect;
}

export interface Outline {
  readonly query: OutlineQuery | undefined;
  readonly queries: readonly OutlineQuery[];
  readonly selects: readonly OutlineSelect[];
  /** Other names: types, functions and syntax words. */
  readonly others: ReadonlySet<number>;
}

export const isSelect = (branch: OutlineSelect | OutlineQuery): branch is OutlineSelect =>
  'relations' in branch;

/** Returns the first SELECT of a query, which determines the column names. */
export function firstSelect(query: OutlineQuery): OutlineSelect | undefined {
  const [branch] = query.branches;
  return branch === undefined || isSelect(branch) ? branch : firstSelect(branch);
}

/** Returns the innermost SELECT that contains the token or ends right before it. */
export function selectAround(selects: readonly OutlineSelect[], at: number): OutlineSelect | undefined {
  let inner: OutlineSelect | undefined;
  for (const select of selects) {
    if (isAround(select, at) && (inner === undefined || select.first >= inner.first)) inner = select;
  }
  return inner;
}

export const isAround = (
  { first, last }: { readonly first: number; readonly last: number },
  at: number,
): boolean => first <= at && at <= last + 1;
