/** The result of a control. Contains no row values unless rows were requested. */
import type { Control } from './control.ts';

export const outcomes = ['pass', 'warn', 'fail', 'waived', 'error'] as const;
export type Outcome = (typeof outcomes)[number];

/** Where a control comes from. */
export interface ControlPlace {
  /** The file, with slashes, relative to the searched folder; or the name of a saved query. */
  readonly name: string;
  readonly savedQueryId?: string;
}

export type RowState = 'new' | 'known' | 'waived';

export interface RowCounts {
  /** Rows read (rows in alarm, if each row has a status). */
  readonly read: number;
  /** The number of rows that count: those not waived and, with new-only, not in the baseline. */
  readonly counted: number;
  readonly waived: number;
  /** In the baseline and not waived. */
  readonly known: number;
  /** Whether these are all rows: reading stops once more rows cannot change the outcome. */
  readonly isAll: boolean;
  /** All rows of the query, if the service reports them or all were read. */
  readonly total?: number;
}

/** A problem with the control files that a person must resolve. */
export interface ControlNote {
  readonly message: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
}

export interface ControlResult {
  readonly control: Control;
  readonly place: ControlPlace;
  readonly outcome: Outcome;
  /** One or two sentences without row values. */
  readonly message: string;
  /** A stable code for why the outcome is unknown. */
  readonly code?: string;
  /** 1-based line of the message: the error in the text, else the line of the expectation. */
  readonly line: number;
  readonly rows?: RowCounts;
  /** Rows by the digest of their key, up to a limit; empty without a key or a digest key. */
  readonly digests: readonly {
    readonly digest: string;
    readonly state: RowState;
    readonly reason?: string;
  }[];
  /** Whether the control was compared with its own baseline. */
  readonly hasBaseline: boolean;
  readonly notes: readonly ControlNote[];
  readonly startedAt: Date;
  readonly ms: number;
  /** Only if rows were requested. */
  readonly sample?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}

/** For the exit code and sort order: worst first. */
export function worstFirst(a: Outcome, b: Outcome): number {
  return ranks[b] - ranks[a];
}

const ranks: Readonly<Record<Outcome, number>> = { pass: 0, waived: 1, warn: 2, fail: 3, error: 4 };

/** 0: all pass, warn or are waived. 1: a control failed. 2: a control is in error. */
export function exitCodeOf(results: Iterable<Pick<ControlResult, 'outcome'>>): 0 | 1 | 2 {
  let code: 0 | 1 | 2 = 0;
  for (const { outcome } of results) {
    if (outcome === 'error') return 2;
    if (outcome === 'fail') code = 1;
  }
  return code;
}
