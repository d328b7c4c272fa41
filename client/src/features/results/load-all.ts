/** Loads all rows of a result, with progress. */
import * as vscode from 'vscode';
import { rowWords } from '#client/ui/format-row-count.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { isLoaded } from '#core/reading/rows-writer.ts';
import { isLoading, type Result } from './result.ts';

/** @returns false if loading was stopped or failed; the panel reports it. */
export async function loadAll(result: Result, onDidChange: vscode.Event<Result>): Promise<boolean> {
  return await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Loading all rows'),
      cancellable: true,
    },
    (progress, signal) =>
      new Promise<boolean>((resolve) => {
        const { run } = result;
        const cancel = () => result.actions?.cancel();
        signal.addEventListener('abort', cancel, { once: true });
        const look = () => {
          const { state } = result;
          if (state.kind === 'rows') {
            progress.report({
              message: rowWords(state.rowCount),
            });
          }
          if (state.kind === 'rows' && isLoading(state) && result.run === run) return;
          listener.dispose();
          signal.removeEventListener('abort', cancel);
          resolve(state.kind === 'rows' && result.run === run && isLoaded(state));
        };
        const listener = onDidChange((changed) => {
          if (changed === result) look();
        });
        result.actions?.load?.(true);
        look();
      }),
  );
}
