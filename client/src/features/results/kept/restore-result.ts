/** Restores a remembered result from before a reload, without its rows: the query can only be run again. */
import type { Result } from '../result.ts';
import type { KeptResult } from './kept-results.ts';

export function restoreResult(
  result: Result,
  kept: KeptResult,
  { runAgain, open }: { readonly runAgain: () => Promise<void>; readonly open: () => Promise<void> },
): void {
  const nothing = () => undefined;
  const writer = result.begin(kept.header, {
    cancel: nothing,
    runAgain: () => void runAgain(), // `runAgain` reports its own failures
    runAnyway: nothing,
    editParameters: nothing,
    submit: nothing,
    form: nothing,
    load: nothing,
    step: nothing,
    goToError: nothing,
    goToQuery: () => void open(),
    openProofSetting: nothing,
    nextStep: nothing,
  });
  const { rowCount, isComplete, finishedAt } = kept;
  writer.set({ kind: 'restored', rowCount, isComplete, finishedAt });
  if (kept.isPinned) result.togglePin();
}
