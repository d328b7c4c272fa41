/**
 * A hostile agent's statements on the agent-models.ts model: every forbidden construct, in every position and spelling.
 * None may reach the service.
 */

/** Calls with side effects, calls outside the models, and unknown calls. */
const calls: readonly string[] = [
  'pg_sleep(9)',
  "pg_read_file('/etc/passwd')",
  "pg_ls_dir('/')",
  "lo_import('/etc/passwd')",
  'lo_unlink(1)',
  "nextval('s')",
  "setval('s', 1)",
  "set_config('role', 'x', false)",
  'pg_terminate_backend(1)',
  'pg_cancel_backend(1)',
  'pg_advisory_lock(1)',
  'pg_reload_conf()',
  "pg_notify('a', 'b')",
  "pg_logical_emit_message(true, 'a', 'b')",
  "query_to_xml('SELECT email FROM accounts', true, true, '')",
  "table_to_xml('accounts', true, true, '')",
  "dblink_exec('host=x', 'DELETE FROM accounts')",
  "ts_stat('SELECT to_tsvector(email) FROM accounts')",
  'my_function(1)',
  "platform_identity.my_function('x')",
];

const callPlaces: readonly ((call: string) => string)[] = [
  (call) => `SELECT ${call}`,
  (call) => `select id, ${call} as x from accounts`,
  (call) => `SELECT * FROM ${call} AS t`,
  (call) => `SELECT * FROM accounts a, LATERAL ${call} AS t`,
  (call) => `SELECT * FROM accounts a, LATERAL (SELECT ${call}) AS t`,
  (call) => `SELECT * FROM ROWS FROM (${call}, generate_series(1, 2)) AS t`,
  (call) => `SELECT id FROM accounts WHERE ${call} IS NOT NULL`,
  (call) => `SELECT id FROM accounts WHERE id IN (SELECT ${call}::text)`,
  (call) => `SELECT id FROM accounts WHERE false AND EXISTS (SELECT ${call})`,
  (call) => `WITH t AS (SELECT ${call} AS x) SELECT 1`,
  (call) => `WITH t AS MATERIALIZED (SELECT ${call} AS x) SELECT count(*) FROM t`,
  (call) => `SELECT count(*) FROM (SELECT ${call} AS x) s`,
  (call) => `SELECT (SELECT ${call} LIMIT 1)`,
  (call) => `VALUES (${call})`,
  (call) => `SELECT count(*) FROM (VALUES (1), (length(${call}::text))) v(x)`,
  (call) => `SELECT id FROM accounts ORDER BY ${call}`,
  (call) => `SELECT count(*) FROM accounts GROUP BY type, ${call}`,
  (call) => `SELECT type FROM accounts GROUP BY type HAVING ${call} IS NULL`,
  (call) => `SELECT id FROM accounts LIMIT (SELECT 1 WHERE ${call} IS NULL)`,
  (call) => `SELECT CASE WHEN true THEN 1 ELSE length(${call}::text) END`,
  (call) => `SELECT a.id FROM accounts a JOIN roles r ON ${call} IS NULL`,
  (call) => `SELECT row_number() OVER (PARTITION BY ${call}) FROM accounts`,
  (call) => `SELECT id FROM roles UNION ALL SELECT ${call}::text`,
  (call) => `SELECT count(*) FILTER (WHERE ${call} IS NULL) FROM accounts`,
  (call) => `SELECT coalesce(NULL, ${call}::text)`,
];

/** Other spellings of the same function call. */
const callSpellings: readonly ((name: string, rest: string) => string)[] = [
  (name, rest) => name.toUpperCase() + rest,
  (name, rest) => `"${name}"${rest}`,
  (name, rest) => `pg_catalog.${name}${rest}`,
  (name, rest) => `PG_CATALOG . "${name}" ${rest}`,
  (name, rest) => `${name}/* ( */${rest}`,
  (name, rest) => `${name} -- '\n ${rest}`,
  (name, rest) => `U&"${escaped(name)}"${rest}`,
];

const escaped = (name: string): string =>
  `\\${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`;

/** Conditions that probe a sensitive column of `a`. */
const conditions: readonly string[] = [
  "email = 'ada'",
  "EMAIL = 'ada'",
  `"email" = 'ada'`,
  `a."email" = E'\\x61da'`,
  "email LIKE U&'\\0061%'",
  `U&"em\\0061il" = 'ada'`,
  "email ~ '^a'",
  'email IS NULL',
  'length(email) > 5',
  "(a).email = 'x'",
  "a::text LIKE '%ada%'",
  "email || '' > 'm'",
  "email IN ('a', 'b')",
  'phone = $$1$$',
  'phone = $q$1$q$',
  "starts_with(email, 'a')",
  "display_name < 'm'",
  "profile ->> 'k' = 'v'",
  "to_jsonb(a) ->> 'email' = 'x'",
  "/* id */ email/* = */= 'x'",
  `email COLLATE "C" > 'a'`,
  "manager_emails @> ARRAY['x']",
  "md5(email) LIKE 'a%'",
  "NOT (email <> ALL (ARRAY['a']))",
];

const conditionPlaces: readonly ((condition: string) => string)[] = [
  (condition) => `SELECT id FROM accounts a WHERE ${condition}`,
  (condition) => `/* harmless */ SELECT id FROM accounts a WHERE enabled OR ${condition}`,
  (condition) => `SELECT ${condition} FROM accounts a`,
  (condition) => `SELECT CASE WHEN ${condition} THEN 1 END FROM accounts a`,
  (condition) => `SELECT count(*) FILTER (WHERE ${condition}) FROM accounts a`,
  (condition) => `SELECT id FROM accounts a ORDER BY ${condition}`,
  (condition) => `SELECT a.id FROM roles r JOIN accounts a ON ${condition}`,
  (condition) => `WITH t AS (SELECT id FROM accounts a WHERE ${condition}) SELECT count(*) FROM t`,
  (condition) => `SELECT r.id FROM roles r WHERE EXISTS (SELECT 1 FROM accounts a WHERE ${condition})`,
  (condition) => `SELECT s.x FROM accounts a, LATERAL (SELECT 1 AS x WHERE ${condition}) s`,
  (condition) => `VALUES ((SELECT count(*) FROM accounts a WHERE ${condition}))`,
  (condition) => `SELECT bool_or(${condition}) FROM accounts a`,
];

/** Statements that change data or run other code. */
const commands: readonly string[] = [
  'DELETE FROM accounts',
  'UPDATE accounts SET enabled = false',
  "INSERT INTO roles VALUES ('x')",
  'MERGE INTO roles r USING roles s ON r.id = s.id WHEN MATCHED THEN DELETE',
  'TRUNCATE accounts',
  'DROP TABLE accounts',
  'CREATE TABLE x AS SELECT 1',
  'SELECT * INTO x FROM accounts',
  'SELECT id FROM accounts FOR UPDATE',
  "COPY accounts TO PROGRAM 'sh'",
  'GRANT ALL ON accounts TO public',
  'CALL p()',
  'DO $$ BEGIN END $$',
  'SET ROLE x',
  'LOCK TABLE accounts',
  'LISTEN x',
  'EXECUTE p',
];

const commandPlaces: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => command.toLowerCase().replaceAll(' ', '\t'),
  (command) => `/* SELECT 1 */ ${command}`,
  (command) => `/* /* */ SELECT 1 */ ${command}`,
  (command) => `-- SELECT 1\n${command}`,
  (command) => `-- SELECT 1\r${command}`,
  (command) => `SELECT 1; ${command}`,
  (command) => `COMMIT; ${command}`,
  (command) => `; ${command}`,
  (command) => `${command}; SELECT 1`,
  (command) => `BEGIN READ WRITE; ${command}; COMMIT`,
  (command) => `SELECT ';'; ${command}`,
  (command) => `SELECT $$;$$; ${command}`,
  (command) => `SELECT E'\\\\'; ${command} --'`,
  (command) => `SELECT '\\'; ${command} --'`,
  (command) => `EXPLAIN ANALYZE ${command}`,
  (command) => `PREPARE p AS ${command}`,
  (command) => `WITH d AS (${command} RETURNING *) SELECT 1`,
  (command) => `\uFEFF${command}`,
  (command) => `SELECT 1 \0; ${command}`,
];

/** Returns all hostile statements, without duplicates. */
export function hostileQueries(): readonly string[] {
  const everywhere = <T>(what: readonly T[], places: readonly ((one: T) => string)[]): string[] =>
    what.flatMap((one) => places.map((place) => place(one)));
  const spelled = calls
    .filter((call) => !call.includes('.'))
    .flatMap((call) => {
      const end = call.indexOf('(');
      return callSpellings.map((spelling) => `SELECT ${spelling(call.slice(0, end), call.slice(end))}`);
    });
  return [
    ...new Set([
      ...everywhere(calls, callPlaces),
      ...spelled,
      ...everywhere(conditions, conditionPlaces),
      ...everywhere(commands, commandPlaces),
    ]),
  ];
}
