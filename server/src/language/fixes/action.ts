/** What a person can have done to the text at a place. */
import type { Analysis, AnalysedStatement } from '../checks/analyser.ts';
import type { CompletionContext } from '../editing/completion.ts';
import type { Edit, Finding } from '../checks/finding.ts';

export interface Action {
  readonly title: string;
  readonly kind: 'quickfix' | 'refactor.extract' | 'refactor.rewrite';
  readonly edits: readonly Edit[];
  /** What it mends. */
  readonly finding?: Finding;
  /** What it copies for a report, in place of an edit. */
  readonly report?: string;
}

/** The place that actions are asked for. */
export interface ActionPlace {
  readonly analysis: Analysis;
  readonly names: CompletionContext;
  /** The statement there, if it is one that only reads. */
  readonly statement: AnalysedStatement;
  /** Tokens of the statement, both included. */
  readonly first: number;
  readonly last: number;
  /** The token there. */
  readonly at: number;
}
