/**
 * The page's questions to the extension host, and how long an answer stays valid. For questions about rows, types and
 * answers are in core (row-questions.ts, row-answers.ts), and only the schemas are here (panel-message.ts).
 */
import type { Asked, Question } from '#core/questions/question-map.ts';
import type { RowQuestions } from '#core/rows/row-questions.ts';
import type { Aggregate, CellRange, CopyFormat } from './rows.ts';

export interface SelectedRange extends CellRange {
  /** Whether a chart covers the rows. Commands must not use cells that nobody sees, so none are selected then. */
  readonly isCovered?: boolean | undefined;
}

/** Questions that the host answers itself. */
export interface HostQuestions {
  /** Sends the current selection, which the host stores; no columns mean no selection. Returns cell statistics. */
  readonly selection: Question<SelectedRange, Aggregate | undefined>;
  /** Sends the visible columns in display order, which the host stores. */
  readonly layout: Question<{ readonly columns: readonly number[] }, undefined>;
  /** Copies cells to the clipboard. Returns the confirmation text. */
  readonly copy: Question<
    { readonly range: CellRange; readonly format: CopyFormat; readonly withHeaders: boolean },
    string
  >;
  /** Describes a record by its global ID; undefined if currently unknown. */
  readonly identify: Question<{ readonly globalId: string }, string | undefined>;
}

export interface PanelQuestions extends RowQuestions, HostQuestions {}
export type PanelQuestion = keyof PanelQuestions;

/** What a question is about: the rows of one run, in one generation's order. */
export interface Subject {
  readonly result: string;
  /** Counts the runs of this result. */
  readonly run: number;
  /** Changes when rows move. */
  readonly generation: number;
}

/** A question as sent to the host. */
export interface PanelBody {
  readonly of: Subject;
  readonly asked: Asked<PanelQuestions>;
}

/** Answers that stay valid when rows move: for the whole run, or regardless of runs. */
const lasting: Partial<Record<PanelQuestion, 'run' | 'always'>> = {
  values: 'run',
  layout: 'run',
  identify: 'always',
};

/**
 * Questions that may be pending several times. For any other, only the latest counts: asking again aborts the previous
 * one.
 */
const parallel: ReadonlySet<PanelQuestion> = new Set<PanelQuestion>(['window', 'identify']);

/** Returns whether an answer about `then` still holds for `now`. Both sides use this check. */
export function isStillTrue(question: PanelQuestion, then: Subject, now: Subject): boolean {
  if (then.result !== now.result) return false;
  const lasts = lasting[question];
  if (lasts === 'always') return true;
  return then.run === now.run && (lasts === 'run' || then.generation === now.generation);
}

export function isNewestOnly(question: PanelQuestion): boolean {
  return !parallel.has(question);
}
