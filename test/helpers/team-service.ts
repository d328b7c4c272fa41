/** A team's service for tests: `serve --config` as a process, its clients, and a load balancer before several of them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runOwnService } from './own-database.ts';
import { ServiceHttp } from './service-http.ts';

const entry = fileURLToPath(new URL('../../service/src/main.ts', import.meta.url));

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
      entry,
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
  close(): Promise<void>;
}

/** Sends each request to the next of the ports. Where none listens, the answer is 502, as after a reset. */
export async function startBalancer(ports: () => readonly number[]): Promise<Balancer> {
  let turn = 0;
  const server: Server = createServer((request, response) => {
    const all = ports();
    const port = all[(turn += 1) % all.length];
    const fail = (): void => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain' }).end('bad gateway');
    };
    const { method, url, headers } = request;
    const sent = httpRequest(
      { host: '127.0.0.1', port, method, path: url, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', fail);
        answer.pipe(response);
      },
    );
    sent.on('error', fail);
    request.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
