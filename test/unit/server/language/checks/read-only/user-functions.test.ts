/** A function of a user is found in every notation and overload that PostgreSQL has for calls. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { agentCatalogue } from '#test/helpers/agent-models.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 20_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

async function judge(text: string): Promise<string> {
  const analysis = await analyser.analyse(text, { isSavedQuery: true, catalogue: agentCatalogue });
  const [statement] = analysis?.statements ?? [];
  return `${statement?.verdict}: ${(statement?.calls ?? []).map(({ name }) => name).join(', ')}`;
}

const calls: readonly (readonly [string, string])[] = [
  ["SELECT x.note FROM lower('A') AS x", 'note'],
  ["SELECT (x).note FROM lower('A') AS x(note)", 'note'],
  ["SELECT (s).note FROM (SELECT 'a' AS s) AS t, (SELECT 1 AS note) AS s", 'note'],
  ['SELECT x.note FROM generate_series(1, 3) AS x', 'note'],
  ['SELECT x.note FROM generate_series(1, 3) AS x(n)', 'note'],
  ["SELECT e.note FROM json_each('{}') AS e", 'note'],
  ['SELECT "x"."Note" FROM lower(\'A\') AS "x"', 'Note'],
  ["SELECT x.nöte FROM lower('A') AS x", 'nöte'],
  ["SELECT 1 FROM lower('A') AS x WHERE x.note", 'note'],
  ["SELECT 1 FROM lower('A') AS x ORDER BY x.note", 'note'],
  ["SELECT (SELECT x.note) FROM lower('A') AS x", 'note'],
  ['SELECT s.note FROM (SELECT 1 AS a) AS s', 'note'],
  ['WITH s AS (SELECT 1 AS a) SELECT s.note FROM s', 'note'],
  ['WITH s AS (SELECT 1 AS a) SELECT t.note FROM s AS t', 'note'],
  ['SELECT v.note FROM (VALUES (1)) AS v(a)', 'note'],
  ['SELECT a.note FROM accounts a', 'note'],
  ['SELECT accounts.note FROM accounts', 'note'],
  ['SELECT id FROM accounts a WHERE a.note = 1', 'note'],
  ['SELECT (a).note FROM accounts a', 'note'],
  ['SELECT (a).id, (lower(a.id)).id FROM accounts a', 'id'],
  ['SELECT (a).id FROM accounts a, of_others b', 'id'],
  ['SELECT (a).id FROM accounts a, (SELECT 1 AS a) AS s', 'id'],
  ['SELECT (a).id, l.* FROM accounts a, LATERAL (SELECT (s).id FROM (SELECT 2 AS n) AS s) AS l', 'id'],
  ['SELECT (a).email.id, (a).id FROM accounts a', 'id'],
  ['SELECT (id).note FROM accounts', 'note'],
  ['SELECT (x).note FROM (SELECT 1 AS id) x UNION ALL SELECT (x).note FROM (SELECT 1 AS note) x', 'note'],
  [
    'SELECT (x).note FROM (SELECT 1 AS id) x WHERE EXISTS (SELECT (x).note FROM (SELECT 1 AS note) x)',
    'note',
  ],
  [
    '(WITH s AS (SELECT 1 AS id) SELECT (s).note FROM s) UNION ALL (WITH s AS (SELECT 1 AS note) SELECT (s).note FROM s)',
    'note',
  ],
  [
    'SELECT (accounts).note FROM accounts UNION ALL (WITH accounts AS (SELECT 1 AS note) SELECT (accounts).note FROM accounts)',
    'note',
  ],
  [
    'SELECT (x).note FROM ((SELECT 1 AS a) p CROSS JOIN (SELECT 2 AS b) q) AS x UNION ALL SELECT (x).note FROM (SELECT 1 AS note) x',
    'note',
  ],
  [
    'SELECT (x).note FROM (SELECT 1 AS a) p JOIN (SELECT 1 AS a) q USING (a) AS x UNION ALL SELECT (x).note FROM (SELECT 1 AS note) x',
    'note',
  ],
  [
    "SELECT (x).note FROM json_table('{}', '$' COLUMNS (a text)) x UNION ALL SELECT (x).note FROM (SELECT 1 AS note) x",
    'note',
  ],
  ["SELECT (x).note FROM json_table('{}', '$' COLUMNS (x text)) t, (SELECT 1 AS note) x", 'note'],
  [
    "SELECT (e).note FROM json_each('{}') AS e UNION ALL SELECT (e).note FROM (SELECT 1 AS note) AS e",
    'note',
  ],
  ['SELECT (a).id FROM accounts a(x)', 'id'],
  ['SELECT count(a.note) FROM accounts a', 'note'],
  ['SELECT a.note[1] FROM accounts a', 'note'],
  ['SELECT DISTINCT ON (a.note,a.id) 1 FROM accounts a', 'note'],
  ['SELECT j.note FROM (accounts a JOIN roles r ON true) AS j', 'note'],
  ['SELECT j.note FROM accounts a JOIN roles r USING (id) AS j', 'note'],
  ['SELECT x.note FROM accounts a, LATERAL (SELECT a.*) AS x', 'note'],
  ['SELECT 1 OPERATOR(public.=) 1', 'public.='],
  ["SELECT ('A'::text).note", 'note'],
  ["SELECT (lower('A')).note", 'note'],
  ["SELECT (json_each('{}')).note", 'note'],
  ["SELECT (ARRAY['a'])[1].note", 'note'],
  ["SELECT (SELECT 'a').note", 'note'],
  ['SELECT (ROW(1, 2)).note', 'note'],
  ["SELECT upper('a', 'b', 'c')", 'upper'],
  ["SELECT pg_catalog.upper('a', 'b', 'c')", 'pg_catalog.upper'],
  ['SELECT lower()', 'lower'],
  ["SELECT x FROM upper('a', 'b') AS x", 'upper'],
  ['SELECT length(upper(id, id)) FROM accounts', 'upper'],
  ['SELECT count(id, id) FROM accounts', 'count'],
  ['SELECT sum(score, score) OVER () FROM accounts', 'sum'],
  ['SELECT upper(*)', 'upper'],
  ['SELECT lower(*) OVER () FROM accounts', 'lower'],
  ["SELECT upper(a => 'x')", 'upper'],
  ["SELECT upper(VARIADIC ARRAY['x'])", 'upper'],
  ["SELECT concat(x => 'x')", 'concat'],
  ['SELECT make_date(year => 2026, month => 1, tag => 1)', 'make_date'],
  ['SELECT make_interval(1, years => 1)', 'make_interval'],
  ["SELECT upper('a' ORDER BY 1)", 'upper'],
  ["SELECT upper(DISTINCT 'a')", 'upper'],
  ["SELECT upper('a') FILTER (WHERE true)", 'upper'],
  ["SELECT upper('a') OVER ()", 'upper'],
  ['SELECT row_number() FILTER (WHERE true)', 'row_number'],
  ["SELECT upper('a') WITHIN GROUP (ORDER BY 1)", 'upper'],
  ['SELECT percentile_cont(0.5, 1) WITHIN GROUP (ORDER BY 1, 2)', 'percentile_cont'],
  ['SELECT mode(1) WITHIN GROUP (ORDER BY 1)', 'mode'],
  ['SELECT @@@ 2', '@@@'],
  ['SELECT && 2', '&&'],
  ['SELECT 1 !! 2', '!!'],
  ['SELECT 1 |/ 2', '|/'],
  ['SELECT * FROM accounts TABLESAMPLE own.bernoulli (1)', 'own.bernoulli'],
  ['SELECT * FROM accounts TABLESAMPLE own.system (1)', 'own.system'],
  ['SELECT * FROM accounts TABLESAMPLE mine (1)', 'mine'],
];

const none: readonly string[] = [
  "SELECT x.x FROM lower('A') AS x",
  "SELECT lower.lower FROM lower('A')",
  'SELECT x.n FROM generate_series(1, 3) AS x(n)',
  'SELECT x.x, x.ordinality FROM generate_series(1, 3) WITH ORDINALITY AS x',
  "SELECT e.key, e.value FROM json_each('{}') AS e",
  "SELECT (json_each('{}')).key",
  "SELECT r.a FROM json_to_record('{}') AS r(a int)",
  "SELECT r.a, r.s FROM ROWS FROM (json_to_record('{}') AS (a int), generate_series(1, 2)) AS r(a, s)",
  'SELECT u.a, u.b FROM unnest(ARRAY[1], ARRAY[2]) AS u(a, b)',
  'SELECT s.a FROM (SELECT 1 AS a) AS s',
  'SELECT s.upper FROM (SELECT upper(id) FROM accounts) AS s',
  'SELECT s.id FROM (SELECT * FROM accounts) AS s',
  'WITH s(b) AS (SELECT 1 AS a) SELECT s.b FROM s',
  'WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT s.n + 1 FROM s WHERE s.n < 3) SELECT s.n FROM s',
  'SELECT v.column1 FROM (VALUES (1)) AS v',
  'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n FROM s) SEARCH DEPTH FIRST BY n SET o SELECT s.o FROM s',
  'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n FROM s) CYCLE n SET c USING p SELECT s.c, s.p FROM s',
  'SELECT (a).id, ((a)).email FROM accounts a WHERE (a).enabled ORDER BY (a).alias',
  'SELECT (x).id FROM (SELECT 1 AS id) x UNION ALL SELECT (x).note FROM (SELECT 1 AS note) x',
  'WITH s AS (SELECT 1 AS a) SELECT (t).a FROM s AS t',
  "SELECT (e).key, (e).value FROM json_each('{}') AS e",
  'SELECT (v).column1 FROM (VALUES (1)) AS v',
  "SELECT (r).a FROM json_to_record('{}') AS r(a int)",
  'WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT (s).n + 1 FROM s WHERE (s).n < 3) SELECT (s).n FROM s',
  'SELECT (accounts).id, (SELECT (accounts).email) FROM accounts',
  'SELECT (a).id, (s).id FROM accounts a, (SELECT 1 AS id) AS s',
  'WITH s AS (SELECT * FROM accounts) SELECT (s).id FROM s',
  'SELECT (a).x FROM accounts a(x)',
  'SELECT 1 OPERATOR(pg_catalog.=) 1',
  'SELECT a.id, a.ctid FROM accounts a',
  'SELECT (ROW(1, 2)).f1',
  "SELECT concat('a', 'b', 'c', 'd'), upper('a'), substring('a' from 1 for 2), count(*), round(1.2, 1)",
  "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY score), string_agg(id, ',' ORDER BY id) FROM accounts",
  "SELECT overlay('a' placing 'b' from 1), position('a' in 'b'), trim(both 'a' from 'b'), extract(year from now())",
  "SELECT coalesce(1, 2), greatest(1, 2, 3), nullif(1, 2), text(1), date('2026-01-01'), lag(id, 1, 'x') OVER () FROM accounts",
  "SELECT make_interval(days => 3), format('%s', VARIADIC ARRAY['a'])",
  "SELECT make_interval(1, months => 2), make_date(year => 2026, month => 1, day => 1), concat(VARIADIC ARRAY['a'])",
  "SELECT jsonb_path_query('{}', '$', silent => true), regexp_replace('a', 'b', 'c', 'g')",
  'SELECT rank(1, 2) WITHIN GROUP (ORDER BY score, id), mode() WITHIN GROUP (ORDER BY score) FROM accounts',
  'SELECT count(*) FILTER (WHERE enabled), count(DISTINCT id), sum(score) OVER (), row_number() OVER () FROM accounts',
  "SELECT - score, + 1, |/ 4, ||/ 8, @ score, ~ 1, !! to_tsquery('a'), score # 1, score || id, %% id FROM accounts",
  'SELECT * FROM accounts TABLESAMPLE bernoulli (1)',
  'SELECT * FROM accounts TABLESAMPLE pg_catalog.system (1)',
];

describe('a function of a user', () => {
  for (const [text, name] of calls)
    it(`is found in ${text}`, async () => {
      assert.equal(await judge(text), `unknown-function: ${name}`);
    });

  it('is told apart from a column that the table lacks', async () => {
    const analysis = await analyser.analyse('SELECT a.note, mine(a.id) FROM accounts a', {
      isSavedQuery: true,
      catalogue: agentCatalogue,
    });
    assert.deepEqual(analysis?.statements[0]?.calls, [
      { kind: 'function', name: 'mine' },
      { kind: 'function', name: 'note', isColumn: true },
    ]);
  });

  for (const text of none)
    it(`is not seen in ${text}`, async () => {
      assert.equal(await judge(text), 'read-only: ');
    });
});
