/** The outcomes of one control over time: one entry for each change. */
import type { Outcome } from '../control-result.ts';
import type { HistoryFolder } from './history-folder.ts';
import type { HistoryProblem, OutcomeRecord } from './history-format.ts';

export interface TimelineEntry {
  readonly run: string;
  readonly startedAt: string;
  readonly connection: string;
  /** Undefined if the control was no longer there. */
  readonly outcome?: Outcome | undefined;
  readonly message?: string | undefined;
  readonly rows?: number | undefined;
  readonly population?: string | undefined;
  /** Rows that came and went since the entry before; undefined if that is not known. */
  readonly added?: number | undefined;
  readonly removed?: number | undefined;
}

export async function controlTimeline(
  folder: HistoryFolder,
  control: string,
): Promise<{ readonly entries: readonly TimelineEntry[]; readonly problems: readonly HistoryProblem[] }> {
  const entries: TimelineEntry[] = [];
  const problems: HistoryProblem[] = [];
  const last = new Map<string, string>();
  for (const id of await folder.ids()) {
    const run = await folder.run(id, control);
    if (!('head' in run)) {
      problems.push(run);
      continue;
    }
    for (const problem of run.problems.slice(0, 10)) problems.push(problem);
    for (const record of run.records) {
      if (record.control !== control) continue;
      // A whole run repeats what did not change.
      const isSame = run.head.isWhole && last.get(record.connection) === factOfWhole(record);
      last.set(record.connection, factOfWhole(record));
      if (!isSame) entries.push(entryOf(run.head, record));
    }
  }
  return { entries, problems };
}

function factOfWhole({ outcome, code, rows, message }: OutcomeRecord): string {
  return JSON.stringify([outcome, code, rows, message]);
}

function entryOf(
  { id, startedAt }: { readonly id: string; readonly startedAt: string },
  { connection, outcome, message, rows, population, added, removed }: OutcomeRecord,
): TimelineEntry {
  return {
    ...{ run: id, startedAt, connection, outcome, message, rows, population },
    added: added?.length,
    removed: removed?.length,
  };
}
