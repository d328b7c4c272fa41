/**
 * What the page asks the extension host, and how long an answer stays true. A question about rows is added in core: its type
 * (row-questions.ts), its answer (row-answers.ts); here only its schema (panel-message.ts). Then the page may ask it.
 */
import type { Asked, Question } from '../core/src/questions/question-map.ts';
import type { RowQuestions } from '../core/src/rows/row-questions.ts';
import type { Aggregate, CellRange, CopyFormat } from './rows.ts';

/** What the host answers by itself. */
export interface HostQuestions {
  /** What is selected now, which the host remembers; nothing when there are no columns. Answers what is known of the cells. */
  readonly selection: Question<CellRange, Aggregate | undefined>;
  /** Columns in the order they are shown, without those that are hidden; the host remembers them. */
  readonly layout: Question<{ readonly columns: readonly number[] }, undefined>;
  /** Puts cells on the clipboard. Answers what to say of it. */
  readonly copy: Question<
    { readonly range: CellRange; readonly format: CopyFormat; readonly withHeaders: boolean },
    string
  >;
  /** What a global id names; undefined: nobody knows now. */
  readonly identify: Question<{ readonly globalId: string }, string | undefined>;
}

export interface PanelQuestions extends RowQuestions, HostQuestions {}
export type PanelQuestion = keyof PanelQuestions;

/** What a question is about: rows of a run of a result, in the order that they have in a generation. */
export interface Subject {
  readonly result: string;
  /** Counts the runs of this result. */
  readonly run: number;
  /** Changes when rows change places. */
  readonly generation: number;
}

/** A question as it crosses to the host. */
export interface PanelBody {
  readonly of: Subject;
  readonly asked: Asked<PanelQuestions>;
}

/** Answers that stay true when rows change places: of the whole run, or whatever is run. */
const lasting: Partial<Record<PanelQuestion, 'run' | 'always'>> = {
  values: 'run',
  layout: 'run',
  identify: 'always',
};

/** Questions of which several are open at a time. Of the others only the newest matters: asking again stops the one before. */
const parallel: ReadonlySet<PanelQuestion> = new Set<PanelQuestion>(['window', 'identify']);

/** Whether an answer about `then` is one about `now`; both sides of the line ask this, and nobody else has to. */
export function isStillTrue(question: PanelQuestion, then: Subject, now: Subject): boolean {
  if (then.result !== now.result) return false;
  const lasts = lasting[question];
  if (lasts === 'always') return true;
  return then.run === now.run && (lasts === 'run' || then.generation === now.generation);
}

export function isNewestOnly(question: PanelQuestion): boolean {
  return !parallel.has(question);
}
