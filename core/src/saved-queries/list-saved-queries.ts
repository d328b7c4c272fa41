/**
 * Lists and finds saved queries in every way that a service offers: by its list, or, without one, those whose IDs are
 * known here. For the editor, the terminal and agents alike.
 */
import type { ServiceClient } from '#api/client/client.ts';
import { ContractError, NotFoundError, RejectedError } from '#api/client/errors.ts';
import type { SavedQuery, SavedQuerySummary } from '#api/contract/saved-queries.ts';
import { eachOf } from '#base/async/each-of.ts';
import { t } from '#base/texts.ts';
import { isUuid } from '#base/values/uuid.ts';
import { ExpectedError } from '../failures/failure.ts';
import { isAnsweredMissing } from './is-gone.ts';
import { nameKeyOf } from './known-query.ts';
import { isListMissing } from './write-answers.ts';

export interface SavedQueryListing {
  readonly queries: readonly SavedQuerySummary[];
  /** False if the service does not list saved queries, so that these are only those known here. */
  readonly isListed: boolean;
  /** Why entries of the list could not be read, with their names; they are left out. */
  readonly leftOut: readonly string[];
  /** Whether the service tells of more queries, but not how to ask for them. */
  readonly isPart: boolean;
}

export interface ListSavedQueriesOptions {
  readonly signal?: AbortSignal | undefined;
  /** Returns IDs that were seen on this machine, for a service without a list. */
  readonly knownIds?: (() => Promise<readonly string[]>) | undefined;
}

type SavedQueriesClient = Pick<ServiceClient, 'savedQueries'>;

const readsAtATime = 4;

/** @throws ApiError, ContractError if the service could not be asked. */
export async function listSavedQueries(
  { savedQueries }: SavedQueriesClient,
  { signal, knownIds }: ListSavedQueriesOptions = {},
): Promise<SavedQueryListing> {
  const queries: SavedQuerySummary[] = [];
  const leftOut: string[] = [];
  let isPart = false;
  const onPart = () => (isPart = true);
  try {
    const onLeftOut = (problems: readonly string[]) => problems.forEach((problem) => leftOut.push(problem));
    for await (const query of savedQueries.listSummaries({ signal, onLeftOut, onPart })) queries.push(query);
    return { queries, isListed: true, leftOut, isPart };
  } catch (error) {
    if (!isListMissing(error)) throw error;
  }
  const ids = (await knownIds?.()) ?? [];
  await eachOf(ids, readsAtATime, async (id) => {
    try {
      const query = await unlessGone(savedQueries.get(id, { signal }));
      if (query !== undefined) queries.push(query);
    } catch (error) {
      // One that cannot be read does not hide the others.
      if (!(error instanceof ContractError) && !(error instanceof NotFoundError)) throw error;
      leftOut.push(`${id}: ${error.message}`);
    }
  });
  return { queries, isListed: false, leftOut, isPart };
}

/** Says that there is no list, and what to do instead. */
export function noListWords(): string {
  return t('This service does not list saved queries. Name a query by its ID.');
}

/** Says how many entries of the list were left out, or that they are not all; undefined if nothing is missing. */
export function missingWords({
  leftOut,
  isPart,
}: Pick<SavedQueryListing, 'leftOut' | 'isPart'>): string | undefined {
  const [first] = leftOut;
  const words = [
    ...(first === undefined
      ? []
      : leftOut.length === 1
        ? [t('1 saved query could not be read and is left out: {0}', first)]
        : [t('{0} saved queries could not be read and are left out. The first: {1}', leftOut.length, first)]),
    ...(isPart ? [partWords()] : []),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

/** Says that the list is a part. */
export function partWords(): string {
  return t('There are more entries than these: the service does not say how to ask for them.');
}

/**
 * Finds a saved query by ID or by name, ignoring case and surrounding whitespace.
 * @returns undefined if there is none.
 * @throws ExpectedError if the service has no list to look for the name in, or an entry of it could not be read.
 */
export async function findSavedQuery(
  client: SavedQueriesClient,
  nameOrId: string,
  options: ListSavedQueriesOptions = {},
): Promise<SavedQuery | undefined> {
  const { signal } = options;
  // The service's own IDs are UUIDs: one request in place of the whole list.
  const isLikeId = isUuid(nameOrId);
  const byId = async (isListed = false) => {
    try {
      return await unlessGone(client.savedQueries.get(nameOrId, { signal }));
    } catch (error) {
      if (isNoId(error, { isLikeId, isListed })) return undefined;
      throw error;
    }
  };
  const first = isLikeId ? await byId() : undefined;
  if (first !== undefined) return first;
  const listing = await listSavedQueries(client, options);
  const wanted = nameKeyOf(nameOrId);
  const named = listing.queries.find(({ name }) => nameKeyOf(name) === wanted);
  if (named !== undefined) return await unlessGone(client.savedQueries.get(named.query_id, { signal }));
  const last = isLikeId ? undefined : await byId(listing.isListed);
  if (last !== undefined) return last;
  // Each of these may hide the query, so it would be untrue that there is none.
  const missing = missingWords(listing);
  if (missing !== undefined)
    throw new ExpectedError(t('No saved query that can be read is named "{0}".', nameOrId) + ` ${missing}`);
  if (listing.isListed) return undefined;
  throw new ExpectedError(
    isLikeId
      ? t('The service has no saved query with the ID "{0}". It does not list saved queries.', nameOrId)
      : noListWords(),
  );
}

/** A name is no ID, and a service may say so: in any way, since its path may be too long or have forbidden characters. */
function isNoId(
  error: unknown,
  { isLikeId, isListed }: { readonly isLikeId: boolean; readonly isListed: boolean },
): boolean {
  if (error instanceof RejectedError) return !isLikeId || [400, 410, 422].includes(error.status ?? 0);
  // The list was read, so the address of the service is right.
  const isOfGateway = error instanceof ContractError && error.status >= 400 && error.status < 500;
  return isListed && (isOfGateway || error instanceof NotFoundError);
}

/** Resolves to undefined if the query has been deleted in the meantime. */
async function unlessGone(record: Promise<SavedQuery>): Promise<SavedQuery | undefined> {
  try {
    return await record;
  } catch (error) {
    if (isAnsweredMissing(error)) return undefined;
    throw error;
  }
}
