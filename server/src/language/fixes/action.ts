/** What a person can have done to the text at a place. */
import type { Analysis, AnalysedStatement } from '../checks/analyser.ts';
import type { Finding } from '../checks/finding.ts';
import type { NameContext } from '../names/name-context.ts';
import type { Edit } from '../text/edits.ts';

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
  readonly names: NameContext;
  /** The statement there, if it is one that only reads. */
  readonly statement: AnalysedStatement;
  /** Tokens of the statement, both included. */
  readonly first: number;
  readonly last: number;
  /** The token there. */
  readonly at: number;
}
