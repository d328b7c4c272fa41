/** Saved query endpoints: create, read, list, update with an expected version, and delete. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { endpoints } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import { ServiceError } from '../errors.ts';
import { defineRoute } from '../route.ts';
import { listStart, type SavedQueryStore } from '../store/saved-queries.ts';
import type { PageTokens } from '../tokens.ts';
import type { Models } from './models.ts';

const listName = 'saved-queries';
const Position = Type.Object({ nameKey: Type.String(), id: Type.String(), prepared: Type.Integer() });

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
  defineRoute(app, endpoints.listSavedQueries, ({ query }) => {
    const start =
      query.pageToken === undefined
        ? { ...listStart, prepared: 0 }
        : Value.Parse(Position, tokens.open(listName, query.pageToken));
    const next = (position: typeof start) => ({ nextPageToken: tokens.seal(listName, position) });
    const { prepared } = start;
    if (prepared < preparingPages) return { items: [], ...next({ ...start, prepared: prepared + 1 }) };
    const page = store.list(query.pageSize ?? limits.pageSizeDefault, start);
    return { items: page.items, ...(page.next === undefined ? {} : next({ ...page.next, prepared })) };
  });

  defineRoute(app, endpoints.createSavedQuery, ({ body, request, reply }) => {
    const model = models.resolve(body.model);
    const outcome = store.create({ ...body, model }, principalOf(request));
    if (outcome === 'name-conflict') throw nameConflict();
    reply.header('location', `/v1/query/saved-queries/${outcome.query_id}`);
    return outcome;
  });

  defineRoute(app, endpoints.getSavedQuery, ({ path }) => {
    const query = store.get(path.query_id);
    if (query === undefined) throw notFound();
    return query;
  });

  const update = { ...endpoints.updateSavedQuery, method: updateMethod };
  defineRoute(app, update, ({ path, body, request }) => {
    const change = body.model === undefined ? body : { ...body, model: models.resolve(body.model) };
    const outcome = store.update(path.query_id, change, principalOf(request));
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

  defineRoute(app, endpoints.deleteSavedQuery, ({ path }) => {
    if (!store.delete(path.query_id)) throw notFound();
    return undefined;
  });
}

function principalOf(request: FastifyRequest): { type: string; id: string } {
  return { type: 'service_client', id: request.grant?.clientId ?? 'unknown' };
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
