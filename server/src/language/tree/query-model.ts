/**
 * A statement reduced to name resolution: the relations each query reads, the columns it mentions, and those it
 * returns. Independent of any catalogue, so it is built once beside the parser and cached with the statement.
 * Offsets are UTF-16 units from the start of the statement's text.
 */

export interface NameRef {
  /** The parts of the name as PostgreSQL reads them; a final `*` stands for all columns. */
  readonly parts: readonly string[];
  readonly start: number;
  readonly clause: 'expression' | 'output-first' | 'input-first';
}

export interface Output {
  /** `*` for all columns of `qualifier` or of the query; undefined if the name is unknown. */
  readonly name: string | undefined;
  readonly qualifier?: readonly string[];
  /** The column, if passed on unchanged. */
  readonly source?: readonly string[];
}

/** A placeholder with the facts that determine its type. */
export interface PlaceholderPlace {
  readonly start: number;
  /** Whether it takes several values: alone in `IN (...)`, or the operand of ANY or ALL. */
  readonly isList: boolean;
  /** Whether it is one value that contains several: the operand of ANY or ALL. */
  readonly isArray?: boolean;
  /** A type required by the text itself, by a cast or by syntax that accepts only one type. */
  readonly type?: string;
  /** The compared column. */
  readonly column?: readonly string[];
  /** Whether the column holds lists, and the placeholder one element: `:x = ANY (column)`. */
  readonly isElement?: boolean;
}

/** The names and placeholders in expressions. */
export interface Mentions {
  readonly refs: readonly NameRef[];
  /** Queries inside expressions: they see the relations of the outer query. */
  readonly queries: readonly Query[];
  readonly placeholders: readonly PlaceholderPlace[];
}

export type FromItem =
  | {
      readonly kind: 'table';
      readonly schema?: string;
      readonly name: string;
      readonly alias?: string;
      readonly columnAliases: readonly string[];
      readonly start: number;
    }
  | {
      readonly kind: 'query';
      readonly query: Query;
      readonly isLateral: boolean;
      readonly alias?: string;
      readonly columnAliases: readonly string[];
    }
  /** A function, XMLTABLE or JSON_TABLE. It sees the preceding items. */
  | (Mentions & {
      readonly kind: 'opaque';
      /** The alias, else the name that PostgreSQL gives it. */
      readonly alias?: string;
      /** Renamed by their aliases; undefined if the text alone does not determine them. */
      readonly columns?: readonly string[];
    })
  | (Mentions & {
      readonly kind: 'join';
      readonly left: FromItem;
      readonly right: FromItem;
      readonly using: readonly string[];
      readonly isNatural: boolean;
      /** Names only the merged columns: `USING (x) AS alias`. */
      readonly usingAlias?: string;
      readonly alias?: string;
      readonly columnAliases: readonly string[];
    });

export interface CommonTable {
  readonly name: string;
  readonly columnAliases: readonly string[];
  /** Undefined for other statements than queries. */
  readonly query?: Query;
  /** Columns that SEARCH and CYCLE append to the query's own. */
  readonly addedColumns?: readonly string[];
  readonly start: number;
}

export interface Query extends Mentions {
  readonly commonTables: readonly CommonTable[];
  readonly isRecursive: boolean;
  readonly from: readonly FromItem[];
  readonly outputs: readonly Output[];
  /**
   * The branches of a set operation, from left to right, at least two; the query then reads nothing else.
   * `a UNION b UNION c` is one flat list, since queries may have thousands of branches.
   */
  readonly sides?: readonly [Query, ...Query[]];
}
