/** Assembles the sandbox independently of its process, so that tests can build it and inject requests. */
import fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify';
import { clientsOf } from './clients.ts';
import type { ChangeLedger } from './data/changes/ledger.ts';
import type { World } from './data/company/world.ts';
import { hasData } from './data/exports/data-sets.ts';
import type { Log } from './log.ts';
import { startOfDay, type SandboxOptions } from './options.ts';
import { useBearerTokens } from './plugins/bearer.ts';
import { answerFrameworkError, answerMalformed, useErrorEnvelope } from './plugins/errors.ts';
import { useExactJson } from './plugins/exact-json.ts';
import { useFaults } from './plugins/faults.ts';
import { useHostCheck } from './plugins/host.ts';
import { useOddities } from './plugins/oddities.ts';
import { useRateLimit } from './plugins/rate-limit.ts';
import { RequestLog, requestIdHeader, requestIdOf, useRequestLog } from './plugins/request-log.ts';
import type { QueryEngine } from './query/engine.ts';
import { jobWork, registerChangeRoutes } from './routes/changes.ts';
import { registerCollectionRoutes } from './routes/collections.ts';
import { registerDownloadRoutes } from './routes/downloads.ts';
import { modelsOfSandbox, registerModelRoutes } from './routes/models.ts';
import { registerOpenApiRoute } from './routes/openapi.ts';
import { registerQueryRoutes } from './routes/query.ts';
import { registerSavedQueryRoutes } from './routes/saved-queries.ts';
import { registerTokenRoute, sharedSecret } from './routes/token.ts';
import { onlySource } from './state/migrate.ts';
import { addSamples, savedQueriesOf } from './state/saved-queries.ts';
import { openSqliteState } from './state/sqlite-state.ts';
import { ActionJobs } from './store/action-jobs.ts';
import type { ChangeStore } from './store/change-store.ts';
import { Downloads } from './store/downloads.ts';
import { sampleQueries } from './store/sample-queries.ts';
import { AccessTokens, PageTokens } from './tokens.ts';
import { useContractValidation } from './validation.ts';

/** Returns a clock with the machine's time of day on the synthetic company's current day. */
function clockOf({ now }: World): () => number {
  const today = startOfDay(Date.now());
  return () => now + Date.now() - today;
}

/** Creates the HTTP server without routes: request IDs, the error envelope, and checks of hosts and bodies. */
export function createServer(
  options: Pick<SandboxOptions, 'host' | 'publicUrl' | 'allowedHosts' | 'log'>,
  requests: RequestLog,
  more: {
    readonly serverFactory?: FastifyServerFactory;
    /** Whether requests under way are cut when the server closes. */
    readonly cutsOnClose?: boolean;
    /** Where each request is told, if not where failures are. */
    readonly requestLog?: Log;
  } = {},
): FastifyInstance {
  const server = fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: more.cutsOnClose ?? true,
    ...(more.serverFactory === undefined ? {} : { serverFactory: more.serverFactory }),
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers[requestIdHeader]),
    // Longer than any URL that Node.js accepts, so that the route itself rejects unknown IDs.
    routerOptions: { maxParamLength: 20_000 },
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: (error, socket) => answerMalformed(error, socket),
  });
  useRequestLog(server, requests, more.requestLog ?? options.log);
  useErrorEnvelope(server, options.log);
  useHostCheck(server, options);
  useContractValidation(server);
  useExactJson(server);
  return server;
}

/** Room for the longest query with every character escaped, plus long lists of parameter values. */
const bodyLimitBytes = 4 * 1024 * 1024;

export interface SandboxApp {
  readonly server: FastifyInstance;
  /** Stops the engine and closes the stores and the listener. */
  close(): Promise<void>;
}

export interface AppParts {
  /** Runs the SQL. The app closes it. */
  readonly engine: QueryEngine;
  /** Stores changes and jobs. The app closes it. */
  readonly changes: ChangeStore;
  readonly ledger: ChangeLedger;
}

/**
 * Creates the app.
 * @throws Error with a plain-language message if a store cannot be opened.
 */
export async function createApp(
  options: SandboxOptions,
  { engine, changes, ledger }: AppParts,
): Promise<SandboxApp> {
  const state = await openSqliteState(options.dataFolder);
  const store = savedQueriesOf(state, onlySource);
  await addSamples(state, store, sampleQueries);
  const accessTokens = new AccessTokens();
  const pageTokens = new PageTokens();
  const requests = new RequestLog();
  const world = ledger.service;
  const jobs = new ActionJobs(changes, jobWork(ledger, engine), options);
  const downloads = new Downloads(options.jobStepMs, (context) => hasData(world, context));

  const server = createServer(options, requests);
  if (options.faults) useFaults(server, requests, accessTokens);
  useBearerTokens(server, accessTokens);
  if (options.rateLimit !== undefined) useRateLimit(server, { requests: options.rateLimit, windowMs: 1_000 });
  if (options.odd.size > 0) useOddities(server, options.odd);

  const signIn = sharedSecret(clientsOf(options.clientId), options);
  registerTokenRoute(server, { service: options, signIn }, accessTokens);
  registerOpenApiRoute(server, options);
  registerModelRoutes(server, modelsOfSandbox);
  const { preparingPages } = options;
  registerSavedQueryRoutes(server, {
    store,
    models: modelsOfSandbox,
    tokens: pageTokens,
    preparingPages,
    updateMethod: options.odd.has('patch-updates') ? 'PATCH' : 'PUT',
  });
  registerQueryRoutes(server, { engine, models: modelsOfSandbox, tokens: pageTokens });
  registerCollectionRoutes(server, { world, tokens: pageTokens, preparingPages });
  registerChangeRoutes(server, { world, clock: clockOf(world), jobs });
  registerDownloadRoutes(server, options, { world, downloads });

  return {
    server,
    async close() {
      jobs.close();
      downloads.close();
      await server.close();
      await engine.close();
      await state.close();
      changes.close();
    },
  };
}
