/** A code action at a position. */
import type { Analysis, AnalysedStatement } from '../checks/analysis.ts';
import type { Finding } from '../checks/finding.ts';
import type { NameContext } from '../names/name-context.ts';
import type { Bindings } from '../names/over-tokens/bindings.ts';
import type { Edit } from '../text/edits.ts';

export interface Action {
  readonly title: string;
  readonly kind: 'quickfix' | 'refactor.extract' | 'refactor.rewrite';
  readonly edits: readonly Edit[];
  readonly finding?: Finding;
  /** The word of the only edit that the user replaces. */
  readonly placeholder?: string;
  /** The report to copy; set instead of edits. */
  readonly report?: string;
}

/** The requested position, with the facts that actions use. */
export interface ActionPlace {
  readonly analysis: Analysis;
  readonly names: NameContext;
  /** The statement at the position: a single read-only SELECT. */
  readonly statement: AnalysedStatement;
  /** The first and last tokens of the statement. */
  readonly first: number;
  readonly last: number;
  /** The token at the position. */
  readonly at: number;
  /** The names of the statement, which are read once for all actions. */
  readonly bindings: () => Bindings;
}
