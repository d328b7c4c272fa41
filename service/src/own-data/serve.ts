/** `serve`: the service over a person's own PostgreSQL database, as one process. */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { identityModel } from '#api/contract/tables.ts';
import { passwordRefusedExitCode, untrustedLoginExitCode } from '#base/own-data-exit-codes.ts';
import { parseTarget, type Target } from '#base/postgres-address.ts';
import { readingRoleSql } from '#base/reading-role-sql.ts';
import { splitNames } from '#base/sql-names.ts';
import { announceTo, holdFolder } from '../leases.ts';
import { defaults } from '../options.ts';
import {
  announce,
  CommandError,
  endWith,
  makeSpoolFolder,
  ServeError,
  UsageError,
  wholeNumbers,
} from '../process.ts';
import { FileLinks } from '../routes/file-link.ts';
import { registerTokenRoute, sharedSecret, tokenPath } from '../routes/token.ts';
import { keyFor } from '../state/audit.ts';
import { runStateCommand } from '../state/commands.ts';
import { exportsOf } from '../state/exports.ts';
import { keepAnnounced } from '../state/instances.ts';
import { onlySource } from '../state/migrate.ts';
import { openState, statePlace, type StatePlace } from '../state/open-state.ts';
import { savedQueriesOf } from '../state/saved-queries.ts';
import { terminalLine } from '../terminal-line.ts';
import { AccessTokens } from '../tokens.ts';
import { createOwnApp } from './app.ts';
import { OwnDatabase, OwnDatabaseError, PasswordRefusedError, UntrustedLoginError } from './database.ts';
import { chooseSource } from './identity/choose-source.ts';
import { writeFirstMapping } from './identity/first-mapping.ts';
import { installSql } from './identity/tables.ts';
import { makeReadingRole } from './make-reading-role.ts';
import { openSource } from './open-source.ts';
import { askHidden, passwordFromInput, passwordSource } from './password.ts';
import { lookAtDatabase, type Served, type ServeRules } from './served.ts';

const usage = `Usage: identity-queries serve --database ADDRESS [options]
       identity-queries serve init --schemas NAMES [--database ADDRESS] [--role NAME]
       identity-queries serve init --database ADDRESS --mapping FILE [--schemas NAMES]
       identity-queries serve install --database ADDRESS (--preset NAME | --mapping FILE)
       identity-queries serve --config FILE          (a service for a team: docs/service.md)
       identity-queries serve clients | migrate | purge | audit --state PLACE   (--help says more)

Serves your own PostgreSQL database on this machine, for reading. The login in the address must be one that can only
read: it is tested at the start, every hour, and with a new connection if that is over 30 seconds ago. \`serve init\`
prints the SQL that makes one; with --mapping, it writes a first mapping. \`serve install\` prints the model
platform_identity as views, for the owner of a database where the login cannot have temporary ones.

  --database ADDRESS    postgres://reader@host:5432/database?sslmode=... as in libpq. Other hosts than this machine
                        must show a valid certificate (sslmode=verify-full), unless the address says otherwise. The
                        password comes from PGPASSWORD, a password file (PGPASSFILE), --password-command, or is asked
  --preset postgresql   also make the model platform_identity of the server's own roles, memberships and grants
  --mapping FILE        also make the model platform_identity of your tables, as this YAML file says
  --schemas NAMES       the schemas to serve, separated by commas; by default all that the login may read
  --state PLACE         keep saved queries with all their versions in this folder, or in a PostgreSQL database
                        (postgres://user@host:5432/database, with a login of its own; its tables are made by
                        \`serve migrate\`); without it they end with the process
  --port N              port to listen on; 0 (the default) takes a free one
  --password-command C  run this program and take the first line that it prints as the password
  --password-stdin      take the first line of standard input as the password
  --time-zone NAME      the time zone of times with a zone (UTC)
  --query-timeout N     most seconds a query may run (${defaults.queryTimeoutMs / 1_000})
  --row-limit N         most rows a query may answer (${defaults.queryRowLimit})
  --json                print one JSON line when listening, instead of text
  --accept-untested-engine
                        start on another engine, or another version than PostgreSQL 12 to 18
  --unsafe-allow-writes-by-role
                        start although the login can do more than read
  --parent-pid N        end when the process N is gone
  --leases FOLDER       as for the sandbox: run once for this folder, for the editor's windows
  --verbose             one line a request on standard error
  --help                this text

With \`serve init\`:

  --role NAME           the login to make (identity_reader)
  --run                 run the SQL in the database, as the owner of the tables in --database, instead of printing it.
                        All of it or nothing is done. Prints the password of the new login, and nothing else
`;

const clientId = 'own-data';

export async function serve(argv: readonly string[]): Promise<void> {
  if (await runStateCommand(argv)) return;
  if (argv.some((each) => /^--config(?:=|$)/.test(each))) {
    // Loaded on demand: one person's service does not need it.
    await (await import('../team/serve-team.ts')).serveTeam(argv);
    return;
  }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      schemas: { type: 'string' },
      preset: { type: 'string' },
      mapping: { type: 'string' },
      state: { type: 'string' },
      port: { type: 'string' },
      'password-stdin': { type: 'boolean' },
      'time-zone': { type: 'string' },
      'query-timeout': { type: 'string' },
      'row-limit': { type: 'string' },
      json: { type: 'boolean' },
      'accept-untested-engine': { type: 'boolean' },
      'unsafe-allow-writes-by-role': { type: 'boolean' },
      'parent-pid': { type: 'string' },
      leases: { type: 'string' },
      role: { type: 'string' },
      run: { type: 'boolean' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const schemas = values.schemas === undefined ? undefined : splitNames(values.schemas);
  if (schemas?.length === 0) throw new UsageError('--schemas must name at least one schema.');
  const target = values.database === undefined ? undefined : targetOf(values.database);
  const [command, ...more] = positionals;
  if (values.help === true) {
    process.stdout.write(usage);
    return;
  }
  const isInstall = command === 'install' && more.length === 0;
  const isInit = command === 'init' && more.length === 0;
  const newMapping = isInit ? values.mapping : undefined;
  if (isInit && newMapping === undefined) {
    if (schemas === undefined)
      throw new UsageError('Name the schemas to read, for example --schemas public,hr.');
    const role = values.role ?? 'identity_reader';
    if (values.run === true)
      await asCommand(runRoleSql({ role, schemas }, target, values['password-stdin'] === true));
    else
      process.stdout.write(
        readingRoleSql({ role, password: newPassword(), schemas, database: target?.database }),
      );
    return;
  }
  if (command !== undefined && !isInstall && !isInit)
    throw new UsageError(`"${command.slice(0, 40)}" is not an option of serve.`);
  if (values.role !== undefined) throw new UsageError('--role belongs to serve init.');
  if (values.run === true) throw new UsageError('--run belongs to serve init.');
  if (target === undefined)
    throw new UsageError('--database is missing: the address of the database to serve.');
  const whole = wholeNumbers(values);
  const port = whole('port', 0, 0, 65_535);
  const parentPid = whole('parent-pid', 0, 1, 2 ** 31);
  const queryTimeoutMs = whole('query-timeout', defaults.queryTimeoutMs / 1_000, 1, 3_600) * 1_000;
  const rowLimit = whole('row-limit', defaults.queryRowLimit, 1, 100_000_000);
  const log = values.verbose === true ? say : () => undefined;
  const place = statePlace(values.state);
  if (place.kind === 'folder') holdFolder(place.folder);
  if (values.leases !== undefined && values.leases !== values.state) holdFolder(values.leases);

  const database = await openDatabase(target, values['password-stdin'] === true);
  const source = await chooseSource({
    preset: values.preset,
    mapping: newMapping === undefined ? values.mapping : undefined,
  });
  const rules = {
    schemas,
    identity: source.identity,
    acceptsUntestedEngine: values['accept-untested-engine'] === true,
    allowsWritesByRole: values['unsafe-allow-writes-by-role'] === true,
  };
  if (newMapping !== undefined) {
    await asCommand(writeFirstMapping(newMapping, database, rules));
    say(`Wrote ${newMapping}. Look at it, then start with --mapping ${newMapping}`);
    return;
  }
  if (isInstall) {
    process.stdout.write(await asCommand(installText(database, rules)));
    return;
  }
  const state = await openState(place, say);
  const spoolFolder = await makeSpoolFolder();
  const timeZone = values['time-zone'] ?? 'UTC';
  const opened = await openSource({
    database,
    rules,
    classes: source.classes,
    spoolFolder,
    timeZone,
    timeoutMs: queryTimeoutMs,
    rowLimit,
    log,
  }).catch((error: unknown) => {
    if (error instanceof PasswordRefusedError)
      throw new ServeError(error.message, passwordRefusedExitCode, error);
    if (!(error instanceof UntrustedLoginError)) throw error;
    throw new ServeError(error.message, untrustedLoginExitCode, error);
  });
  const served = opened.current.served();
  for (const warning of served.warnings) say(`Warning: ${warning}`);

  const options = {
    host: defaults.host,
    baseUrl: `http://${defaults.host}`,
    publicUrl: undefined,
    clientId,
    clientSecret: randomBytes(18).toString('base64url'),
    tokenLifetimeSeconds: defaults.tokenLifetimeSeconds,
    leases: values.leases,
    log,
  };
  const accessTokens = new AccessTokens();
  const signIn = sharedSecret([{ id: clientId, scopes: new Set(['read', 'write']) }], options);
  const app = createOwnApp(options, {
    ...opened,
    store: savedQueriesOf(state, onlySource),
    exports: {
      store: exportsOf(state, onlySource),
      links: new FileLinks(await keyFor(state, 'links')),
    },
    accessTokens,
    register: (server) => registerTokenRoute(server, { service: options, signIn }, accessTokens),
  });
  // So that a change of the tables finds it, too.
  const withdraw = state.isShared ? await keepAnnounced(state) : undefined;
  endWith({ parentPid: parentPid === 0 ? undefined : parentPid, leases: values.leases }, async () => {
    await withdraw?.();
    await app.close();
    await state.close();
  });
  options.baseUrl = await listen(() => app.server.listen({ host: options.host, port }), port);
  if (values.leases !== undefined) {
    const { baseUrl } = options;
    announceTo(values.leases, {
      pid: process.pid,
      baseUrl,
      authUrl: `${baseUrl}${tokenPath}`,
      clientId,
      schemas: values.schemas ?? '',
      preset: values.preset ?? '',
    });
  }
  const { baseUrl, clientSecret } = options;
  announce({
    isJson: values.json === true,
    baseUrl,
    clientId,
    clientSecret,
    what: `The service over ${target.shown}`,
    notes: notesOf(served, timeZone, place),
  });
}

function notesOf(served: Served, timeZone: string, place: StatePlace): readonly string[] {
  const names = [
    ...(served.identity === undefined ? [] : [identityModel]),
    ...served.schemas.map(({ name }) => name),
  ];
  return [
    `PostgreSQL ${served.version}; models: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}. Times with a zone are in ${timeZone}.`,
    place.kind === 'memory'
      ? 'Saved queries are kept in memory; --state FOLDER keeps them for the next start.'
      : `Saved queries are kept in ${place.kind === 'folder' ? place.folder : place.target.shown}`,
  ].map(terminalLine);
}

const say = (line: string): void => void process.stderr.write(`${terminalLine(line)}\n`);

/** @param isGiven whether standard input has the password */
async function openDatabase(target: Target, isGiven: boolean): Promise<OwnDatabase> {
  const given = isGiven ? await passwordFromInput() : undefined;
  const ask = process.stdin.isTTY && process.stderr.isTTY && !isGiven ? askHidden : undefined;
  const otherPlace = 'start the service at a terminal';
  return new OwnDatabase(
    target,
    passwordSource({ target, given, environment: process.env, ask, otherPlace, warn: say }),
  );
}

/** A command that fails says why itself: no service was to start. */
async function asCommand<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof OwnDatabaseError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

const newPassword = (): string => randomBytes(18).toString('base64url');

/** Makes the login, and prints its password. @throws OwnDatabaseError or UsageError */
async function runRoleSql(
  { role, schemas }: { readonly role: string; readonly schemas: readonly string[] },
  target: Target | undefined,
  isGiven: boolean,
): Promise<void> {
  if (target === undefined)
    throw new UsageError('--run needs --database, with a user who owns the tables and may create roles.');
  const database = await openDatabase(target, isGiven);
  const password = newPassword();
  await makeReadingRole(database, { role, password, schemas, database: target.database });
  process.stdout.write(`${password}\n`);
}

/** Returns SQL of the identity model's views, for the owner of the database. */
async function installText(database: OwnDatabase, { identity }: ServeRules): Promise<string> {
  if (identity === undefined) throw new UsageError('serve install needs --preset or --mapping.');
  const { major, extensionSchemas } = await lookAtDatabase(database, {
    schemas: undefined,
    acceptsUntestedEngine: true,
    allowsWritesByRole: true,
    identity: undefined,
    mayServeNothing: true,
  });
  return installSql(await identity(database, { major, extensionSchemas }), database.target.user);
}

function targetOf(address: string): Target {
  const parsed = parseTarget(address);
  if (parsed.kind === 'problem') throw new UsageError(`--database: ${parsed.problem}`);
  if (parsed.password === undefined) return parsed.target;
  throw new UsageError(
    `--database: the address has a password in it, which other programs on this machine can read. Leave it out (${parsed.target.shown}): it is asked for, or comes from PGPASSFILE or --password-command. Change it if others use this machine.`,
  );
}

async function listen(start: () => Promise<string>, port: number): Promise<string> {
  try {
    return await start();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new Error(
        `The port ${port} is taken by another program. Choose another with --port, or leave it out.`,
        {
          cause: error,
        },
      );
    if (code === 'EACCES')
      throw new Error(`The port ${port} needs rights that this user lacks.`, { cause: error });
    throw error;
  }
}
