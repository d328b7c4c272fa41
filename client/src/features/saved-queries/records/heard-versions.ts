/** Asks the service when this machine has a newer version of a query than the list, for example from another window. */
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { isHere } from '#client/session/is-here.ts';
import type { Session } from '#client/session/session.ts';
import type { KnownVersion } from '#core/saved-queries/version-store.ts';
import type { QueryNews } from './query-news.ts';
import type { SavedQueriesStore } from './saved-queries-store.ts';

export interface HeardVersionsDependencies {
  readonly log: Logger;
  readonly session: Pick<Session, 'state'>;
  readonly store: Pick<SavedQueriesStore, 'get'>;
  readonly news: Pick<QueryNews, 'noteHeard'>;
}

/**
 * The service decides which version is the newest, since it may have been restored from a backup. Never rejects: if it
 * cannot be asked, the list stays as it is.
 * @param kept known versions of one query, newest first.
 */
export async function followKeptVersions(
  { log, session, store, news }: HeardVersionsDependencies,
  connection: string,
  kept: readonly KnownVersion[],
): Promise<void> {
  const [newest] = kept;
  const { state } = session;
  if (newest === undefined || state.kind !== 'connected' || !isHere(session, connection)) return;
  const { query_id: queryId, version } = newest.record;
  const listed = store.get(queryId)?.version;
  if (listed === undefined || listed >= version) return;
  try {
    news.noteHeard(connection, await state.client.savedQueries.get(queryId));
  } catch (error) {
    log.debug(`looking for the newest version failed: ${errorName(error)}`);
  }
}
