/** A person's own database for tests: a real PostgreSQL server, a schema, and a login that only reads it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { PostgresServer } from './postgres.ts';
import { serviceProgram } from './service-program.ts';

export interface OwnService {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly process: ChildProcess;
  /** What it said on standard error so far. */
  complaints(): string;
  stop(): Promise<void>;
}

interface Listening {
  readonly address: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export const readerPassword = 'r:e\\a@d';

/** Returns SQL that makes the login `reader`, who may read everything in the schemas. */
export function readerSql(...schemas: readonly string[]): string {
  return `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'reader') THEN
      CREATE ROLE reader LOGIN NOINHERIT PASSWORD '${readerPassword}'; END IF; END $$;
    ${schemas.map((schema) => `GRANT USAGE ON SCHEMA ${schema} TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader;`).join('\n')}`;
}

export function addressOf(server: PostgresServer, database: string, user = 'reader', more = ''): string {
  return `postgres://${user}@127.0.0.1:${server.port}/${database}${more}`;
}

/** A disk of this size that only the service sees, mounted over the folder, which holds its temporary files. For root. */
export interface SmallDisk {
  readonly folder: string;
  readonly bytes: number;
}

/** Starts `serve`. Rejects with what it said if it ends before it listens. */
export async function startOwnService(
  args: readonly string[],
  password: string = readerPassword,
  disk?: SmallDisk,
): Promise<OwnService> {
  const command = [process.execPath, serviceProgram(), 'serve', '--json', '--password-stdin'];
  command.push('--parent-pid', String(process.pid), ...args);
  const mount =
    'mount -t tmpfs -o size="$0" tmpfs "$1" && cd "$1" && TMPDIR="$1" && export TMPDIR && shift && exec "$@"';
  const [program = '', ...rest] =
    disk === undefined
      ? command
      : ['unshare', '--mount', 'sh', '-c', mount, String(disk.bytes), disk.folder, ...command];
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined).end(`${password}\n`);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const listening = await new Promise<Listening>((resolve, reject) => {
    const ended = (): void => reject(new Error(said));
    child.once('close', ended);
    createInterface({ input: child.stdout }).once('line', (line) => {
      child.off('close', ended);
      resolve(JSON.parse(line) as Listening); // printed by serve.ts
    });
  });
  const { address, ...more } = listening;
  return {
    ...more,
    baseUrl: address,
    process: child,
    complaints: () => said,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Runs `serve` until it ends on its own. */
export async function runOwnService(
  args: readonly string[],
  { password = readerPassword, env = {} }: { password?: string | undefined; env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: unknown; out: string; complaints: string }> {
  const child = spawn(process.execPath, [serviceProgram(), 'serve', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  child.stdin.on('error', () => undefined).end(`${password}\n`);
  const [out, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[unknown]>, // the exit code and the signal
  ]);
  return { code, out, complaints };
}
