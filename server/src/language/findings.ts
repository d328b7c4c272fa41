/** What a check reports: data with a range, never an exception. */

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** Every code that can be reported, with its severity where no setting says otherwise. docs/diagnostics.md explains each. */
export const defaultSeverities = {
  QUERY_PARSE_ERROR: 'error',
  MUTATION_NOT_ALLOWED: 'error',
  SIDE_EFFECT_FUNCTION: 'warning',
  COULD_NOT_BE_VERIFIED: 'information',
  EMPTY_QUERY: 'warning',
  MULTIPLE_STATEMENTS: 'error',
  QUERY_TOO_LONG: 'error',
} as const satisfies Record<string, Severity>;

export type FindingCode = keyof typeof defaultSeverities;

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** One or two sentences: what is wrong and what to do. */
  readonly message: string;
  /** UTF-16 offsets into the text that was analysed. */
  readonly start: number;
  readonly end: number;
}

/** A finding of the code's default severity. */
export function finding(code: FindingCode, message: string, start: number, end: number): Finding {
  return { code, severity: defaultSeverities[code], message, start, end };
}
