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

/** Reads a history again only once it has other runs: a run's file is complete when it has its name. */
export class RecentOutcomes {
  readonly #folder: HistoryFolder;
  readonly #runsMax: number;
  #read: { readonly ids: string; readonly recent: ReadonlyMap<string, RecentOutcome> } | undefined;

  constructor(folder: HistoryFolder, runsMax = 10) {
    this.#folder = folder;
    this.#runsMax = runsMax;
  }

  /** @returns by the control's ID; empty without a history. A damaged run is passed over. */
  async byControl(): Promise<ReadonlyMap<string, RecentOutcome>> {
    const last = (await this.#folder.ids()).slice(-this.#runsMax);
    const ids = last.join(' ');
    if (this.#read?.ids !== ids) this.#read = { ids, recent: await recentIn(this.#folder, last) };
    return this.#read.recent;
  }
}

async function recentIn(
  folder: HistoryFolder,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecentOutcome>> {
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
