/** Starts the local service in a separate process, for tests over HTTP. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { prepareDatabase } from '#service/build/prepare.ts';
import type { Answer, Faults } from '#service/plugins/faults.ts';
import type { LoggedRequest } from '#service/plugins/request-log.ts';
import { sampleDatabase } from './sample-databases.ts';
import { bundledService, serviceProgram } from './service-program.ts';

export type { Answer as FaultAnswer } from '#service/plugins/faults.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface StartSandboxOptions {
  /** Enables `setFaults` and `requests`; on by default. */
  readonly faults?: boolean;
  /**
   * Runs the built bundle also outside of `npm test`.
   */
  readonly from?: 'dist';
  readonly dataFolder?: string;
  readonly seed?: number;
  readonly accounts?: number;
  /** The service's current date, for example 2026-06-30. */
  readonly now?: string;
  readonly tokenLifetimeSeconds?: number;
  readonly queryTimeoutSeconds?: number;
  readonly rowLimit?: number;
  readonly port?: number;
  /**
   * URL of the PostgreSQL database for SQL. Default: a database from `useDatabases` if it was called, otherwise a sample
   * database, or PGlite where no server was started.
   */
  readonly database?: string;
  /** True if the embedded engine, PGlite, is what is tested. `useDatabases` still replaces it. */
  readonly embedded?: boolean;
  /** Additional command-line arguments. */
  readonly args?: readonly string[];
}

export interface RunningSandbox {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Time limit for the tests' clients: on a slow machine, the first query waits long for the database to start. */
  readonly timeoutMs?: number;
  readonly process: ChildProcess;
  /** Replaces all fault rules; without rules, nothing fails. */
  setFaults(rules: Faults['rules']): Promise<void>;
  /** Queues responses to the next requests to `path`, or to any path if it is `*`. */
  nextAnswers(path: string, ...answers: Answer[]): Promise<void>;
  /** The last thousand requests since the start or the last `forgetRequests`, oldest first. */
  requests(): Promise<readonly LoggedRequest[]>;
  forgetRequests(): Promise<void>;
  /** Stops the process and awaits its exit. */
  stop(): Promise<void>;
}

interface Listening {
  readonly event: 'listening';
  readonly address: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

let startInstead: ((options: StartSandboxOptions) => Promise<Omit<RunningSandbox, 'process'>>) | undefined;
let ownsData = false;

/** From now on, starts another service in place of each sandbox; the same tests must pass against it. */
export function useService(
  start: NonNullable<typeof startInstead>,
  { isOwnData: owns = false }: { readonly isOwnData?: boolean } = {},
): void {
  startInstead = start;
  ownsData = owns;
}

/** Returns true if the data is in a database that its owner serves, with other schemas and without the sample's comments. */
export function isOwnData(): boolean {
  return ownsData;
}

let makeDatabase: (() => Promise<string>) | undefined;

/** From now on, creates a database with this function for each sandbox that is started without one. */
export function useDatabases(make: () => Promise<string>): void {
  makeDatabase = make;
}

/** Returns true if sandboxes use a PostgreSQL server, where each needs its own database. */
export function usesDatabases(): boolean {
  return makeDatabase !== undefined;
}

/** Creates a database that several sandboxes use in sequence; undefined if they use PGlite. */
export async function ownDatabase(): Promise<string | undefined> {
  return await makeDatabase?.();
}

/** Starts a sandbox. Rejects with the process's output if it exits before it listens. */
export async function startSandbox(options: StartSandboxOptions = {}): Promise<RunningSandbox> {
  if (startInstead !== undefined)
    return Object.defineProperty(await startInstead(options), 'process', {
      get: () => {
        throw new TypeError('This service has no process of its own.');
      },
    }) as RunningSandbox; // adds the missing member
  return await startSandboxItself(options);
}

/** Starts a sandbox, also where another service takes its place in the tests. */
export async function startSandboxItself(options: StartSandboxOptions = {}): Promise<RunningSandbox> {
  const entry = options.from === 'dist' ? bundledService : serviceProgram();
  if (!existsSync(entry)) throw new Error(`${entry} does not exist; run \`npm run build\` first.`);
  if (entry !== bundledService) await prepareDatabase(path.join(root, 'dist/sandbox'));
  const flag = (name: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [name, String(value)];
  const given = options.database ?? (await makeDatabase?.());
  const sample = given === undefined && options.embedded !== true ? await sampleDatabase(options) : undefined;
  const database = given ?? sample?.url;
  const child = spawn(
    process.execPath,
    [
      entry,
      '--json',
      ...flag('--parent-pid', process.pid),
      ...(options.faults === false ? [] : ['--faults']),
      ...flag('--port', options.port),
      ...flag('--database', database),
      ...flag('--data', options.dataFolder),
      ...flag('--seed', options.seed),
      ...flag('--accounts', options.accounts),
      ...flag('--now', options.now),
      ...flag('--token-lifetime', options.tokenLifetimeSeconds),
      ...flag('--query-timeout', options.queryTimeoutSeconds),
      ...flag('--row-limit', options.rowLimit),
      ...(options.args ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { address, ...credentials } = await firstLine(child);

  const admin = async (method: string, route: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${address}/_sandbox/${route}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`${method} /_sandbox/${route} answered ${response.status}`);
    return response.status === 204 ? undefined : await response.json();
  };
  return {
    baseUrl: address,
    authUrl: credentials.authUrl,
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
    timeoutMs: 120_000,
    process: child,
    setFaults: async (rules) => {
      await admin('POST', 'faults', { rules });
    },
    nextAnswers: async (route, ...answers) => {
      await admin('POST', 'faults', { rules: [{ path: route, script: answers }] });
    },
    requests: async () => {
      const answer = (await admin('GET', 'requests')) as { requests: LoggedRequest[] }; // the sandbox's response
      return answer.requests;
    },
    forgetRequests: async () => {
      await admin('DELETE', 'requests');
    },
    stop: async () => {
      await stop(child);
      await sample?.drop();
    },
  };
}

/** Runs a sandbox, and waits until it exits on its own. */
export async function runSandbox(
  ...args: string[]
): Promise<{ code: unknown; out: string; complaints: string }> {
  const child = spawn(process.execPath, [serviceProgram(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[unknown]>, // the exit code and the signal
  ]);
  return { code, out, complaints };
}

function firstLine(child: ChildProcess): Promise<Listening> {
  return new Promise((resolve, reject) => {
    let complaints = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
    const ended = (): void => reject(new Error(`The sandbox ended before it listened: ${complaints}`));
    child.once('exit', ended);
    child.once('error', reject);
    if (child.stdout === null) throw new Error('The sandbox has no output to read.');
    createInterface({ input: child.stdout }).once('line', (line) => {
      child.off('exit', ended);
      resolve(JSON.parse(line) as Listening); // printed by main.ts
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
