/** A saved query as the service has it now, which everything that keeps queries then knows. */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { withQuery } from './explain-failure.ts';
import { isHere, type Connected, type QueryContext } from '../commands/query-context.ts';

export async function readNewest(
  context: QueryContext,
  { client, connection }: Connected,
  queryId: string,
): Promise<SavedQuery> {
  const newest = await withQuery(
    {
      context,
      connection,
      queryId,
      tried: vscode.l10n.t('This service does not show single saved queries.'),
    },
    () => client.savedQueries.get(queryId),
  );
  context.versions.note(connection, newest);
  // The list is that of the chosen connection, which may be another one by now.
  if (isHere(context, connection)) context.store.put(newest);
  return newest;
}
