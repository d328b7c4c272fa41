/** Dependencies of the comparisons feature. */
import type { Logger } from '#base/logger.ts';
import type { Session } from '#client/session/session.ts';
import type { KeptRunsStore } from '#core/kept-runs/kept-runs-store.ts';
import type { RunFacts } from '#core/runs/run-facts.ts';
import type { ResultsFeature } from '../results/index.ts';
import type { RunsFeature } from '../runs/index.ts';
import type { SavedQueriesFeature } from '../saved-queries/index.ts';
import type { KeptResultsStore } from './kept-results-store.ts';

export interface ComparisonsContext {
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
  readonly runs: Pick<RunsFeature, 'run' | 'valueSets'>;
  readonly savedQueries: Pick<SavedQueriesFeature, 'versionsOf' | 'uriOf' | 'known' | 'pick'>;
  readonly kept: KeptResultsStore;
  /** Results that `-- @keep` keeps. */
  readonly keptRuns: KeptRunsStore;
  /** Runs whose rows were looked at, and what was said of rows that are not kept; once is enough. */
  readonly keeping: { readonly looked: WeakSet<RunFacts>; readonly told: Set<string> };
}
