/** Kept runs as read-only documents: `identity-query-run:/<id>/<title>.identity.sql`. */
import * as vscode from 'vscode';
import { historyScheme } from '../runs/index.ts';
import { type RunRecord } from '../../../../core/src/history/run-record.ts';
import type { HistoryStore } from '../../../../core/src/history/history-store.ts';
import { outcomeWords } from '../../../../core/src/history/outcome-words.ts';
import { runText } from '../../../../core/src/history/run-text.ts';

export function registerHistoryDocuments(store: HistoryStore): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(historyScheme, {
    async provideTextDocumentContent(uri) {
      const run = await store.find(uri.path.split('/')[1] ?? '');
      if (run === undefined) throw new Error(vscode.l10n.t('This run is no longer in the history.'));
      return runText(run, outcomeWords(run));
    },
  });
}

export function historyUri(run: RunRecord): vscode.Uri {
  const title = run.title.replace(/[/\\\p{Cc}]/gu, '-');
  return vscode.Uri.from({ scheme: historyScheme, path: `/${run.id}/${title}.identity.sql` });
}
