/** The result of a control. Contains row values only if rows were requested. */
import type { Control } from './control.ts';

export const outcomes = ['pass', 'warn', 'fail', 'waived', 'error'] as const;
export type Outcome = (typeof outcomes)[number];

export interface ControlPlace {
  /** The file relative to the searched folder, with slashes, or the name of a saved query. */
  readonly name: string;
  readonly savedQueryId?: string;
}

export type RowState = 'new' | 'known' | 'waived';

/** Why a row is waived, by whom, and the last day, such as `2027-01-31`. */
export interface RowWaiver {
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
}

export type JudgedRow = { readonly state: 'new' | 'known' } | ({ readonly state: 'waived' } & RowWaiver);

export interface RowCounts {
  /** Number of rows read; if each row has a status, only those in alarm. */
  readonly read: number;
  /** Number of rows that are not waived and, with new-only, not in the baseline. */
  readonly counted: number;
  readonly waived: number;
  /** Number of rows that are in the baseline and not waived. */
  readonly known: number;
  /** Whether the counts cover all rows. Reading stops once the outcome can no longer change. */
  readonly isAll: boolean;
  /** Total number of result rows, if the service reports it or all rows were read. */
  readonly total?: number;
}

/** A problem in the control files that the user must resolve. */
export interface ControlNote {
  readonly message: string;
  readonly file?: string;
  /** 1-based line in the file. */
  readonly line?: number;
}

export interface ControlResult {
  readonly control: Control;
  readonly place: ControlPlace;
  /** The connection, if the control ran on several. */
  readonly connection?: string;
  readonly outcome: Outcome;
  /** One or two sentences without row values. */
  readonly message: string;
  /** A stable code for the reason that the outcome is unknown. */
  readonly code?: string;
  /** 1-based line for the message: that of the error, of the rule that warns, or of the expectation. */
  readonly line: number;
  readonly rows?: RowCounts;
  /** What the control looked at, counted at this time. */
  readonly population?: { readonly count: string; readonly countedAt: Date };
  /** Rows by the digest of their key, up to a limit. Empty if there is no key or no digest key. */
  readonly digests: readonly ({ readonly digest: string } & JudgedRow)[];
  /** The digests of all rows that are not waived. Undefined unless every row was wanted and read. */
  readonly keys?: readonly string[];
  /** Whether the control was compared with its own baseline. */
  readonly hasBaseline: boolean;
  readonly notes: readonly ControlNote[];
  readonly startedAt: Date;
  readonly ms: number;
  /** Set only if rows were requested. */
  readonly sample?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}

/** Ranks outcomes for the exit code and the sort order, worst first. */
export function worstFirst(a: Outcome, b: Outcome): number {
  return ranks[b] - ranks[a];
}

const ranks: Readonly<Record<Outcome, number>> = { pass: 0, waived: 1, warn: 2, fail: 3, error: 4 };

export const isBad = (outcome: Outcome | undefined): boolean => outcome === 'fail' || outcome === 'error';

/** Returns 0 if all controls pass, warn or are waived, 1 if any failed, and 2 if any ended in an error. */
export function exitCodeOf(results: Iterable<Pick<ControlResult, 'outcome'>>): 0 | 1 | 2 {
  let code: 0 | 1 | 2 = 0;
  for (const { outcome } of results) {
    if (outcome === 'error') return 2;
    if (outcome === 'fail') code = 1;
  }
  return code;
}
