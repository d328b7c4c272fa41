/** Searches the history. Every word must occur in the query's text or name, the connection, the day or the outcome. */
import { dayText } from '#base/words/moment-text.ts';
import type { RunRecord } from './run-record.ts';

export type OutcomeFilter = 'all' | RunRecord['outcome'];

export interface HistorySearch {
  /** Words that must all match; `since:2026-01-01` and `until:2026-01-31` restrict the days. */
  readonly text: string;
  readonly outcome: OutcomeFilter;
}

/** Returns the matching runs in their original order. */
export function findRuns(runs: readonly RunRecord[], search: HistorySearch, now: Date): readonly RunRecord[] {
  const words = search.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const since = dayOf(words, 'since:');
  const until = dayOf(words, 'until:');
  const plain = words.filter((word) => !/^(?:since|until):/.test(word));
  const today = dayText(now);
  const yesterday = dayText(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1));
  return runs.filter((run) => {
    if (search.outcome !== 'all' && run.outcome !== search.outcome) return false;
    const day = dayText(run.startedAt);
    if (since !== undefined && day < since) return false;
    if (until !== undefined && day.slice(0, until.length) > until) return false;
    if (plain.length === 0) return true;
    const named = day === today ? 'today' : day === yesterday ? 'yesterday' : '';
    const all = [
      run.title,
      run.part,
      run.sql,
      run.connection,
      run.environment,
      run.model,
      run.outcome,
      run.code,
      day,
      named,
      ...run.parameters.flatMap(({ name, value }) => [name, value?.text]),
    ];
    const text = all
      .filter((one) => one !== undefined)
      .join('\n')
      .toLowerCase();
    return plain.every((word) => text.includes(word));
  });
}

function dayOf(words: readonly string[], prefix: string): string | undefined {
  const day = words.findLast((word) => word.startsWith(prefix))?.slice(prefix.length);
  return day === undefined || day === '' ? undefined : day;
}
