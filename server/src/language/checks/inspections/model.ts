/**
 * Inspection results of one statement, computed in the parser's thread. Offsets are UTF-16 offsets in the statement.
 */

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

/** A range of tokens, given by the offsets of its first and last token. */
export interface TokenRun {
  readonly first: number;
  readonly last: number;
  /** Number of tokens to move each end by. */
  readonly shiftFirst?: number;
  readonly shiftLast?: number;
  /** Whether an end is a constant, whose sign and parentheses belong to the range. */
  readonly isFirstConstant?: true;
  readonly isLastConstant?: true;
}

export interface WrittenNumber {
  /** The offset of its sign or digits. */
  readonly at: number;
  readonly value: string;
}

export type ProblemFix =
  | { readonly kind: 'replace'; readonly title: string; readonly run: TokenRun; readonly newText: string }
  /** Replaces an operator and the NULL after it; the offsets are those of the two. */
  | {
      readonly kind: 'null-test';
      readonly title: string;
      readonly operator: number;
      readonly value: number;
      readonly test: string;
    }
  /** Writes numbers as texts. */
  | { readonly kind: 'quote'; readonly title: string; readonly numbers: readonly WrittenNumber[] }
  /** Swaps two constants at these offsets. */
  | { readonly kind: 'swap'; readonly title: string; readonly one: number; readonly two: number }
  /** Adds names to the GROUP BY of the SELECT whose list starts at `at`. */
  | {
      readonly kind: 'group-by';
      readonly title: string;
      readonly at: number;
      readonly names: readonly string[];
    };

export interface Problem {
  readonly code: InspectionCode;
  /** Overrides the default severity of the code. */
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

/** A possible problem that depends on a column's properties, which the catalog provides. */
export interface ColumnFact {
  readonly kind: 'with-number' | 'with-string' | 'not-in';
  readonly column: string;
  /** Tables that may have the column; exactly one of them must have it. */
  readonly tables: readonly TableName[];
  readonly run: TokenRun;
  /** The string or number that the column is compared with. */
  readonly value?: string;
  /** The numbers that must become texts with it. */
  readonly numbers?: readonly WrittenNumber[];
}

export interface IdSide {
  readonly alias: string;
  readonly table: TableName;
  readonly column: string;
}

/** Two columns compared for equality. The catalog decides whether each is the ID of a different table. */
export interface IdFact {
  readonly left: IdSide;
  readonly right: IdSide;
  readonly run: TokenRun;
  /** Whether the range covers the whole condition, so that a fix can replace it. */
  readonly isCondition: boolean;
}

export interface Inspection {
  readonly problems: readonly Problem[];
  readonly facts: readonly ColumnFact[];
  readonly ids: readonly IdFact[];
}
