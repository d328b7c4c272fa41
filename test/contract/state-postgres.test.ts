/** The state in PostgreSQL: the rules of every state, migration, and what it refuses. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { additionalEndpoints, endpoints } from '#api/contract/endpoints.ts';
import { parseTarget, type Target } from '#base/postgres-address.ts';
import { ServiceError } from '#service/errors.ts';
import { OwnDatabaseError } from '#service/own-data/database.ts';
import { written } from '#service/state/migrate.ts';
import { migratePostgres, openPostgresState } from '#service/state/postgres-state.ts';
import { listStart, savedQueriesOf } from '#service/state/saved-queries.ts';
import { StateError, type StateDatabase } from '#service/state/state-database.ts';
import { addressOf, readerSql, runOwnService, startOwnService } from '../helpers/own-database.ts';
import { startPostgres, testedPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { ServiceHttp } from '../helpers/service-http.ts';
import { savedQueriesSuite } from '../helpers/state-suite.ts';

const by = { type: 'user', id: 'u1' };
const password = 'st:ate@';

const tested = testedPostgres();
if (tested !== undefined) suite('a state in PostgreSQL', { timeout: 5 * 60_000 }, () => all(tested));

function all(bin: string): void {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres(bin);
    await server.sql(`CREATE ROLE keeper LOGIN PASSWORD '${password}'`);
  });
  after(() => server.stop());

  const emptyDatabase = async (): Promise<string> => {
    const name = new URL(await server.createDatabase()).pathname.slice(1);
    await server.sql(`ALTER DATABASE ${name} OWNER TO keeper`);
    return name;
  };
  const targetOf = (name: string): Target => {
    const parsed = parseTarget(addressOf(server, name, 'keeper'));
    assert.ok(parsed.kind === 'target');
    return parsed.target;
  };
  const given = () => Promise.resolve(password);
  const migrated = async (): Promise<Target> => {
    const target = targetOf(await emptyDatabase());
    await migratePostgres(target, given);
    return target;
  };
  const open = async (target?: Target): Promise<StateDatabase> =>
    await openPostgresState(target ?? (await migrated()), given);

  savedQueriesSuite(() => open());

  suite('of a login whose transactions are isolated otherwise', () =>
    savedQueriesSuite(async () => {
      const target = await migrated();
      const of = `ALTER ROLE keeper IN DATABASE ${target.database}`;
      await server.sql(`${of} SET default_transaction_isolation = 'repeatable read'`);
      return await open(target);
    }),
  );

  suite('migration', () => {
    test('by several processes at once is done once', async () => {
      const target = targetOf(await emptyDatabase());
      await assert.rejects(open(target), /has no tables yet.*serve migrate/);
      const said = await Promise.all(Array.from({ length: 5 }, () => migratePostgres(target, given)));
      assert.equal(said.filter((line) => /was made/.test(line)).length, 1);
      assert.equal(said.filter((line) => /nothing to do/.test(line)).length, 4);
      await (await open(target)).close();
    });

    test('of a newer minor is used, of a newer major refused and not changed', async () => {
      const target = await migrated();
      const to = (version: string) =>
        server.sql(
          `UPDATE identity_queries_state.settings SET value = '${version}' WHERE name = 'version'`,
          target.database,
        );
      await to(`${written.major}.${written.minor + 3}`);
      const state = await open(target);
      await savedQueriesOf(state, 'a').create({ name: 'n', query_string: 'q', model: 'm' }, { by });
      await state.close();
      await to(`${written.major + 1}.0`);
      await assert.rejects(open(target), /changed by a newer program. Update this one/);
      await assert.rejects(migratePostgres(target, given), /changed by a newer program/);
    });

    test('to a newer major waits until all instances are stopped', async () => {
      const target = await migrated();
      await server.sql(
        `UPDATE identity_queries_state.settings SET value = '0.9' WHERE name = 'version';
         INSERT INTO identity_queries_state.instances VALUES ('a', 'b', NULL, NULL, '', '[]', '', (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`,
        target.database,
      );
      await assert.rejects(open(target), /Stop all instances, then run/);
      await assert.rejects(migratePostgres(target, given), /needs all instances stopped, and 1 is running/);
    });
  });

  suite('what it refuses', () => {
    test('a server that only reads, or that confirms before the disk has it', async () => {
      const target = await migrated();
      await server.sql(`ALTER ROLE keeper IN DATABASE ${target.database} SET synchronous_commit = off`);
      await assert.rejects(open(target), (error: unknown) => {
        assert.ok(error instanceof StateError);
        assert.match(
          error.message,
          /synchronous_commit is off.*ALTER ROLE keeper SET synchronous_commit = on/,
        );
        return true;
      });
      await server.sql(
        `ALTER ROLE keeper IN DATABASE ${target.database} RESET synchronous_commit;
         ALTER ROLE keeper IN DATABASE ${target.database} SET default_transaction_read_only = on`,
      );
      await assert.rejects(open(target), /only reads, such as a standby. Name the primary/);
    });

    test('a schema that belongs to another role', async () => {
      const target = targetOf(await emptyDatabase());
      await server.sql(
        'CREATE SCHEMA identity_queries_state; GRANT ALL ON SCHEMA identity_queries_state TO keeper',
        target.database,
      );
      await assert.rejects(
        migratePostgres(target, given),
        /belongs to postgres, who could drop its tables\..* OWNER TO keeper;/,
      );
      await server.sql('ALTER SCHEMA identity_queries_state OWNER TO keeper', target.database);
      assert.match(await migratePostgres(target, given), /was made/);
    });

    test('a wrong password, with what to do', async () => {
      const target = await migrated();
      await assert.rejects(
        openPostgresState(target, () => Promise.resolve('wrong')),
        (error: unknown) => error instanceof OwnDatabaseError && /password/.test(error.message),
      );
    });
  });

  test('a server that is away is told, and is used again once it is back', async () => {
    const target = await migrated();
    const state = await open(target);
    const store = savedQueriesOf(state, 'a');
    const draft = { name: 'n', query_string: 'q', model: 'm' };
    const first = await store.create(draft, { by });
    assert.ok(typeof first === 'object');
    await server.restart();
    // The idle connection is gone: neither a read nor a save notices.
    assert.deepEqual(await store.get(first.query_id), first);
    await server.restart();
    assert.ok(typeof (await store.create({ ...draft, name: 'm' }, { by })) === 'object');
    await server.sql(`ALTER ROLE keeper NOLOGIN`);
    await server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'keeper'");
    const refused = (error: unknown): boolean =>
      error instanceof ServiceError && error.statusCode === 503 && error.headers['retry-after'] === '2';
    await assert.rejects(store.create({ ...draft, name: 'o' }, { by }), refused);
    await assert.rejects(store.list(10, listStart), refused);
    await server.sql(`ALTER ROLE keeper LOGIN`);
    assert.equal((await store.list(10, listStart)).items.length, 2);
    const set = `UPDATE identity_queries_state.settings SET value =`;
    const later: readonly (readonly [what: string, change: string, undo: string, reason: RegExp])[] = [
      ['is a standby', `ALTER ROLE keeper SET default_transaction_read_only = on`, `ALTER ROLE keeper RESET default_transaction_read_only`, /only reads/],
      ['confirms too early', `ALTER ROLE keeper SET synchronous_commit = off`, `ALTER ROLE keeper RESET synchronous_commit`, /synchronous_commit is off/],
      ['has a newer major', `${set} '9.0' WHERE name = 'version'`, `${set} '1.0' WHERE name = 'version'`, /changed by a newer program/],
      ['lost its version', `${set} 'x' WHERE name = 'version'`, `${set} '1.0' WHERE name = 'version'`, /has no version.*backup/],
    ]; // oxfmt-ignore
    for (const [what, change, undo, reason] of later) {
      await server.sql(change, target.database);
      await server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'keeper'");
      for (const work of [
        () => store.create({ ...draft, name: what }, { by }),
        () => store.list(10, listStart),
      ])
        await assert.rejects(
          work,
          (error: unknown) =>
            refused(error) &&
            error instanceof Error &&
            error.cause instanceof StateError &&
            reason.test(error.cause.message),
          what,
        );
      await server.sql(undo, target.database);
      assert.equal((await store.list(10, listStart)).items.length, 2, what);
    }
    await state.close();
  });

  test('a save that the server has no disk for saves nothing, and is possible again once there is room', async () => {
    const target = await migrated();
    const state = await open(target);
    const store = savedQueriesOf(state, 'a');
    const draft = { name: 'n', query_string: 'q', model: 'm' };
    await server.sql(
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$;
       CREATE TRIGGER no_room BEFORE INSERT ON identity_queries_state.saved_query_versions EXECUTE FUNCTION no_room()`,
      target.database,
    );
    await assert.rejects(store.create(draft, { by }), (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual([error.statusCode, /nothing was saved/.test(error.message)], [503, true]);
      return true;
    });
    await server.sql('DROP TRIGGER no_room ON identity_queries_state.saved_query_versions', target.database);
    assert.deepEqual((await store.list(10, listStart)).items, []);
    assert.ok(typeof (await store.create(draft, { by })) === 'object');
    await state.close();
  });

  test('over HTTP, versions are listed in pages, and a repeated key is the same save', async () => {
    const data = await emptyDatabase();
    await server.sql(`CREATE TABLE people (id int); ${readerSql('public')}`, data);
    const { database } = await migrated();
    process.env['IDENTITY_QUERIES_STATE_PASSWORD'] = password;
    const args = ['--database', addressOf(server, data), '--state', addressOf(server, database, 'keeper')];
    const service = await startOwnService(args);
    try {
      const http = new ServiceHttp(service);
      const headers = { 'idempotency-key': 'one' };
      const body = { name: 'Shared', query_string: 'SELECT 1', model: 'public' };
      const first = await http.call(endpoints.createSavedQuery, { body, headers });
      assert.equal(first.status, 201);
      const again = await http.call(endpoints.createSavedQuery, { body, headers });
      assert.deepEqual([again.status, again.body], [201, first.body]);
      const path: { query_id: string } = { query_id: String(first.body.query_id) };
      const second = { ...body, query_string: 'SELECT 2', expected_version: 1 };
      const updated = await http.call(endpoints.updateSavedQuery, { path, body: second });
      const versions = additionalEndpoints.listSavedQueryVersions;
      const page = await http.call(versions, { path, query: { pageSize: 1 } });
      assert.deepEqual(page.body.items, [updated.body]);
      const pageToken = String(page.body.nextPageToken);
      const last = await http.call(versions, { path, query: { pageSize: 1, pageToken } });
      assert.deepEqual(last.body, { items: [first.body] });
      const other = await http.call(versions, { path: { query_id: 'other' }, query: { pageToken } });
      assert.match(String(other.body.message), /belongs to another query/);
      assert.equal((await http.call(endpoints.deleteSavedQuery, { path })).status, 204);
      assert.equal((await http.call(endpoints.getSavedQuery, { path })).status, 404);
      assert.equal((await http.call(versions, { path })).body.items.length, 2);
      for (const bad of ['', 'x'.repeat(256)]) {
        const answer = await http.call(endpoints.createSavedQuery, {
          body,
          headers: { 'idempotency-key': bad },
        });
        assert.deepEqual([answer.status, answer.body.details?.field], [400, 'Idempotency-Key'], bad);
      }
      assert.equal(
        (await http.call(versions, { path: { query_id: 'x' } })).body.code,
        'SAVED_QUERY_NOT_FOUND',
      );
    } finally {
      await service.stop();
    }
  });

  test('serve migrate and serve purge work on it, and never show the password', async () => {
    const name = await emptyDatabase();
    const state = addressOf(server, name, 'keeper');
    const env = { IDENTITY_QUERIES_STATE_PASSWORD: password };
    const empty = await runOwnService(['purge', '--state', state], { env });
    assert.equal(empty.code, 1);
    assert.match(empty.complaints, /has no tables yet/);
    const away = await runOwnService(['migrate', '--state', 'postgres://keeper@127.0.0.1:1/state'], { env });
    assert.deepEqual(
      [away.code, away.complaints],
      [
        1,
        'The database keeper@127.0.0.1:1/state cannot be used: nothing listens there. Check host and port, and whether the server runs.\n',
      ],
    );
    const made = await runOwnService(['migrate', '--state', state], { env });
    assert.deepEqual([made.code, made.complaints], [0, '']);
    assert.match(made.out, /was made, with version 1\.0/);
    const purged = await runOwnService(['purge', '--all-deleted', '--state', state], { env });
    assert.equal(purged.out, 'Removed 0 deleted queries with their versions.\n');
    const wrong = await runOwnService(['migrate', '--state', state.replace('keeper', `keeper:geheim`)]);
    assert.equal(wrong.code, 2);
    assert.doesNotMatch(wrong.complaints, /geheim/);
    assert.match((await runOwnService(['migrate'])).complaints, /needs --state/);
  });
}
