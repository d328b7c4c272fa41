/** Reads the newest version of a saved query, and passes it on to everything that stores queries. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Connected } from './connected.ts';
import { withQuery } from './explain-failure.ts';
import type { QueryNews } from './query-news.ts';

export async function readNewest(
  news: QueryNews,
  { client, connection }: Connected,
  queryId: string,
): Promise<SavedQuery> {
  const newest = await withQuery(
    {
      news,
      connection,
      queryId,
      tried: vscode.l10n.t("This service can't return a single saved query."),
    },
    () => client.savedQueries.get(queryId),
  );
  news.noteRead(connection, newest);
  return newest;
}
