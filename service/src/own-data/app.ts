/** Assembles the service over a person's own database, independently of its process. */
import type { FastifyInstance } from 'fastify';
import type { ModelTable } from '#api/contract/model-tables.ts';
import { identityModel } from '#api/contract/tables.ts';
import { createServer } from '../app.ts';
import type { SandboxOptions } from '../options.ts';
import { useBearerTokens } from '../plugins/bearer.ts';
import { RequestLog } from '../plugins/request-log.ts';
import type { QueryEngine } from '../query/engine.ts';
import { modelsOf, registerModelRoutes } from '../routes/models.ts';
import { registerOpenApiRoute } from '../routes/openapi.ts';
import { registerQueryRoutes } from '../routes/query.ts';
import { registerSavedQueryRoutes } from '../routes/saved-queries.ts';
import { registerTokenRoute } from '../routes/token.ts';
import { onlySource } from '../state/migrate.ts';
import { savedQueriesOf } from '../state/saved-queries.ts';
import type { StateDatabase } from '../state/state-database.ts';
import { AccessTokens, PageTokens } from '../tokens.ts';
import type { CurrentDatabase } from './current-database.ts';
import { registerIdentityRoutes } from './identity/collection-routes.ts';
import type { ServedSchema } from './served.ts';
import { registerServerRoute, type DatabaseFacts } from './server-route.ts';
import { registerTableRoute } from './table-route.ts';

export type OwnAppOptions = Pick<
  SandboxOptions,
  'baseUrl' | 'host' | 'publicUrl' | 'clientId' | 'clientSecret' | 'leases' | 'tokenLifetimeSeconds' | 'log'
>;

export interface OwnAppParts {
  /** Runs the SQL. The app closes it. */
  readonly engine: QueryEngine;
  readonly current: CurrentDatabase;
  /** Reads the tables of a model. */
  readonly tables: (schema: string) => Promise<readonly ModelTable[]>;
  /** Reads what the database says of itself. */
  readonly describe: () => Promise<DatabaseFacts>;
  /** Keeps the saved queries. The app closes it. */
  readonly state: StateDatabase;
}

/** Results are kept on the disk. */
const keptBytes = 4 * 1024 ** 3;

export interface OwnApp {
  readonly server: FastifyInstance;
  close(): Promise<void>;
}

/**
 * What the database has nothing for, such as the collections, is not served: 404 with the error envelope.
 * @throws Error with a plain-language message if saved queries cannot be kept.
 */
export function createOwnApp(
  options: OwnAppOptions,
  { engine, current, tables, describe, state }: OwnAppParts,
): OwnApp {
  const store = savedQueriesOf(state, onlySource);
  const accessTokens = new AccessTokens();
  const tokens = new PageTokens();
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
  const server = createServer(options, new RequestLog());
  useBearerTokens(server, accessTokens);
  const clients = [{ id: options.clientId, scopes: new Set(['read', 'write'] as const) }];
  registerTokenRoute(server, { service: options, clients }, accessTokens);
  registerOpenApiRoute(server, options);
  registerModelRoutes(server, models, () => current.refresh());
  if (current.served().identity !== undefined)
    registerIdentityRoutes(server, {
      engine,
      tables: () => current.served().identity?.tables ?? [],
      tokens,
    });
  registerServerRoute(server, { current, describe });
  registerTableRoute(server, { tables, models, tokens });
  registerSavedQueryRoutes(server, { store, models, tokens, preparingPages: 0, updateMethod: 'PUT' });
  // The first rows of a large result do not wait for more of it than this.
  registerQueryRoutes(server, { engine, models, tokens, wholeUpToBytes: 262_144, keptBytes });
  return {
    server,
    async close() {
      await server.close();
      await engine.close();
      await state.close();
    },
  };
}

/** The model of queries that name none: the identity model, or else `public`, or else the first. */
function defaultModelOf(models: readonly ServedSchema[]): string | undefined {
  const of = (wanted: string): ServedSchema | undefined => models.find(({ name }) => name === wanted);
  return (of(identityModel) ?? of('public') ?? models[0])?.name;
}
