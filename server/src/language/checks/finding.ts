/** Findings from checks: data with a range, not exceptions. */
import type { Edit } from '../text/edits.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** Every finding code with its default severity. docs/diagnostics.md explains each. */
export const defaultSeverities = {
  QUERY_PARSE_ERROR: 'error',
  MUTATION_NOT_ALLOWED: 'error',
  SIDE_EFFECT_FUNCTION: 'warning',
  UNKNOWN_FUNCTION: 'hint',
  COULD_NOT_BE_VERIFIED: 'information',
  NOT_FULLY_CHECKED: 'information',
  HIDDEN_CHARACTER: 'warning',
  UNKNOWN_MODEL: 'error',
  UNKNOWN_TABLE: 'warning',
  UNKNOWN_COLUMN: 'error',
  AMBIGUOUS_COLUMN: 'error',
  UNKNOWN_OPERATOR: 'warning',
  INVALID_DIRECTIVE: 'warning',
  UNKNOWN_DIRECTIVE: 'warning',
  INVALID_CONTROL: 'warning',
  DUPLICATE_PARAMETER: 'warning',
  UNUSED_PARAMETER: 'warning',
  UNDECLARED_PARAMETER: 'information',
  QUOTED_PLACEHOLDER: 'hint',
  POSITIONAL_PARAMETER: 'error',
  PARAMETER_TYPE: 'warning',
  NULL_COMPARISON: 'warning',
  JOIN_WITHOUT_CONDITION: 'warning',
  NOT_IN_NULLABLE: 'warning',
  CONSTANT_CONDITION: 'hint',
  UNUSED_CTE: 'information',
  DUPLICATE_OUTPUT_NAME: 'hint',
  ORDINAL_OUT_OF_RANGE: 'warning',
  UNGROUPED_COLUMN: 'warning',
  AGGREGATE_IN_WHERE: 'warning',
  SET_OPERATION_COLUMNS: 'warning',
  SELECT_STAR: 'hint',
  LIMIT_WITHOUT_ORDER: 'hint',
  REDUNDANT_DISTINCT: 'hint',
  IMPLICIT_CROSS_JOIN: 'information',
  LIKE_WITHOUT_WILDCARD: 'hint',
  STRING_NUMBER_COMPARISON: 'warning',
  UNRELATED_IDS: 'warning',
  TYPE_MISMATCH: 'error',
  INVALID_LITERAL: 'error',
  FOREIGN_FUNCTION: 'warning',
  FOREIGN_TYPE: 'warning',
  AGGREGATE_MISUSE: 'error',
  SUBQUERY_COLUMNS: 'error',
  UNUSED_SUPPRESSION: 'hint',
  EMPTY_QUERY: 'warning',
  MULTIPLE_STATEMENTS: 'error',
  QUERY_TOO_LONG: 'error',
} as const satisfies Record<string, Severity>;

export type FindingCode = keyof typeof defaultSeverities;

export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** One or two sentences: the problem and the remedy. */
  readonly message: string;
  /** UTF-16 offsets in the analyzed text. */
  readonly start: number;
  readonly end: number;
  /** A fix that is certain enough to offer without further checks. */
  readonly fix?: Fix;
  /** A fix to offer only if the fixed text is valid, which is checked on request. */
  readonly unprovenFix?: Fix;
  /** Fixes to choose from, since none is certain to be meant. Each is offered only if it leaves fewer errors. */
  readonly alternatives?: readonly Fix[];
}

/** The user's severity for each code; `off` disables the code. */
export type SeveritySettings = Readonly<Partial<Record<FindingCode, Severity | 'off'>>>;

/** Applies the user's severities, and drops findings whose code is off. */
export function applySeverities(
  findings: readonly Finding[],
  settings: SeveritySettings,
): readonly Finding[] {
  return findings.flatMap((found) => {
    const severity = settings[found.code];
    return severity === 'off' ? [] : [severity === undefined ? found : { ...found, severity }];
  });
}

/** Creates a finding with the default severity of its code. */
export function finding(code: FindingCode, message: string, start: number, end: number): Finding {
  return { code, severity: defaultSeverities[code], message, start, end };
}

const severityWords: ReadonlySet<unknown> = new Set(['error', 'warning', 'information', 'hint', 'off']);

/** Parses the severity settings. Unknown codes and severities are ignored. */
export function parseSeverities(value: unknown): SeveritySettings {
  if (typeof value !== 'object' || value === null) {
    return {};
  }
  const known = Object.entries(value).filter(
    ([code, severity]) => Object.hasOwn(defaultSeverities, code) && severityWords.has(severity),
  );
  return Object.fromEntries(known);
}
