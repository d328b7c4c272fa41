/** What became of a control. Nothing in here is a value of a row, unless rows were asked for. */
import type { Control } from './control.ts';

export const outcomes = ['pass', 'warn', 'fail', 'waived', 'error'] as const;
export type Outcome = (typeof outcomes)[number];

/** Where a control comes from. */
export interface ControlPlace {
  /** The file it is in, with slashes, from the folder that was searched; or the name of a saved query. */
  readonly name: string;
  readonly savedQueryId?: string;
}

export type RowState = 'new' | 'known' | 'waived';

export interface RowCounts {
  /** Rows that were read (rows in alarm, where each row has a status). */
  readonly read: number;
  /** Of them, those that count: not waived, and with new rows only not known. */
  readonly counted: number;
  readonly waived: number;
  /** In the baseline, and not waived. */
  readonly known: number;
  /** Whether these are all: reading stops where more rows change nothing. */
  readonly isAll: boolean;
  /** All rows of the query, where the service says so or they were all read. */
  readonly total?: number;
}

/** Something about the files of controls that a person must see to. */
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
  /** One or two sentences without a value of a row. */
  readonly message: string;
  /** A stable code of what kept the outcome from being known. */
  readonly code?: string;
  /** 1-based, where the message stands: what is wrong in the text, else the line of what is expected. */
  readonly line: number;
  readonly rows?: RowCounts;
  /** Rows by the digests of their keys, up to a bound; empty without a key or a digest key. */
  readonly digests: readonly {
    readonly digest: string;
    readonly state: RowState;
    readonly reason?: string;
  }[];
  /** Whether the control was looked at against a baseline of its own. */
  readonly hasBaseline: boolean;
  readonly notes: readonly ControlNote[];
  readonly startedAt: Date;
  readonly ms: number;
  /** Only where rows were asked for. */
  readonly sample?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}

/** For the exit code and for what is first in a list: the worst comes first. */
export function worstFirst(a: Outcome, b: Outcome): number {
  return ranks[b] - ranks[a];
}

const ranks: Readonly<Record<Outcome, number>> = { pass: 0, waived: 1, warn: 2, fail: 3, error: 4 };

/** 0: all pass, warn or waived. 1: something failed. 2: something is an error. */
export function exitCodeOf(results: Iterable<Pick<ControlResult, 'outcome'>>): 0 | 1 | 2 {
  let code: 0 | 1 | 2 = 0;
  for (const { outcome } of results) {
    if (outcome === 'error') return 2;
    if (outcome === 'fail') code = 1;
  }
  return code;
}
