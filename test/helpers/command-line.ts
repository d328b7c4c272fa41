/**
 * Runs the bundled command line: in a process of its own where a test looks at the process, otherwise in this one,
 * since starting it takes longer than most commands.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { run as runBundle } from '#cli/main.ts';
import type { RunningSandbox } from './sandbox.ts';

const dist = path.join(import.meta.dirname, '../../dist');
const program = path.join(dist, 'cli.js');

/** Commands that hold the process's own streams or signals until they are ended. */
export const longRunning: ReadonlySet<string> = new Set(['mcp', 'sandbox', 'serve', 'server']);
/** Variables that the program takes from its context; it or Node.js may read others from the process. */
const ownVariable = /^(?:IDENTITY_QUERIES|XDG)_/;

export interface CliOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The ID of an unprivileged user, for tests that run as root. */
  readonly uid?: number;
  /** Called once the process has started. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Starts a process, for tests of what is the process's own: its exit, locks, and reading of the environment. */
  readonly startsProcess?: boolean;
}

/** Hides the connections and folders of the user who runs the tests. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliOutcome> {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('IDENTITY_QUERIES_')),
  );
  const environment = {
    ...clean,
    XDG_CONFIG_HOME: path.join(options.cwd, 'home'),
    XDG_DATA_HOME: path.join(options.cwd, 'data'),
    ...options.env,
  };
  const needsProcess =
    options.startsProcess === true ||
    options.uid !== undefined ||
    options.onStart !== undefined ||
    longRunning.has(args[0] ?? '') ||
    Object.keys(options.env ?? {}).some((name) => !ownVariable.test(name));
  return needsProcess
    ? await runProcess(args, options, environment)
    : await runBundled(args, { ...options, environment });
}

async function runProcess(
  args: readonly string[],
  options: CliOptions,
  env: NodeJS.ProcessEnv,
): Promise<CliOutcome> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd,
    env,
    stdio: 'pipe',
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
  options.onStart?.(child);
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}

/** Runs it in this process. */
export async function runBundled(
  args: readonly string[],
  {
    cwd,
    input = '',
    environment,
  }: Pick<CliOptions, 'cwd' | 'input'> & { readonly environment: NodeJS.ProcessEnv },
): Promise<CliOutcome> {
  const bundle: unknown = await import(pathToFileURL(path.join(dist, 'command-line.js')).href);
  const { run } = bundle as { run: typeof runBundle }; // built from it
  const stdout = new Collected();
  const stderr = new Collected();
  const code = await run(args, {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout,
    stderr,
    environment,
    cwd,
    listen: () => undefined,
    exit: () => undefined,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/** Returns the environment variables that connect to a sandbox. */
export function sandboxEnvironment({ baseUrl, authUrl, clientId, clientSecret }: RunningSandbox) {
  return {
    IDENTITY_QUERIES_BASE_URL: baseUrl,
    IDENTITY_QUERIES_AUTH_URL: authUrl,
    IDENTITY_QUERIES_CLIENT_ID: clientId,
    IDENTITY_QUERIES_CLIENT_SECRET: clientSecret,
  };
}
