/** Runs the bundled command line as a user or a build job would. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningSandbox } from './sandbox.ts';

const program = path.join(import.meta.dirname, '../../dist/cli.js');

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
}

/** Hides the connections and folders of the user who runs the tests. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliOutcome> {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('IDENTITY_QUERIES_')),
  );
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd,
    env: {
      ...clean,
      XDG_CONFIG_HOME: path.join(options.cwd, 'home'),
      XDG_DATA_HOME: path.join(options.cwd, 'data'),
      ...options.env,
    },
    stdio: 'pipe',
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const exited = once(child, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
  options.onStart?.(child);
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
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
