/** The sandbox process: parses options, prints its address, and exits cleanly on request or when its parent is gone. */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createApp } from './app.ts';
import { findAssets } from './assets.ts';
import { noScopesId, readerId } from './clients.ts';
import { ChangeLedger } from './data/changes/ledger.ts';
import { World } from './data/company/world.ts';
import { FolderInUseError, folderInUseExitCode, announceTo, holdFolder } from './leases.ts';
import type { Log } from './log.ts';
import { dayMs, defaults, startOfDay, type SandboxOptions } from './options.ts';
import { nameOfHost } from './plugins/host.ts';
import { isOddity, oddities, type Oddity } from './plugins/oddities.ts';
import { parseAddress, type ServerAddress } from './postgres/address.ts';
import type { ServerFacts } from './postgres/server.ts';
import {
  announce,
  CommandError,
  dateOption,
  endWith,
  ServeError,
  UsageError,
  wholeNumbers,
} from './process.ts';
import { createWorkerEngine, type QueryEngine } from './query/engine.ts';
import { createNoEngine } from './query/no-engine.ts';
import { tokenPath } from './routes/token.ts';
import { openChangeStore } from './store/change-store.ts';
import { terminalLine } from './terminal-line.ts';

/**
 * Limit for PGlite, which keeps its tables in memory: at most 0.4 GB for 1,000 accounts and 1.6 GB for 50,000 while
 * loading them (resident, measured 2026-11-26).
 */
const mostAccountsInMemory = 50_000;

const usage = `Usage: identity-queries sandbox [options]

Starts the local Identity and Access Data Service with synthetic data.

  --port N              port to listen on; 0 (the default) takes a free one
  --host ADDRESS        address to listen on (${defaults.host})
  --data FOLDER         keep saved queries, changes and jobs in this folder; without it they end with the
                        process
  --seed N              which data: the same seed and size give the same records (${defaults.seed})
  --accounts N          how many accounts, everything else in proportion (${defaults.accounts}); SQL over more than
                        ${mostAccountsInMemory} needs --database
  --now DATE            the day the data leads up to (today)
  --client-id ID        (${defaults.clientId})
  --client-secret TEXT  (made at random and printed); ${readerId} with the same secret may only read, and
                        ${noScopesId} may do nothing
  --token-lifetime N    seconds an access token lives (${defaults.tokenLifetimeSeconds})
  --public-url URL      the address callers use, where it is not the one listened on
  --allow-host NAME     answer to this host name too; may be given several times
  --database URL        run the SQL on this PostgreSQL server (postgres://user@host:5432/database, several hosts
                        separated by commas for a cluster); the password comes from the URL or from PGPASSWORD.
                        Makes the schemas platform_identity and platform_governance and two roles that read them,
                        and touches nothing else
  --remove-data         with --database: remove what the sandbox made there, and end
  --query-timeout N     most seconds a query may run (${defaults.queryTimeoutMs / 1_000})
  --row-limit N         most rows a query may answer (${defaults.queryRowLimit})
  --job-step N          milliseconds between two states of a job or an export (${defaults.jobStepMs})
  --preparing-pages N   begin every list with N empty pages (0)
  --rate-limit N        requests a client may send in a second; more get 429
  --odd NAME            answer as another service could that keeps to the same specification; may be given
                        several times:
${Object.entries(oddities)
  .map(([name, [words]]) => `                          ${name.padEnd(22)}${words}`)
  .join('\n')}
  --faults              answer /_sandbox/faults and /_sandbox/requests, for tests
  --json                print one JSON line when listening, instead of text
  --parent-pid N        end when the process N is gone
  --leases FOLDER       run once for this folder, take secrets whose SHA-256 is in a file in it, and
                        end when no process whose number is the name of such a file is alive
  --verbose             one line a request on standard error
  --help                this text
`;

interface ProcessOptions extends Omit<SandboxOptions, 'baseUrl' | 'log'> {
  readonly port: number;
  readonly json: boolean;
  readonly parentPid: number | undefined;
  readonly leases: string | undefined;
  readonly verbose: boolean;
  readonly database: ServerAddress | undefined;
  readonly removeData: boolean;
}

export function readOptions(argv: readonly string[]): ProcessOptions | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      data: { type: 'string' },
      seed: { type: 'string' },
      accounts: { type: 'string' },
      now: { type: 'string' },
      'client-id': { type: 'string' },
      'client-secret': { type: 'string' },
      'token-lifetime': { type: 'string' },
      'public-url': { type: 'string' },
      'allow-host': { type: 'string', multiple: true },
      database: { type: 'string' },
      'remove-data': { type: 'boolean' },
      'query-timeout': { type: 'string' },
      'row-limit': { type: 'string' },
      'parent-pid': { type: 'string' },
      leases: { type: 'string' },
      'job-step': { type: 'string' },
      'preparing-pages': { type: 'string' },
      'rate-limit': { type: 'string' },
      odd: { type: 'string', multiple: true },
      faults: { type: 'boolean' },
      json: { type: 'boolean' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return 'help';
  const whole = wholeNumbers(values);
  const now = values.now === undefined ? Date.now() : dateOption('now', values.now);
  const database = values.database === undefined ? undefined : parseAddress(values.database);
  if (values.database !== undefined && database === undefined) {
    throw new UsageError(
      '--database must be an address such as postgres://user@host:5432/database, with the user before the @.',
    );
  }
  if (values['remove-data'] === true && database === undefined)
    throw new UsageError('--remove-data needs --database: without one there is nothing to remove.');
  const rateLimit = whole('rate-limit', 0, 1, 1_000_000);
  const parentPid = whole('parent-pid', 0, 1, 2 ** 31);
  return {
    host: values.host ?? defaults.host,
    port: whole('port', 0, 0, 65_535),
    publicUrl: values['public-url']?.replace(/\/+$/, ''),
    allowedHosts: readHosts(values['allow-host'] ?? []),
    dataFolder: values.data,
    clientId: values['client-id'] ?? defaults.clientId,
    clientSecret: values['client-secret'] ?? randomBytes(18).toString('base64url'),
    tokenLifetimeSeconds: whole('token-lifetime', defaults.tokenLifetimeSeconds, 1, 30 * (dayMs / 1_000)),
    seed: whole('seed', defaults.seed, 0, 2 ** 31),
    accounts: whole('accounts', defaults.accounts, 10, 1_000_000),
    now: startOfDay(now),
    odd: readOdd(values.odd ?? []),
    faults: values.faults === true,
    queryTimeoutMs: whole('query-timeout', defaults.queryTimeoutMs / 1_000, 1, 3_600) * 1_000,
    queryRowLimit: whole('row-limit', defaults.queryRowLimit, 1, 100_000_000),
    jobStepMs: whole('job-step', defaults.jobStepMs, 0, 600_000),
    preparingPages: whole('preparing-pages', 0, 0, 1_000),
    rateLimit: rateLimit === 0 ? undefined : rateLimit,
    json: values.json === true,
    parentPid: parentPid === 0 ? undefined : parentPid,
    leases: values.leases,
    verbose: values.verbose === true,
    database,
    removeData: values['remove-data'] === true,
  };
}

function readHosts(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => nameOfHost(name) === undefined);
  if (wrong !== undefined)
    throw new UsageError(`--allow-host ${wrong} must be a host name or an address, without a port.`);
  return names;
}

function readOdd(names: readonly string[]): ReadonlySet<Oddity> {
  const unknown = names.find((name) => !isOddity(name));
  if (unknown !== undefined)
    throw new UsageError(`--odd ${unknown} is not known. Known names: ${Object.keys(oddities).join(', ')}.`);
  return new Set(names.filter(isOddity));
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return;
  }
  if (options.leases !== undefined) holdFolder(options.leases);
  const log: Log = options.verbose
    ? (line) => process.stderr.write(`${terminalLine(line)}\n`)
    : () => undefined;
  if (options.removeData && options.database !== undefined) {
    await removeData(options.database, log);
    return;
  }
  const sandbox: SandboxOptions = { ...options, baseUrl: options.publicUrl ?? 'http://127.0.0.1', log };
  const { seed, accounts, now } = options;
  const changes = openChangeStore(options.dataFolder, { seed, accounts });
  const ledger = new ChangeLedger(new World({ seed, accounts, now }), changes.changes());
  const { engine, server } = await startEngine(options, ledger, log);
  const app = await createApp(sandbox, { engine, changes, ledger });
  const isEnding = endWith(options, () => app.close());
  const address = await app.server.listen({ host: options.host, port: options.port });
  sandbox.baseUrl = options.publicUrl ?? address;
  if (options.leases !== undefined) {
    const { baseUrl, clientId } = sandbox;
    announceTo(options.leases, {
      pid: process.pid,
      baseUrl,
      authUrl: `${baseUrl}${tokenPath}`,
      clientId,
    });
  }
  announceSandbox(options, sandbox, server);
  // Only queries wait for the data, so tests without queries need not load it.
  if (options.faults && server === undefined) return;
  await engine.ready().catch((error: unknown) => {
    if (!isEnding())
      process.stderr.write(`${terminalLine(error instanceof Error ? error.message : String(error))}\n`);
  });
}

interface StartedEngine {
  readonly engine: QueryEngine;
  /** The server that runs the SQL; undefined for PGlite. */
  readonly server: ServerFacts | undefined;
}

async function startEngine(
  options: ProcessOptions,
  { service }: ChangeLedger,
  log: Log,
): Promise<StartedEngine> {
  const { database } = options;
  const { changes, settings: data } = service;
  const { worker, loader, assets, prepared } = findAssets(import.meta.url);
  const shared = {
    timeoutMs: options.queryTimeoutMs,
    rowLimit: options.queryRowLimit,
    byteLimit: 512 * 1024 * 1024,
    log,
  };
  if (database === undefined && data.accounts > mostAccountsInMemory)
    return { engine: createNoEngine(tooManyAccounts(data.accounts)), server: undefined };
  if (database === undefined) {
    const settings = { data, changes, assets, prepared, wasm: undefined };
    return { engine: createWorkerEngine({ ...shared, worker, settings }), server: undefined };
  }
  // Loaded on demand, since most sandboxes do not use a server.
  const [{ Server }, { createPostgresEngine }] = await Promise.all([
    import('./postgres/server.ts'),
    import('./postgres/engine.ts'),
  ]);
  const server = new Server(database, log);
  await server.open();
  return {
    engine: createPostgresEngine({ ...shared, server, loader, data, changes }),
    server: server.facts,
  };
}

function tooManyAccounts(accounts: number): string {
  return `SQL over ${accounts} accounts needs a PostgreSQL server: start the sandbox with --database, or with at most ${mostAccountsInMemory} accounts. Everything but SQL is answered.`;
}

async function removeData(database: ServerAddress, log: Log): Promise<void> {
  const { Server } = await import('./postgres/server.ts');
  const server = new Server(database, log);
  await server.remove();
  await server.close();
  process.stdout.write(`What the sandbox made in ${database.shown} was removed.\n`);
}

function announceSandbox(
  options: ProcessOptions,
  { baseUrl, clientId, clientSecret }: SandboxOptions,
  server: ServerFacts | undefined,
): void {
  announce({
    isJson: options.json,
    baseUrl,
    clientId,
    clientSecret,
    what: 'The sandbox of the Identity and Access Data Service',
    notes: [
      options.dataFolder === undefined
        ? 'Saved queries and changes are kept in memory; --data FOLDER keeps them for the next start.'
        : `Saved queries and changes are kept in ${options.dataFolder}`,
      ...(server === undefined || options.database === undefined
        ? []
        : [
            `SQL runs on PostgreSQL ${server.version} at ${options.database.shown}: the data is in the schemas`,
            'platform_identity and platform_governance, which stay there; --remove-data removes them.',
          ]),
      ...(server === undefined && options.accounts > mostAccountsInMemory
        ? [tooManyAccounts(options.accounts)]
        : []),
    ],
  });
}

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  if (command !== 'serve') await run();
  // Loaded on demand: a sandbox does not need it.
  else await (await import('./own-data/serve.ts')).serve(rest);
}

const isServing = process.argv[2] === 'serve';

main().catch((error: unknown) => {
  const isOption =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const isUsage = error instanceof UsageError || isOption;
  const message = error instanceof Error ? error.message : String(error);
  // Node.js adds how to write an argument that looks like an option, and there is none.
  const reason = isOption
    ? `${message.replace(/(?:\. To specify a positional |\nTo specify an option argument )[^]*$/, '').replaceAll('\n', ' ')}.`.replace(
        /\.\.$|\?\.$/,
        (end) => end.slice(0, 1),
      )
    : message;
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const said = terminalLine(
    isTaken
      ? 'another program listens on this port. Choose another, or a free one: identity-queries sandbox --port 0'
      : reason,
  );
  const help = isServing ? 'identity-queries serve --help says more.\n' : usage;
  const what = isServing ? 'service' : 'sandbox';
  const failed = error instanceof CommandError ? said : `The ${what} could not start: ${said}`;
  process.stderr.write(isUsage ? `${said}\n\n${help}` : `${failed}\n`);
  process.exit(isUsage ? 2 : exitCodeOf(error));
});

function exitCodeOf(error: unknown): number {
  if (error instanceof FolderInUseError) return folderInUseExitCode;
  return error instanceof ServeError ? error.exitCode : 1;
}
