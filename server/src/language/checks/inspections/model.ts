/** Inspection results of one statement. Computed beside the parser; offsets are UTF-16 units in the statement. */

export const inspectionCodes = [
  'NULL_COMPARISON',
  'JOIN_WITHOUT_CONDITION',
  'NOT_IN_NULLABLE',
  'CONSTANT_CONDITION',
  'UNUSED_CTE',
  'DUPLICATE_OUTPUT_NAME',
  'ORDINAL_OUT_OF_RANGE',
  'UNGROUPED_COLUMN',
  'AGGREGATE_IN_WHERE',
  'SET_OPERATION_COLUMNS',
  'SELECT_STAR',
  'LIMIT_WITHOUT_ORDER',
  'REDUNDANT_DISTINCT',
  'IMPLICIT_CROSS_JOIN',
  'LIKE_WITHOUT_WILDCARD',
  'STRING_NUMBER_COMPARISON',
  'UNRELATED_IDS',
] as const;
export type InspectionCode = (typeof inspectionCodes)[number];

/** A token range, by the offsets of its first and last token. */
export interface TokenRun {
  readonly first: number;
  readonly last: number;
  /** Tokens to extend it from `first` and `last`. */
  readonly shiftFirst?: number;
  readonly shiftLast?: number;
}

export type ProblemFix =
  | { readonly kind: 'replace'; readonly title: string; readonly run: TokenRun; readonly newText: string }
  /** Adds names to the GROUP BY of the SELECT whose list starts at the offset. */
  | {
      readonly kind: 'group-by';
      readonly title: string;
      readonly at: number;
      readonly names: readonly string[];
    };

export interface Problem {
  readonly code: InspectionCode;
  /** If different from the code's severity. */
  readonly severity?: 'information';
  readonly message: string;
  readonly run: TokenRun;
  readonly fix?: ProblemFix;
  /** Not a problem if these columns include the table's primary key. */
  readonly unlessKeyOf?: readonly PossibleKey[];
}

export interface PossibleKey {
  readonly table: TableName;
  readonly columns: readonly string[];
}

export interface TableName {
  readonly schema?: string;
  readonly name: string;
}

/** A problem only if a column has certain properties: the catalogue decides. */
export interface ColumnFact {
  readonly kind: 'with-number' | 'with-string' | 'not-in';
  readonly column: string;
  /** Candidate tables of the column; exactly one must have it. */
  readonly tables: readonly TableName[];
  readonly run: TokenRun;
  /** The text or number compared with. */
  readonly value?: string;
}

/** A column on one side of a join; without a name for all shared columns (NATURAL JOIN). */
export interface IdSide {
  readonly alias: string;
  readonly table: TableName;
  readonly column?: string;
}

/** Two columns that must be equal: the catalogue knows whether they are own IDs of different tables. */
export interface IdFact {
  readonly left: IdSide;
  readonly right: IdSide;
  readonly run: TokenRun;
  /** Whether the range is the whole condition, which can be replaced. */
  readonly isCondition: boolean;
}

export interface Inspection {
  readonly problems: readonly Problem[];
  readonly facts: readonly ColumnFact[];
  readonly ids: readonly IdFact[];
}
