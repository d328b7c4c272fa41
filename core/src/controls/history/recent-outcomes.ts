/** What the last runs of a history say about each control, for a list of controls. */
import { isBad } from '../control-result.ts';
import { worstFirst, type Outcome } from '../control-result.ts';
import type { HistoryFolder, StateOfRun } from './history-folder.ts';
import type { HistoryProblem, ParsedRun, RunHead } from './history-format.ts';
import { scopeDigest, stateAfter, type KnownOutcome, type OutcomeState } from './outcome-state.ts';

export interface RecentOutcome {
  /** The worst outcome of the control on its connections in the last run. */
  readonly outcome: Outcome;
  /** When it became so, as an ISO time; undefined for a pass. */
  readonly since?: string | undefined;
  /** In how many of the runs it failed or was in error. */
  readonly bad: number;
  /** Number of runs that are known to have looked at the control. */
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
    const run: StateOfRun | ParsedRun | HistoryProblem =
      state === undefined ? await folder.stateOf(id) : await folder.run(id);
    if (!('head' in run)) continue;
    state = 'state' in run ? run.state : stateAfter(state ?? new Map(), run);
    count(recent, state, run.head);
  }
  return recent;
}

function count(recent: Map<string, RecentOutcome>, state: OutcomeState, head: RunHead): void {
  const own = scopeDigest(head.scope);
  const looked = Object.values(head.counts).reduce((sum, each) => sum + each, 0);
  // A file says only what changed. What another choice of controls saw last, this run saw if it saw everything.
  const isSeen = ({ scope, connection }: KnownOutcome): boolean =>
    looked === state.size || (scope === own && head.connections.includes(connection));
  for (const [control, known] of Map.groupBy(state.values(), (each) => each.control)) {
    const [worst] = known.sort((a, b) => worstFirst(a.outcome, b.outcome));
    if (worst === undefined) continue;
    const before = recent.get(control);
    const seen = known.filter(isSeen);
    recent.set(control, {
      outcome: worst.outcome,
      since: worst.since,
      bad: (before?.bad ?? 0) + (seen.some(({ outcome }) => isBad(outcome)) ? 1 : 0),
      runs: (before?.runs ?? 0) + (seen.length > 0 ? 1 : 0),
    });
  }
}
