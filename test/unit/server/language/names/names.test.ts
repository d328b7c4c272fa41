/** Table and column names, checked against a catalog. Marks enclose the expected findings. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import type { Finding } from '#server/language/checks/finding.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { readCorpus } from '#test/helpers/corpora.ts';
import { tpch } from '#test/helpers/tpch.ts';
import { readMarks } from '../marked-text.ts';
import { withoutInspections as withoutAdvice } from '../without-inspections.ts';

/** Removes findings about functions: these tests invent functions, and the corpora use other databases'. */
const withoutUnknown = (findings: readonly Finding[] = []): readonly Finding[] =>
  findings.filter(({ code }) => code !== 'UNKNOWN_FUNCTION' && code !== 'POSITIONAL_PARAMETER');
const withoutInspections = (findings: readonly Finding[] = []): readonly Finding[] =>
  withoutUnknown(withoutAdvice(findings));

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

/** Returns the type of a TPC-H column, so that the types in the queries' comparisons match. */
function typeOf(column: string): string {
  if (
    /^[a-z]{1,2}_.*(key|size|price|acctbal|qty|cost|shippriority|linenumber|quantity|discount|tax)$/.test(
      column,
    )
  ) {
    return 'numeric';
  }
  return /^[lo]_.*date$/.test(column) ? 'date' : 'text';
}

const table = (name: string, columns?: string) => ({
  name,
  ...(columns === undefined
    ? {}
    : { columns: columns.split(' ').map((column) => ({ name: column, type: typeOf(column) })) }),
});
const catalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [
        table('accounts', 'id name email role_id status Mixed'),
        table('roles', 'id title owner_id'),
        table('groups', 'id label'),
        table('open'),
      ],
    },
    { name: 'platform_governance', tables: [table('reviews', 'id account_id decision')] },
    { name: 'later' },
  ],
};

/** Letters for the expected codes, in the order of the marks. */
const codes = { T: 'UNKNOWN_TABLE', C: 'UNKNOWN_COLUMN', A: 'AMBIGUOUS_COLUMN' } as const;

const cases: readonly (readonly [string, string])[] = [
  // Tables
  ['SELECT * FROM accounts', ''],
  ['SELECT * FROM ACCOUNTS', ''],
  ['SELECT * FROM "accounts"', ''],
  ['SELECT * FROM «"Accounts"»', 'T'],
  ['SELECT * FROM «acounts»', 'T'],
  ['SELECT * FROM platform_identity.accounts', ''],
  ['SELECT * FROM platform_identity.«nope»', 'T'],
  ['SELECT * FROM platform_governance.reviews', ''],
  ['SELECT * FROM «reviews»', 'T'],
  ['SELECT * FROM later.anything', ''],
  ['SELECT x FROM later.anything', ''],
  ['SELECT * FROM information_schema.columns', ''],
  ['SELECT relname FROM pg_class', ''],
  ['TABLE «nope»', 'T'],
  ['-- @model platform_governance\nSELECT decision FROM reviews', ''],
  ['-- @model platform_governance\nSELECT * FROM «accounts»', 'T'],
  ['-- @model later\nSELECT a FROM b', ''],
  ['SELECT * FROM accounts a JOIN «nope» n ON a.id = n.id', 'T'],
  ['SELECT * FROM ONLY accounts TABLESAMPLE system(1)', ''],
  // Columns
  ['SELECT id, name FROM accounts', ''],
  ['SELECT ID, "id" FROM accounts', ''],
  ['SELECT «"ID"» FROM accounts', 'C'],
  ['SELECT «nam» FROM accounts', 'C'],
  ['SELECT «mixed», "Mixed" FROM accounts', 'C'],
  ['SELECT accounts.id, accounts.«nam» FROM accounts', 'C'],
  ['SELECT a.id, a.«nam» FROM accounts a', 'C'],
  ['SELECT «accounts».id FROM accounts a', 'T'],
  ['SELECT «b».id FROM accounts a', 'T'],
  ['SELECT platform_identity.accounts.id FROM platform_identity.accounts', ''],
  ['SELECT platform_identity.accounts.«nam» FROM platform_identity.accounts', 'C'],
  ['SELECT a, a.*, accounts FROM accounts a, accounts', ''],
  ['SELECT a.ctid, xmin, tableoid FROM accounts a', ''],
  ['SELECT count(*), now(), current_date, $1, :p FROM accounts', ''],
  ["SELECT 'x' FROM accounts", ''],
  ['SELECT id FROM accounts WHERE «nope» = 1', 'C'],
  ['SELECT id FROM accounts WHERE status IN (:list) AND name LIKE :p', ''],
  ["SELECT é.«nope», '💥' FROM accounts é", 'C'],
  ['SELECT id x FROM accounts WHERE «x» = 1', 'C'],
  ['SELECT id x FROM accounts ORDER BY x', ''],
  ['SELECT id x FROM accounts ORDER BY x DESC NULLS LAST, name', ''],
  ['SELECT id x FROM accounts ORDER BY «x» + 1', 'C'],
  ['SELECT id x FROM accounts GROUP BY x', ''],
  ['SELECT id x FROM accounts GROUP BY (x, name), ROLLUP (x)', ''],
  ['SELECT id x FROM accounts GROUP BY id HAVING «x» > 1', 'C'],
  ['SELECT DISTINCT ON (x) id x FROM accounts', ''],
  ['SELECT lower(name) FROM accounts ORDER BY lower', ''],
  ['SELECT name::text, CASE WHEN true THEN id END FROM accounts ORDER BY name', ''],
  ['SELECT id FROM accounts ORDER BY «nope»', 'C'],
  [
    'SELECT sum(id) OVER w, row_number() OVER (PARTITION BY «nope») FROM accounts WINDOW w AS (ORDER BY name)',
    'C',
  ],
  ['SELECT count(*) FILTER (WHERE «nope») FROM accounts', 'C'],
  ['SELECT array_agg(name ORDER BY «nope») FROM accounts', 'C'],
  ['SELECT (accounts).name, (a).x FROM accounts, roles a', ''],
  ['SELECT id FROM accounts LIMIT «nope»', 'C'],
  ['SELECT «nope»', 'C'],
  ['VALUES («nope»)', 'C'],
  // Unknown sources suppress findings
  ['SELECT nope, x.nope FROM open x', ''],
  ['SELECT nope FROM accounts, open', ''],
  ['SELECT nope FROM accounts, made_up(1, 2)', ''],
  ['SELECT nope FROM accounts, pg_catalog.made_up(1, 2) AS f(a)', ''],
  ['SELECT nope FROM accounts, unnest(accounts.name) AS f(a)', ''],
  ['SELECT x, x.x FROM generate_series(1, 2) x', ''],
  ['SELECT a.«nope», o.nope FROM accounts a, open o', 'C'],
  ["SELECT nope FROM accounts, json_table(:j, '$' COLUMNS (nope int PATH '$')) t", ''],
  ['SELECT y FROM accounts, unnest(ARRAY[accounts.id]) AS y', ''],
  // Sources whose columns are defined in the text
  ['SELECT «nope» FROM accounts, generate_series(1, 2)', 'C'],
  ['SELECT g, g.g, g.«n» FROM generate_series(1, 2) g', 'C'],
  ['SELECT n, g.n, g, g.«g» FROM generate_series(1, 2) AS g (n)', 'C'],
  [
    'SELECT g.generate_series, generate_series.«n» FROM generate_series(1, 2), generate_series(1, 2) AS g (generate_series)',
    'C',
  ],
  ['SELECT e.key, e.value, e.«val» FROM accounts a, jsonb_each(a.name) e', 'C'],
  ['SELECT e.k, e.value, e.«key» FROM accounts a, jsonb_each(a.name) AS e (k)', 'C'],
  ['SELECT e.value, e.ordinality, e.«key» FROM jsonb_array_elements(:j) WITH ORDINALITY e', 'C'],
  ['SELECT e.v, e.n, e.«ordinality» FROM jsonb_array_elements(:j) WITH ORDINALITY AS e (v, n)', 'C'],
  ['SELECT r.a, b, r.«c» FROM json_to_record(:j) AS r (a int, b text)', 'C'],
  [
    'SELECT p, q, r, z.«s» FROM ROWS FROM (generate_series(1, 2), json_to_recordset(:j) AS (a int, b text)) AS z (p, q, r)',
    'C',
  ],
  ["SELECT id, «idd» FROM unnest('{a}'::text[], ARRAY[1, 2]) AS x (id, n)", 'C'],
  [
    "SELECT x.a, x.b, x.c, x.«d» FROM JSON_TABLE(:j, '$' COLUMNS (a int, NESTED PATH '$.x' COLUMNS (c int), b int)) AS x",
    'C',
  ],
  [
    "SELECT xmltable.p, o, «q» FROM accounts, XMLTABLE('/r' PASSING name COLUMNS p int PATH 'p', o FOR ORDINALITY)",
    'C',
  ],
  ['SELECT e.value FROM accounts a, jsonb_each(a.name) e', ''],
  ['SELECT 1 FROM accounts a, f(a.«nope»)', 'C'],
  // Joins
  ['SELECT a.id, title FROM accounts a JOIN roles r ON r.id = a.role_id', ''],
  ['SELECT «id» FROM accounts a JOIN roles r ON r.id = a.role_id', 'A'],
  ['SELECT 1 FROM accounts a JOIN roles r ON r.«nope» = a.role_id', 'C'],
  ['SELECT 1 FROM accounts a JOIN roles r ON «id» = a.role_id', 'A'],
  ['SELECT id FROM accounts JOIN roles USING (id)', ''],
  ['SELECT id FROM accounts JOIN roles USING (id) JOIN groups USING (id)', ''],
  ['SELECT «id» FROM accounts JOIN roles USING (id), groups', 'A'],
  ['SELECT «id» FROM open JOIN accounts USING (id), groups', 'A'],
  ['SELECT j.id, j.«nope» FROM accounts JOIN roles USING (id, «nope») AS j', 'CC'],
  ['SELECT accounts.«nope», groups.id FROM accounts NATURAL JOIN open NATURAL JOIN groups', 'C'],
  ['SELECT id, title, label FROM accounts NATURAL JOIN roles NATURAL LEFT JOIN groups', ''],
  ['SELECT j.id FROM accounts JOIN roles USING (id) AS j', ''],
  ['SELECT j.id FROM (accounts JOIN roles USING (id)) j', ''],
  ['SELECT accounts.id FROM (accounts JOIN roles ON true)', ''],
  ['SELECT 1 FROM accounts a JOIN (roles r JOIN groups g ON g.id = r.id) ON r.owner_id = a.id', ''],
  ['SELECT name, title FROM accounts, roles WHERE role_id = roles.id', ''],
  ['SELECT 1 FROM groups, accounts a JOIN roles r ON «label» = name', 'C'],
  ['SELECT 1 FROM groups g, accounts a JOIN roles r ON «g».label = name', 'T'],
  ['SELECT 1 FROM groups g, accounts a JOIN LATERAL (SELECT g.label) r ON r.label = name', ''],
  ['SELECT 1 FROM accounts a JOIN roles r ON r.id = «g».id JOIN groups g ON g.id = a.id', 'T'],
  ['SELECT 1 FROM accounts a JOIN (roles r JOIN groups g ON g.id = «a».id) ON r.id = a.id', 'T'],
  ['SELECT 1 FROM groups g WHERE EXISTS (SELECT 1 FROM accounts a JOIN roles r ON r.title = g.label)', ''],
  ['SELECT 1 FROM accounts JOIN roles USING («email»)', 'C'],
  ['SELECT 1 FROM accounts JOIN roles USING (id, «title»)', 'C'],
  ['SELECT 1 FROM accounts JOIN roles TABLESAMPLE system (1) USING («nope»)', 'C'],
  ['SELECT 1 FROM accounts a JOIN groups g ON a.id = g.id JOIN roles USING («id»)', 'A'],
  ['SELECT 1 FROM open JOIN roles USING (id, «nope»)', 'C'],
  ['SELECT a.*, title FROM accounts a JOIN roles r ON a.role_id = r.id ORDER BY id', ''],
  ['SELECT * FROM accounts a JOIN roles r ON a.role_id = r.id ORDER BY «id»', 'A'],
  ['SELECT * FROM accounts JOIN roles USING (id) ORDER BY id', ''],
  ['SELECT a.id, r.id FROM accounts a JOIN roles r ON a.role_id = r.id ORDER BY «id»', 'A'],
  ['SELECT a.id, a.id FROM accounts a ORDER BY id', ''],
  ['SELECT a.id FROM accounts a JOIN roles r ON a.role_id = r.id GROUP BY «id»', 'A'],
  ['SELECT j.id, j.«name» FROM accounts JOIN roles USING (id) AS j', 'C'],
  ['SELECT j.name, j.«nope» FROM (accounts JOIN roles USING (id)) AS j', 'C'],
  ['SELECT s.x, s.title, s.name, s.id FROM (SELECT * FROM accounts JOIN roles ON true) s (x)', ''],
  // The merged column is the first one, so `x` renames it.
  [
    'SELECT s.x, s.«id», s.«label» FROM (SELECT * FROM (SELECT 1 AS id, 2 AS label) p JOIN groups USING (label)) AS s (x)',
    'AC',
  ],
  ['SELECT s.x, s.y, s.«id» FROM (SELECT * FROM accounts a JOIN accounts b USING (id)) AS s (x, y)', 'C'],
  ['SELECT x.a, x.name FROM accounts AS x (a)', ''],
  ['SELECT x.«id» FROM accounts AS x (a)', 'C'],
  // Subqueries
  ['SELECT i FROM (SELECT id i FROM accounts) s', ''],
  ['SELECT «id» FROM (SELECT id i FROM accounts) s', 'C'],
  ['SELECT s.«id» FROM (SELECT id i FROM accounts) s', 'C'],
  ['SELECT s.name FROM (SELECT * FROM accounts) s', ''],
  ['SELECT s.«nope» FROM (SELECT * FROM accounts) s', 'C'],
  ['SELECT s.«title» FROM (SELECT a.* FROM accounts a, roles) s', 'C'],
  ['SELECT s.count, s."?column?" FROM (SELECT count(*), 1 + 1 FROM accounts) s', ''],
  [
    'SELECT s.case, s.coalesce, s.nullif, s.bool, s.anything FROM (SELECT CASE WHEN true THEN 1 END, coalesce(id), nullif(id, 1), true FROM accounts) s',
    '',
  ],
  ['SELECT column1, «column3» FROM (VALUES (1, 2)) v', 'C'],
  ['SELECT v.a FROM (VALUES (1, 2)) v (a, b)', ''],
  ['SELECT v.«column1» FROM (VALUES (1, 2)) v (a, b)', 'C'],
  ['SELECT * FROM accounts a WHERE EXISTS (SELECT 1 FROM roles r WHERE r.id = a.role_id)', ''],
  ['SELECT * FROM accounts a WHERE EXISTS (SELECT 1 FROM roles r WHERE r.«nope» = a.«nah»)', 'CC'],
  ['SELECT * FROM accounts WHERE EXISTS (SELECT 1 FROM roles WHERE name = title)', ''],
  ['SELECT * FROM accounts WHERE role_id IN (SELECT «nope» FROM roles)', 'C'],
  ['SELECT (SELECT title FROM roles WHERE roles.id = role_id) FROM accounts', ''],
  ['SELECT (SELECT id FROM roles) FROM accounts', ''],
  ['SELECT * FROM accounts a, (SELECT «a».id) s', 'T'],
  ['SELECT * FROM accounts a, LATERAL (SELECT a.id, a.«nope») s', 'C'],
  ['SELECT * FROM accounts a LEFT JOIN LATERAL (SELECT * FROM roles WHERE id = a.role_id) r ON true', ''],
  ['SELECT * FROM accounts a JOIN (SELECT * FROM roles WHERE id = «a».id) r ON true', 'T'],
  [
    'SELECT 1 FROM accounts a WHERE a.id = (SELECT max(r.id) FROM roles r WHERE r.owner_id = (SELECT g.id FROM groups g WHERE g.label = a.name AND r.title = g.label))',
    '',
  ],
  [
    'SELECT s.name, s.int4, s.case, s.array, s.exists, s.«nope» FROM (SELECT name::text, 1::int, CASE WHEN true THEN 1 END, ARRAY[1], EXISTS (SELECT 1) FROM accounts) s',
    'C',
  ],
  [
    'SELECT s.id, s.m, s.max, s.coalesce, s.«case» FROM (SELECT CASE WHEN true THEN 1 ELSE id END, (SELECT 1 AS m), (SELECT max(id) FROM roles), coalesce(id)::text FROM accounts) s',
    'C',
  ],
  [
    'SELECT s.date, s.current_date, s.greatest, s.street, s.btrim, s.«trim» FROM (SELECT :d::date, current_date, greatest(1, 2), (a).street, trim(name) FROM accounts a) s',
    'C',
  ],
  ['SELECT s.«id» FROM (SELECT a.*, r.* FROM accounts a, roles r) s', 'A'],
  ['SELECT s.«ctid» FROM (SELECT id FROM accounts) s', 'C'],
  ['SELECT a.id, «name».first FROM accounts a', 'T'],
  ['SELECT (a.name).first FROM accounts a', ''],
  ['SELECT a.«name».first FROM accounts a', 'T'],
  ['SELECT platform_identity.accounts.id, platform_identity.accounts.«nam» FROM accounts', 'C'],
  ['SELECT platform_identity.«accounts».id FROM accounts a', 'T'],
  ['SELECT platform_governance.«accounts».id FROM accounts', 'T'],
  ['WITH accounts AS (SELECT 1 AS x) SELECT platform_identity.«accounts».x FROM accounts', 'T'],
  // CTEs
  ['WITH c AS (SELECT id FROM accounts) SELECT id, «name» FROM c', 'C'],
  ['WITH c (x) AS (SELECT id FROM accounts) SELECT x, «id» FROM c', 'C'],
  ['WITH c AS (SELECT id FROM accounts), d AS (SELECT id FROM c) SELECT d.id FROM d', ''],
  ['WITH d AS (SELECT id FROM «c»), c AS (SELECT id FROM accounts) SELECT d.id FROM d', 'T'],
  ['WITH accounts AS (SELECT 1 AS x) SELECT x, «id» FROM accounts', 'C'],
  ['WITH accounts AS (SELECT 1 AS x) SELECT id FROM platform_identity.accounts', ''],
  ['WITH c AS (SELECT id FROM accounts) SELECT (SELECT c.id FROM c) FROM roles WHERE EXISTS (TABLE c)', ''],
  ['SELECT * FROM (WITH c AS (SELECT 1 AS x) SELECT x FROM c) s, «c»', 'T'],
  ['WITH c AS (SELECT «nope» FROM accounts) SELECT 1', 'C'],
  [
    'WITH c AS MATERIALIZED (SELECT * FROM accounts JOIN roles USING (id)) SELECT id, title, «nope» FROM c',
    'C',
  ],
  [
    'WITH RECURSIVE c AS (SELECT id, role_id FROM accounts UNION ALL SELECT r.id, c.role_id FROM roles r JOIN c ON c.id = r.owner_id) SELECT id FROM c',
    '',
  ],
  ['WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9) SELECT n, «m» FROM c', 'C'],
  ['WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT «m» FROM c) SELECT n FROM c', 'C'],
  ['WITH RECURSIVE a AS (SELECT x FROM b), b AS (SELECT 1 AS x) SELECT a.x, b.«y» FROM a, b', 'C'],
  [
    'WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c) SEARCH DEPTH FIRST BY n SET o SELECT n, o, «p» FROM c',
    'C',
  ],
  [
    'WITH RECURSIVE c (m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM c) CYCLE m SET x USING y SELECT m, x, y, «z» FROM c',
    'C',
  ],
  // Set operations
  ['SELECT id FROM accounts UNION SELECT id FROM roles ORDER BY «name»', 'C'],
  ['SELECT id AS x FROM accounts UNION SELECT id FROM roles ORDER BY x, «id» DESC', 'C'],
  ['SELECT nope FROM open UNION SELECT id FROM roles ORDER BY nope', ''],
  ['SELECT id FROM accounts UNION SELECT id FROM roles ORDER BY id', ''],
  ['SELECT id FROM accounts UNION SELECT «name» FROM roles', 'C'],
  ['SELECT s.id FROM (SELECT id FROM accounts UNION SELECT owner_id FROM roles) s', ''],
  ['SELECT s.«owner_id» FROM (SELECT id FROM accounts UNION SELECT owner_id FROM roles) s', 'C'],
  ['WITH c AS (SELECT 1 AS x) (SELECT x FROM c) EXCEPT (SELECT «y» FROM c)', 'C'],
  ['SELECT 1 FROM accounts a WHERE EXISTS (SELECT a.id UNION SELECT a.«nope»)', 'C'],
  // Nested and rare constructs
  ['SELECT a.id FROM accounts a JOIN roles r ON r.id = a.role_id AND r.«nope» = 1', 'C'],
  ['SELECT a.id FROM accounts a LEFT JOIN roles r ON r.id = «b».role_id', 'T'],
  ['SELECT «id» FROM accounts a JOIN roles r ON a.role_id = r.id', 'A'],
  ['SELECT a.id FROM accounts a JOIN accounts b ON a.id = b.id WHERE «name» = :n', 'A'],
  ['SELECT id FROM accounts NATURAL JOIN groups', ''],
  ['SELECT a.id, b.id FROM accounts a, accounts b WHERE a.id = b.role_id', ''],
  ['SELECT count(«nope») FROM accounts', 'C'],
  ['SELECT count(*) FILTER (WHERE «nope» = 1) FROM accounts', 'C'],
  ['SELECT row_number() OVER (PARTITION BY role_id ORDER BY «nope») FROM accounts', 'C'],
  ['SELECT sum(id) OVER w FROM accounts WINDOW w AS (ORDER BY «nope»)', 'C'],
  ['SELECT CASE WHEN «nope» THEN 1 ELSE id END FROM accounts', 'C'],
  ['SELECT coalesce(name, «nam») FROM accounts', 'C'],
  ['SELECT ARRAY[id, «idd»] FROM accounts', 'C'],
  ['SELECT ARRAY(SELECT r.id FROM roles r WHERE r.owner_id = accounts.«nope») FROM accounts', 'C'],
  ['SELECT id FROM accounts WHERE (id, name) IN (SELECT id, name FROM roles) AND «nope» = 1', 'C'],
  ['SELECT id FROM accounts WHERE name LIKE «nope» || :p', 'C'],
  ['SELECT id FROM accounts WHERE id BETWEEN 1 AND «nope»', 'C'],
  ['SELECT id FROM accounts ORDER BY CASE WHEN «nope» THEN 1 END', 'C'],
  ['SELECT role_id, count(*) FROM accounts GROUP BY role_id HAVING max(«nope») > 1', 'C'],
  ['SELECT DISTINCT ON («nope») id FROM accounts', 'C'],
  ['SELECT extract(year FROM «nope») FROM accounts', 'C'],
  ['SELECT cast(«nope» AS text) FROM accounts', 'C'],
  ['SELECT s.a FROM (SELECT t.a FROM (SELECT id AS a FROM accounts) t) s', ''],
  ['SELECT s.«b» FROM (SELECT t.a FROM (SELECT id AS a FROM accounts) t) s', 'C'],
  ['SELECT x.name, x.«id» FROM (accounts a JOIN roles r ON a.role_id = r.id) x', 'A'],
  ['SELECT «a».id FROM (SELECT 1) accounts, roles', 'T'],
  ['SELECT platform_governance.reviews.«nope» FROM platform_governance.reviews', 'C'],
  ['SELECT r.decision FROM platform_governance.reviews r JOIN accounts a ON a.id = r.account_id', ''],
  ['VALUES (1), (2)', ''],
  ['WITH c AS (VALUES (1, 2)) SELECT column1, «column9» FROM c', 'C'],
  ['WITH c AS (SELECT id AS a, name AS b FROM accounts) SELECT x.a, x.«c» FROM c AS x', 'C'],
  ['WITH c AS (SELECT 1 AS x) SELECT x FROM c WHERE EXISTS (SELECT 1 FROM c d WHERE d.«y» = c.x)', 'C'],
  // Placeholders and quotes do not shift positions
  ["SELECT :long_parameter_name, 'é', accounts . «nope» FROM accounts", 'C'],
  ['SELECT "accounts".«"x y"» FROM accounts', 'C'],
];

describe('names', () => {
  for (const [marked, expected] of cases) {
    it(JSON.stringify(marked), async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: false, catalogue });
      assert.deepEqual(
        withoutInspections(analysis?.findings).map(({ code, severity, start, end }) => [
          code,
          severity,
          text.slice(start, end),
          start,
        ]),
        ranges.map(({ start, end }, index) => [
          codes[expected[index] as keyof typeof codes],
          expected[index] === 'T' ? 'warning' : 'error',
          text.slice(start, end),
          start,
        ]),
      );
    });
  }

  it('suggests the most likely name', async () => {
    const messages = async (text: string): Promise<string[] | undefined> =>
      withoutInspections((await analyser.analyse(text, { isSavedQuery: false, catalogue }))?.findings).map(
        ({ message }) => message,
      );
    assert.deepEqual(await messages('SELECT nmae FROM accounts'), [
      'There is no column "nmae" here. Did you mean "name"?',
    ]);
    assert.deepEqual(await messages('SELECT role FROM accounts'), [
      'There is no column "role" here. Did you mean "role_id"?',
    ]);
    assert.deepEqual(await messages('SELECT r.owner FROM roles r'), [
      'There is no column "owner" in "r". Did you mean "owner_id"?',
    ]);
    assert.deepEqual(await messages('SELECT ole FROM accounts'), ['There is no column "ole" here.']);
    assert.deepEqual(await messages('SELECT 1 FROM acounts'), [
      'There is no table "acounts" in "platform_identity". Did you mean "accounts"?',
    ]);
    assert.deepEqual(await messages('SELECT 1 FROM reviews'), [
      'There is no table "reviews" in "platform_identity". There is one in another model: platform_governance.reviews',
    ]);
    assert.deepEqual(await messages('SELECT accounts.id FROM accounts a'), [
      '"accounts" is called "a" in this query. Write a.id',
    ]);
    assert.deepEqual(await messages('SELECT 1 FROM groups g, accounts a JOIN roles r ON r.title = g.label'), [
      '"g" cannot be named here: a condition after ON sees only the tables of its own JOIN and of those chained before it.',
    ]);
    assert.deepEqual(await messages('SELECT 1 FROM groups g, accounts a JOIN roles r ON r.title = label'), [
      'There is no column "label" here. "g" has one, but a condition after ON sees only the tables of its own JOIN and of those chained before it.',
    ]);
    assert.deepEqual(await messages('SELECT 1 FROM accounts a, (SELECT a.id) s'), [
      '"a" cannot be named here: a subquery in FROM does not see the tables beside it, unless LATERAL is written before it.',
    ]);
    assert.deepEqual(await messages('SELECT a.name.first FROM accounts a'), [
      "a.name is a column, not a table. For a field inside it, write (a.name).first, or for JSON, a.name ->> 'first'",
    ]);
    assert.deepEqual(await messages('SELECT 1 FROM accounts WHERE name = ‘x’'), [
      "‘x’ is read as a name. Put text in straight single quotes: 'text'.",
    ]);
    assert.deepEqual(await messages('SELECT id FROM accounts, roles'), [
      '"id" is a column of accounts, roles. Qualify it: accounts.id',
    ]);
  });

  it('suggests up to three names that contain the same words, first those that start with them', async () => {
    const tables = [
      table('dates', 'created_by last_created_on created_date api_created created_long_ago uncreatable'),
      table('others', 'last_login first_login'),
    ];
    const named = { models: [{ name: 'platform_identity', tables }] };
    const found = async (text: string) =>
      withoutInspections(
        (await analyser.analyse(text, { isSavedQuery: false, catalogue: named }))?.findings,
      ).map(({ message, fix, alternatives = [] }) => [
        message,
        fix,
        ...alternatives.map(({ title }) => title),
      ]);
    assert.deepEqual(await found('SELECT created FROM dates'), [
      [
        'There is no column "created" here. Did you mean "created_by", "created_date" or "created_long_ago"?',
        undefined,
        'Replace with created_by',
        'Replace with created_date',
        'Replace with created_long_ago',
      ],
    ]);
    assert.deepEqual(await found('SELECT LOGIN FROM others'), [
      [
        'There is no column "login" here. Did you mean "last_login" or "first_login"?',
        undefined,
        'Replace with last_login',
        'Replace with first_login',
      ],
    ]);
    const unnamed = 'SELECT last_login FROM others';
    assert.deepEqual(await found(`SELECT lost_login FROM (${unnamed}), (${unnamed})`), [
      ['There is no column "lost_login" here. Did you mean "last_login"?', undefined],
    ]);
    assert.deepEqual(await found('SELECT "_" FROM others'), [['There is no column "_" here.', undefined]]);
  });

  it('are not reported while nothing or too little is known', async () => {
    const text = 'SELECT nope FROM nah';
    for (const known of [undefined, { models: [] }, { models: [{ name: 'platform_identity' }] }]) {
      const options = known === undefined ? {} : { catalogue: known };
      assert.deepEqual((await analyser.analyse(text, { isSavedQuery: false, ...options }))?.findings, []);
    }
  });
});

describe('names: TPC-H', () => {
  for (const file of ['tpch_duckdb.jsonl', 'sqlglot_tpch.jsonl']) {
    it(`finds nothing wrong in ${file}`, async () => {
      for (const { id, sql } of readCorpus(file)) {
        const analysis = await analyser.analyse(sql, { isSavedQuery: true, catalogue: tpch });
        // One query contains a lambda, where PostgreSQL takes `_x` for a column that does not exist.
        const findings = withoutUnknown(analysis?.findings).filter(
          ({ code, message }) =>
            (id !== 'sqlglot_tpch-42' || !message.includes('_x')) &&
            // Casts to other databases' types are not about names.
            code !== 'FOREIGN_TYPE',
        );
        assert.deepEqual(findings, [], id);
      }
    });
  }

  it('finds no wrong name beside a syntax error', async () => {
    const mistakes = [', ,', '= =', 'AND', ')', '(', 'FROM', '5 5'];
    let broken = 0;
    for (const [number, { sql }] of readCorpus('tpch_duckdb.jsonl').entries()) {
      const { code } = lex(sql);
      for (let token = number % 5; token < code.length; token += 5) {
        const at = code.start(token);
        const mistake = mistakes[(token + number) % mistakes.length] ?? '';
        const text = `${sql.slice(0, at)} ${mistake} ${sql.slice(at)}`;
        const analysis = await analyser.analyse(text, { isSavedQuery: true, catalogue: tpch });
        const found = analysis?.findings ?? [];
        if (!found.some((each) => each.code === 'QUERY_PARSE_ERROR')) continue;
        broken++;
        const names = found.filter((each) =>
          /^(?:UNKNOWN_(?:TABLE|COLUMN)|AMBIGUOUS_COLUMN)$/.test(each.code),
        );
        assert.deepEqual(names, [], text);
      }
    }
    assert.ok(broken > 200, String(broken));
  });
});

describe('names in the parts that a syntax error leaves intact', () => {
  for (const [marked, letters] of [
    ['SELECT «idd» FROM accounts WHERE id = ', 'C'],
    ['SELECT «idd», a.«nope» FROM accounts a WHERE a.id = ORDER BY a.«zzz»', 'CCC'],
    ['SELECT id,, name FROM accounts WHERE «idd» = 1 ORDER BY k', 'C'],
    ['SELECT name AS k,, id FROM accounts ORDER BY k', ''],
    ['WITH w AS (SELECT «idd» FROM accounts) SELECT * FROM w WHERE id = = 1', 'C'],
    ['WITH w AS (SELECT id,, name AS b FROM accounts) SELECT b FROM w', ''],
    ['SELECT id FROM «acounts» WHERE id IN (1,,2) ORDER BY id', 'T'],
    ['SELECT id FROM accounts GROUP id HAVING max(«nope») > 1', 'C'],
    // Beside the item or the condition that is wrong, the others of a list are checked.
    ['SELECT «idd», FROM accounts WHERE «nope» = 1', 'CC'],
    ['SELECT «idd»,, «nope», id FROM accounts', 'CC'],
    ['SELECT «idd» FROM accounts WHERE «nope» = 1 AND AND «zzz» = 2', 'CCC'],
    ['SELECT id FROM accounts WHERE id BETWEEN 1 AND AND «nope» = 2', 'C'],
    ['SELECT id FROM accounts ORDER BY «nope»,, id', 'C'],
    ['SELECT id, sum,, (id) FROM accounts', ''],
    ['SELECT id FROM accounts WHERE substring OR (name FROM 1) = 1', ''],
    // A bracket that nothing closes or opens.
    ['SELECT «idd» FROM accounts WHERE id IN (1, 2', 'C'],
    ['SELECT «idd» FROM accounts GROUP BY id HAVING count(* > 1', 'C'],
    ["SELECT idd, coalesce(name, 'x' FROM accounts WHERE «nope» = 1", 'C'],
    ['SELECT «idd» FROM accounts WHERE (id = 1 AND nope = 2 ORDER BY «zzz»', 'CC'],
    ['SELECT «idd» FROM accounts WHERE id = 1) AND «nope» = 2', 'CC'],
    // A condition of a join, or the join: then only what names one of the other tables is known.
    ['SELECT «idd», a.«nope» FROM accounts a JOIN roles r ON WHERE r.«zzz» = 1', 'CCC'],
    ['SELECT «idd» FROM accounts a JOIN roles r ON a.id = AND r.«nope» = 1', 'CC'],
    ['SELECT idd, a.«nope», r.x FROM accounts a LEFT JOIN WHERE a.«zzz» = 1', 'CC'],
    ['SELECT idd FROM «acounts» a JOIN roles r ON (a.id = r.id', 'T'],
    ['SELECT r.id, a.«nope» FROM accounts a JOIN roles r USING (id WHERE r.id = 1', 'C'],
    ['SELECT x.nope FROM (SELECT * FROM accounts a JOIN) x', ''],
    ['SELECT x.«nope» FROM (SELECT a.«idd» AS id FROM accounts a JOIN) x', 'CC'],
    ['SELECT c.id FROM accounts a, roles ON c, accounts b', ''],
    ['SELECT c.id FROM accounts WHERE LEFT JOIN roles c ON c.id = 1', ''],
    ['SELECT nope FROM accounts WHERE id = 1 , roles WHERE zzz = 1', ''],
    // Without FROM, no name is known to be wrong.
    ['SELECT id FRM accounts WHERE nope = 1', ''],
    ['SELECT id FROM accounts JOIN roles WHERE nope = 1', ''],
  ] as const) {
    it(marked, async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: true, catalogue });
      const found = (analysis?.findings ?? []).filter(({ code }) =>
        Object.values<string>(codes).includes(code),
      );
      assert.deepEqual(
        found.map(({ code, start, end }) => [code, start, end]),
        ranges.map(({ start, end }, index) => [
          codes[letters.charAt(index) as keyof typeof codes],
          start,
          end,
        ]),
      );
      assert.ok(analysis?.findings.some(({ code }) => code === 'QUERY_PARSE_ERROR'));
    });
  }
});
