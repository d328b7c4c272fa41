/**
 * An attacker who may call the tools as often as it likes, on two services whose data differ only in sensitive values.
 * Whatever it asks, both answer alike: tokens are compared by where equal ones occur.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Answer } from '#core/agents/tools/tool.ts';
import { makeQuery, randomFrom } from '#test/helpers/agent-queries.ts';
import { otherText, startMarkedService, toldOf } from '#test/helpers/marked-service.ts';
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

  it('answer alike to known and to generated queries, also in controls', async () => {
    let permitted = 0;
    const random = randomFrom(20_261_127);
    const texts = [
      // Recursive ones may never end.
      ...passes.map(([text]) => text).filter((text) => !text.includes('RECURSIVE')),
      ...oracles,
      ...Array.from({ length: 400 }, () => makeQuery(random)),
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
    assert.ok(permitted > 100, String(permitted));
    assert.ok(judged > 100, String(judged));
  });
});
