/** Gathers repeated runs into one line of the history. */
import type { RunRecord } from './run-record.ts';

/** Runs of the same text with the same values, on the same connection and with the same kind of outcome. */
export interface RepeatedRuns {
  readonly key: string;
  readonly newest: RunRecord;
  /** All of them, newest first. */
  readonly runs: readonly [RunRecord, ...RunRecord[]];
}

/** @param runs newest first; the result is in the order of the newest of each. */
export function gatherRuns(runs: readonly RunRecord[]): readonly RepeatedRuns[] {
  const gathered = new Map<string, [RunRecord, ...RunRecord[]]>();
  for (const run of runs) {
    const key = keyOf(run);
    const same = gathered.get(key);
    if (same === undefined) gathered.set(key, [run]);
    else same.push(run);
  }
  return [...gathered].map(([key, same]) => ({ key, newest: same[0], runs: same }));
}

function keyOf(run: RunRecord): string {
  const { title, part, connectionKey, connection, model, sql, savedQuery, parameters, outcome, code } = run;
  // Values that are not kept may differ.
  if (parameters.some(({ value }) => value === undefined)) return run.id;
  return JSON.stringify([
    [title, part, connectionKey, connection, model, sql, outcome, code],
    [savedQuery?.id, savedQuery?.version, savedQuery?.connection],
    parameters.map(({ name, type, value }) => [name, type, value]),
  ]);
}
