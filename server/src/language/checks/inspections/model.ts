/** What the inspections say of one statement. Made beside the parser; offsets are UTF-16 units in the statement. */

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

/** A run of tokens, by the offsets of its first and its last one. */
export interface TokenRun {
  readonly first: number;
  readonly last: number;
  /** Tokens to go on from `first`, and from `last`. */
  readonly shiftFirst?: number;
  readonly shiftLast?: number;
}

export type ProblemFix =
  | { readonly kind: 'replace'; readonly title: string; readonly run: TokenRun; readonly newText: string }
  /** Adds names to the GROUP BY of the SELECT whose list begins at the offset. */
  | {
      readonly kind: 'group-by';
      readonly title: string;
      readonly at: number;
      readonly names: readonly string[];
    };

export interface Problem {
  readonly code: InspectionCode;
  /** Where it is another than the code's. */
  readonly severity?: 'information';
  readonly message: string;
  readonly run: TokenRun;
  readonly fix?: ProblemFix;
  /** It is none if these columns hold the primary key of the table, for one of them. */
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

/** Something that is a problem only if a column is what it may be: the catalogue tells. */
export interface ColumnFact {
  readonly kind: 'with-number' | 'with-string' | 'not-in';
  readonly column: string;
  /** The tables that the column can be of; exactly one of them must have it. */
  readonly tables: readonly TableName[];
  readonly run: TokenRun;
  /** The text or number compared with. */
  readonly value?: string;
}

/** A column of one side of a join; without a name for all that both sides have (NATURAL JOIN). */
export interface IdSide {
  readonly alias: string;
  readonly table: TableName;
  readonly column?: string;
}

/** Two columns that must be equal: the catalogue knows whether they are the own ids of different tables. */
export interface IdFact {
  readonly left: IdSide;
  readonly right: IdSide;
  readonly run: TokenRun;
  /** Whether the run is the condition itself, which another can take the place of. */
  readonly isCondition: boolean;
}

export interface Inspection {
  readonly problems: readonly Problem[];
  readonly facts: readonly ColumnFact[];
  readonly ids: readonly IdFact[];
}
