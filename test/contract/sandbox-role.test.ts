/** Queries that try to change their role, write, or read system data. The reader role prevents all of this. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { endpoints } from '#api/contract/endpoints.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';

/** Queries that must be refused. */
const refused = [
  "SELECT set_config('role', 'postgres', false)",
  "SELECT set_config('session_authorization', 'postgres', true)",
  "SELECT set_config('transaction_read_only', 'off', true)",
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT pg_read_file('postgresql.conf')",
  "SELECT pg_read_binary_file('global/pg_control')",
  "SELECT pg_ls_dir('.')",
  "SELECT * FROM pg_ls_dir('/')",
  'SELECT * FROM pg_ls_waldir()',
  "SELECT pg_stat_file('postgresql.conf')",
  'SELECT pg_reload_conf()',
  'SELECT pg_rotate_logfile()',
  'SELECT pg_switch_wal()',
  "SELECT pg_create_restore_point('x')",
  'SELECT rolpassword FROM pg_authid',
  'SELECT * FROM pg_shadow',
  'SELECT * FROM pg_hba_file_rules',
  'SELECT * FROM pg_file_settings',
  'SELECT * FROM pg_config',
  'SELECT * FROM pg_user_mapping',
  'SELECT * FROM pg_largeobject',
  "SELECT lo_import('/etc/passwd')",
  "SELECT lo_export(1, '/tmp/x')",
  "SELECT lo_from_bytea(0, 'x')",
  'SELECT lo_create(0)',
  "SELECT query_to_xml('DELETE FROM accounts RETURNING 1', true, true, '')",
  "SELECT query_to_xml('CREATE TABLE x ()', true, true, '')",
  "SELECT query_to_xml('COPY (SELECT 1) TO PROGRAM ''touch /tmp/x''', true, true, '')",
  "SELECT query_to_xml('SELECT rolpassword FROM pg_authid', true, true, '')",
  "SELECT table_to_xml('pg_authid', true, true, '')",
  "SELECT cursor_to_xml('x', 1, true, true, '')",
  "SELECT database_to_xml(true, true, '') FROM pg_authid",
  'WITH gone AS (DELETE FROM accounts RETURNING 1) SELECT * FROM gone',
  'SELECT * INTO stolen FROM accounts',
  'SELECT * FROM accounts FOR UPDATE',
  "COPY accounts TO '/tmp/x'",
  'SET ROLE postgres',
  'RESET ROLE',
  'BEGIN; DELETE FROM accounts; COMMIT',
  'DO $$ BEGIN PERFORM 1; END $$',
  "SELECT dblink_connect('x')",
  "SELECT pg_advisory_unlock_all(), pg_read_file('x')",
  "SELECT current_setting('x.y'), pg_read_file('x')",
];

let sandbox: RunningSandbox;
before(async () => (sandbox = await startSandbox({ embedded: true, accounts: 20 })));
after(() => sandbox.stop());

suite('the role of queries', () => {
  test('no query can escape its role', async () => {
    const http = new ServiceHttp(sandbox);
    const run = (sql: string) => http.call(endpoints.executeQuery, { body: { query_string: sql } });
    const count = await run('SELECT count(*) FROM accounts');
    assert.equal(count.status, 200);
    const answered: string[] = [];
    for (const sql of refused) if ((await run(sql)).status === 200) answered.push(sql);
    assert.deepEqual(answered, []);
    assert.equal((await run('SELECT count(*) FROM accounts')).text, count.text);
  });
});
