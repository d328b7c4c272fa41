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
      if (record.control !== control || record.isSeen === true) continue;
      // A whole run repeats what did not change.
      const isSame = run.head.isWhole && last.get(record.connection) === factOfWhole(record);
      last.set(record.connection, factOfWhole(record));
      if (!isSame) entries.push(entryOf(run.head, record));
    }
    if (!run.head.isWhole || run.problems.length > 0) continue;
    // What is gone has no line in a whole run.
    const there = new Set(run.records.filter((one) => one.control === control).map((one) => one.connection));
    for (const [connection, fact] of last) {
      if (there.has(connection) || fact === goneFact) continue;
      last.set(connection, goneFact);
      entries.push(entryOf(run.head, { control, connection }));
    }
  }
  return { entries, problems };
}

/** What is said of a control that is no longer there. */
const goneFact = factOfWhole({});

function factOfWhole({
  outcome,
  code,
  rows,
  message,
}: Partial<Pick<OutcomeRecord, 'outcome' | 'code' | 'rows' | 'message'>>): string {
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
