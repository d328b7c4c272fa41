/**
 * The door of a team's service: it signs clients in, says whether it is well, and hands each request to the source that
 * its client belongs to. Sources share no route, no model and no connection.
 */
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import { createServer } from '../app.ts';
import { ServiceError, unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import type { SandboxOptions } from '../options.ts';
import type { OwnApp } from '../own-data/app.ts';
import { bearerIn } from '../plugins/bearer.ts';
import { pathOf, RequestLog, requestIdHeader, requestIdOf } from '../plugins/request-log.ts';
import { idInFilePath } from '../routes/file-link.ts';
import { registerTokenRoute, tokenPath, type SignIn } from '../routes/token.ts';
import { tokenSeconds, type StateTokens } from '../state/clients.ts';
import type { TeamConfig } from './config.ts';

export interface FrontParts {
  readonly tls: TeamConfig['tls'];
  readonly appOf: (source: string) => OwnApp | undefined;
  /** Answers callers of no source. */
  readonly first: OwnApp | undefined;
  /** Whether the source could not be opened so far. */
  readonly isAway: (source: string) => boolean;
  readonly tokens: StateTokens;
  readonly signIn: SignIn;
  readonly sourceOfExport: (id: string) => Promise<string | undefined>;
  /** Why the service takes no requests, as sentences; empty if it does. */
  readonly notReady: () => Promise<readonly string[]>;
  /** What an operator should know beside that. */
  readonly facts: () => Readonly<Record<string, unknown>>;
  readonly requestLog: Log;
  readonly onRequest: (app: FastifyInstance) => void;
}

export type FrontOptions = Pick<SandboxOptions, 'host' | 'publicUrl' | 'allowedHosts' | 'baseUrl' | 'log'>;

/** Longer than load balancers keep a connection that is idle, or they would send requests to one that just closed. */
const keepAliveMs = 72_000;
const ownPaths = new Set([tokenPath, '/health', '/ready']);

export function createFront(options: FrontOptions, parts: FrontParts): FastifyInstance {
  const { appOf, first, isAway, tokens, tls } = parts;
  const sourceOf = async ({ url = '', headers }: IncomingMessage): Promise<string | undefined> => {
    const id = idInFilePath(pathOf(url));
    if (id !== undefined) return await parts.sourceOfExport(id);
    const token = bearerIn(headers.authorization);
    return token === undefined ? undefined : (await tokens.find(token))?.source;
  };
  const dispatch = async (
    request: IncomingMessage,
    response: ServerResponse,
    own: Handler,
  ): Promise<void> => {
    if (ownPaths.has(pathOf(request.url ?? ''))) {
      own(request, response);
      return;
    }
    // The source's own check answers for a token or link that is missing, wrong, or cannot be read at the moment.
    const source = await sourceOf(request).catch(() => undefined);
    const app = source === undefined ? first : appOf(source);
    if (app === undefined) refuse(request, response, refusalOf(source ?? ''));
    else app.server.routing(request, response);
  };
  const refusalOf = (source: string): ServiceError =>
    isAway(source) ? unavailable(sourceIsAway) : new ServiceError('FORBIDDEN', notServed(source));
  const server = createServer(options, new RequestLog(), {
    cutsOnClose: false,
    requestLog: parts.requestLog,
    serverFactory: (handler: Handler) => {
      const listener: Handler = (request, response) => void dispatch(request, response, handler);
      const own = { keepAliveTimeout: keepAliveMs };
      return tls === undefined
        ? createPlainServer(own, listener)
        : createTlsServer({ ...tls, ...own }, listener);
    },
  });
  parts.onRequest(server);
  const service = {
    get baseUrl() {
      return options.baseUrl;
    },
    tokenLifetimeSeconds: tokenSeconds,
  };
  const issue = { issue: tokens.issue.bind(tokens), find: tokens.find.bind(tokens) };
  registerTokenRoute(server, { service, signIn: parts.signIn }, issue);
  server.get('/health', () => ({ status: 'ok' }));
  server.get('/ready', async (_request, reply) => {
    const reasons = await parts.notReady();
    reply.code(reasons.length === 0 ? 200 : 503);
    return { status: reasons.length === 0 ? 'ready' : 'not ready', reasons, ...parts.facts() };
  });
  return server;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What clients are told while the database of their source cannot be used. They need not know which it is. */
export const sourceIsAway =
  'The database of this source cannot be used at the moment. Its operator finds the reason in the log of the service.';

/** What a client whose source is not in this instance's configuration is told. */
export function notServed(source: string): string {
  return `This instance of the service does not serve the source "${source}" of this client. Its operator must give all instances the same configuration, or the client another source.`;
}

function refuse(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  const body = JSON.stringify(error.toEnvelope());
  response.writeHead(error.statusCode, {
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    [requestIdHeader]: requestIdOf(request.headers[requestIdHeader]),
  });
  response.end(body);
}
