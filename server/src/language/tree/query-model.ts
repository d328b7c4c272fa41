/**
 * A statement reduced to what names mean in it: which relations each query reads, which columns it mentions, which it
 * gives. It knows nothing of any catalogue, so that it can be made once beside the parser and kept with the statement.
 * Offsets are UTF-16 units from the start of the statement's text.
 */

export interface NameRef {
  /** The parts of the name as PostgreSQL reads them; a last part `*` stands for all columns. */
  readonly parts: readonly string[];
  readonly start: number;
  readonly clause: 'expression' | 'output-first' | 'input-first';
}

export interface Output {
  /** `*` for all columns of `qualifier` or of everything; undefined where the name cannot be told. */
  readonly name: string | undefined;
  readonly qualifier?: readonly string[];
  /** The column that it passes on as it is. */
  readonly source?: readonly string[];
}

/** A placeholder, and what beside it tells of its type. */
export interface PlaceholderPlace {
  readonly start: number;
  /** Several values: alone in `IN (...)`, or what ANY and ALL read. */
  readonly isList: boolean;
  /** Whether it is one value that holds several: what ANY and ALL read. */
  readonly isArray?: boolean;
  /** A type that the text itself asks for, by a cast or by what only takes one. */
  readonly type?: string;
  /** The column it is compared with. */
  readonly column?: readonly string[];
  /** Whether the column holds lists, of which the placeholder is one value: `:x = ANY (column)`. */
  readonly isElement?: boolean;
}

/** What expressions mention. */
export interface Mentions {
  readonly refs: readonly NameRef[];
  /** Queries inside expressions: they see the relations of the query around them. */
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
  /** A function, XMLTABLE, JSON_TABLE. It sees the items before it. */
  | (Mentions & {
      readonly kind: 'opaque';
      /** The alias, or else the name that PostgreSQL gives it. */
      readonly alias?: string;
      /** Under their aliases; undefined where the text alone does not tell them. */
      readonly columns?: readonly string[];
    })
  | (Mentions & {
      readonly kind: 'join';
      readonly left: FromItem;
      readonly right: FromItem;
      readonly using: readonly string[];
      readonly isNatural: boolean;
      /** Names the merged columns alone: `USING (x) AS alias`. */
      readonly usingAlias?: string;
      readonly alias?: string;
      readonly columnAliases: readonly string[];
    });

export interface CommonTable {
  readonly name: string;
  readonly columnAliases: readonly string[];
  /** Undefined for a statement that is no query. */
  readonly query?: Query;
  /** Columns that SEARCH and CYCLE add behind those of the query. */
  readonly addedColumns?: readonly string[];
  readonly start: number;
}

export interface Query extends Mentions {
  readonly commonTables: readonly CommonTable[];
  readonly isRecursive: boolean;
  readonly from: readonly FromItem[];
  readonly outputs: readonly Output[];
  /**
   * What a set operation combines, from left to right, which then is all that the query reads: at least two. Of
   * `a UNION b UNION c` one list, since texts have thousands of them.
   */
  readonly sides?: readonly [Query, ...Query[]];
}
