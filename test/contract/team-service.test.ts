/** A team's service: sources, clients, and several instances that share one state in PostgreSQL. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { connect, createServer as createPlainServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { additionalEndpoints, endpoints } from '#api/contract/endpoints.ts';
import { createPrivateAuthority } from '../helpers/forward-proxy.ts';
import { addressOf, readerPassword, readerSql, runOwnService } from '../helpers/own-database.ts';
import { freePort, startPostgres, testedPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { randomFrom } from '../helpers/random.ts';
import type { ServiceHttp, WireAnswer } from '../helpers/service-http.ts';
import {
  clientsCommand,
  httpOf,
  startBalancer,
  startInstance,
  type TeamInstance,
} from '../helpers/team-service.ts';

const statePassword = 'st:ate@';
const env = { IDENTITY_QUERIES_STATE_PASSWORD: statePassword };
const tested = testedPostgres();

if (tested !== undefined) suite('a team’s service', { timeout: 20 * 60_000 }, () => all(tested));

interface Item {
  readonly name: string;
  readonly version: number;
  readonly query_string: string;
  readonly last_modified_by: { readonly id: string };
}

const itemsOf = ({ body }: WireAnswer): readonly Item[] => body.items as readonly Item[]; // a list of saved queries
const idsOf = ({ body }: WireAnswer): readonly number[] =>
  (body.rows as readonly (readonly [id: number])[]).map(([id]) => id); // the rows of the queries below

function all(bin: string): void {
  let server: PostgresServer;
  let folder: string;
  let state: string;
  const databases: Record<string, string> = {};
  const started: TeamInstance[] = [];
  before(async () => {
    server = await startPostgres(bin);
    folder = mkdtempSync(path.join(tmpdir(), 'team-'));
    writeFileSync(path.join(folder, 'reader'), `${readerPassword}\n`, { mode: 0o600 });
    writeFileSync(path.join(folder, 'keeper'), `${statePassword}\n`, { mode: 0o600 });
    writeFileSync(
      path.join(folder, 'sales-mapping.yaml'),
      JSON.stringify({
        collections: {
          accounts: { select: 'SELECT * FROM public.of_sales', fields: { global_id: 'id', alias: 'word' } },
        },
        exports: { employees: 'SELECT * FROM public.of_sales ORDER BY id' },
      }),
    );
    await server.sql(`CREATE ROLE keeper LOGIN PASSWORD '${statePassword}'`);
    const create = async (): Promise<string> => new URL(await server.createDatabase()).pathname.slice(1);
    for (const name of ['hr', 'sales']) {
      const database = await create();
      await server.sql(
        `CREATE TABLE of_${name} AS SELECT g AS id, '${name} ' || g AS word FROM generate_series(1, 5000) g; ${readerSql('public')}`,
        database,
      );
      databases[name] = database;
    }
    const name = await create();
    await server.sql(`ALTER DATABASE ${name} OWNER TO keeper`);
    state = addressOf(server, name, 'keeper');
    assert.equal((await runOwnService(['migrate', '--state', state], { env })).code, 0);
  });
  after(async () => {
    await Promise.all(started.map((each) => each.kill()));
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const configOf = async (name: string, more: object = {}, source: object = {}) => {
    const port = await freePort();
    const sourceOf = (each: string) => ({
      database: addressOf(server, databases[each] ?? ''),
      'password-file': 'reader',
      schemas: ['public'],
      ...source,
    });
    return {
      listen: `127.0.0.1:${port}`,
      instance: { name, address: `http://127.0.0.1:${port}` },
      state: { address: state, 'password-file': 'keeper' },
      sources: { hr: sourceOf('hr'), sales: { ...sourceOf('sales'), mapping: 'sales-mapping.yaml' } },
      ...more,
    };
  };
  const start = async (name: string, config?: object, imported?: string): Promise<TeamInstance> => {
    const instance = await startInstance(folder, name, config ?? (await configOf(name)), imported);
    started.push(instance);
    return instance;
  };
  const addClient = (name: string, source: string, scopes = 'read,write'): Promise<string> =>
    clientsCommand(state, env, 'add', name, '--source', source, '--scopes', scopes);
  const run = (http: ServiceHttp, query_string: string, more: object = {}): Promise<WireAnswer> =>
    http.call(endpoints.executeQuery, { body: { query_string, model: 'public', pageSize: 100, ...more } });
  const countRunning = async (part: string): Promise<number> => {
    const [row] = await server.sql(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%${part}%' AND usename = 'reader'`,
    );
    return Number(row?.['n']);
  };
  /** Ends when the database runs the query with this part, or when it was answered before. */
  const untilRuns = async (part: string, asked: Promise<unknown>): Promise<void> => {
    const end = asked.then(() => 'answered');
    while ((await countRunning(part)) === 0 && (await Promise.race([end, delay(20)])) === undefined);
  };

  suite('two instances', () => {
    let one: TeamInstance;
    let two: TeamInstance;
    const secrets: Record<string, string> = {};
    before(async () => {
      [one, two] = await Promise.all([start('one'), start('two')]);
      for (const [name, source] of [
        ['ada', 'hr'],
        ['bob', 'hr'],
        ['eve', 'sales'],
      ] as const)
        secrets[name] = await addClient(name, source);
    });
    after(async () => {
      await one.kill();
      await two.kill();
    });
    const at = (instance: TeamInstance, name: string): ServiceHttp =>
      httpOf(instance.baseUrl, name, secrets[name] ?? '');

    test('take the same tokens, and show the same queries with their authors', async () => {
      const ada = at(one, 'ada');
      const token = await ada.token('read', 'write');
      const body = { name: 'Shared', query_string: 'SELECT 1', model: 'public' };
      const first = await ada.call(endpoints.createSavedQuery, { body });
      assert.equal(first.status, 201);
      const path = { query_id: String(first.body.query_id) };
      const change = { ...body, query_string: 'SELECT 2', expected_version: 1 };
      assert.equal(
        (await at(two, 'bob').call(endpoints.updateSavedQuery, { path, body: change })).status,
        200,
      );
      const versions = await at(two, 'ada').call(additionalEndpoints.listSavedQueryVersions, { path, token });
      assert.deepEqual(
        itemsOf(versions).map((each) => [each.version, each.last_modified_by.id]),
        [
          [2, 'bob'],
          [1, 'ada'],
        ],
      );
    });

    test('a client sees only its source', async () => {
      const eve = at(two, 'eve');
      assert.deepEqual((await eve.call(endpoints.listSavedQueries)).body.items, []);
      assert.equal((await run(eve, 'SELECT word FROM of_sales WHERE id = 1')).body.rows[0][0], 'sales 1');
      assert.equal((await run(eve, 'SELECT word FROM of_hr')).status, 400);
      const mine = { name: 'Shared', query_string: 'SELECT 1', model: 'public' };
      assert.equal((await eve.call(endpoints.createSavedQuery, { body: mine })).status, 201, 'its own names');
    });

    test('either gives the next page of a result that the other has, and nobody else gets it', async () => {
      const sql = 'SELECT id, word FROM of_hr ORDER BY id';
      const first = await run(at(one, 'ada'), sql);
      const pageToken = String(first.body.nextPageToken);
      let next: string | null = pageToken;
      const ids = [...idsOf(first)];
      for (let turn = 0; next !== null; turn += 1) {
        const page: WireAnswer = await run(at(turn % 2 === 0 ? two : one, 'ada'), sql, { pageToken: next });
        assert.equal(page.status, 200, page.text.slice(0, 200));
        ids.push(...idsOf(page));
        next = page.body.nextPageToken;
      }
      assert.deepEqual(
        ids,
        Array.from({ length: 5_000 }, (_, index) => index + 1),
      );
      for (const instance of [one, two]) {
        const other = await run(at(instance, 'bob'), sql, { pageToken });
        assert.deepEqual([other.status, other.body.details?.problem], [400, 'belongs to another query']);
        const stranger = await run(at(instance, 'eve'), sql, { pageToken });
        assert.ok([400, 410].includes(stranger.status) && stranger.body.rows === undefined);
      }
      const tables = additionalEndpoints.listModelTables;
      assert.equal((await at(two, 'ada').call(tables, { path: { name: 'public' } })).status, 200);
    });

    test('a request that came from another instance goes no further', async () => {
      const first = await run(at(one, 'ada'), 'SELECT id FROM of_hr');
      const body = {
        query_string: 'SELECT id FROM of_hr',
        model: 'public',
        pageToken: first.body.nextPageToken,
      };
      const headers = { 'x-identity-queries-hop': '1' };
      const answer = await at(two, 'ada').call(endpoints.executeQuery, { body, headers });
      assert.deepEqual([answer.status, answer.body.code], [410, 'RESULT_GONE']);
    });

    test('a page token leads nowhere but to an instance, whatever the address of the request says', async () => {
      const reached: string[] = [];
      const trap = createServer((request, response) => {
        reached.push(request.url ?? '');
        response.end('{}');
      }).listen(0, '127.0.0.1');
      await once(trap, 'listening');
      const { port } = trap.address() as AddressInfo; // a TCP server's address
      const sql = 'SELECT id FROM of_hr';
      const first = await run(at(one, 'ada'), sql);
      const token = await at(two, 'ada').token('read', 'write');
      const body = JSON.stringify({
        query_string: sql,
        model: 'public',
        pageToken: first.body.nextPageToken,
      });
      const route = '/v1/query/execute';
      for (const target of [
        `http://127.0.0.1:${port}${route}`,
        `HTTP://127.0.0.1:${port}${route}`,
        `https://127.0.0.1:${port}${route}`,
        `//127.0.0.1:${port}${route}`,
        `/\\127.0.0.1:${port}${route}`,
        `@127.0.0.1:${port}${route}`,
        `/..//127.0.0.1:${port}${route}`,
        `http://a@127.0.0.1:${port}${route}?x=1`,
      ]) {
        const socket = connect(two.port, '127.0.0.1');
        socket.end(
          `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
        );
        await text(socket).catch(() => '');
        assert.deepEqual(reached, [], target);
      }
      trap.close();
    });

    test('a client of a source that no instance serves is added with a word', async () => {
      const add = (name: string, source: string) =>
        runOwnService(['clients', 'add', name, '--source', source, '--state', state], { env });
      const wrong = await add('of-nobody', 'nosuch');
      assert.equal(wrong.code, 0);
      assert.match(
        wrong.complaints,
        /No instance that runs serves the source nosuch; there are: hr, sales\. If the name is wrong/,
      );
      assert.doesNotMatch((await add('of-hr', 'hr')).complaints, /No instance/);
      for (const name of ['of-nobody', 'of-hr']) await clientsCommand(state, env, 'remove', name);
    });

    test('a client that is removed ends at once, and its queries stay', async () => {
      const secret = await addClient('tmp', 'hr');
      const tmp = httpOf(one.baseUrl, 'tmp', secret);
      const body = { name: 'Of tmp', query_string: 'SELECT 1', model: 'public' };
      assert.equal((await tmp.call(endpoints.createSavedQuery, { body })).status, 201);
      await clientsCommand(state, env, 'remove', 'tmp');
      const refused = await tmp.tokenRequest({ grant_type: 'client_credentials' });
      assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client']);
      const token = await tmp.token('read', 'write');
      const deadline = Date.now() + 10_000;
      let status = 0;
      while (status !== 401 && Date.now() < deadline) {
        ({ status } = await tmp.call(endpoints.listSavedQueries, { token }));
        await delay(100);
      }
      assert.equal(status, 401);
      const names = itemsOf(await at(two, 'ada').call(endpoints.listSavedQueries));
      assert.ok(names.some((each) => each.name === 'Of tmp'));
    });

    test('a result of a client that was removed is not read by one that gets its name', async () => {
      const query = 'SELECT g FROM generate_series(1, 300) g';
      const first = await run(httpOf(one.baseUrl, 'again', await addClient('again', 'hr')), query);
      assert.equal(first.status, 200, first.text);
      const { nextPageToken: pageToken } = first.body;
      await clientsCommand(state, env, 'remove', 'again');
      const later = httpOf(one.baseUrl, 'again', await addClient('again', 'hr'));
      assert.equal((await run(later, query, { pageToken })).status, 400);
    });

    test('a secret that was changed is valid as long as its operator says', async () => {
      const first = await addClient('rot', 'hr', 'read');
      const signIn = async (secret: string): Promise<number> =>
        (await httpOf(two.baseUrl, 'rot', secret).tokenRequest({ grant_type: 'client_credentials' })).status;
      const second = await clientsCommand(state, env, 'rotate', 'rot');
      assert.deepEqual([await signIn(first), await signIn(second)], [200, 200]);
      const third = await clientsCommand(state, env, 'rotate', 'rot', '--keep-hours', '0');
      assert.deepEqual([await signIn(first), await signIn(second), await signIn(third)], [401, 401, 200]);
      const reader = httpOf(two.baseUrl, 'rot', third);
      const token = await reader.token('read');
      const body = { name: 'x', query_string: 'x', model: 'public' };
      assert.equal((await reader.call(endpoints.createSavedQuery, { body, token })).status, 403);
      const listed = await clientsCommand(state, env, 'list');
      assert.match(listed, /"name":"rot","source":"hr","scopes":\["read"\]/);
      for (const secret of [first, second, third]) assert.ok(!listed.includes(secret));
      const [kept] = await server.sql(
        "SELECT string_agg(c::text, ' ') AS all FROM identity_queries_state.clients c",
        new URL(state).pathname.slice(1),
      );
      assert.ok(!String(kept?.['all']).includes(third), 'secrets are not kept');
    });

    test('a link to a file works on either, for nobody else’s source, and ends with its client', async () => {
      const secret = await addClient('exp', 'sales');
      const exp = httpOf(one.baseUrl, 'exp', secret);
      const made = await exp.call(endpoints.createDownload, { body: { context: 'employees' } });
      assert.equal(made.status, 202, made.text);
      const other = String(made.body.url).replace(one.baseUrl, two.baseUrl);
      const words = await (await fetch(other)).text();
      assert.deepEqual(words.split('\r\n').slice(0, 2), ['id,word', '1,sales 1']);
      const path = { id: String(made.body.id) };
      assert.equal((await exp.call(endpoints.getDownload, { path })).status, 200);
      for (const name of ['ada', 'eve'])
        assert.equal((await at(two, name).call(endpoints.getDownload, { path })).status, 404, name);
      await clientsCommand(state, env, 'remove', 'exp');
      const links = [other, String(made.body.url)];
      for (const url of links) assert.equal((await fetch(url)).status, 403);
      // Whoever gets the name afterwards did not make it.
      await addClient('exp', 'sales');
      for (const url of links) assert.equal((await fetch(url)).status, 403);
      const lines = [...one.lines(), ...two.lines()].join('\n');
      assert.match(lines, /"route":"\/downloads\/:id\/file","status":200/);
      assert.ok(!lines.includes(path.id));
      assert.ok(!lines.includes(new URL(other).searchParams.get('signature') ?? '-'));
    });

    test('what they write has no SQL, value, row or secret, and tells who did what', async () => {
      await run(at(one, 'ada'), "SELECT 'zebra' AS word FROM of_hr WHERE word = :w", {
        parameters: { w: 'giraffe' },
      });
      await run(at(one, 'ada'), 'SELECT okapi FROM of_hr');
      const text = [...one.lines(), ...two.lines(), one.complaints(), two.complaints()].join('\n');
      for (const secret of [
        'zebra',
        'giraffe',
        'okapi',
        'hr 1',
        statePassword,
        readerPassword,
        ...Object.values(secrets),
      ])
        assert.ok(!text.includes(secret), secret);
      assert.match(text, /"route":"\/v1\/query\/execute","status":200.*"source":"hr","client":"ada"/);
      const { out } = await runOwnService(['audit', '--since', '2026-01-01', '--state', state], { env });
      assert.match(out, /"client":"ada","action":"create"/);
      assert.match(out, /"client":"bob","action":"update"/);
      assert.match(out, /"client":"eve","action":"run","subject":"public"/);
      assert.match(out, /"client":"exp","action":"export"/);
      assert.ok(!/zebra|okapi/.test(out));
    });

    test('an instance that is killed takes its results with it, and nothing else', async () => {
      const first = await run(at(one, 'ada'), 'SELECT id FROM of_hr');
      await one.kill();
      const pageToken = String(first.body.nextPageToken);
      const answer = await run(at(two, 'ada'), 'SELECT id FROM of_hr', { pageToken });
      assert.deepEqual([answer.status, answer.body.code], [410, 'RESULT_GONE']);
      assert.equal((await at(two, 'ada').call(endpoints.listSavedQueries)).status, 200);
    });
  });

  test('instances with different configurations say so, and clients of a source that one lacks are told', async () => {
    const secret = await addClient('dan', 'sales');
    const full = await start('full');
    const { sources, ...rest } = await configOf('part');
    const part = await start('part', { ...rest, sources: { hr: sources.hr } });
    const ready = async (): Promise<{ configurations: number }> =>
      (await (await fetch(`${part.baseUrl}/ready`)).json()) as { configurations: number }; // the front's facts
    assert.ok((await ready()).configurations >= 2);
    const refused = await httpOf(part.baseUrl, 'dan', secret).tokenRequest({
      grant_type: 'client_credentials',
    });
    assert.deepEqual([refused.status, refused.body.error], [400, 'unauthorized_client']);
    const token = await httpOf(full.baseUrl, 'dan', secret).token('read');
    const answer = await httpOf(part.baseUrl, 'dan', secret).call(endpoints.listSavedQueries, { token });
    assert.equal(answer.status, 403);
    assert.match(String(answer.body.message), /does not serve the source "sales".*same configuration/);
    await Promise.all([full.kill(), part.kill()]);
  });

  test('one client has at most half of the slots, and stops nobody', async () => {
    const [greedy, other] = await Promise.all([addClient('greedy', 'hr'), addClient('other', 'hr')]);
    const instance = await start('fair', await configOf('fair', {}, { running: 2 }));
    const slow = httpOf(instance.baseUrl, 'greedy', greedy);
    await slow.token('read', 'write');
    const asked = Array.from({ length: 4 }, () => run(slow, 'SELECT pg_sleep(25)').catch(() => undefined));
    await untilRuns('pg_sleep(25)', Promise.race(asked));
    // All four wait for 25 seconds each, one after the other; the other client for none of them.
    const answer = await run(httpOf(instance.baseUrl, 'other', other), 'SELECT 1');
    assert.equal(answer.status, 200);
    assert.equal(await countRunning('pg_sleep(25)'), 1, 'the second slot is not for the same client');
    await instance.kill();
    await Promise.all(asked);
  });

  test('an instance that stops ends what is under way first', async () => {
    const secret = await addClient('last', 'hr');
    const instance = await start('stopping');
    const http = httpOf(instance.baseUrl, 'last', secret);
    await http.token('read', 'write');
    await run(http, 'SELECT 1');
    const asked = run(http, 'SELECT pg_sleep(1), 7 AS n');
    await untilRuns('pg_sleep(1), 7', asked);
    await instance.stop();
    assert.equal((await asked).body.rows[0][1], 7);
    assert.match(instance.lines().at(-1) ?? '', /"event":"stopped"/);
  });

  test('an instance that stops is there until the results that are being read have ended', async () => {
    const [one, two] = await Promise.all([start('leaving'), start('staying')]);
    const secret = await addClient('reading', 'hr');
    const query = 'SELECT id FROM of_hr ORDER BY id';
    const [own, other] = [one, two].map((each) => httpOf(each.baseUrl, 'reading', secret));
    let page = await run(own ?? assert.fail(), query);
    const ids = [...idsOf(page)];
    const stopped = one.stop();
    for (let turn = 0; page.body.nextPageToken !== null; turn += 1) {
      page = await run((turn % 2 === 0 ? other : own) ?? assert.fail(), query, {
        pageToken: String(page.body.nextPageToken),
      });
      assert.equal(page.status, 200, page.text.slice(0, 200));
      ids.push(...idsOf(page));
    }
    assert.equal(ids.length, 5_000);
    assert.ok(one.lines().some((line) => line.includes('"event":"stopping"')));
    await stopped;
    await two.kill();
  });

  test('an instance that stops is not held by a client that goes on asking over one connection', async () => {
    const instance = await start('held', await configOf('held', { 'stop-seconds': 600 }));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (): Promise<number | undefined> => {
      const asked = request(`${instance.baseUrl}/health`, { agent }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]; // the event's argument
      answer.resume();
      await once(answer, 'end');
      return answer.statusCode;
    };
    assert.equal(await ask(), 200);
    const stopped = instance.stop();
    // Ends once no connection is accepted.
    for (let isOpen = true; isOpen;) isOpen = await ask().then(Boolean, () => false);
    await stopped;
    assert.match(instance.lines().at(-1) ?? '', /"event":"stopped"/);
    agent.destroy();
  });

  test('a page of an instance that hangs is answered, once that does not say any more that it runs', async () => {
    const [one, two] = [await start('hanging'), await start('waiting')];
    const secret = await addClient('hang', 'hr');
    const query = 'SELECT id FROM of_hr ORDER BY id';
    const first = await run(httpOf(one.baseUrl, 'hang', secret), query);
    one.process.kill('SIGSTOP');
    const answer = await run(httpOf(two.baseUrl, 'hang', secret), query, {
      pageToken: String(first.body.nextPageToken),
    });
    assert.deepEqual([answer.status, answer.body.code], [410, 'RESULT_GONE']);
    await Promise.all([one.kill(), two.kill()]);
  });

  test('a state that stops is told by /ready, and /health goes on', async () => {
    const instance = await start(
      'alone',
      await configOf('alone', { metrics: `127.0.0.1:${await freePort()}` }),
    );
    const ready = async () => await fetch(`${instance.baseUrl}/ready`);
    assert.equal((await ready()).status, 200);
    await server.sql('ALTER ROLE keeper NOLOGIN');
    await server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'keeper'");
    const away = await ready();
    assert.equal(away.status, 503);
    assert.match(await away.text(), /The state cannot be reached/);
    assert.equal((await fetch(`${instance.baseUrl}/health`)).status, 200);
    const token = await fetch(`${instance.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'ada', client_secret: 'x' }),
    });
    assert.equal(token.status, 503);
    const isTold = (): boolean =>
      instance.lines().some((line) => /"problem".*keeper@.*does not let/.test(line));
    while (!isTold()) await once(instance.process.stdout ?? instance.process, 'data');
    await server.sql('ALTER ROLE keeper LOGIN');
    assert.equal((await ready()).status, 200);
    await instance.kill();
  });

  test('a state whose server hangs is told by /ready, and works when it goes on', async () => {
    const { hostname: host, port } = new URL(state);
    const pairs: (readonly [Socket, Socket])[] = [];
    let isHeld = false;
    // Between the service and the server: what is held is accepted, and not passed on.
    const between = createPlainServer((socket) => {
      const pair = [socket, connect(Number(port), host)] as const;
      pairs.push(pair);
      for (const [from, to] of [pair, [pair[1], pair[0]]] as const) {
        from.on('data', (chunk) => to.write(chunk)).on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        if (isHeld) from.pause();
      }
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const address = state.replace(/@[^/]+\//, `@127.0.0.1:${(between.address() as AddressInfo).port}/`);
    const config = await configOf('held-state');
    const instance = await start('held-state', { ...config, state: { ...config.state, address } });
    const ready = async () => (await fetch(`${instance.baseUrl}/ready`)).status;
    assert.equal(await ready(), 200);
    isHeld = true;
    for (const socket of pairs.flat()) socket.pause();
    assert.equal(await ready(), 503);
    isHeld = false;
    for (const socket of pairs.flat()) socket.resume();
    assert.equal(await ready(), 200);
    await instance.kill();
    for (const socket of pairs.flat()) socket.destroy();
    between.close();
  });

  test('beyond the login’s CONNECTION LIMIT, a query is told to come back', async () => {
    const secret = await addClient('many', 'hr');
    const instance = await start('limited');
    const http = httpOf(instance.baseUrl, 'many', secret);
    assert.equal((await run(http, 'SELECT 1')).status, 200);
    await server.sql('ALTER ROLE reader CONNECTION LIMIT 1');
    const asked = run(http, 'SELECT pg_sleep(100)').catch(() => undefined);
    // Another query before would race it for the only connection.
    await untilRuns('pg_sleep(100)', asked);
    const answer = await run(http, 'SELECT 2');
    assert.deepEqual(
      [answer.status, answer.body.code, answer.headers.get('retry-after')],
      [503, 'SERVICE_UNAVAILABLE', '2'],
    );
    assert.match(String(answer.body.message), /cannot be used at the moment/);
    assert.match(instance.lines().join('\n'), /The source hr: .*CONNECTION LIMIT/);
    await server.sql('ALTER ROLE reader CONNECTION LIMIT -1');
    assert.equal((await run(http, 'SELECT 2')).status, 200);
    await instance.kill();
    await asked;
  });

  test('a database that stops is told for its source alone, and saved queries go on', async () => {
    const data = await startPostgres(bin);
    const name = new URL(await data.createDatabase()).pathname.slice(1);
    await data.sql(`CREATE TABLE of_hr AS SELECT 1 AS id; ${readerSql('public')}`, name);
    const config = await configOf('apart');
    const instance = await start('apart', {
      ...config,
      sources: { ...config.sources, hr: { ...config.sources.hr, database: addressOf(data, name) } },
    });
    const [ofHr, ofSales] = await Promise.all([addClient('h', 'hr'), addClient('s', 'sales')]);
    const [hr, sales] = [httpOf(instance.baseUrl, 'h', ofHr), httpOf(instance.baseUrl, 's', ofSales)];
    assert.equal((await run(hr, 'SELECT id FROM of_hr')).status, 200);
    await data.stop();
    const answer = await run(hr, 'SELECT id FROM of_hr');
    assert.deepEqual([answer.status, answer.body.code], [503, 'SERVICE_UNAVAILABLE'], answer.text);
    assert.match(String(answer.body.message), /cannot be (?:used|reached)/);
    const body = { name: 'While it is away', query_string: 'SELECT 1', model: 'public' };
    assert.equal((await hr.call(endpoints.createSavedQuery, { body })).status, 201);
    assert.equal((await run(sales, 'SELECT id FROM of_sales')).status, 200);
    assert.equal((await fetch(`${instance.baseUrl}/health`)).status, 200);
    await instance.kill();
  });

  test('a database that is away at the start keeps no other source away, and is served once it is there', async () => {
    const data = await startPostgres(bin);
    const name = new URL(await data.createDatabase()).pathname.slice(1);
    await data.sql(`CREATE TABLE of_hr AS SELECT 1 AS id; ${readerSql('public')}`, name);
    await data.sql('ALTER ROLE reader NOLOGIN');
    const config = await configOf('late');
    const instance = await start('late', {
      ...config,
      sources: { ...config.sources, hr: { ...config.sources.hr, database: addressOf(data, name) } },
    });
    const [ofHr, ofSales] = await Promise.all([addClient('h2', 'hr'), addClient('s2', 'sales')]);
    const [hr, sales] = [httpOf(instance.baseUrl, 'h2', ofHr), httpOf(instance.baseUrl, 's2', ofSales)];
    assert.equal((await run(sales, 'SELECT id FROM of_sales')).status, 200);
    const answer = await run(hr, 'SELECT id FROM of_hr');
    assert.deepEqual(
      [answer.status, answer.body.code, answer.headers.get('retry-after')],
      [503, 'SERVICE_UNAVAILABLE', '2'],
    );
    assert.doesNotMatch(answer.text, /reader|127\.0\.0\.1/);
    assert.match(instance.lines().join('\n'), /"problem","message":"The source hr: .*reader@127/);
    await data.sql('ALTER ROLE reader LOGIN');
    const deadline = Date.now() + 20_000;
    let status = 503;
    while (status === 503 && Date.now() < deadline) {
      await delay(200);
      ({ status } = await run(hr, 'SELECT id FROM of_hr'));
    }
    assert.equal(status, 200);
    await instance.kill();
    await data.stop();
  });

  test('instances whose clocks are ten minutes off take the same tokens and links', async () => {
    const shifted = (minutes: number): string =>
      `data:text/javascript,const now = Date.now.bind(Date); Date.now = () => now() + ${minutes} * 60000;`;
    const [ahead, behind] = await Promise.all(
      [10, -10].map(async (minutes) => await start(`off${minutes}`, undefined, shifted(minutes))),
    );
    assert.ok(ahead && behind);
    const secret = await addClient('clock', 'sales');
    for (const [one, two] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const token = await httpOf(one.baseUrl, 'clock', secret).token('read', 'write');
      const http = httpOf(two.baseUrl, 'clock', secret);
      assert.equal((await http.call(endpoints.listSavedQueries, { token })).status, 200);
      const body = { context: 'employees', urlTtlMinutes: 1 };
      const made = await httpOf(one.baseUrl, 'clock', secret).call(endpoints.createDownload, { body });
      for (const { baseUrl } of [one, two])
        assert.equal((await fetch(String(made.body.url).replace(one.baseUrl, baseUrl))).status, 200);
      const first = await run(httpOf(one.baseUrl, 'clock', secret), 'SELECT id FROM of_sales');
      const pageToken = String(first.body.nextPageToken);
      assert.equal((await run(http, 'SELECT id FROM of_sales', { pageToken })).status, 200);
    }
    await Promise.all([ahead.kill(), behind.kill()]);
  });

  test('over TLS, a page is asked of the very instance that has it', async () => {
    const keys = path.join(folder, 'keys');
    mkdirSync(keys);
    const other = path.join(folder, 'other-keys');
    mkdirSync(other);
    const [authority, strangers] = await Promise.all([
      createPrivateAuthority(keys),
      createPrivateAuthority(other),
    ]);
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, readFileSync(authority.caFile, 'utf8')]);
    const encrypted = async (name: string): Promise<TeamInstance> => {
      const { instance, ...config } = await configOf(name);
      const tls = { certificate: path.join(keys, 'server.pem'), key: path.join(keys, 'server.key') };
      const address = instance.address.replace('http:', 'https:');
      return await start(name, { ...config, tls, instance: { name, address } });
    };
    const [one, two] = await Promise.all([encrypted('tls1'), encrypted('tls2')]);
    const secret = await addClient('tls', 'hr');
    const [here, there] = [one, two].map(({ baseUrl }) => httpOf(baseUrl, 'tls', secret));
    assert.ok(here && there);
    const query = 'SELECT id FROM of_hr ORDER BY id';
    const first = await run(here, query);
    const pageToken = String(first.body.nextPageToken);
    assert.deepEqual(idsOf(await run(there, query, { pageToken })).slice(0, 2), [101, 102]);
    // Who takes the place of an instance with another certificate does not get the caller's token, even if the same
    // authority signed it.
    const database = new URL(state).pathname.slice(1);
    const chain = [path.join(keys, 'client.pem'), authority.caFile].map((name) => readFileSync(name, 'utf8'));
    for (const announced of [strangers.certificate, chain.join('')]) {
      await server.sql(
        `UPDATE identity_queries_state.instances SET certificate = '${announced}' WHERE id LIKE 'tls1/%'`,
        database,
      );
      const second = String((await run(here, query)).body.nextPageToken);
      const refused = await run(there, query, { pageToken: second });
      assert.deepEqual([refused.status, refused.body.code], [410, 'RESULT_GONE']);
    }
    setDefaultCACertificates(trusted);
    await Promise.all([one.kill(), two.kill()]);
  });

  test('says which address it cannot listen on', async () => {
    const taken = createPlainServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo; // that of a TCP server
    for (const [config, said] of [
      [
        { listen: `127.0.0.1:${port}`, instance: { name: 'x' } },
        /`listen`.*another program listens there \(127/,
      ],
      [{ metrics: `127.0.0.1:${port}` }, /`metrics`.*another program listens there \(127/],
      [{ metrics: '192.0.2.1:80' }, /`metrics`.*this machine has no such address \(192/],
    ] as const)
      await assert.rejects(startInstance(folder, 'taken', await configOf('taken', config)), said);
    taken.close();
  });

  test('metrics count requests by route, without names', async () => {
    const port = await freePort();
    const instance = await start('counted', await configOf('counted', { metrics: `127.0.0.1:${port}` }));
    const secret = await addClient('met', 'hr');
    await run(httpOf(instance.baseUrl, 'met', secret), 'SELECT 1');
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(
      text,
      /^identity_queries_requests_total\{method="POST",route="\/v1\/query\/execute",status="200"\} 1$/m,
    );
    assert.match(text, /^identity_queries_runs\{source="hr",state="running"\} 0$/m);
    assert.match(text, /^identity_queries_state_up 1$/m);
    assert.ok(!text.includes('"met"'));
    assert.equal((await fetch(`${instance.baseUrl}/metrics`)).status, 404, 'only at its own address');
    await instance.kill();
  });

  test('with instances killed at random, no confirmed save is lost and none is done twice', async () => {
    const random = randomFrom(49);
    const people = ['p1', 'p2', 'p3'];
    const secrets = await Promise.all(people.map((name) => addClient(name, 'hr')));
    const configs = await Promise.all(['x', 'y'].map((name) => configOf(name)));
    const running = await Promise.all(configs.map((config, index) => start(`r${index}`, config)));
    const balancer = await startBalancer(() => running.map(({ port }) => port));
    let isOver = false;
    const killer = (async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        await delay(300 + random(700));
        const index = turn % 2;
        await running[index]?.kill();
        const config = configs[index];
        assert.ok(config);
        running[index] = await start(`r${index}`, config);
      }
      isOver = true;
    })();
    /** By query: the texts that were confirmed, by version. */
    const confirmed = new Map<string, Map<number, string>>();
    const names = new Map<string, string>();
    /** Sends a save with its key until it is answered. */
    const save = async (
      http: ServiceHttp,
      endpoint: Parameters<ServiceHttp['call']>[0],
      request: { body: object; path?: Readonly<Record<string, string>> },
    ): Promise<WireAnswer> => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      for (;;) {
        const answer = await http.call(endpoint, { ...request, headers }).catch(() => undefined);
        if (answer !== undefined && ![502, 503].includes(answer.status)) return answer;
        await delay(20);
      }
    };
    const work = people.map(async (name, index) => {
      const signedIn = async (): Promise<ServiceHttp> => {
        for (;;) {
          const each = httpOf(balancer.baseUrl, name, secrets[index] ?? '');
          const token = await each.token('read', 'write').catch(() => 'undefined');
          if (token !== 'undefined') return each;
        }
      };
      const http = await signedIn();
      for (let turn = 0; !isOver; turn += 1) {
        const wanted = `Query ${turn % 6}`;
        const known = names.get(wanted);
        if (known === undefined) {
          const body = { name: wanted, query_string: `${name} ${turn}`, model: 'public' };
          const made = await save(http, endpoints.createSavedQuery, { body });
          if (made.status === 201) {
            names.set(wanted, String(made.body.query_id));
            confirmed.set(String(made.body.query_id), new Map([[1, body.query_string]]));
          } else assert.equal(made.body.code, 'NAME_CONFLICT', made.text);
          continue;
        }
        const texts = confirmed.get(known);
        assert.ok(texts);
        const expected_version = Math.max(...texts.keys());
        const body = {
          name: wanted,
          query_string: `${name} ${turn} ${crypto.randomUUID()}`,
          expected_version,
        };
        const updated = await save(http, endpoints.updateSavedQuery, { body, path: { query_id: known } });
        if (updated.status === 200) {
          const version = Number(updated.body.version);
          assert.equal(texts.get(version), undefined, 'a version was given twice');
          texts.set(version, body.query_string);
        } else assert.equal(updated.body.code, 'VERSION_CONFLICT', updated.text);
      }
    });
    await Promise.all([killer, ...work]);
    const http = httpOf(balancer.baseUrl, 'p1', secrets[0] ?? '');
    let saves = 0;
    for (const [query_id, texts] of confirmed) {
      const kept = new Map<number, string>();
      let page: Readonly<Record<string, string>> | undefined = {};
      while (page !== undefined) {
        const answer: WireAnswer = await http.call(additionalEndpoints.listSavedQueryVersions, {
          path: { query_id },
          query: { pageSize: 200, ...page },
        });
        for (const { version, query_string } of itemsOf(answer)) kept.set(version, query_string);
        const { nextPageToken } = answer.body as { nextPageToken?: string }; // the list envelope
        page = nextPageToken === undefined ? undefined : { pageToken: nextPageToken };
      }
      for (const [version, text] of texts)
        assert.equal(kept.get(version), text, `version ${version} was lost`);
      saves += texts.size;
    }
    assert.ok(saves > 20, `${saves} saves`);
    const listed = await http.call(endpoints.listSavedQueries, { query: { pageSize: 200 } });
    const keys = itemsOf(listed).map((each) => each.name.toLowerCase());
    assert.equal(new Set(keys).size, keys.length, 'a name was given twice');
    await balancer.close();
    await Promise.all(running.map((each) => each.kill()));
  });
}
