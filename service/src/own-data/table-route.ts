/** GET /v1/schema/models/{name}/tables: all pages of a list come from one reading of the catalogue. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { additionalEndpoints } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import type { ModelTable } from '#api/contract/model-tables.ts';
import { ServiceError } from '../errors.ts';
import { defineRoute, unlessKnown } from '../route.ts';
import type { Models } from '../routes/models.ts';
import type { PageTokens } from '../tokens.ts';

export interface TableRouteOptions {
  readonly tables: (schema: string) => Promise<readonly ModelTable[]>;
  readonly models: Models;
  readonly tokens: PageTokens;
}

const Position = Type.Object({ reading: Type.String(), at: Type.Integer() });
const mostReadings = 8;

export function registerTableRoute(
  app: FastifyInstance,
  { tables, models, tokens }: TableRouteOptions,
): void {
  /** Oldest first. */
  const readings = new Map<string, readonly ModelTable[]>();
  const read = async (model: string): Promise<string> => {
    const found = await tables(model);
    const id = randomUUID();
    readings.set(id, found);
    for (const old of [...readings.keys()].slice(0, -mostReadings)) readings.delete(old);
    return id;
  };

  defineRoute(app, additionalEndpoints.listModelTables, async ({ path, query, request, reply }) => {
    const model = models.resolve(path.name);
    const list = `tables ${model}`;
    const { reading, at } =
      query.pageToken === undefined
        ? { reading: await read(model), at: 0 }
        : Value.Parse(Position, tokens.open(list, query.pageToken));
    const all = readings.get(reading);
    if (all === undefined)
      throw new ServiceError(
        'RESULT_GONE',
        'The service no longer has this list. Start again without a token.',
      );
    const end = at + (query.pageSize ?? limits.pageSizeDefault);
    const isLast = end >= all.length;
    const page = {
      items: all.slice(at, end),
      ...(isLast ? {} : { nextPageToken: tokens.seal(list, { reading, at: end }) }),
    };
    // The first page speaks for the whole list.
    return query.pageToken === undefined ? unlessKnown(request, reply, page, all) : page;
  });
}
