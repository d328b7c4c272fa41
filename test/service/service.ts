/** The service in this process: its parts, and the path of a request through them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Changes } from './changes.ts';
import { collectionRoutes } from './collections.ts';
import { Downloads } from './downloads.ts';
import { json, page, Refusal, type Asked, type Reply, type Route } from './exchange.ts';
import { executeRoutes } from './execute.ts';
import { asFaulty, Faults, insteadOf, send, type Fault, type FaultRule } from './faults.ts';
import { modelRoutes } from './models.ts';
import { reshaped, scopeOf, toldAs } from './other-shapes.ts';
import { Paging } from './paging.ts';
import { Records } from './records.ts';
import { SavedQueries } from './saved-queries.ts';
import { StreamedResult, type StreamedRows } from './streamed-result.ts';
import { SwitchBoard, type Switches } from './switches.ts';
import { clientId, clientSecret, Tokens } from './tokens.ts';

export interface ServiceOptions extends Switches {
  readonly accounts?: number | undefined;
  /** Number of empty pages before the first page of every list. */
  readonly preparingPages?: number | undefined;
  readonly port?: number | undefined;
  /** If set, every query has this result, which is created page by page. */
  readonly streamedRows?: StreamedRows | undefined;
}

export interface AskedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** 0 if the connection was cut before a response. */
  readonly status: number;
  readonly durationMs: number;
}

export interface RunningService {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Replaces all switches. */
  set(switches: Switches): void;
  setFaults(rules: readonly FaultRule[]): Promise<void>;
  nextAnswers(path: string, ...answers: Fault[]): Promise<void>;
  requests(): Promise<readonly AskedRequest[]>;
  forgetRequests(): Promise<void>;
  /** Number of rows created so far for the streamed result. */
  rowsMade(): number;
  stop(): Promise<void>;
}

export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const switches = new SwitchBoard();
  switches.set(options);
  let address = '';
  const records = new Records(switches, options.accounts ?? 1_000);
  const paging = new Paging(switches, options.preparingPages ?? 0);
  const tokens = new Tokens(switches, () => address);
  const faults = new Faults();
  const streamed = options.streamedRows === undefined ? undefined : new StreamedResult(options.streamedRows);
  const log: AskedRequest[] = [];
  const routes: readonly Route[] = [
    ...tokens.routes,
    ...modelRoutes,
    ...collectionRoutes(records, paging, switches),
    ...new SavedQueries(switches, paging).routes,
    ...executeRoutes({ switches, paging, records, streamed }),
    ...new Changes(switches, records).routes,
    ...new Downloads(switches, records, () => address).routes,
  ];

  const answer = async (asked: Asked): Promise<Reply> => {
    try {
      const { route, names } = routeOf(routes, asked);
      if (route.scope !== undefined) tokens.require(asked, scopeOf(route, switches));
      return reshaped(await route.answer(toldAs(asked, switches), names), asked, switches);
    } catch (error) {
      return replyOf(error, switches);
    }
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const started = performance.now();
    const url = new URL(incoming.url ?? '/', 'http://service');
    const { method = 'GET', headers } = incoming;
    const fault = faults.next(method, url.pathname);
    const asked: Asked = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body: (await buffer(incoming)).toString(),
    };
    const id = crypto.randomUUID();
    const note = (status: number) =>
      log.push({ id, method, path: url.pathname, status, durationMs: performance.now() - started });
    if (fault?.kind === 'latency') await wait(fault.ms, undefined, { ref: false });
    if (fault?.kind === 'hold') await faults.replaced;
    if (fault?.kind === 'expire-tokens') tokens.forgetAll();
    if (fault?.kind === 'drop') {
      note(0);
      outgoing.destroy();
      return;
    }
    const hasRetryAfter = !switches.is('retry-after', 'absent');
    const reply = insteadOf(fault, { hasRetryAfter }) ?? (await answer(asFaulty(asked, fault)));
    const isAnswered = fault?.kind !== 'drop-after';
    // Record the request before responding, so that a caller with the response always finds it.
    note(isAnswered ? reply.status : 0);
    const named = { ...reply, headers: { ...reply.headers, 'x-request-id': id } };
    await send(outgoing, named, { fault, isGzip: switches.has('gzip') });
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // the server listens on TCP
  return {
    baseUrl: address,
    authUrl: `${address}/oauth/token`,
    clientId,
    clientSecret,
    set: (next) => switches.set(next),
    setFaults: (rules) => {
      faults.set(rules);
      return Promise.resolve();
    },
    nextAnswers: (path, ...script) => {
      faults.set([{ path, script }]);
      return Promise.resolve();
    },
    requests: () => Promise.resolve([...log]),
    forgetRequests: () => {
      log.length = 0;
      return Promise.resolve();
    },
    rowsMade: () => streamed?.made ?? 0,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @throws Refusal if no route matches. */
function routeOf(routes: readonly Route[], { method, path }: Asked) {
  const found = routes
    .filter((route) => route.isThere?.() !== false)
    .flatMap((route) => {
      const names = namesOf(route.path, path);
      return names === undefined ? [] : [{ route, names }];
    });
  const fitting = found.find(({ route }) => route.method === method);
  if (fitting !== undefined) return fitting;
  if (found.length === 0) throw new Refusal(404, 'NOT_FOUND', 'There is no such path.');
  const allow = found.map(({ route }) => route.method).join(', ');
  throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'Not on this path.', { headers: { allow } });
}

/** Returns the path parameters, or undefined if the path does not match. */
function namesOf(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  if (expected.length !== given.length) return undefined;
  const names: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = given[index] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name !== undefined) names[name] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return names;
}

function replyOf(error: unknown, switches: SwitchBoard): Reply {
  if (!(error instanceof Refusal)) return json(500, { code: 'INTERNAL_ERROR', message: 'Unexpected.' });
  const { status, code, message, more, headers } = error;
  const isOfHttp = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(code) && /path\.$/.test(message);
  if (isOfHttp && switches.is('http-errors', 'html')) return page(status, headers);
  return json(status, { code, message, ...more }, headers);
}
