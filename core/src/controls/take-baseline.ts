/** Reads every row of a control and returns the digests of the rows. */
import { noFacts, UnknownOutcome } from './control-rows.ts';
import type { BaselineEntry } from './files/baseline.ts';
import { baselineEntry } from './files/baseline.ts';
import type { RowDigests } from './row-digest.ts';
import { readAllRows, type ControlRun, type RunControlOptions } from './run-control.ts';

export type TakenBaseline =
  | { readonly kind: 'taken'; readonly entry: BaselineEntry; readonly nameless: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** @throws AbortError if cancelled. */
export async function takeBaseline(
  run: Omit<ControlRun, 'facts'>,
  options: RunControlOptions & { readonly digests: RowDigests; readonly day: string },
): Promise<TakenBaseline> {
  const { digests, day } = options;
  try {
    const rows = await readAllRows({ ...run, facts: { ...noFacts, digests } }, options);
    return {
      kind: 'taken',
      entry: baselineEntry(run.control, rows.allDigests, { digests, day }),
      nameless: rows.nameless,
    };
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    return { kind: 'failed', code: error.code, message: error.message };
  }
}
