/** Assembles the service over a person's own database, independently of its process. */
import type { FastifyInstance } from 'fastify';
import { identityModel } from '#api/contract/tables.ts';
import { createServer } from '../app.ts';
import type { Log } from '../log.ts';
import type { SandboxOptions } from '../options.ts';
import { useBearerTokens } from '../plugins/bearer.ts';
import { RequestLog } from '../plugins/request-log.ts';
import { useStalledReaderLimit } from '../plugins/stalled-readers.ts';
import { modelsOf, registerModelRoutes } from '../routes/models.ts';
import { registerOpenApiRoute } from '../routes/openapi.ts';
import { registerQueryRoutes, type QueryDependencies } from '../routes/query.ts';
import { registerSavedQueryRoutes } from '../routes/saved-queries.ts';
import type { SavedQueryStore } from '../state/saved-queries.ts';
import { PageTokens, type TokenStore } from '../tokens.ts';
import { registerIdentityRoutes } from './identity/collection-routes.ts';
import { registerExportRoutes, type ExportParts } from './identity/export-routes.ts';
import type { Source } from './open-source.ts';
import type { ServedSchema } from './served.ts';
import { registerServerRoute } from './server-route.ts';
import { registerTableRoute } from './table-route.ts';

export type OwnAppOptions = Pick<
  SandboxOptions,
  'baseUrl' | 'host' | 'publicUrl' | 'allowedHosts' | 'clientId' | 'log'
>;

export interface OwnAppParts extends Source {
  readonly store: SavedQueryStore;
  readonly accessTokens: TokenStore;
  /** For lists that any instance can continue. */
  readonly listTokens?: PageTokens;
  /** For results that only this process has. */
  readonly resultTokens?: PageTokens;
  readonly exports: ExportParts;
  readonly onRun?: QueryDependencies['onRun'];
  /** Adds what this service has besides, after the checks of callers. */
  readonly register?: (server: FastifyInstance) => void;
  readonly requestLog?: Log;
}

/** Results are kept on the disk. */
const keptBytes = 4 * 1024 ** 3;

export interface OwnApp {
  readonly server: FastifyInstance;
  close(): Promise<void>;
}

/**
 * What the database has nothing for, such as the collections, is not served: 404 with the error envelope.
 */
export function createOwnApp(
  options: OwnAppOptions,
  { engine, current, tables, describe, store, accessTokens, exports, onRun, register, ...parts }: OwnAppParts,
): OwnApp {
  const { listTokens = new PageTokens(), resultTokens: tokens = new PageTokens(), requestLog } = parts;
  const models = modelsOf(() => {
    const { schemas, identity } = current.served();
    const all = [
      ...(identity === undefined ? [] : [{ name: identityModel, description: identity.source.description }]),
      ...schemas,
    ];
    return all.map(({ name, description }) => ({
      name,
      description,
      listsTables: true,
      ...(name === defaultModelOf(all) ? { default: true } : {}),
    }));
  });
  const server = createServer(options, new RequestLog(), requestLog === undefined ? {} : { requestLog });
  useStalledReaderLimit(server);
  useBearerTokens(server, accessTokens);
  register?.(server);
  registerOpenApiRoute(server, options);
  registerModelRoutes(server, models, () => current.refresh());
  if (current.served().identity !== undefined)
    registerIdentityRoutes(server, {
      engine,
      tables: () => current.served().identity?.tables ?? [],
      tokens,
    });
  registerExportRoutes(server, {
    ...exports,
    engine,
    exports: () => current.served().identity?.exports ?? [],
    baseUrl: () => options.baseUrl,
  });
  registerServerRoute(server, { current, describe });
  registerTableRoute(server, { tables, models, tokens });
  registerSavedQueryRoutes(server, {
    store,
    models,
    tokens: listTokens,
    preparingPages: 0,
    updateMethod: 'PUT',
  });
  // The first rows of a large result do not wait for more of it than this.
  registerQueryRoutes(server, {
    engine,
    models,
    tokens,
    wholeUpToBytes: 262_144,
    keptBytes,
    ...(onRun === undefined ? {} : { onRun }),
  });
  return {
    server,
    async close() {
      await server.close();
      await engine.close();
    },
  };
}

/** The model of queries that name none: the identity model, or else `public`, or else the first. */
function defaultModelOf(models: readonly ServedSchema[]): string | undefined {
  const of = (wanted: string): ServedSchema | undefined => models.find(({ name }) => name === wanted);
  return (of(identityModel) ?? of('public') ?? models[0])?.name;
}
