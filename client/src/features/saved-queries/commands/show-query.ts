/** Opens a query, reusing its editor if it is already open. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Session } from '#client/session/session.ts';
import { columnBesidePage } from '#client/ui/show-document.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import type { QueryTabs } from '../following/query-tabs.ts';
import { savedQueryUri } from '../records/saved-query-uri.ts';

export interface ShowQueryDependencies {
  readonly session: Session;
  readonly tabs: QueryTabs;
  /** Reads a query that is opened next. @throws what to tell the person if that fails. */
  readonly load: (uri: vscode.Uri) => Promise<void>;
}

export async function showQuery(
  { tabs, load }: ShowQueryDependencies,
  connection: string,
  query: Pick<SavedQuery, 'query_id' | 'name'>,
  { isPreview }: { readonly isPreview: boolean } = { isPreview: true },
): Promise<void> {
  const viewColumn = columnBesidePage();
  // The editor shows nothing of a tab until its text is read, and the progress only after a moment.
  await withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Opening "{0}"...', query.name) },
    async () => {
      const shown = await tabs.follow(savedQueryUri(connection, query));
      await load(shown);
      await vscode.window.showTextDocument(shown, {
        preview: isPreview,
        ...(viewColumn === undefined ? {} : { viewColumn }),
      });
    },
  );
}
