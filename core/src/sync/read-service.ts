/**
 * Reads the queries of the service, including their text, with one list request. Text is requested separately only if
 * the list omits it.
 */
import type { ServiceClient } from '#api/client/client.ts';
import { ContractError, NotFoundError } from '#api/client/errors.ts';
import type { SavedQuery, SavedQuerySummary } from '#api/contract/saved-queries.ts';
import { eachOf } from '#base/async/each-of.ts';
import { isAnsweredMissing } from '../saved-queries/is-gone.ts';
import { draftOf } from '../saved-queries/merge-drafts.ts';
import { isListMissing } from '../saved-queries/write-answers.ts';
import type { AgreedQueries } from './agreed-store.ts';
import type { QueryThere } from './plan/pair.ts';

const asksAtOnce = 4;

export interface ReadServiceOptions {
  /** Known queries. The text of a known version is not requested again. */
  readonly agreed: AgreedQueries;
  /** IDs that files of the folder have, which are asked for if the service has no list. */
  readonly ids: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((count: number) => void) | undefined;
  readonly unread: UnreadQueries;
}

export interface QueriesThere {
  readonly queries: readonly QueryThere[];
  /** False if the service has no list, so that these are only those that the folder knows. */
  readonly isListed: boolean;
}

/** What is wrong with queries that cannot be read. They are left out, and do not look deleted. */
export class UnreadQueries {
  readonly problems = new Set<string>();
  /** Whether the service tells of more queries, but not how to ask for them. */
  isPart = false;
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  readonly addListed = (problems: readonly string[]): void => {
    for (const problem of problems) this.problems.add(problem);
  };

  add(id: string, problem: string): void {
    this.#ids.add(id);
    this.problems.add(problem);
  }
}

export async function readService(client: ServiceClient, options: ReadServiceOptions): Promise<QueriesThere> {
  const { agreed, signal, onProgress, unread } = options;
  const listed: SavedQuerySummary[] = [];
  try {
    const onPart = () => (unread.isPart = true);
    for await (const query of client.savedQueries.listSummaries({
      signal,
      onLeftOut: unread.addListed,
      onPart,
    })) {
      listed.push(query);
      onProgress?.(listed.length);
    }
  } catch (error) {
    if (!isListMissing(error)) throw error;
    return { queries: await readKnown(client, options), isListed: false };
  }
  const found: (QueryThere | undefined)[] = listed.map((query) => whole(query) ?? known(query, agreed));
  const waiting = [...found.keys()].filter((place) => found[place] === undefined);
  const ask = async () => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
      found[place] = await readIfReadable(client, listed[place]?.query_id ?? '', options);
  };
  await Promise.all(Array.from({ length: Math.min(asksAtOnce, waiting.length) }, ask));
  // Pages may overlap if queries are added in the meantime, so duplicates are removed.
  const queries = new Map(found.filter((query) => query !== undefined).map((query) => [query.id, query]));
  return { queries: [...queries.values()], isListed: true };
}

/** Without a list, only the queries that this folder or its files know are read. */
async function readKnown(client: ServiceClient, options: ReadServiceOptions): Promise<readonly QueryThere[]> {
  const found: QueryThere[] = [];
  const ids = new Set([...options.agreed.keys(), ...options.ids]);
  await eachOf(ids, asksAtOnce, async (id) => {
    // Nothing else says that it is there: where a gateway answers, it does not look deleted.
    const query = await readIfReadable(client, id, options, isAnsweredMissing);
    if (query !== undefined) found.push(query);
  });
  return found;
}

/**
 * @param isDeleted which failure says that the query has been deleted
 * @returns undefined if the query has been deleted in the meantime, or cannot be read.
 */
export async function readIfReadable(
  client: ServiceClient,
  id: string,
  { signal, unread }: Pick<ReadServiceOptions, 'signal' | 'unread'>,
  isDeleted: (error: unknown) => boolean = isNotFound,
): Promise<QueryThere | undefined> {
  try {
    return await readQuery(client, id, signal, isDeleted);
  } catch (error) {
    if (!(error instanceof ContractError) && !isNotFound(error)) throw error;
    unread.add(id, `${id}: ${error.message}`);
    return undefined;
  }
}

const isNotFound = (error: unknown): error is NotFoundError => error instanceof NotFoundError;

/**
 * @returns undefined if the query has been deleted in the meantime.
 * @throws ContractError if the record cannot be read.
 */
export async function readQuery(
  client: ServiceClient,
  id: string,
  signal?: AbortSignal,
  isDeleted: (error: unknown) => boolean = isNotFound,
): Promise<QueryThere | undefined> {
  try {
    return queryOf(await client.savedQueries.get(id, { signal }));
  } catch (error) {
    if (isDeleted(error)) return undefined;
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
