/** Dependencies of the evidence feature. */
import type { Logger } from '#base/logger.ts';
import type { Session } from '#client/session/session.ts';
import type { RunRecord } from '#core/history/run-record.ts';
import type { ResultsFeature } from '../results/index.ts';
import type { RunsFeature } from '../runs/index.ts';
import type { SavedQueriesFeature } from '../saved-queries/index.ts';

export interface EvidenceDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
  readonly runs: RunsFeature;
  readonly readVersion: SavedQueriesFeature['readVersion'];
  readonly findRun: (isWanted: (run: RunRecord) => boolean) => Promise<RunRecord | undefined>;
  readonly extensionVersion: string;
}
