/** What the last runs of a history say about each control, for a list of controls. */
import { isBad } from '../control-result.ts';
import { worstFirst, type Outcome } from '../control-result.ts';
import type { HistoryFolder } from './history-folder.ts';
import { stateAfter, type OutcomeState } from './outcome-state.ts';

export interface RecentOutcome {
  /** The worst outcome of the control on its connections in the last run. */
  readonly outcome: Outcome;
  /** When it became so, as an ISO time; undefined for a pass. */
  readonly since?: string | undefined;
  /** In how many of the runs it failed or was in error. */
  readonly bad: number;
  /** Number of runs that know the control. */
  readonly runs: number;
}

/** @returns by the control's ID; empty without a history. A damaged run is passed over. */
export async function recentOutcomes(
  folder: HistoryFolder,
  runsMax = 10,
): Promise<ReadonlyMap<string, RecentOutcome>> {
  const ids = (await folder.ids()).slice(-runsMax);
  const recent = new Map<string, RecentOutcome>();
  let state: OutcomeState | undefined;
  for (const id of ids) {
    if (state === undefined) {
      const first = await folder.stateOf(id);
      if ('state' in first) ({ state } = first);
    } else {
      const run = await folder.run(id);
      if ('head' in run) state = stateAfter(state, run);
    }
    if (state !== undefined) count(recent, state);
  }
  return recent;
}

function count(recent: Map<string, RecentOutcome>, state: OutcomeState): void {
  for (const [control, known] of Map.groupBy(state.values(), (each) => each.control)) {
    const [worst] = known.sort((a, b) => worstFirst(a.outcome, b.outcome));
    if (worst === undefined) continue;
    const before = recent.get(control);
    recent.set(control, {
      outcome: worst.outcome,
      since: worst.since,
      bad: (before?.bad ?? 0) + (isBad(worst.outcome) ? 1 : 0),
      runs: (before?.runs ?? 0) + 1,
    });
  }
}
