/**
 * Reads the queries of the service, including their text, with one list request. Text is requested separately only if
 * the list omits it.
 */
import type { ServiceClient } from '#api/client/client.ts';
import { NotFoundError } from '#api/client/errors.ts';
import type { SavedQuery, SavedQuerySummary } from '#api/contract/saved-queries.ts';
import { eachOf } from '#base/async/each-of.ts';
import { t } from '#base/texts.ts';
import { draftOf } from '../saved-queries/merge-drafts.ts';
import { isListMissing } from '../saved-queries/write-answers.ts';
import type { AgreedQueries } from './agreed-store.ts';
import type { QueryThere } from './plan/pair.ts';
import { SyncError } from './sync-error.ts';

const asksAtOnce = 4;

export interface ReadServiceOptions {
  /** Known queries. The text of a known version is not requested again. */
  readonly agreed: AgreedQueries;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((count: number) => void) | undefined;
}

/** @throws ContractError if a record cannot be read, because an unread query must not look deleted. */
export async function readService(
  client: ServiceClient,
  { agreed, signal, onProgress }: ReadServiceOptions,
): Promise<readonly QueryThere[]> {
  const listed: SavedQuerySummary[] = [];
  try {
    for await (const query of client.savedQueries.listSummaries({ signal })) {
      listed.push(query);
      onProgress?.(listed.length);
    }
  } catch (error) {
    if (!isListMissing(error)) throw error;
    return await readKnown(client, agreed, signal);
  }
  const found: (QueryThere | undefined)[] = listed.map((query) => whole(query) ?? known(query, agreed));
  const waiting = [...found.keys()].filter((place) => found[place] === undefined);
  const ask = async () => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
      found[place] = await readQuery(client, listed[place]?.query_id ?? '', signal);
  };
  await Promise.all(Array.from({ length: Math.min(asksAtOnce, waiting.length) }, ask));
  // Pages may overlap if queries are added in the meantime, so duplicates are removed.
  return [
    ...new Map(found.filter((query) => query !== undefined).map((query) => [query.id, query])).values(),
  ];
}

/** Without a list, only the queries that were pulled or pushed here are known. */
async function readKnown(
  client: ServiceClient,
  agreed: AgreedQueries,
  signal: AbortSignal | undefined,
): Promise<readonly QueryThere[]> {
  if (agreed.size === 0)
    throw new SyncError(
      'service',
      t(
        'This service does not list saved queries, and none was pulled or pushed from this folder before: there is nothing to compare.',
      ),
    );
  const found: QueryThere[] = [];
  await eachOf(agreed.keys(), asksAtOnce, async (id) => {
    const query = await readQuery(client, id, signal);
    if (query !== undefined) found.push(query);
  });
  return found;
}

/** @returns undefined if the query has been deleted in the meantime. */
export async function readQuery(
  client: ServiceClient,
  id: string,
  signal?: AbortSignal,
): Promise<QueryThere | undefined> {
  try {
    return queryOf(await client.savedQueries.get(id, { signal }));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

export function queryOf(record: SavedQuery): QueryThere {
  return { id: record.query_id, version: record.version, draft: draftOf(record) };
}

function whole({ query_string: text, ...query }: SavedQuerySummary): QueryThere | undefined {
  return text === undefined ? undefined : queryOf({ ...query, query_string: text });
}

/** A version is immutable, but a backup may have been restored, so other fields are compared too. */
function known(query: SavedQuerySummary, agreed: AgreedQueries): QueryThere | undefined {
  const seen = agreed.get(query.query_id);
  if (seen?.version !== query.version) return undefined;
  const text = seen.draft.query_string;
  const now = queryOf({ ...query, query_string: text });
  const isSame = (['name', 'model', 'description'] as const).every(
    (name) => now.draft[name] === seen.draft[name],
  );
  return isSame ? now : undefined;
}
