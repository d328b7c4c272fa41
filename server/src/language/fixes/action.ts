/** A code action at a position. */
import type { Analysis, AnalysedStatement } from '../checks/analysis.ts';
import type { Finding } from '../checks/finding.ts';
import type { NameContext } from '../names/name-context.ts';
import type { Edit } from '../text/edits.ts';

export interface Action {
  readonly title: string;
  readonly kind: 'quickfix' | 'refactor.extract' | 'refactor.rewrite';
  readonly edits: readonly Edit[];
  /** The finding it fixes. */
  readonly finding?: Finding;
  /** The copied report, in place of an edit. */
  readonly report?: string;
}

/** The requested position, with the facts that actions need. */
export interface ActionPlace {
  readonly analysis: Analysis;
  readonly names: NameContext;
  /** The statement there, if it only reads. */
  readonly statement: AnalysedStatement;
  /** The first and last token of the statement. */
  readonly first: number;
  readonly last: number;
  /** The token at the position. */
  readonly at: number;
}
