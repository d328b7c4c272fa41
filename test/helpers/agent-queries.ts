/** Random queries that an agent might try, including every known way to bypass masking. */

const sensitive = ['email', 'phone', 'display_name', 'alias', 'manager_emails', 'profile'];
const openColumns = ['id', 'type', 'department', 'enabled', 'score', 'manager_id'];

export type Random = () => number;

/** Creates a mulberry32 generator: the same seed produces the same queries. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function makeQuery(random: Random): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T; // never empty
  const chance = (share: number): boolean => random() < share;
  const column = (): string => (chance(0.55) ? pick(sensitive) : pick(openColumns));
  const reference = (): string => pick(['', 'a.', 'accounts.', 'platform_identity.accounts.']) + column();

  const value = (depth: number): string => {
    const inner = (): string => (depth > 0 ? value(depth - 1) : reference());
    return pick([
      reference,
      reference,
      () => `${inner()}::text`,
      () => `${inner()}::${pick(['int', 'date', 'varchar(4)', 'json', 'bytea', 'uuid', 'name', 'regclass'])}`,
      () =>
        `${pick(['upper', 'lower', 'md5', 'reverse', 'length', 'initcap', 'to_json', 'to_jsonb', 'quote_literal', 'ascii', 'btrim'])}(${inner()}${chance(0.3) ? '::text' : ''})`,
      () => `${inner()} || ${inner()}`,
      () => `concat(${inner()}, ${inner()})`,
      () => `coalesce(${inner()}::text, ${inner()}::text)`,
      () => `CASE WHEN ${condition(depth - 1)} THEN ${inner()}::text ELSE ${inner()}::text END`,
      () => `(SELECT ${inner()} FROM accounts a LIMIT 1)`,
      () => `ARRAY[${inner()}::text, ${inner()}::text]`,
      () => `ROW(${inner()}, ${inner()})`,
      () => `json_build_object('k', ${inner()})`,
      () => `substring(${inner()}::text from ${Math.ceil(random() * 4)} for 3)`,
      () => `(ARRAY[${inner()}::text])[1]`,
      () =>
        pick([
          'a',
          'a.*',
          '*',
          'accounts',
          '(a).*',
          '(a).email',
          'row_to_json(a)',
          'a::text',
          'to_jsonb(a)',
          'count(*)',
          '1',
        ]),
      () => `${pick(['min', 'max', 'count', 'array_agg', 'json_agg', 'string_agg'])}(${inner()})`,
      () => `${pick(['mode()', 'percentile_disc(0.5)'])} WITHIN GROUP (ORDER BY ${inner()})`,
      () =>
        `${pick(['lag', 'first_value', 'max'])}(${inner()}) OVER (${pick(['', `ORDER BY ${inner()}`, `PARTITION BY ${inner()}`])})`,
      () => `encode(convert_to(${inner()}::text, 'UTF8'), '${pick(['hex', 'base64'])}')`,
      () => `format('%s', ${inner()})`,
      () => `(xpath('/a/text()', xmlelement(name a, ${inner()}::text)))[1]`,
      () => `greatest(${inner()}::text, ${inner()}::text)`,
      () => `(jsonb_each_text(to_jsonb(a))).value`,
      () => `unnest(ARRAY[${inner()}::text])`,
    ])();
  };

  const condition = (depth: number): string =>
    pick([
      () => 'enabled',
      () => `${reference()} = 'open1'`,
      () => `${depth > 0 ? value(depth - 1) : reference()}::text LIKE '%z%'`,
      () => `${reference()} IS NOT NULL`,
      () => `EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = a.id)`,
      () => `id IN (SELECT ${pick(['account_id', 'email', 'role_id'])} FROM memberships)`,
      () => `score > ${Math.floor(random() * 12)}`,
    ])();

  const from = (): string =>
    pick([
      () => 'accounts a',
      () => 'accounts a',
      () => 'accounts',
      () => 'accounts AS a JOIN memberships m ON m.account_id = a.id',
      () => 'accounts a JOIN memberships m USING (email)',
      () => 'accounts a NATURAL JOIN memberships m',
      () => `(SELECT ${column()} AS id, ${column()} AS email, ${column()} AS type, a.* FROM accounts a) a`,
      () => `(SELECT * FROM accounts) AS a`,
      () => `(SELECT * FROM accounts) AS a(id, type, department, score, enabled)`,
      () => `accounts a, LATERAL (SELECT a.${column()} AS id, a.${column()} AS hidden) s`,
      () => `accounts a, unnest(ARRAY[a.${column()}::text]) AS u(id)`,
      () => `accounts a CROSS JOIN roles r`,
      () => `accounts AS a(id, type, department, phone)`,
      () => 'ROWS FROM (generate_series(1, 3)) AS g, accounts a',
      () => 'accounts a, untold u',
      () => '(accounts a CROSS JOIN roles r) AS a',
    ])();

  const select = (depth: number): string =>
    [
      `SELECT ${chance(0.1) ? pick(['DISTINCT ', `DISTINCT ON (${column()}) `]) : ''}${Array.from({ length: 1 + Math.floor(random() * 3) }, () => value(depth) + (chance(0.3) ? ` AS ${pick(['id', 'type', 'x', 'email'])}` : '')).join(', ')}`,
      `FROM ${from()}`,
      ...(chance(0.3) ? [`WHERE ${condition(depth)}`] : []),
      ...(chance(0.1) ? [`GROUP BY ${pick(['1', column(), 'type', 'ROLLUP (id)'])}`] : []),
      ...(chance(0.2) ? [`ORDER BY ${pick(['1', column(), 'x', 'a', 'a.id DESC'])}`] : []),
      ...(chance(0.2) ? [`LIMIT ${Math.ceil(random() * 5)}`] : []),
    ].join(' ');

  const depth = Math.floor(random() * 3);
  return pick([
    () => select(depth),
    () => select(depth),
    () => select(depth),
    () => `WITH t AS (${select(depth)}) SELECT * FROM t`,
    () => `WITH t(x, id) AS (SELECT ${column()}, ${column()} FROM accounts) SELECT id, x FROM t`,
    () => `WITH accounts AS (SELECT ${column()} AS id, ${column()} AS email FROM accounts) ${select(0)}`,
    () => `SELECT * FROM (${select(depth)}) q`,
    () => `SELECT q FROM (${select(depth)}) q`,
    () =>
      `SELECT ${column()} FROM accounts ${pick(['UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT'])} SELECT ${column()} FROM accounts`,
    () =>
      `SELECT ${column()}::text FROM accounts UNION ALL SELECT 'open1' UNION ALL SELECT ${column()}::text FROM accounts`,
    () =>
      `WITH RECURSIVE t(x, y, n) AS (SELECT ${column()}::text, ${column()}::text, 1 FROM accounts UNION ALL SELECT y, x, n + 1 FROM t WHERE n < 3) SELECT x FROM t`,
    () => `TABLE ${pick(['accounts', 'roles', 'untold', 'pg_stats', 'platform_governance.owners'])}`,
    () => `VALUES ((SELECT ${column()}::text FROM accounts LIMIT 1), '1')`,
    () => `SELECT (SELECT s.e FROM (VALUES ('v')) v(email), (SELECT email AS e) s) FROM accounts`,
    () => `SELECT (SELECT accounts.${column()} FROM (VALUES ('v')) AS accounts(id)) FROM accounts`,
    () =>
      `SELECT (SELECT platform_identity.accounts.${column()} FROM (VALUES ('v', 'w')) AS accounts(id, email)) FROM accounts`,
    () => `SELECT query_to_xml('SELECT email FROM accounts', true, true, '')`,
    () => `SELECT g.ts_stat FROM unnest(ARRAY['SELECT to_tsvector(email) FROM accounts']) g`,
    () => `SELECT most_common_vals::text FROM pg_stats`,
    () => `SELECT '\\' , ${column()} , ' FROM accounts --' FROM accounts`,
  ])();
}
