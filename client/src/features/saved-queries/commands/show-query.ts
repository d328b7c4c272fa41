/** Opens a query, reusing its editor if it is already open. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Session } from '#client/session/session.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { columnBesidePage } from '#client/ui/show-document.ts';
import { shownUris } from '#client/ui/shown-uris.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import type { QueryTabs } from '../following/query-tabs.ts';
import { isHere } from '../records/connected.ts';
import { openDocumentOf } from '../records/open-document.ts';
import type { RememberedQueries } from '../records/remembered-queries.ts';
import { savedQueryUri } from '../records/saved-query-uri.ts';

export interface ShowQueryDependencies {
  readonly session: Session;
  readonly remembered: RememberedQueries;
  readonly tabs: QueryTabs;
}

export async function showQuery(
  { session, remembered, tabs }: ShowQueryDependencies,
  connection: string,
  query: Pick<SavedQuery, 'query_id' | 'name'>,
  { isPreview }: { readonly isPreview: boolean } = { isPreview: true },
): Promise<void> {
  const known = openDocumentOf(connection, query.query_id);
  const isShown = hasEdits(known) || shownUris().has(known?.uri.toString() ?? '');
  const to = savedQueryUri(connection, query);
  const shown = isShown && known !== undefined ? (await tabs.move(known, to)).uri : to;
  const viewColumn = columnBesidePage();
  // The editor shows nothing of a tab until its text is read, and the progress only after a moment.
  await withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Opening "{0}"...', query.name) },
    async () =>
      await vscode.window.showTextDocument(shown, {
        preview: isPreview,
        ...(viewColumn === undefined ? {} : { viewColumn }),
      }),
  );
  if (isHere(session, connection)) remembered.noteOpened(query.query_id);
}
