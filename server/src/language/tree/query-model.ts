/**
 * A statement reduced to what name resolution needs: for each query, the relations it reads, and the columns it
 * mentions and returns. Independent of any catalog, so it is built once, in the parser's thread, and cached with the
 * statement. Offsets are UTF-16 offsets in the statement's text.
 */

export interface NameRef {
  /** The parts of the name after case folding; a trailing `*` means all columns. */
  readonly parts: readonly string[];
  readonly start: number;
  readonly clause: 'expression' | 'output-first' | 'input-first';
}

export interface Output {
  /** `*` for all columns of `qualifier` or, without one, of the query; undefined if the name is unknown. */
  readonly name: string | undefined;
  readonly qualifier?: readonly string[];
  /** The column, if the output is an unchanged column. */
  readonly source?: readonly string[];
}

/** A placeholder with the facts that determine its type. */
export interface PlaceholderPlace {
  readonly start: number;
  /** Whether the placeholder takes several values: it is alone in `IN (...)`, or the operand of ANY or ALL. */
  readonly isList: boolean;
  /** Whether it is a single array value: the operand of ANY or ALL. */
  readonly isArray?: boolean;
  /** The type required by a cast or by syntax that accepts only one type. */
  readonly type?: string;
  readonly column?: readonly string[];
  /** Whether the column is an array and the placeholder is an element: `:x = ANY (column)`. */
  readonly isElement?: boolean;
}

/** A field of a bare name, `(row).field`: a column if the name is a relation that has one, otherwise a call. */
export interface RowField {
  readonly row: string;
  readonly field: string;
}

export interface Mentions {
  readonly refs: readonly NameRef[];
  readonly rowFields: readonly RowField[];
  /** Queries inside expressions, which can use the relations of the outer query. */
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
  /** A function, XMLTABLE or JSON_TABLE, which can use the preceding items. */
  | (Mentions & {
      readonly kind: 'opaque';
      /** The alias, otherwise PostgreSQL's default name. */
      readonly alias?: string;
      /** The column names with aliases applied; undefined if the text does not determine them. */
      readonly columns?: readonly string[];
    })
  | (Mentions & {
      readonly kind: 'join';
      readonly left: FromItem;
      readonly right: FromItem;
      readonly using: readonly string[];
      readonly isNatural: boolean;
      readonly type: 'inner' | 'left' | 'right' | 'full';
      /** The alias for the merged columns only: `USING (x) AS alias`. */
      readonly usingAlias?: string;
      readonly alias?: string;
      readonly columnAliases: readonly string[];
    });

export interface CommonTable {
  readonly name: string;
  readonly columnAliases: readonly string[];
  /** Undefined if the CTE is not a query. */
  readonly query?: Query;
  /** Columns that SEARCH and CYCLE append to the query's columns. */
  readonly addedColumns?: readonly string[];
  readonly start: number;
}

export interface Query extends Mentions {
  readonly commonTables: readonly CommonTable[];
  readonly isRecursive: boolean;
  readonly from: readonly FromItem[];
  readonly outputs: readonly Output[];
  /**
   * The branches of a set operation, from left to right, at least two; the query itself has no FROM. `a UNION b UNION
   * c` is a flat list, since queries may have thousands of branches.
   */
  readonly sides?: readonly [Query, ...Query[]];
}
