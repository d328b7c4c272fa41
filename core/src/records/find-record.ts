/**
 * Finds a record by its global ID. The service can read four kinds of records by ID; the others are found in the tables
 * of the identity model, which contain the same data (assumption `model-columns`).
 */
import type { ServiceClient } from '#api/client/client.ts';
import {
  ApiError,
  AuthError,
  ContractError,
  NotFoundError,
  isPerhapsNotOffered,
  RateLimitError,
  RejectedError,
} from '#api/client/errors.ts';
import { collectionTables, columnName, identityModel } from '#api/contract/tables.ts';
import { recordCollectionIds, type RecordCollectionId } from '#api/contract/tables.ts';
import { t } from '#base/texts.ts';
import { ExpectedError } from '../failures/failure.ts';
import { ownQuery } from '../policy/send-query.ts';
import { readRows } from '../runs/rows-in-memory.ts';
import { fieldsOf } from './record-fields.ts';
import { recordOfRow } from './record-of-row.ts';

export interface FoundRecord {
  readonly collection: RecordCollectionId;
  readonly globalId: string;
  /** The record, with the member names of the API. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Whether the record was rebuilt from its table because the service has no operation to read it. */
  readonly isReadBySql?: true;
}

/** A field in other records that contains the ID, and the number of those records. */
export interface BackReference {
  readonly collection: RecordCollectionId;
  readonly field: string;
  readonly count: number;
}

/** Collections with a get operation in the specification. */
const readableById = ['roles', 'accountRoles', 'authenticatorEnrollments', 'activities'] as const;
type ReadableById = (typeof readableById)[number];

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Set by callers that handle rate limits themselves. */
  readonly throwsRateLimit?: boolean | undefined;
}

/**
 * Returns undefined if no record has this ID.
 * @throws ApiError if the service does not respond; ExpectedError if its tables could not be queried, leaving the
 * result unknown.
 */
export async function findRecord(
  client: ServiceClient,
  globalId: string,
  options: CallOptions = {},
): Promise<FoundRecord | undefined> {
  const lookup = await collectionOf(client, globalId, options);
  if (typeof lookup === 'string') return await readRecord(client, lookup, globalId, options);
  for (const candidate of readableById) {
    const record = await getRecord(client, candidate, globalId, options);
    if (record !== undefined) return record;
  }
  if (lookup === undefined) return undefined;
  // Any other failure says what it is, and the caller names the record.
  const isOfItsTables =
    lookup instanceof RejectedError ||
    lookup instanceof NotFoundError ||
    lookup instanceof ExpectedError ||
    isPerhapsNotOffered(lookup);
  if (!isOfItsTables) throw lookup;
  // One table that the service lacks fails the question about all of them.
  const alone = lookup instanceof RejectedError ? await findAlone(client, globalId, options) : undefined;
  if (typeof alone === 'object') return alone.found;
  throw new ExpectedError(
    alone === 'somewhere'
      ? t(
          'No record that could be searched has the global ID "{0}". Some collections could not be searched: look in their lists. {1}',
          globalId,
          lookup.message,
        )
      : t(
          'No role, account role, authenticator enrollment or activity has the global ID "{0}". The other collections could not be searched: look in their lists. {1}',
          globalId,
          lookup.message,
        ),
    [],
    { cause: lookup },
  );
}

/**
 * Asks each table without a get operation on its own.
 * @returns where it was looked for, if it was not found and a table could not be asked.
 */
async function findAlone(
  client: ServiceClient,
  globalId: string,
  options: CallOptions,
): Promise<{ readonly found: FoundRecord | undefined } | 'nowhere' | 'somewhere'> {
  let [asked, refused] = [0, 0];
  for (const collection of recordCollectionIds.filter((each) => !isReadableById(each))) {
    try {
      const found = await readRecord(client, collection, globalId, options);
      asked += 1;
      if (found !== undefined) return { found };
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      refused += 1;
    }
  }
  if (refused === 0) return { found: undefined };
  return asked === 0 ? 'nowhere' : 'somewhere';
}

/** Reads a record whose collection is known. Undefined if it does not exist. */
export async function readRecord(
  client: ServiceClient,
  collection: RecordCollectionId,
  globalId: string,
  options: CallOptions = {},
): Promise<FoundRecord | undefined> {
  if (isReadableById(collection)) {
    const record = await getRecord(client, collection, globalId, options);
    if (record !== undefined) return record;
  }
  const page = await readRows(
    client,
    ownQuery(),
    {
      query_string: `SELECT * FROM ${collectionTables[collection]} WHERE global_id = :id LIMIT 1`,
      model: identityModel,
      parameters: { id: globalId },
    },
    options,
  );
  const [row] = page.rows;
  if (row === undefined) return undefined;
  return { collection, globalId, record: recordOfRow(collection, page.columns, row), isReadBySql: true };
}

/**
 * Counts the records that refer to this one, by collection and field, largest count first.
 * @throws ApiError if the service cannot be queried, leaving references unknown.
 */
export async function backReferences(
  client: ServiceClient,
  globalId: string,
  options: CallOptions = {},
): Promise<readonly BackReference[]> {
  const places = recordCollectionIds.flatMap((collection) =>
    fieldsOf(collection)
      .filter(({ isReference }) => isReference)
      .map(({ name, type }) => ({ collection, field: name, isList: type === 'text[]' })),
  );
  const counts = places.map(
    ({ collection, field, isList }) =>
      `SELECT '${collection}' AS collection, '${field}' AS field, count(*) AS n FROM ${collectionTables[collection]} WHERE ${condition(field, isList)}`,
  );
  const page = await readRows(
    client,
    ownQuery(),
    {
      query_string: `SELECT * FROM (\n${counts.join('\nUNION ALL\n')}\n) AS places WHERE n > 0 ORDER BY n DESC`,
      model: identityModel,
      parameters: { id: globalId },
    },
    options,
  );
  return page.rows.flatMap(([collection, field, count]) => {
    const known = recordCollectionIds.find((one) => one === collection);
    return known === undefined || typeof field !== 'string'
      ? []
      : [{ collection: known, field, count: Number(count) }];
  });
}

/** Returns the SQL that lists the records of a back reference; its parameter is `id`. */
export function referringQuery({ collection, field }: Pick<BackReference, 'collection' | 'field'>): string {
  const isList = fieldsOf(collection).some(({ name, type }) => name === field && type === 'text[]');
  return `SELECT * FROM ${collectionTables[collection]} WHERE ${condition(field, isList)}`;
}

function condition(field: string, isList: boolean): string {
  return isList ? `:id = ANY (${columnName(field)})` : `${columnName(field)} = :id`;
}

/** Returns undefined if no table contains the ID, or the error if the service's tables differ, so nothing is known. */
async function collectionOf(
  client: ServiceClient,
  globalId: string,
  options: CallOptions,
): Promise<RecordCollectionId | ApiError | ContractError | ExpectedError | undefined> {
  const lookups = recordCollectionIds.map(
    (collection) =>
      `SELECT '${collection}' AS collection FROM ${collectionTables[collection]} WHERE global_id = :id`,
  );
  try {
    const page = await readRows(
      client,
      ownQuery(),
      {
        query_string: lookups.join('\nUNION ALL\n'),
        model: identityModel,
        parameters: { id: globalId },
      },
      options,
    );
    const [found] = page.rows[0] ?? [];
    // A database may pad the names to the same length.
    const name = typeof found === 'string' ? found.trim() : found;
    const collection = recordCollectionIds.find((each) => each === name);
    if (collection === undefined && (!page.isComplete || found !== undefined))
      return new ExpectedError(t('The service did not tell in which collection the record is.'));
    return collection;
  } catch (error) {
    // Whatever a service answers to a query that it need not offer, its get operations remain to be tried.
    const hasAnswered =
      error instanceof ContractError || (error instanceof ApiError && error.status !== undefined);
    const isForAll =
      error instanceof RateLimitError || (error instanceof AuthError && error.at !== 'forbidden');
    if (hasAnswered && !isForAll) return error;
    throw error;
  }
}

async function getRecord(
  client: ServiceClient,
  collection: ReadableById,
  globalId: string,
  options: CallOptions,
): Promise<FoundRecord | undefined> {
  try {
    const record: object = await client[collection].get(globalId, options);
    requireAsked(record, globalId);
    return { collection, globalId, record: Object.fromEntries(Object.entries(record)) };
  } catch (error) {
    // A service may refuse an ID whose form is that of another collection.
    const isOfId = error instanceof RejectedError && [400, 410, 414, 422].includes(error.status ?? 0);
    if (error instanceof NotFoundError || isOfId) return undefined;
    throw error;
  }
}

/** @throws ExpectedError if the service answered with nothing, or with another record. */
function requireAsked(record: object, globalId: string): void {
  const found: unknown = Reflect.get(record, 'globalId');
  const isAsked = typeof found === 'string' && found.toLowerCase() === globalId.toLowerCase();
  const isOther = found !== undefined && !isAsked;
  if (isOther || Object.keys(record).length === 0)
    throw new ExpectedError(
      t(
        'The service was asked for the record with the global ID "{0}", and answered with none or with another one.',
        globalId,
      ),
    );
}

function isReadableById(collection: RecordCollectionId): collection is ReadableById {
  return readableById.some((one) => one === collection);
}
