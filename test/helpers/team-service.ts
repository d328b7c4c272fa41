/** A team's service for tests: `serve --config` as a process, its clients, and a load balancer before several of them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoggedRequest } from '#service/plugins/request-log.ts';
import { json, type Reply } from '../service/exchange.ts';
import { asFaulty, Faults, insteadOf, send, type Fault, type FaultRule } from '../service/faults.ts';
import { runOwnService } from './own-database.ts';
import { ServiceHttp } from './service-http.ts';
import { serviceProgram } from './service-program.ts';

export interface TeamInstance {
  readonly baseUrl: string;
  readonly port: number;
  /** What it wrote on standard output, one JSON object a line. */
  lines(): readonly string[];
  complaints(): string;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  readonly process: ChildProcess;
}

/**
 * Starts an instance with this configuration. Rejects with what it said if it ends before it listens.
 * @param imported a module that the instance loads first
 */
export async function startInstance(
  folder: string,
  name: string,
  config: object,
  imported?: string,
): Promise<TeamInstance> {
  const file = path.join(folder, `${name}.yaml`);
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(
    process.execPath,
    [
      ...(imported === undefined ? [] : ['--import', imported]),
      serviceProgram(),
      'serve',
      '--config',
      file,
      '--parent-pid',
      String(process.pid),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const listening = await new Promise<{ address: string }>((resolve, reject) => {
    child.once('close', () => reject(new Error(said)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const parsed = JSON.parse(line) as { event?: string; address: string }; // printed by serve-team.ts
      if (parsed.event === 'listening') resolve(parsed);
    });
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    baseUrl: listening.address,
    port: Number(new URL(listening.address).port),
    process: child,
    lines: () => lines,
    complaints: () => said,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Runs `serve clients`, and returns what it printed. */
export async function clientsCommand(
  state: string,
  env: NodeJS.ProcessEnv,
  ...args: readonly string[]
): Promise<string> {
  const { code, out, complaints } = await runOwnService(['clients', ...args, '--state', state], { env });
  if (code !== 0) throw new Error(complaints);
  return out.trim();
}

export function httpOf(baseUrl: string, clientId: string, clientSecret: string): ServiceHttp {
  return new ServiceHttp({ baseUrl, authUrl: `${baseUrl}/oauth/token`, clientId, clientSecret });
}

export interface Balancer {
  readonly baseUrl: string;
  setFaults(rules: readonly FaultRule[]): Promise<void>;
  nextAnswers(path: string, ...answers: Fault[]): Promise<void>;
  requests(): Promise<readonly LoggedRequest[]>;
  forgetRequests(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Sends each request to the next of the ports. A request that gets no answer is answered with 502. Faults happen here, so
 * that the same tests can use them as with a sandbox.
 */
export async function startBalancer(ports: () => readonly number[]): Promise<Balancer> {
  let turn = 0;
  let log: LoggedRequest[] = [];
  const faults = new Faults();
  const seen = new Set<string>();
  const expired = new Set<string>();

  /** Sends a request to the next port, or to the one after it where none listens. Rejects if no answer comes. */
  const ask = async (
    { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    body: Buffer | string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> => {
    const all = ports();
    for (let tries = 1; ; tries += 1) {
      const port = all[(turn += 1) % all.length];
      const options = { host: '127.0.0.1', port, method, path: url, headers, agent: false, signal };
      const sent = httpRequest(options).end(body);
      try {
        return ((await once(sent, 'response')) as [IncomingMessage])[0]; // the event's argument
      } catch (error) {
        if (!isRefused(error) || tries >= all.length) throw error;
      }
    }
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = incoming;
    const { pathname: path, searchParams: query } = new URL(url, 'http://balancer');
    const id = crypto.randomUUID();
    const started = performance.now();
    const note = (status: number) =>
      log.push({ id, method, path, status, durationMs: performance.now() - started });
    const { authorization = '' } = headers;
    if (authorization.startsWith('Bearer ')) seen.add(authorization);
    const fault = faults.next(method, path);
    if (fault?.kind === 'expire-tokens') for (const each of seen) expired.add(each);
    const isExpired = expired.has(authorization);
    const left = new AbortController();
    outgoing.once('close', () => left.abort());
    const body = await buffer(incoming);
    if (fault === undefined && !isExpired) {
      const answer = await ask(incoming, body, left.signal);
      note(answer.statusCode ?? 0);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
      return;
    }
    if (fault?.kind === 'latency') await wait(fault.ms, undefined, { ref: false });
    if (fault?.kind === 'hold') await faults.replaced;
    if (fault?.kind === 'drop') {
      note(0);
      outgoing.destroy();
      return;
    }
    const asked = asFaulty({ method, path, query, headers, body: body.toString() }, fault);
    const real = async (): Promise<Reply> => {
      if (isExpired) return json(401, { code: 'UNAUTHORIZED', message: 'The token has expired.' });
      const { 'content-length': _length, 'transfer-encoding': _encoding, ...others } = headers;
      const length = String(Buffer.byteLength(asked.body));
      const sentOn = { method: asked.method, url, headers: { ...others, 'content-length': length } };
      const answer = await ask(sentOn, asked.body, left.signal);
      const {
        connection: _kept,
        'content-length': _size,
        'transfer-encoding': _sent,
        ...kept
      } = answer.headers;
      return {
        status: answer.statusCode ?? 502,
        headers: kept as Readonly<Record<string, string>>, // the service repeats no header
        bytes: await buffer(answer),
      };
    };
    const reply = insteadOf(fault, { hasRetryAfter: true }) ?? (await real());
    note(fault?.kind === 'drop-after' ? 0 : reply.status);
    const named = { ...reply, headers: { 'x-request-id': id, ...reply.headers } };
    await send(outgoing, named, { fault, isGzip: false });
  };
  const server: Server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('bad gateway');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    setFaults(rules) {
      faults.set(rules);
      return Promise.resolve();
    },
    nextAnswers(path, ...script) {
      faults.set([{ path, script }]);
      return Promise.resolve();
    },
    requests: () => Promise.resolve([...log]),
    forgetRequests() {
      log = [];
      return Promise.resolve();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}
