/** Recorded runs as read-only documents: `identity-query-run://<id>/<title>.identity.sql`. */
import * as vscode from 'vscode';
import { authorityOf, partsOfAuthority } from '#base/files/authority.ts';
import { forFileName } from '#base/shown-text/for-places.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import type { HistoryStore } from '#core/history/history-store.ts';
import { outcomeWords } from '#core/history/outcome-labels.ts';
import { type RunRecord } from '#core/history/run-record.ts';
import { runText } from '#core/history/run-text.ts';
import { historyScheme } from '../runs/index.ts';

/** @param onRead called with each run whose text is shown or run. */
export function registerHistoryDocuments(
  store: HistoryStore,
  onRead: (run: RunRecord) => void,
): vscode.Disposable {
  return registerTextDocumentContentProvider(historyScheme, {
    async provideTextDocumentContent(uri) {
      const run = await store.find(runIdOf(uri) ?? '');
      if (run === undefined) throw new Error(vscode.l10n.t('This run is no longer in the history.'));
      onRead(run);
      return runText(run, outcomeWords(run));
    },
  });
}

export function historyUri(run: RunRecord): vscode.Uri {
  const title = forFileName(run.title).replace(/[/\\]/g, '-');
  return vscode.Uri.from({
    scheme: historyScheme,
    authority: authorityOf(run.id),
    path: `/${title}.identity.sql`,
  });
}

export function runIdOf(uri: vscode.Uri): string | undefined {
  return partsOfAuthority(uri.authority, 1)?.[0];
}
