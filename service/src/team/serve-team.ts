/** `serve --config`: a service for a team, with sources, clients, and a state that several instances share. */
import { createServer as createPlainServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { holdFolder } from '../leases.ts';
import { createOwnApp, type OwnApp } from '../own-data/app.ts';
import { OwnDatabase, OwnDatabaseError } from '../own-data/database.ts';
import { openSource, type Source } from '../own-data/open-source.ts';
import { passwordSource } from '../own-data/password.ts';
import { endWith, makeSpoolFolder } from '../process.ts';
import { FileLinks } from '../routes/file-link.ts';
import { tokenPath, type SignIn } from '../routes/token.ts';
import { Audit, keyFor, purgeAudit } from '../state/audit.ts';
import { purgeTokens, signedIn, StateTokens } from '../state/clients.ts';
import { exportsOf, sourceOfExport } from '../state/exports.ts';
import {
  announceInstance,
  heartbeatMs,
  liveInstances,
  program,
  removeInstance,
  type Instance,
} from '../state/instances.ts';
import { openState } from '../state/open-state.ts';
import { purgeSavedQueries, savedQueriesOf } from '../state/saved-queries.ts';
import type { StateDatabase } from '../state/state-database.ts';
import { newOwner, PageTokens, type TokenStore } from '../tokens.ts';
import { readConfig, type Listen, type SourceConfig, type TeamConfig } from './config.ts';
import { useForwarding } from './forward.ts';
import { createFront, notServed, sourceIsAway } from './front.ts';
import { Metrics } from './metrics.ts';
import { StateReport } from './state-report.ts';

const hourMs = 3_600_000;
/** A source that could not be opened is tried again after this time. */
const awayMs = 10_000;
const readyMs = 3_000;
/** Whoever reads a result asks for its next page within this time. */
const nextPageMs = 3_000;

/** @throws Error with a plain-language message if the service cannot start. */
export async function serveTeam(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: { config: { type: 'string' }, 'parent-pid': { type: 'string' } },
  });
  const config = await readConfig(values.config ?? '');
  const { place, password } = config.state;
  if (place.kind === 'folder') holdFolder(place.folder);
  const note = (line: string): void => tell({ event: 'note', message: line });
  const state = await openState(place, note, password);
  const spoolFolder = await makeSpoolFolder();
  const team = await Team.open(config, state, spoolFolder);
  const parent = Number(values['parent-pid'] ?? 0);
  endWith(
    { parentPid: parent === 0 ? undefined : parent, leases: undefined, withinMs: config.stopMs + 5_000 },
    () => team.close(),
  );
  await team.listen();
}

/** Writes a line for the operator. It has no SQL, value, row or secret. */
function tell(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
}

const problem = (message: string): void => tell({ event: 'problem', message });

class Team {
  readonly #config: TeamConfig;
  readonly #state: StateDatabase;
  readonly #boot = newOwner();
  readonly #sources = new Map<
    string,
    { readonly source: Source; readonly app: OwnApp; readonly resultTokens: PageTokens }
  >();
  /** Whose database could not be used so far. */
  readonly #away = new Map<string, SourceConfig>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #metrics: Metrics;
  readonly #options: {
    host: string;
    publicUrl: string | undefined;
    baseUrl: string;
    clientId: string;
    allowedHosts: readonly string[];
    log: (line: string) => void;
  };
  #front: FastifyInstance | undefined;
  #metricsServer: ReturnType<typeof createPlainServer> | undefined;
  #live: readonly Instance[] = [];
  readonly #stateReport = new StateReport(problem);
  #isStopping = false;
  #isWithdrawn = false;

  static async open(config: TeamConfig, state: StateDatabase, spoolFolder: string): Promise<Team> {
    const team = new Team(config, state);
    await team.#openSources(spoolFolder);
    return team;
  }

  private constructor(config: TeamConfig, state: StateDatabase) {
    this.#config = config;
    this.#state = state;
    const { listen, publicUrl, instance, tls } = config;
    this.#options = {
      host: listen.host,
      publicUrl,
      baseUrl: publicUrl ?? `${tls === undefined ? 'http' : 'https'}://${listen.host}`,
      clientId: '',
      // The other instances call by this name.
      allowedHosts: instance.address === undefined ? [] : [new URL(instance.address).hostname],
      log: problem,
    };
    this.#metrics = new Metrics([
      {
        name: 'identity_queries_runs',
        help: 'Queries that run or wait.',
        values: () =>
          [...this.#sources].flatMap(
            ([
              source,
              {
                source: { engine },
              },
            ]) => [
              [{ source, state: 'running' }, engine.load.running] as const,
              [{ source, state: 'waiting' }, engine.load.waiting] as const,
            ],
          ),
      },
      {
        name: 'identity_queries_instances',
        help: 'Instances that run.',
        values: () => [[{}, this.#live.length]],
      },
      {
        name: 'identity_queries_configurations',
        help: 'Different configurations of the instances that run; 1 is right.',
        values: () => [[{}, this.#configurations]],
      },
      {
        name: 'identity_queries_source_up',
        help: 'Whether the source was opened. One that was not is tried again.',
        values: () =>
          this.#config.sources.map(({ name }) => [{ source: name }, this.#sources.has(name) ? 1 : 0]),
      },
      {
        name: 'identity_queries_state_up',
        help: 'Whether the state can be reached.',
        values: () => [[{}, this.#stateReport.isAway ? 0 : 1]],
      },
      {
        name: 'process_resident_memory_bytes',
        help: 'Memory of the process.',
        values: () => [[{}, process.memoryUsage.rss()]],
      },
    ]);
  }

  get #configurations(): number {
    return new Set(this.#live.map(({ configuration }) => configuration)).size;
  }

  async #openSources(spoolFolder: string): Promise<void> {
    const audit = await Audit.open(this.#state);
    const listKey = await keyFor(this.#state, 'page-tokens');
    const links = new FileLinks(await keyFor(this.#state, 'links'));
    const tokens = new StateTokens(this.#state);
    const serve = async (each: SourceConfig): Promise<void> => {
      const { name } = each;
      const source = await openConfigured(each, spoolFolder);
      const resultTokens = new PageTokens({ owner: this.#boot });
      const store = savedQueriesOf(this.#state, name, async (run, { by, action, id, text }) => {
        await audit.within(run, { source: name, client: by.id, action, subject: id, text });
      });
      const app = createOwnApp(this.#options, {
        ...source,
        store,
        exports: {
          links,
          store: exportsOf(this.#state, name, {
            hasClients: true,
            witness: (run, { id, client, context }) =>
              audit.within(run, { source: name, client, action: 'export', subject: id, text: context }),
          }),
        },
        accessTokens: tokensOf(tokens, name),
        listTokens: new PageTokens({ key: Buffer.from(`${listKey.toString('base64')} ${name}`) }),
        resultTokens,
        onRun: ({ client, model, text }) =>
          audit.add({ source: name, client, action: 'run', subject: model, text }),
        requestLog: () => undefined,
        register: (server) => {
          this.#watch(server, name);
          useForwarding(server, this.#boot, async (boot) =>
            (await liveInstances(this.#state)).find((instance) => instance.boot === boot),
          );
        },
      });
      await app.server.ready();
      this.#sources.set(name, { source, app, resultTokens });
      this.#away.delete(name);
    };
    const failures: OwnDatabaseError[] = [];
    for (const each of this.#config.sources)
      await serve(each).catch((error: unknown) => {
        if (!(error instanceof OwnDatabaseError)) throw error;
        failures.push(error);
        this.#away.set(each.name, each);
      });
    const [failure] = failures;
    if (failure !== undefined && this.#sources.size === 0) throw failure;
    for (const { message } of failures) problem(message);
    this.#every(awayMs, async () => {
      for (const each of this.#away.values()) await serve(each).catch(() => undefined); // it was told at the start
    });
    const names = new Set(this.#config.sources.map(({ name }) => name));
    const signIn: SignIn = async (id, secret) => {
      const client = await signedIn(this.#state, id, secret);
      return client === undefined || names.has(client.source) ? client : notServed(client.source);
    };
    this.#front = createFront(this.#options, {
      tls: this.#config.tls,
      appOf: (name) => this.#sources.get(name)?.app,
      first: [...this.#sources.values()][0]?.app,
      isAway: (name) => this.#away.has(name),
      tokens,
      signIn,
      sourceOfExport: (id) => sourceOfExport(this.#state, id),
      notReady: () => this.#notReady(),
      facts: () => ({ instances: this.#live.length, configurations: this.#configurations }),
      requestLog: () => undefined,
      onRequest: (server) => this.#watch(server, undefined),
    });
  }

  async listen(): Promise<void> {
    const { listen, tls, metrics, instance, publicUrl, digest } = this.#config;
    const address = await listening('listen', listen, async () => await this.#front?.listen({ ...listen }));
    // The library does not know that the server encrypts.
    const own = tls === undefined ? address : address?.replace(/^http:/, 'https:');
    this.#options.baseUrl = publicUrl ?? own ?? '';
    if (metrics !== undefined) {
      this.#metricsServer = createPlainServer((request, response) => {
        const isThere = request.method === 'GET' && request.url === '/metrics';
        response.writeHead(isThere ? 200 : 404, {
          'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        });
        response.end(isThere ? this.#metrics.text() : '');
      });
      const opened = (): Promise<void> =>
        new Promise((resolve, reject) =>
          this.#metricsServer?.once('error', reject).listen(metrics.port, metrics.host, resolve),
        );
      await listening('metrics', metrics, opened);
    }
    const self: Instance = {
      id: instance.name,
      boot: this.#boot,
      address: instance.address,
      certificate: tls?.cert.toString('utf8'),
      configuration: digest,
      sources: this.#config.sources.map(({ name }) => name),
      program,
    };
    const beat = async (): Promise<void> => {
      try {
        if (!this.#isWithdrawn) await announceInstance(this.#state, self);
        this.#live = await liveInstances(this.#state);
        this.#stateReport.worked();
      } catch (error) {
        this.#stateReport.failed(error);
      }
    };
    await beat();
    this.#every(heartbeatMs, beat);
    void tidy(this.#state);
    this.#every(hourMs, () => tidy(this.#state));
    tell({
      event: 'listening',
      address: this.#options.baseUrl,
      authUrl: `${this.#options.baseUrl}${tokenPath}`,
      sources: [...this.#sources.keys()],
      configuration: digest,
      instance: instance.name,
    });
  }

  /** Lets results be read to their end, takes no new requests, lets those under way end, and then ends. */
  async close(): Promise<void> {
    this.#isStopping = true;
    const cutAt = performance.now() + this.#config.stopMs;
    tell({ event: 'stopping' });
    // Only this instance has them. `/ready` keeps new requests away meanwhile.
    while (performance.now() < cutAt && this.#isBeingRead()) await wait(100);
    this.#isWithdrawn = true;
    for (const timer of this.#timers) clearInterval(timer);
    await removeInstance(this.#state, this.#boot).catch(() => undefined);
    const cut = setTimeout(
      () => this.#front?.server.closeAllConnections(),
      Math.max(0, cutAt - performance.now()),
    );
    await this.#front?.close();
    clearTimeout(cut);
    await Promise.all([...this.#sources.values()].map(({ app }) => app.close()));
    this.#metricsServer?.close();
    await this.#state.close();
    tell({ event: 'stopped' });
  }

  /** Whether a query runs, or someone just got a page that is not the last. */
  #isBeingRead(): boolean {
    return [...this.#sources.values()].some(
      ({ source: { engine }, resultTokens: { sealedAt } }) =>
        engine.load.running + engine.load.waiting > 0 || performance.now() - sealedAt < nextPageMs,
    );
  }

  async #notReady(): Promise<readonly string[]> {
    if (this.#isStopping) return ['The service is stopping.'];
    try {
      // A server that hangs is told in time for whoever asks each few seconds.
      await withinMs(readyMs, this.#state.read('SELECT 1 AS one'));
      return [];
    } catch {
      return ['The state cannot be reached.'];
    }
  }

  /** Tells and counts each request by its route, which has names in place of values. */
  #watch(server: FastifyInstance, source: string | undefined): void {
    server.addHook('onRequest', (request, reply, done) => {
      // Or a client that goes on asking over one connection would hold the service.
      if (this.#isStopping) reply.header('connection', 'close');
      const startedAt = performance.now();
      reply.raw.once('close', () => {
        const seconds = (performance.now() - startedAt) / 1_000;
        const status = reply.raw.writableFinished ? reply.raw.statusCode : 0;
        const route = request.routeOptions.url ?? 'unknown';
        this.#metrics.request(request.method, route, status, seconds);
        tell({
          event: 'request',
          method: request.method,
          route,
          status,
          ms: Math.round(seconds * 1_000),
          request: request.id,
          // A request without a valid token belongs to no source.
          ...(request.grant === undefined ? {} : { source, client: request.grant.clientId }),
        });
      });
      done();
    });
  }

  #every(ms: number, work: () => Promise<void>): void {
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      void work().finally(() => (isBusy = false));
    }, ms);
    timer.unref();
    this.#timers.push(timer);
  }
}

/** Says which address of the configuration cannot be listened on. */
async function listening<Result>(
  member: string,
  { host, port }: Listen,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = listenReasons[code];
    if (reason === undefined) throw error;
    throw new Error(`\`${member}\` in the configuration: ${reason} (${host}, port ${port}).`, {
      cause: error,
    });
  }
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine has no such address',
  EACCES: 'this user may not listen there',
};

/** Rejects if the answer takes longer. */
async function withinMs(ms: number, answer: Promise<unknown>): Promise<void> {
  const late = AbortSignal.timeout(ms);
  await Promise.race([
    answer,
    new Promise((_resolve, reject) => late.addEventListener('abort', () => reject(new Error('No answer.')))),
  ]);
}

async function tidy(state: StateDatabase): Promise<void> {
  try {
    await purgeTokens(state);
    await purgeSavedQueries(state, false);
    await purgeAudit(state);
  } catch {
    // The state is away: the next turn does it.
  }
}

/** The tokens of clients of one source. */
function tokensOf(tokens: StateTokens, source: string): TokenStore {
  return {
    issue: (grant, secret) => tokens.issue(grant, secret),
    find: async (token) => {
      const grant = await tokens.find(token);
      return grant?.source === source ? grant : undefined;
    },
  };
}

async function openConfigured(config: SourceConfig, spoolFolder: string): Promise<Source> {
  const { name, target, password, chosen } = config;
  const warn = (message: string): void => tell({ event: 'note', source: name, message });
  const { PGPASSWORD: _, ...environment } = process.env;
  const database = new OwnDatabase(
    target,
    passwordSource({
      target,
      given: password,
      environment,
      ask: undefined,
      otherPlace: 'name a `password-file` in the configuration',
      warn,
    }),
  );
  try {
    await database.inspect((rows) => config.requireClassed(rows));
    const source = await openSource({
      database,
      rules: {
        schemas: config.schemas,
        identity: chosen.identity,
        acceptsUntestedEngine: config.acceptsUntestedEngine,
        allowsWritesByRole: false,
      },
      classes: chosen.classes,
      spoolFolder,
      timeZone: config.timeZone,
      timeoutMs: config.timeoutMs,
      rowLimit: config.rowLimit,
      mostRunning: config.mostRunning,
      mostOfClient: Math.floor(config.mostRunning / 2),
      // Clients need not know which server, login and file it is.
      told: ({ message }) => {
        problem(`The source ${name}: ${message}`);
        return sourceIsAway;
      },
      log: problem,
    });
    for (const warning of source.current.served().warnings) warn(warning);
    return source;
  } catch (error) {
    if (!(error instanceof OwnDatabaseError)) throw error;
    throw new OwnDatabaseError(`The source ${name}: ${error.message}`, { cause: error });
  }
}
