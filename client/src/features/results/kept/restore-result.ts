/** Restores a remembered result from before a reload, without its rows: the query can only be run again. */
import type { Result } from '../result.ts';
import type { KeptResult } from './kept-results.ts';

export function restoreResult(
  result: Result,
  kept: KeptResult,
  { runAgain, open }: { readonly runAgain: () => Promise<void>; readonly open: () => Promise<void> },
): void {
  const writer = result.begin(kept.header, {
    cancel: () => undefined, // nothing runs
    runAgain: () => void runAgain(), // `runAgain` reports its own failures
    goToQuery: () => void open(),
  });
  const { rowCount, isComplete, finishedAt } = kept;
  writer.set({ kind: 'restored', rowCount, isComplete, finishedAt });
  if (kept.isPinned) result.togglePin();
}
