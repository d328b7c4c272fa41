/**
 * An attacker who may call the tools as often as it likes, on two services whose data differ only in sensitive values.
 * Whatever it asks, both answer alike: tokens are compared by where equal ones occur.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Answer } from '#core/agents/tools/tool.ts';
import { makeQuery, randomFrom } from '#test/helpers/agent-queries.ts';
import {
  countedCharsMax,
  otherText,
  resultCharsMax,
  rowCharsMax,
  startMarkedService,
  toldOf,
} from '#test/helpers/marked-service.ts';
import { sensitiveUses } from '#test/helpers/sensitive-uses.ts';
import { oracles, passes } from '../policy/masking/query-cases.ts';

const one = await startMarkedService();
const other = await startMarkedService({}, otherText);
after(() => Promise.all([one.close(), other.close()]));

const caller = { client: 'test', signal: new AbortController().signal };

async function compare(tool: string, input: Record<string, unknown>): Promise<Answer> {
  const answers = [
    await one.session.call(tool, input, caller),
    await other.session.call(tool, input, caller),
  ];
  const [first, second] = answers.map(toldOf);
  assert.equal(first, second, JSON.stringify(input));
  return answers[0] as Answer; // there are two
}

/** The strategies that read a value letter by letter: by size, by failure, by time, by order, by count. */
const strategies: readonly ((column: string, guess: string, place: number) => string)[] = [
  (column, guess) => `SELECT repeat(btrim(${column}, '${guess}'), 1000000) FROM accounts`,
  (column, guess) => `SELECT btrim(${column}, '${guess}')::int FROM accounts LIMIT 1`,
  (column, _, place) => `SELECT (${column} || '')::date FROM accounts OFFSET ${place} LIMIT 1`,
  (column, _, place) => `SELECT ${Array(60).fill(column).join(', ')} FROM accounts OFFSET ${place} LIMIT 1`,
  (_, __, place) => `SELECT a.*, b.*, c.* FROM accounts a, accounts b, accounts c OFFSET ${place} LIMIT 1`,
  (column, guess) => `SELECT id FROM accounts WHERE ${column}::text LIKE '${guess}%'`,
  (column, _, place) => `SELECT id FROM accounts ORDER BY ${column} OFFSET ${place} LIMIT 1`,
  (column) => `SELECT count(*) FROM accounts GROUP BY ${column}`,
  (column, guess) => `SELECT coalesce(nullif(${column}::text, '${guess}'), '') FROM accounts`,
  (column) => `SELECT to_jsonb(a), concat(a.${column}) FROM accounts a`,
  (column, _, place) => `SELECT generate_series(1, length(${column}::text)) FROM accounts OFFSET ${place}`,
  (column) => `SELECT a.id FROM accounts a JOIN memberships m ON m.email = a.${column}::text`,
  (column) => `SELECT ${column}::varchar(3)::text FROM accounts`,
  (column) => `SELECT ${column}::text FROM accounts UNION ALL SELECT 'a'`,
  (column, _, place) => `SELECT id, ${column} FROM accounts OFFSET ${place} LIMIT 3`,
  (column) => `SELECT x FROM (SELECT ${column}::text AS x FROM accounts) t, generate_series(1, 9)`,
  (column) => `SELECT CASE WHEN enabled THEN ${column}::text ELSE 'none' END FROM accounts`,
  (column) => `SELECT ARRAY(SELECT ${column} FROM accounts), (SELECT ${column} FROM accounts LIMIT 1)`,
  (column) => `SELECT DISTINCT ON (${column}) id FROM accounts`,
  (column) => `SELECT id, row_number() OVER (ORDER BY ${column}) FROM accounts`,
  (column) => `SELECT id, count(*) OVER (PARTITION BY ${column}) FROM accounts`,
  (column) => `SELECT id FROM accounts LIMIT (SELECT length(min(${column}::text)) FROM accounts)`,
  (column) =>
    `SELECT id FROM accounts FETCH FIRST (SELECT count(DISTINCT ${column}) FROM accounts) ROWS WITH TIES`,
  (column) => `SELECT id FROM accounts WHERE ${column}::text::int > 0`,
  (column) => `SELECT id FROM accounts WHERE pg_input_is_valid(${column}::text, 'integer')`,
  (column) => `SELECT json_agg(${column}), jsonb_object_agg(id, ${column}) FROM accounts`,
  (column) =>
    `SELECT j.* FROM accounts a, JSON_TABLE(to_jsonb(a), '$' COLUMNS (x text PATH '$.${column}')) j`,
  (column) => `SELECT count(*) FILTER (WHERE ${column} IS NULL) FROM accounts`,
  (column, guess) => `SELECT 1/(CASE WHEN ${column}::text < '${guess}' THEN 0 ELSE 1 END) FROM accounts`,
  (column) => `SELECT pg_column_size(${column}), octet_length(${column}::text) FROM accounts`,
  (column) =>
    `WITH x AS MATERIALIZED (SELECT ${column} FROM accounts) SELECT count(*) FROM x, x AS y WHERE x = y`,
  (column) =>
    `SELECT id FROM accounts a WHERE EXISTS (SELECT 1 FROM accounts b WHERE b.${column} > a.${column})`,
  (column, guess) =>
    `WITH RECURSIVE t(n, e) AS (SELECT 1, '${guess}' UNION ALL SELECT n + 1, a.${column}::text FROM t, accounts a WHERE n < 3) CYCLE e SET c USING p SELECT count(*) FROM t`,
  (column) => `SELECT mode() WITHIN GROUP (ORDER BY ${column}) FROM accounts`,
  (column, _, place) => `SELECT id, ${column}::text FROM accounts ORDER BY id LIMIT 1 OFFSET ${place}`,
  // Copies that are sorted in memory or on the disk, by their size: the order of equal ones tells which.
  (column) =>
    `SELECT k, a.${column}, row_number() OVER (ORDER BY k % 2) AS n FROM (SELECT * FROM accounts ORDER BY id OFFSET 5 LIMIT 1) a, generate_series(1, 20000) s(k)`,
];

describe('the judge of parse trees', () => {
  for (const sql of [
    'SELECT upper(email) FROM accounts',
    "SELECT email || '' FROM accounts",
    'SELECT email::varchar FROM accounts',
    'SELECT x::int FROM (SELECT email AS x FROM accounts) t',
    'SELECT to_jsonb(a) FROM accounts a',
    'SELECT upper((SELECT email FROM accounts LIMIT 1))',
    'SELECT id FROM accounts ORDER BY email',
    'SELECT email FROM accounts ORDER BY 1',
    'SELECT DISTINCT email FROM accounts',
    'SELECT email FROM accounts UNION SELECT phone FROM accounts',
    'SELECT 1 FROM accounts JOIN memberships USING (email)',
    "SELECT id FROM accounts WHERE phone LIKE '1%'",
    'WITH RECURSIVE t AS (SELECT id, email FROM accounts UNION ALL SELECT id, email FROM t) CYCLE email SET c USING p SELECT id FROM t',
    'SELECT ARRAY[email] FROM accounts',
    'SELECT 1 FROM accounts a, unnest(ARRAY[a.email]) u',
  ])
    it(`finds what ${sql} does with a value`, () => {
      const uses = sensitiveUses(sql);
      assert.ok(uses.kind === 'judged' && uses.violations.length > 0);
    });
});

describe('two services that differ only in sensitive values', () => {
  it('answer alike to every strategy', async () => {
    let permitted = 0;
    for (const strategy of strategies)
      for (const column of ['email', 'profile', 'manager_emails', 'display_name'])
        for (const [guess, place] of [
          ['a', 0],
          ['zq', 1],
          ['7', 2],
        ] as const) {
          const { status } = await compare('run_query', { sql: strategy(column, guess, place) });
          if (status !== 'refused') permitted++;
        }
    assert.ok(permitted > 20, String(permitted));
  });

  it('answer alike beside a value that fills a row up to the limit of the service', async () => {
    const digits = (count: number): string => `1e${count - 1}`;
    const fillings: readonly ((count: number) => string)[] = [
      (count) => `repeat('x', ${count})`,
      (count) => `rpad('x', ${count})`,
      (count) => `'x'::char(${count})`,
      (count) => digits(count),
      (count) => `'${digits(count)}'::numeric`,
      (count) => `1.0 + '${digits(count)}'`,
      (count) => `10.0 ^ ${count - 1}`,
      (count) => `'x' || repeat('x', ${count - 1})`,
      (count) => `(SELECT string_agg('x', '') FROM generate_series(1, ${count}))`,
      (count) => `(SELECT p FROM repeat('x', ${count}) AS p)`,
      (count) => `(WITH w AS MATERIALIZED (SELECT repeat('x', ${count}) AS p) SELECT p FROM w)`,
      (count) => `(VALUES (repeat('x', ${count})))`,
    ];
    for (const filling of fillings)
      for (const column of ['email', 'profile', 'display_name'])
        for (const left of [20, 45]) {
          const filled = filling(rowCharsMax - left);
          for (const sql of [
            `SELECT ${column}, ${filled} FROM accounts WHERE id = 'open0'`,
            `SELECT t.* FROM (SELECT ${column}, ${filled} AS p FROM accounts WHERE id = 'open0' OFFSET 0) t`,
            `SELECT ${column}, p FROM accounts, LATERAL (SELECT ${filled} AS p) t WHERE id = 'open0'`,
          ])
            await compare('run_query', { sql });
        }
    const wide = (count: number): string =>
      Array(count)
        .fill(`'${'x'.repeat(190)}'`)
        .join(', ');
    for (let count = 500; count < 530; count++)
      await compare('run_query', {
        sql: `SELECT t.*, email FROM accounts, (SELECT ${wide(10)}) s(a, b, c, d, e, f, g, h, i, j), LATERAL (SELECT ${Array.from({ length: count }, (_, at) => `s.${'abcdefghij'[at % 10]}`).join(', ')}) t WHERE id = 'open0'`,
      });
  });

  it('answer nothing beside numbers and patterns that grow by what the query says', async () => {
    const small = `0.${'0'.repeat(190)}1`;
    const grown = [
      'round(1.0, 16000)',
      'trunc(1.0, 16000)',
      `(SELECT 1${' / c'.repeat(500)} FROM (SELECT ${small} AS c) s)`,
      `1.0${' * 1.123456789012345678'.repeat(500)}`,
      `1${' / 0.00000000000000001'.repeat(500)}`,
      `to_char(current_date, '${'J'.repeat(199)}')`,
      `to_char(current_date, p)`,
    ];
    for (const value of grown) {
      const copies = Array.from({ length: 60 }, () => 'v').join(', ');
      const sql = `SELECT email, ${copies} FROM accounts, (SELECT ${value} AS v FROM (SELECT '${'J'.repeat(199)}' AS p) t) s LIMIT 5`;
      const answer = await compare('run_query', { sql });
      assert.equal(answer.code, 'sensitive-column', value.slice(0, 60));
    }
    const usual =
      "SELECT email, round(1.0 * 100 / NULLIF(count(*) OVER (), 0), 2), to_char(current_date, 'YYYY-MM-DD'), trunc(1.55, 1) FROM accounts LIMIT 5";
    assert.equal((await compare('run_query', { sql: usual })).status, 'complete');
  });

  it('answer alike beside rows that fill a result up to a limit of the service', async () => {
    for (const limit of [resultCharsMax, countedCharsMax])
      for (const column of ['email', 'display_name']) {
        // Three accounts, whose texts are 39 characters on the one service, and 67 on the other.
        const rows = Math.round(limit / 64);
        const sql = `SELECT ${column} FROM accounts, generate_series(2, ${rows}) k WHERE id = 'open0'`;
        for (const text of [sql, `${sql} LIMIT 99999`, `SELECT t.* FROM (${sql}) t -- all`])
          await compare('run_query', { sql: text });
        for (const rule of ['no rows', 'rows'])
          await compare('run_control', { sql: `-- @control A-1 One\n-- @expect ${rule}\n${sql}` });
      }
  });

  it('answer nothing if a LIMIT is large, however it is written', async () => {
    for (const most of ['1001', '99_999', '99_999_999_999', '0x1FFFFFFFFF', '1e9', '5::int', 'ALL']) {
      const answer = await compare('run_query', { sql: `SELECT email FROM accounts LIMIT ${most}` });
      assert.equal(answer.code, 'unlimited', most);
    }
  });

  it('answer alike to known and to generated queries, also in controls', async () => {
    let permitted = 0;
    const random = randomFrom(20_261_127);
    const texts = [
      // Recursive ones may never end.
      ...passes.map(([text]) => text).filter((text) => !text.includes('RECURSIVE')),
      ...oracles,
      ...Array.from({ length: 130 }, () => makeQuery(random)),
    ];
    let judged = 0;
    for (const [index, sql] of texts.entries()) {
      const tool = index % 5 === 0 ? 'run_control' : 'run_query';
      one.sent.length = 0;
      const { status } = await compare(tool, { sql });
      if (status !== 'refused') permitted++;
      for (const text of one.sent) {
        const uses = sensitiveUses(text);
        if (uses.kind === 'judged') judged++;
        if (uses.kind === 'judged') assert.deepEqual(uses.violations, [], text);
      }
    }
    assert.ok(permitted > 50, String(permitted));
    assert.ok(judged > 30, String(judged));
  });

  it('answer alike to 200 permitted calls of every tool, in any order', async () => {
    const random = randomFrom(20_261_128);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item; // never empty
    const columns = ['email', 'phone', 'display_name', 'alias', 'manager_emails', 'profile', 'id', 'score'];
    const query = (): string =>
      random() < 0.4
        ? makeQuery(random)
        : random() < 0.5
          ? pick(strategies)(pick(columns), pick(['a', 'zq', '7', '2026']), Math.floor(random() * 4))
          : `SELECT ${pick(columns)}, ${pick(columns)}::text AS x FROM accounts ORDER BY ${pick(['id', 'score'])}${pick([' DESC', ''])} LIMIT ${Math.ceil(random() * 9)} OFFSET ${Math.floor(random() * 9)}`;
    for (const service of [one, other]) {
      service.sent.length = 0;
      service.save('open', 'SELECT id, email, display_name FROM accounts ORDER BY id');
      service.save('closed', 'SELECT id FROM accounts WHERE email::text LIKE :like');
    }
    const calls: readonly (() => readonly [string, Record<string, unknown>])[] = [
      () => ['run_query', { sql: query() }],
      () => ['run_query', { sql: query() }],
      () => ['run_control', { sql: `-- @control A-1 One\n-- @key id\n${query()}` }],
      () => [
        'run_control',
        {
          sql: [
            '-- @control A-2 Two',
            `-- @key ${pick(columns)}`,
            pick([
              `-- @expect column ${pick(columns)}`,
              `-- @warn_if ${pick(['sum', 'min', 'max', 'avg'])}(${pick(columns)}) ${pick(['>', '<', '='])} 7`,
              `-- @error_if rows > ${Math.floor(random() * 14)}`,
              '-- @expect one row',
            ]),
            `SELECT id, score, ${pick(columns)} AS ${pick(['email', 'score', 'x', '"ID"'])} FROM accounts ORDER BY id`,
          ].join('\n'),
          max_rows: Math.ceil(random() * 9),
        },
      ],
      () => [
        'run_control',
        {
          sql: `-- @control A-3 Three\n-- @population SELECT count(${pick(['*', ...columns])}) FROM accounts WHERE ${pick(columns)} ${pick(['IS NOT NULL', "> 'z'"])}\nSELECT id FROM accounts LIMIT 0`,
        },
      ],
      () => [
        'run_query',
        {
          sql: `SELECT id, ${pick(columns)} FROM accounts WHERE ${pick(['id', 'type', ...columns])} = :value`,
          parameters: { value: pick(['open1', 'a', '7', '2026-01-11']) },
        },
      ],
      () => ['list_models', { search: pick(['acc', 'x', '']) }],
      () => ['check_sql', { sql: query() }],
      () => ['describe_table', { table: pick(['accounts', 'memberships', 'nope']) }],
      () => ['get_saved_query', { id: pick(['open', 'closed', 'none']) }],
      () => ['run_saved_query', { id: 'open', max_rows: Math.ceil(random() * 9) }],
      () => ['run_saved_query', { id: 'closed', parameters: { like: pick(['%', 'z%', '7%']) } }],
    ];
    let permitted = 0;
    const used = new Set<string>();
    for (let nth = 0; permitted < 200 && nth < 4_000; nth++) {
      const [tool, input] = pick(calls)();
      const { status } = await compare(tool, input);
      assert.deepEqual(one.sent.splice(0), other.sent.splice(0));
      if (status === 'refused') continue;
      permitted++;
      used.add(tool);
    }
    assert.equal(permitted, 200);
    assert.ok(used.size >= 5, [...used].join(', '));
  });
});
