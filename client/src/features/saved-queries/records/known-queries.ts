/**
 * Saved queries for other features: all records of the current connection with their text. The text is read with the
 * list and kept up to a limit; missing text is read on demand, a few queries at a time.
 */
import type * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { NotFoundError, UserAbort } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Session } from '#client/session/session.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import type { ListState, SavedQueriesStore } from './saved-queries-store.ts';

export interface KnownQueries {
  /** Progress of reading the list. `unsupported`: only queries that this user opened, created or marked are known. */
  readonly state: ListState;
  /** Fires with the ID of a changed query, or undefined if the list or its state changed. */
  readonly onDidChange: vscode.Event<string | undefined>;
  /**
   * Returns all records in natural order by name. The array is reused until something changes. Earlier ones if the
   * connection has failed.
   */
  list(): readonly KnownQuery[];
  /** Returns the newest known record, without a request. */
  get(queryId: string): KnownQuery | undefined;
  /** Returns the text of the known version without a request, or undefined if it is not stored. */
  textOf(queryId: string): string | undefined;
  /** Reads the newest record with its text from the service. @throws ApiError, ContractError, UserAbort */
  read(queryId: string, signal?: AbortSignal): Promise<SavedQuery>;
  /**
   * Yields every known query with its text, in the order of `list`. Missing text is read from the service for at most
   * `maxReads` queries (default 200); for the others, `text` is undefined. Ends early without an error if the
   * connection changes.
   * @throws ApiError, ContractError, UserAbort (from the signal)
   */
  withTexts(options?: {
    readonly signal?: AbortSignal | undefined;
    readonly maxReads?: number;
  }): AsyncGenerator<{ readonly query: KnownQuery; readonly text: string | undefined }, void, undefined>;
}

const defaultMaxReads = 200;
/** Number of items between pauses, so that a long iteration does not block the editor. */
const itemsAtATime = 500;

export function createKnownQueries(
  store: SavedQueriesStore,
  session: Pick<Session, 'state' | 'requireClient'>,
): KnownQueries {
  const isCurrent = (client: ServiceClient) =>
    session.state.kind === 'connected' && session.state.client === client;
  const read = async (queryId: string, signal?: AbortSignal): Promise<SavedQuery> => {
    const client = session.requireClient();
    const query = await client.savedQueries.get(queryId, { signal });
    if (isCurrent(client)) store.put(query);
    return query;
  };
  return {
    get state() {
      return store.state;
    },
    onDidChange: store.onDidChange,
    list: () => store.list(),
    get: (queryId) => store.get(queryId),
    textOf: (queryId) => store.textOf(queryId),
    read,
    async *withTexts({ signal, maxReads = defaultMaxReads } = {}) {
      if (session.state.kind !== 'connected') return;
      const { client } = session.state;
      let readsLeft = maxReads;
      for (const [index, query] of store.list().entries()) {
        if (index % itemsAtATime === itemsAtATime - 1) await new Promise(setImmediate);
        if (signal?.aborted === true) throw new UserAbort('the walk over saved queries was stopped');
        if (!isCurrent(client)) return;
        let text = store.textOf(query.query_id);
        if (text === undefined && readsLeft > 0) {
          readsLeft -= 1;
          try {
            text = (await read(query.query_id, signal)).query_string;
          } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
            store.remove(query.query_id);
            continue;
          }
        }
        yield { query, text };
      }
    },
  };
}
