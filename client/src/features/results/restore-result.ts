/** A result as it is known from before the window was loaded again: running it anew is all that can be done. */
import type { KeptResult } from './kept-results.ts';
import type { Result } from './result.ts';

export function restoreResult(
  result: Result,
  kept: KeptResult,
  { runAgain, open }: { readonly runAgain: () => Promise<void>; readonly open: () => Promise<void> },
): void {
  const nothing = () => undefined;
  const writer = result.begin(kept.header, {
    cancel: nothing,
    runAgain: () => void runAgain(), // it says itself what went wrong
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
