/** Saved query endpoints: create, read, list, update with an expected version, delete, and all versions. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { additionalEndpoints, endpoints } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import { badField, ServiceError } from '../errors.ts';
import { defineRoute } from '../route.ts';
import { listStart, type SavedQueryStore, type Saver } from '../state/saved-queries.ts';
import type { PageTokens } from '../tokens.ts';
import type { Models } from './models.ts';

const listName = 'saved-queries';
const Position = Type.Object({ nameKey: Type.String(), id: Type.String(), prepared: Type.Integer() });
const versionsName = 'saved-query-versions';
const VersionPosition = Type.Object({ id: Type.String(), before: Type.Integer() });

export function registerSavedQueryRoutes(
  app: FastifyInstance,
  {
    store,
    models,
    tokens,
    preparingPages,
    updateMethod,
  }: {
    readonly store: SavedQueryStore;
    readonly models: Models;
    readonly tokens: PageTokens;
    /** Number of empty pages at the start of the list, to simulate results that are still being prepared. */
    readonly preparingPages: number;
    readonly updateMethod: 'PUT' | 'PATCH';
  },
): void {
  defineRoute(app, endpoints.listSavedQueries, async ({ query }) => {
    const start =
      query.pageToken === undefined
        ? { ...listStart, prepared: 0 }
        : Value.Parse(Position, tokens.open(listName, query.pageToken));
    const next = (position: typeof start) => ({ nextPageToken: tokens.seal(listName, position) });
    const { prepared } = start;
    if (prepared < preparingPages) return { items: [], ...next({ ...start, prepared: prepared + 1 }) };
    const page = await store.list(query.pageSize ?? limits.pageSizeDefault, start);
    return { items: page.items, ...(page.next === undefined ? {} : next({ ...page.next, prepared })) };
  });

  defineRoute(app, endpoints.createSavedQuery, async ({ body, request, reply }) => {
    const model = models.resolve(body.model);
    const outcome = await store.create({ ...body, model }, saverOf(request));
    if (outcome === 'name-conflict') throw nameConflict();
    reply.header('location', `/v1/query/saved-queries/${outcome.query_id}`);
    return outcome;
  });

  defineRoute(app, endpoints.getSavedQuery, async ({ path }) => {
    const query = await store.get(path.query_id);
    if (query === undefined) throw notFound();
    return query;
  });

  const update = { ...endpoints.updateSavedQuery, method: updateMethod };
  defineRoute(app, update, async ({ path, body, request }) => {
    const change = body.model === undefined ? body : { ...body, model: models.resolve(body.model) };
    const outcome = await store.update(path.query_id, change, saverOf(request));
    if (outcome === 'not-found') throw notFound();
    if (outcome === 'name-conflict') throw nameConflict();
    if ('currentVersion' in outcome) {
      throw new ServiceError(
        'VERSION_CONFLICT',
        `The saved query is at version ${outcome.currentVersion}, not ${body.expected_version}: it has changed since.`,
        { details: { current_version: outcome.currentVersion } },
      );
    }
    return outcome;
  });

  defineRoute(app, endpoints.deleteSavedQuery, async ({ path, request }) => {
    if (!(await store.delete(path.query_id, saverOf(request)))) throw notFound();
    return undefined;
  });

  defineRoute(app, additionalEndpoints.listSavedQueryVersions, async ({ path: { query_id: id }, query }) => {
    const start =
      query.pageToken === undefined
        ? undefined
        : Value.Parse(VersionPosition, tokens.open(versionsName, query.pageToken));
    if (start !== undefined && start.id !== id)
      throw badField('query', 'pageToken', 'belongs to another query');
    const page = await store.versions(id, query.pageSize ?? limits.pageSizeDefault, start?.before);
    if (page === undefined) throw notFound();
    const { items, next } = page;
    return {
      items,
      ...(next === undefined ? {} : { nextPageToken: tokens.seal(versionsName, { id, before: next }) }),
    };
  });
}

const repeatHeader = 'idempotency-key';
const mostKeyLength = 255;

/** Returns who saves, and the key by which the caller names this save. */
function saverOf(request: FastifyRequest): Saver {
  const by = { type: 'service_client', id: request.grant?.clientId ?? 'unknown' };
  const key = request.headers[repeatHeader];
  if (key === undefined) return { by };
  if (typeof key !== 'string' || key === '' || key.length > mostKeyLength)
    throw badField('header', 'Idempotency-Key', `must be one text of 1 to ${mostKeyLength} characters`);
  return { by, repeatKey: key };
}

function notFound(): ServiceError {
  return new ServiceError('SAVED_QUERY_NOT_FOUND', 'There is no saved query with this id.');
}

function nameConflict(): ServiceError {
  return new ServiceError(
    'NAME_CONFLICT',
    'Another saved query already has this name (names are case-insensitive).',
    { details: { field: 'name' } },
  );
}
