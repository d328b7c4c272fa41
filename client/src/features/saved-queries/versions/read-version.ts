/** Reads a version of a saved query: from the service if it is the newest, otherwise from this machine. */
import { NotFoundError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Session } from '#client/session/session.ts';
import type { QueryVersions } from '../records/query-versions.ts';

export type ReadVersion =
  | { readonly kind: 'found'; readonly record: SavedQuery; readonly from: 'service' | 'machine' }
  /** The service has another version, and this one is not stored on this machine. */
  | { readonly kind: 'not-kept'; readonly newest: number }
  /** The query was deleted from the service, and this version is not stored on this machine. */
  | { readonly kind: 'deleted' };

/** Rejects with the client's error if the service does not respond. @throws ExpectedError if not connected. */
export async function readVersion(
  { session, versions }: { readonly session: Session; readonly versions: QueryVersions },
  queryId: string,
  version: number,
): Promise<ReadVersion> {
  await session.settled();
  const client = session.requireClient();
  const connection = session.state.kind === 'connected' ? session.state.profile.name : '';
  let newest: SavedQuery | undefined;
  try {
    newest = await client.savedQueries.get(queryId);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  if (newest?.version === version) return { kind: 'found', record: newest, from: 'service' };
  const kept = await versions.get(connection, queryId, version);
  if (kept !== undefined)
    return { kind: 'found', record: kept.record, from: kept.seenAt === undefined ? 'service' : 'machine' };
  return newest === undefined ? { kind: 'deleted' } : { kind: 'not-kept', newest: newest.version };
}
