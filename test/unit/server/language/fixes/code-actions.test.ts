/** Code actions at `|`, and the text after applying the one with the given title. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { CodeAction } from 'vscode-languageserver-protocol';
import { Analyser } from '#server/language/checks/analyser.ts';
import type { Action } from '#server/language/fixes/action.ts';
import { actionsAt } from '#server/language/fixes/actions.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { applyEdits } from '#server/language/text/edits.ts';
import { keptApart } from '#server/language/text/kept-apart.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { startLanguageClient } from '#test/unit/server/language-client.ts';
import { withoutInspections } from '../without-inspections.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

const columns = (names: string) => names.split(' ').map((name) => ({ name, type: 'text' }));
const catalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [
        { name: 'accounts', columns: columns('id name Mixed') },
        { name: 'roles', columns: columns('id title') },
        { name: 'open' },
      ],
    },
  ],
};

async function actionsOf(
  marked: string,
): Promise<{ readonly text: string; readonly actions: readonly Action[] }> {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const analysis = await analyser.analyse(text, { isSavedQuery: false, catalogue });
  assert.ok(analysis !== undefined);
  const names = { catalogue, model: 'platform_identity' };
  return { text, actions: actionsAt(analysis, names, { start: offset, end: offset }) };
}

function becomes(marked: string, title: string, expected: string | undefined): void {
  it(`${title}: ${JSON.stringify(marked)}`, async () => {
    const { text, actions } = await actionsOf(marked);
    const action = actions.find((each) => each.title === title);
    if (expected === undefined) {
      assert.equal(action, undefined);
      return;
    }
    assert.ok(action !== undefined, actions.map((each) => each.title).join(', '));
    const changed = applyEdits(text, action.edits);
    assert.equal(changed, expected);
    const again = await analyser.analyse(changed, { isSavedQuery: false, catalogue });
    const broken = withoutInspections(again?.findings).filter(({ code }) => code !== 'UNUSED_SUPPRESSION');
    assert.deepEqual(broken, []);
  });
}

describe('quick fixes', () => {
  it('replace the value of CONVERT, whatever types have its name', async () => {
    for (const value of ['name', 'uuid', 'json']) {
      const { actions } = await actionsOf(`SELECT convert(|${value}, char) FROM (SELECT 'x' AS ${value}s) q`);
      assert.ok(
        actions.some(({ title }) => title === `Replace with ${value}s`),
        value,
      );
    }
  });
  for (const [marked, title, expected] of [
    ['SELECT |nmae FROM accounts', 'Replace with name', 'SELECT name FROM accounts'],
    ['SELECT name FROM |acounts', 'Replace with accounts', 'SELECT name FROM accounts'],
    ['SELECT |accounts.id FROM accounts a', 'Replace with a', 'SELECT a.id FROM accounts a'],
    // Any short alias is close to any other, so it must have the column.
    [
      'SELECT |b.name FROM (SELECT 1 AS x) a, accounts c',
      'Replace with c',
      'SELECT c.name FROM (SELECT 1 AS x) a, accounts c',
    ],
    ['SELECT |b.name FROM (SELECT 1 AS x) a', 'Replace with a', undefined],
    // The alias has no schema.
    ['SELECT platform_identity.|accounts.id FROM platform_identity.accounts a', 'Replace with a', undefined],
    ['SELECT |mixde FROM accounts', 'Replace with "Mixed"', 'SELECT "Mixed" FROM accounts'],
    [
      'SELECT 1 FROM |platform_identiy.roles',
      'Replace with platform_identity',
      'SELECT 1 FROM platform_identity.roles',
    ],
    [
      'SELECT name FROM accounts WHERE name |= NULL',
      'Replace with IS NULL',
      'SELECT name FROM accounts WHERE name IS NULL',
    ],
    ...[
      ['-- @|expct no rows', 'Replace with @expect', '-- @expect no rows'],
      ['-- @key |nmae', 'Replace with name', '-- @key name'],
      [
        '-- @population SELECT count(*) FROM |acounts',
        'Replace with accounts',
        '-- @population SELECT count(*) FROM accounts',
      ],
      [
        '-- @population SELECT count(*) FROM accounts WHERE name |= NULL -- none',
        'Replace with IS NULL',
        '-- @population SELECT count(*) FROM accounts WHERE name IS NULL -- none',
      ],
      [
        '-- @population SELECT count(*) FROM accounts WHERE name|=NULL',
        'Replace with IS NULL',
        '-- @population SELECT count(*) FROM accounts WHERE name IS NULL',
      ],
      ['-- @population SELECT count(*) FROM |acounts', 'Ignore UNKNOWN_TABLE here', undefined],
    ].map(
      ([line, title = '', mended]) =>
        [
          `-- @control A-1 Names\n${line}\nSELECT name FROM accounts`,
          title,
          mended && `-- @control A-1 Names\n${mended}\nSELECT name FROM accounts`,
        ] as const,
    ),
    // Words do not merge.
    ['SELECT 1 FROM roles WHERE id|=NULL', 'Replace with IS NULL', 'SELECT 1 FROM roles WHERE id IS NULL'],
    ['SELECT 1 FROM roles WHERE(id)|=NULL', 'Replace with IS NULL', 'SELECT 1 FROM roles WHERE(id)IS NULL'],
    // An operand is its whole expression, and comments stay.
    [
      'SELECT name FROM accounts WHERE name = |(NULL)',
      'Replace with IS NULL',
      'SELECT name FROM accounts WHERE name IS NULL',
    ],
    [
      'SELECT name FROM accounts WHERE name |= -- why\nNULL',
      'Replace with IS NULL',
      'SELECT name FROM accounts WHERE name IS -- why\nNULL',
    ],
    ['SELECT name FROM accounts WHERE name |OPERATOR(=) NULL', 'Replace with IS NULL', undefined],
    [
      'SELECT name FROM accounts WHERE 1 BETWEEN |9 AND -1',
      'Swap the values',
      'SELECT name FROM accounts WHERE 1 BETWEEN -1 AND 9',
    ],
    [
      'SELECT name FROM accounts WHERE 1 BETWEEN |(9) /* a */ AND - (1)',
      'Swap the values',
      'SELECT name FROM accounts WHERE 1 BETWEEN - (1) /* a */ AND (9)',
    ],
    [
      'SELECT name FROM accounts WHERE name = |-5',
      "Replace with '-5'",
      "SELECT name FROM accounts WHERE name = '-5'",
    ],
    [
      'SELECT name FROM accounts WHERE lower(name) = |-(5)',
      "Replace with '-5'",
      "SELECT name FROM accounts WHERE lower(name) = '-5'",
    ],
    // A fix mends the whole list.
    [
      'SELECT name FROM accounts WHERE lower(name) IN |(1, -2, $$x$$, /* c */ (3), 4)',
      "Replace with '1', '-2', '3', …",
      "SELECT name FROM accounts WHERE lower(name) IN ('1', '-2', $$x$$, /* c */ ('3'), '4')",
    ],
    [
      'SELECT name FROM accounts WHERE name BETWEEN |1 AND - 2',
      "Replace with '1', '-2'",
      "SELECT name FROM accounts WHERE name BETWEEN '1' AND '-2'",
    ],
    [
      "SELECT a.name FROM accounts a, roles r WHERE a.id = r.id AND |id = '1'",
      'Replace with r.id',
      "SELECT a.name FROM accounts a, roles r WHERE a.id = r.id AND r.id = '1'",
    ],
    [
      "SELECT |nextval('s')",
      'Ignore SIDE_EFFECT_FUNCTION here',
      "-- identity-queries-ignore SIDE_EFFECT_FUNCTION: reason\nSELECT nextval('s')",
    ],
    [
      "SELECT\r\n  |nextval('s')",
      'Ignore SIDE_EFFECT_FUNCTION here',
      "SELECT\r\n  -- identity-queries-ignore SIDE_EFFECT_FUNCTION: reason\r\n  nextval('s')",
    ],
    [
      "SELECT |nextval('s')",
      'Ignore SIDE_EFFECT_FUNCTION in this text',
      "-- identity-queries-ignore-file SIDE_EFFECT_FUNCTION: reason\nSELECT nextval('s')",
    ],
    ["SELECT 'a\n', |nextval('s')", 'Ignore SIDE_EFFECT_FUNCTION here', undefined],
    ['|DELETE FROM accounts', 'Ignore MUTATION_NOT_ALLOWED here', undefined],
    ['-- @param |a text\nSELECT 1', 'Ignore UNUSED_PARAMETER here', undefined],
    ['-- @param a text\nSELECT :a, :|b', 'Declare b', '-- @param a text\n-- @param b text\nSELECT :a, :b'],
  ] as const)
    becomes(marked, title, expected);
});

const typedAccounts: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [{ name: 'accounts', columns: [...columns('id name'), { name: 'born', type: 'timestamp' }] }],
    },
  ],
};

/** Checks the replacement of the first foreign call; undefined if none is offered. */
function mends(call: string, mended: string | undefined): void {
  it(`${call}: ${mended ?? 'no fix'}`, async () => {
    const text = `SELECT ${call} FROM accounts`;
    const options = { isSavedQuery: false, catalogue: typedAccounts, model: 'platform_identity' };
    const analysis = await analyser.analyse(text, options);
    const found = analysis?.findings.find(({ code }) => code === 'FOREIGN_FUNCTION');
    assert.ok(found !== undefined);
    const edits = found.unprovenFix?.edits ?? [];
    const isValid = edits.length > 0 && (await analyser.isValidAfter(text, edits, options));
    assert.equal(
      isValid ? applyEdits(text, edits) : undefined,
      mended === undefined ? undefined : `SELECT ${mended} FROM accounts`,
    );
  });
}

describe('functions of other databases', () => {
  for (const [call, mended] of [
    ["NVL(name, 'x')", "coalesce(name, 'x')"],
    ["nvl(name /* why */, 'x')", "coalesce(name /* why */, 'x')"],
    ['nvl(name)', undefined],
    ['NVL(name, born)', undefined],
    ['ISNULL(name)', 'name IS NULL'],
    ['ISNULL(name || id)', '(name || id) IS NULL'],
    ['ISNULL(lower(name)) = true', '(lower(name) IS NULL) = true'],
    ['NOT ISNULL(accounts.name)', 'NOT (accounts.name IS NULL)'],
    ['CASE WHEN ISNULL(name) AND true THEN 1 END', 'CASE WHEN name IS NULL AND true THEN 1 END'],
    ['ISNULL(name) missing', '(name IS NULL) missing'],
    ['ISNULL(/* why */ name)', undefined],
    ["ISNULL(name, 'x')", "coalesce(name, 'x')"],
    ['DATEADD(day, 3, born)', "born + INTERVAL '3 days'"],
    ["DATEADD('mm', -1, born)", "born - INTERVAL '1 month'"],
    ['DATEADD(quarter, 2, born) > now()', "born + INTERVAL '6 months' > now()"],
    ['DATEADD(hour, length(name), born)', "born + length(name) * INTERVAL '1 hour'"],
    ['DATEADD(day, length(id) + 1, now())', "now() + (length(id) + 1) * INTERVAL '1 day'"],
    ['DATEADD(day, 1, born)::date', "(born + INTERVAL '1 day')::date"],
    ['DATEADD(day, 1.5, born)', undefined],
    ["DATEADD(day, 1, '2026-01-31')", undefined],
    ['DATEADD(day, 1, :since)', undefined],
    ['DATEADD(nope, 1, born)', undefined],
    ['DATEADD(day, 1, name)', undefined],
    ['DATEDIFF(day, born, now())', 'now()::date - born::date'],
    ['DATEDIFF(hour, born, now())', undefined],
    ["charindex('a', name)", "strpos(name, 'a')"],
    ['IIF(true, 1, 2)', 'CASE WHEN true THEN 1 ELSE 2 END'],
    ['GETDATE()', 'now()'],
    ['curdate()', 'current_date'],
    ['datepart(year, born)', 'extract(YEAR FROM born)'],
    ['week(born)', undefined],
    ['len(nvl(name, id))', 'length(nvl(name, id))'],
  ] as const)
    mends(call, mended);
});

/** Checks the fix of the statement's only finding with one; `mended` undefined: none is offered. */
function mendsQuery(rest: string, message: string, mended: string | undefined): void {
  it(`${rest}: ${mended ?? 'no fix'}`, async () => {
    const text = `SELECT ${rest}`;
    const columns = [
      ...['id', 'name'].map((name) => ({ name, type: 'text' })),
      { name: 'active', type: 'boolean' },
      { name: 'born', type: 'timestamp' },
    ];
    const catalogue = { models: [{ name: 'platform_identity', tables: [{ name: 'accounts', columns }] }] };
    const options = { isSavedQuery: false, catalogue, model: 'platform_identity' };
    const analysis = await analyser.analyse(text, options);
    const found = analysis?.findings.find((finding) => finding.message.endsWith(message));
    assert.ok(found !== undefined, JSON.stringify(analysis?.findings));
    const edits = keptApart(lex(text), found.unprovenFix?.edits ?? []);
    const isValid =
      edits.length > 0 &&
      (found.code === 'QUERY_PARSE_ERROR'
        ? await analyser.isMendedBy(text, edits)
        : await analyser.isValidAfter(text, edits, options));
    assert.equal(isValid ? applyEdits(text, edits) : undefined, mended && `SELECT ${mended}`);
  });
}

describe('habits from other databases', () => {
  const and = 'Write AND between conditions; && compares arrays and ranges here.';
  const or = 'Write OR between conditions; || concatenates text here.';
  for (const [query, message, mended] of [
    ["id FROM accounts WHERE name = 'x' && active", and, "id FROM accounts WHERE name = 'x' AND active"],
    ['id FROM accounts WHERE active || active', or, 'id FROM accounts WHERE active OR active'],
    [
      'id FROM accounts WHERE active = 1',
      'boolean = integer. Write = true.',
      'id FROM accounts WHERE active = true',
    ],
    ['id FROM accounts WHERE active != 0', 'Write <> false.', 'id FROM accounts WHERE active != false'],
    ['id FROM accounts WHERE active = 2', 'CAST(... AS boolean).', undefined],
    ["id FROM accounts WHERE born LIKE '2026%'", 'CAST(... AS text).', undefined],
    [
      "DECODE(name, 'x', 1, 0) FROM accounts",
      'Write CASE value WHEN one THEN two ELSE other END.',
      "CASE name WHEN 'x' THEN 1 ELSE 0 END FROM accounts",
    ],
    [
      "decode(name, 'x', 'a', 'y', 'b') FROM accounts",
      'Write CASE value WHEN one THEN two ELSE other END.',
      "CASE name WHEN 'x' THEN 'a' WHEN 'y' THEN 'b' END FROM accounts",
    ],
    [
      'decode(name, null, 1, 0) FROM accounts',
      'Write CASE value WHEN one THEN two ELSE other END.',
      undefined,
    ],
    [
      'trunc(born) FROM accounts',
      "Write date_trunc('day', timestamp).",
      "date_trunc('day', born) FROM accounts",
    ],
    ['sum(active) FROM accounts', 'Write count(*) FILTER (WHERE condition).', undefined],
    [
      'to_char(born) FROM accounts',
      "Write CAST(value AS text), or to_char(timestamp, 'YYYY-MM-DD').",
      undefined,
    ],
    [
      'CONVERT(varchar, born) FROM accounts',
      'Write CAST(born AS varchar).',
      'CAST(born AS varchar) FROM accounts',
    ],
    [
      'CONVERT(varchar(10), born, 120) FROM accounts',
      'Write CAST(born AS varchar(10)).',
      'CAST(born AS varchar(10)) FROM accounts',
    ],
    ['convert(name, char) FROM accounts', 'Write CAST(name AS char).', 'CAST(name AS char) FROM accounts'],
    // A type is no misspelled column, whatever columns there are.
    [
      'CONVERT(date, a.data) FROM (SELECT born AS data FROM accounts) a',
      'Write CAST(a.data AS date).',
      'CAST(a.data AS date) FROM (SELECT born AS data FROM accounts) a',
    ],
  ] as const)
    mendsQuery(query, message, mended);
  for (const [query, limit, mended] of [
    ['id FROM accounts WHERE ROWNUM < 10', '9', 'id FROM accounts LIMIT 9'],
    ['id FROM accounts WHERE rownum = 1 ORDER BY id', '1', 'id FROM accounts ORDER BY id LIMIT 1'],
    ['id FROM accounts WHERE active AND rownum <= 25', '25', 'id FROM accounts WHERE active LIMIT 25'],
    [
      'id FROM accounts WHERE ROWNUM <= 10 AND active ORDER BY id; SELECT 1',
      '10',
      'id FROM accounts WHERE active ORDER BY id LIMIT 10; SELECT 1',
    ],
    [
      'id FROM (SELECT id FROM accounts ORDER BY born) WHERE ROWNUM BETWEEN 1 AND 10',
      '10',
      'id FROM (SELECT id FROM accounts ORDER BY born) LIMIT 10',
    ],
    ['id FROM accounts WHERE ROWNUM > 5', '...', undefined],
    ['id FROM accounts WHERE rownum < :most', '...', undefined],
    // LIMIT would count other rows, or there is no place for one.
    ['id FROM accounts WHERE active OR ROWNUM <= 10', '10', undefined],
    ['id FROM accounts WHERE ROWNUM <= 10 LIMIT 5', '10', undefined],
    ['count(*) FROM accounts WHERE ROWNUM <= 10', '10', undefined],
    ['DISTINCT name FROM accounts WHERE ROWNUM <= 10', '10', undefined],
    ['name FROM accounts WHERE ROWNUM <= 10 GROUP BY name', '10', undefined],
    ['id FROM accounts WHERE ROWNUM <= 10 UNION SELECT name FROM accounts', '10', undefined],
    ['1 WHERE EXISTS (SELECT id FROM accounts WHERE ROWNUM <= 10)', '10', undefined],
  ] as const)
    mendsQuery(query, `Write LIMIT ${limit} at the end of the query.`, mended);
  mendsQuery(
    'ROWNUM, id FROM accounts',
    'Write row_number() OVER ().',
    'row_number() OVER (), id FROM accounts',
  );
  for (const [call, written] of [
    ['CONVERT(nvarchar(10), born)', 'CAST(born AS varchar(10))'],
    ['CONVERT(nvarchar(10), born, 120)', 'CAST(born AS varchar(10))'],
    ['CONVERT(nvarchar(max), name)', 'CAST(name AS text)'],
    ['CONVERT(varchar(max), name)', 'CAST(name AS text)'],
    ['CONVERT(varchar(50), name)', 'CAST(name AS varchar(50))'],
    ['CONVERT(number(10,2), 5)', 'CAST(5 AS numeric(10,2))'],
    ['CONVERT(decimal(10,2), 5)', 'CAST(5 AS decimal(10,2))'],
    ['CONVERT(datetime, name)', 'CAST(name AS timestamp)'],
  ] as const)
    mendsQuery(`${call} FROM accounts`, `Write ${written}.`, `${written} FROM accounts`);
  for (const [query, message, mended] of [
    ['CONVERT(nvarchar(10), born, 103) FROM accounts', "Write to_char(born, 'DD/MM/YYYY').", undefined],
    [
      'CONVERT(date, name, 101) FROM accounts',
      "Write to_date(name, 'MM/DD/YYYY'), or CAST(name AS date).",
      undefined,
    ],
    [
      'TRY_CONVERT(nvarchar(10), name) FROM accounts',
      'Write CAST(value AS type).',
      'CAST(name AS varchar(10)) FROM accounts',
    ],
    [
      'TRY_CAST(lower(name) AS int) FROM accounts',
      'Write CAST(value AS type).',
      'CAST(lower(name) AS int) FROM accounts',
    ],
    ['CAST(name AS varchar(max)) FROM accounts', 'Write text.', 'CAST(name AS text) FROM accounts'],
    [
      'CAST(name AS NVARCHAR2(10)) FROM accounts',
      'does not exist in PostgreSQL. Write text.',
      'CAST(name AS varchar(10)) FROM accounts',
    ],
    ['name::string FROM accounts', 'Write text.', 'name::text FROM accounts'],
    [
      'id FROM accounts WHERE born < SYSDATE - 90',
      "Write now() - INTERVAL '90 days'.",
      "id FROM accounts WHERE born < now() - INTERVAL '90 days'",
    ],
    [
      'id FROM accounts WHERE born < SYSDATE - 1/24',
      'Write now().',
      'id FROM accounts WHERE born < now() - 1/24',
    ],
    [
      'id FROM accounts WHERE born < now() - 1',
      "Write - INTERVAL '1 day'.",
      "id FROM accounts WHERE born < now() - INTERVAL '1 day'",
    ],
    [
      "id FROM accounts WHERE born < now() - '7 days'",
      "Write INTERVAL '7 days'.",
      "id FROM accounts WHERE born < now() - INTERVAL '7 days'",
    ],
    [
      'id FROM accounts WHERE born > 2026-01-31',
      "Write > '2026-01-31'.",
      "id FROM accounts WHERE born > '2026-01-31'",
    ],
    [
      'id FROM accounts WHERE born BETWEEN 2026-01-31 AND now()',
      "Write >= '2026-01-31'.",
      "id FROM accounts WHERE born BETWEEN '2026-01-31' AND now()",
    ],
    // It may be meant as a year or as a number of days.
    [
      'id FROM accounts WHERE born > 5',
      "Compare it with a date, such as '2026-01-31', or with now() - INTERVAL '5 days'.",
      undefined,
    ],
    [
      "id FROM accounts WHERE born > SYSDATE - INTERVAL '1 day'",
      'Write now().',
      "id FROM accounts WHERE born > now() - INTERVAL '1 day'",
    ],
    ['1 FROM dual', 'PostgreSQL has no FROM dual: leave it out.', '1'],
  ] as const)
    mendsQuery(query, message, mended);
  const inWhere = 'WHERE cannot use the output "own", only columns. Repeat its expression.';
  for (const [query, mended] of [
    ['name AS own FROM accounts WHERE own = $$x$$', 'name AS own FROM accounts WHERE name = $$x$$'],
    [
      "lower(name) own FROM accounts WHERE own = 'x'",
      "lower(name) own FROM accounts WHERE lower(name) = 'x'",
    ],
    [
      "id, name || id AS own FROM accounts WHERE own = 'x'",
      "id, name || id AS own FROM accounts WHERE (name || id) = 'x'",
    ],
  ] as const)
    mendsQuery(query, inWhere, mended);
  for (const [query, message, mended] of [
    [
      'name, count(*) own FROM accounts WHERE own > 1 GROUP BY name',
      'which is computed later. Put the condition in HAVING, or in a query around this one.',
      undefined,
    ],
    [
      'name, count(*) AS own FROM accounts GROUP BY name HAVING own > 1',
      'HAVING cannot use the output "own", only columns. Repeat its expression.',
      'name, count(*) AS own FROM accounts GROUP BY name HAVING count(*) > 1',
    ],
    [
      'a.name AS own FROM accounts a JOIN accounts b ON own = $$x$$',
      'There is no column "own" here.',
      undefined,
    ],
    [
      'id FROM accounts minus SELECT name FROM accounts',
      'Write EXCEPT.',
      'id FROM accounts except SELECT name FROM accounts',
    ],
    [
      "id FROM accounts a WITH (NOLOCK) WHERE id = 'x'",
      'PostgreSQL has no WITH (NOLOCK): leave it out.',
      "id FROM accounts a WHERE id = 'x'",
    ],
    [
      'a.id FROM accounts a, accounts b WHERE a.id = b.id(+)',
      'PostgreSQL has no (+): write LEFT JOIN ... ON.',
      undefined,
    ],
    [
      'id FROM accounts CONNECT BY PRIOR id = name',
      'PostgreSQL has no CONNECT BY: write WITH RECURSIVE.',
      undefined,
    ],
    [
      "id FROM accounts WHERE name REGEXP '^x'",
      'Write ~, or ~* to ignore case.',
      "id FROM accounts WHERE name ~ '^x'",
    ],
    // What follows is no condition, so AND before it mends nothing.
    ...["STARTS WITH 'a'", "BEGINS UP 'a'"].map(
      (words) =>
        [
          `id FROM accounts WHERE name ${words}`,
          `Is AND or OR missing before ${/^\w+/.exec(words)?.[0]}?`,
          undefined,
        ] as const,
    ),
    // Here one does: the second value goes on with it.
    ...[
      'count BETWEEN 1 AND 2',
      "date '2026-01-31' < born",
      "interval '1 day' < '2 days'",
      "time '10:00' < '11:00'",
      "timestamp '2026-01-31' < born",
      "born AT TIME ZONE 'UTC' > now()",
      'active OPERATOR(pg_catalog.=) true',
    ].map(
      (condition) =>
        [
          `id FROM accounts WHERE active ${condition}`,
          `Is AND or OR missing before ${/^\w+/.exec(condition)?.[0]}?`,
          `id FROM accounts WHERE active AND ${condition}`,
        ] as const,
    ),
    // PostgreSQL reads both operators from the left.
    ...[
      "'a' || 'b'",
      'lower(name) || id',
      "name->>'x'",
      "'a'::text || 'b'",
      "'a'::pg_catalog.varchar(3)[] || 'b'",
      "'a'::timestamp with time zone || 'b'",
      `'a' COLLATE pg_catalog."C" || 'b'`,
      "name[1] || '$'",
      "left(name, 2) || '$'",
      "right(name, 2) || '$'",
      "CAST(name AS text[])[1:2]::jsonb ->> 'x'",
      'CAST(name AS text) COLLATE "C"::text || \'b\'',
    ].map(
      (pattern) =>
        [`name RLIKE ${pattern} FROM accounts`, 'Write ~, or ~* to ignore case.', undefined] as const,
    ),
    [
      'name RLIKE lower(id) = active FROM accounts',
      'Write ~, or ~* to ignore case.',
      'name ~ lower(id) = active FROM accounts',
    ],
    [
      "name RLIKE 'a'::text = active FROM accounts",
      'Write ~, or ~* to ignore case.',
      "name ~ 'a'::text = active FROM accounts",
    ],
    [
      'a.id FROM accounts a OUTER APPLY (SELECT 1) b',
      'Write LEFT JOIN LATERAL (...) AS name ON true.',
      undefined,
    ],
    [
      'a.id FROM accounts a CROSS APPLY (SELECT 1) b',
      'Write CROSS JOIN LATERAL (...) AS name.',
      'a.id FROM accounts a CROSS JOIN LATERAL (SELECT 1) b',
    ],
  ] as const)
    mendsQuery(query, message, mended);
});

describe('words and characters from other places', () => {
  const parameter = 'Write a parameter as :name, without a space: its value is bound when the query runs.';
  for (const [query, message, mended] of [
    // Limits
    ['TOP (10) * FROM accounts', 'instead of TOP.', '* FROM accounts LIMIT 10'],
    ['TOP (10) id FROM accounts', 'instead of TOP.', 'id FROM accounts LIMIT 10'],
    ['DISTINCT TOP 10 id FROM accounts', 'instead of TOP.', 'DISTINCT id FROM accounts LIMIT 10'],
    ['ALL TOP 10 id FROM accounts', 'instead of TOP.', 'ALL id FROM accounts LIMIT 10'],
    ['TOP 5 PERCENT id FROM accounts', 'instead of TOP.', undefined],
    // Words that would merge
    ['id,FROM accounts', 'Remove the comma before FROM.', 'id FROM accounts'],
    ['id,/* c */FROM accounts', 'Remove the comma before FROM.', 'id/* c */FROM accounts'],
    ['`id`FROM`accounts`', 'backticks do not quote names here.', '"id"FROM"accounts"'],
    [
      'id FROM accounts WHERE 1=1AND 1.5=1',
      'or the name in double quotes.',
      'id FROM accounts WHERE 1=1 AND 1.5=1',
    ],
    ['1.5e3BETWEEN 1 AND 2', 'or the name in double quotes.', '1.5e3 BETWEEN 1 AND 2'],
    [
      'listagg(DISTINCT id)WITHIN GROUP (ORDER BY id)FROM accounts',
      "Write string_agg(DISTINCT id, '' ORDER BY id).",
      "string_agg(DISTINCT id, '' ORDER BY id)FROM accounts",
    ],
    // With DISTINCT, PostgreSQL orders only by what is aggregated.
    [
      "LISTAGG(DISTINCT id, ',') WITHIN GROUP (ORDER BY Id DESC NULLS LAST) FROM accounts",
      "Write string_agg(DISTINCT id, ',' ORDER BY Id DESC NULLS LAST).",
      "string_agg(DISTINCT id, ',' ORDER BY Id DESC NULLS LAST) FROM accounts",
    ],
    [
      "string_agg(DISTINCT id, ',') WITHIN GROUP (ORDER BY id) FROM accounts",
      "Write string_agg(DISTINCT id, ',' ORDER BY id).",
      "string_agg(DISTINCT id, ',' ORDER BY id) FROM accounts",
    ],
    ...[
      "listagg(DISTINCT id, ',') WITHIN GROUP (ORDER BY name)",
      'listagg(DISTINCT id) WITHIN GROUP (ORDER BY id, name)',
      'listagg(DISTINCT id, name, id) WITHIN GROUP (ORDER BY id)',
      'string_agg(DISTINCT id) WITHIN GROUP (ORDER BY id)',
      'count(DISTINCT id, name) WITHIN GROUP (ORDER BY id)',
      'mode(DISTINCT id) WITHIN GROUP (ORDER BY id)',
      'percentile_cont(DISTINCT 0.5) WITHIN GROUP (ORDER BY 1.5)',
    ].map((call) => [`${call} FROM accounts`, 'WITHIN GROUP. Leave DISTINCT out.', undefined] as const),
    [
      "string_agg(DISTINCT id, ',' ORDER BY id) WITHIN GROUP (ORDER BY id) FROM accounts",
      'Leave WITHIN GROUP out.',
      undefined,
    ],
    ['id FROM accounts FETCH FIRST 5 ROWS', 'or LIMIT 5.', 'id FROM accounts FETCH FIRST 5 ROWS ONLY'],
    ['id FROM accounts | head 10', 'WHERE condition LIMIT 10.', 'id FROM accounts LIMIT 10'],
    // Quotes and characters
    [
      '[id], a.[name] AS [Full Name] FROM [accounts] a',
      'square brackets mean arrays here.',
      '"id", a."name" AS "Full Name" FROM "accounts" a',
    ],
    ['id FROM accounts WHERE name = ‘x’', "quotes: 'text'.", "id FROM accounts WHERE name = 'x'"],
    ['“id” FROM accounts', 'Typographic quotes are read as letters.', '"id" FROM accounts'],
    ['id,\u00A0name FROM accounts', 'Replace it with a space.', 'id, name FROM accounts'],
    [
      'id，name FROM accounts',
      'Write ,: full-width characters are read as letters.',
      'id,name FROM accounts',
    ],
    ['id FROM accounts WHERE id ＝ name', 'read as letters.', 'id FROM accounts WHERE id = name'],
    ['id FROM accounts WHERE id ＜= name', 'read as letters.', 'id FROM accounts WHERE id <= name'],
    [
      'count（*） FROM accounts',
      'Write (: full-width characters are read as letters.',
      'count(*) FROM accounts',
    ],
    ['id FROM accounts – all', 'two hyphens: -- comment', 'id FROM accounts -- all'],
    ['id FROM accounts WHERE name LIKE %x%', "Write '%x%'.", "id FROM accounts WHERE name LIKE '%x%'"],
    // Times
    [
      'id FROM accounts WHERE born > now() - INTERVAL 90 DAY',
      "INTERVAL '1 day'.",
      "id FROM accounts WHERE born > now() - INTERVAL '90 day'",
    ],
    [
      'id FROM accounts WHERE born > now() - 7 days',
      "Write INTERVAL '7 days'.",
      "id FROM accounts WHERE born > now() - INTERVAL '7 days'",
    ],
    [
      'id FROM accounts WHERE born > ago(7d)',
      "Write now() - INTERVAL '7 days'.",
      "id FROM accounts WHERE born > now() - INTERVAL '7 days'",
    ],
    [
      "DATE_SUB(born, INTERVAL '7 day') FROM accounts",
      "Write timestamp - INTERVAL '1 day'.",
      "born - INTERVAL '7 day' FROM accounts",
    ],
    ['CURRENT_DATE() FROM accounts', 'Write current_date.', 'CURRENT_DATE FROM accounts'],
    [
      'id FROM accounts WHERE born > #2026-01-31#',
      "Write '2026-01-31'.",
      "id FROM accounts WHERE born > '2026-01-31'",
    ],
    [
      "id FROM accounts WHERE born > {ts '2026-01-31 00:00:00'}",
      "Write TIMESTAMP '2026-01-31 00:00:00'.",
      "id FROM accounts WHERE born > TIMESTAMP '2026-01-31 00:00:00'",
    ],
    ['date_trunc(month, born) FROM accounts', "Write 'month'.", "date_trunc('month', born) FROM accounts"],
    // Conditions
    [
      "id FROM accounts WHERE name CONTAINS 'x'",
      "Write LIKE '%x%'.",
      "id FROM accounts WHERE name LIKE '%x%'",
    ],
    ["id FROM accounts WHERE name MATCHES 'x'", 'to ignore case.', "id FROM accounts WHERE name ~ 'x'"],
    ["id FROM accounts WHERE name IS NOT 'x'", 'values with <>.', "id FROM accounts WHERE name <> 'x'"],
    ["id FROM accounts WHERE name IS ''", 'values with =.', "id FROM accounts WHERE name = ''"],
    ["id FROM accounts WHERE name IS NOT IN ('x')", 'NOT IN.', "id FROM accounts WHERE name NOT IN ('x')"],
    [
      "id FROM accounts WHERE name LIKE ANY ('a%', 'b%')",
      '= ANY (ARRAY[1, 2]).',
      "id FROM accounts WHERE name LIKE ANY (ARRAY['a%', 'b%'])",
    ],
    [
      "id FROM accounts WHERE name = 'a' OR 'b'",
      "OR needs a whole condition after it. Write name = 'b'.",
      "id FROM accounts WHERE name = 'a' OR name = 'b'",
    ],
    [
      'id FROM accounts WHERE length(name) > 5 && active',
      'Write AND between conditions; && compares arrays and ranges here.',
      'id FROM accounts WHERE length(name) > 5 AND active',
    ],
    ["id FROM accounts WHERE name = 'x',", 'or continue after it.', "id FROM accounts WHERE name = 'x'"],
    // Parameters and fields
    ["id FROM accounts WHERE id = :'p'", 'never pasted.', 'id FROM accounts WHERE id = :p'],
    ['id FROM accounts WHERE id=: "p"AND active', 'never pasted.', 'id FROM accounts WHERE id=:p AND active'],
    ['tags[1::n] FROM accounts', 'write : :n.', 'tags[1: :n] FROM accounts'],
    ['id FROM accounts WHERE id = @p', parameter, 'id FROM accounts WHERE id = :p'],
    ['id FROM accounts WHERE id = {{p}}', parameter, 'id FROM accounts WHERE id = :p'],
    ['id FROM accounts WHERE id = %(p)s', parameter, 'id FROM accounts WHERE id = :p'],
    ['name:department FROM accounts', "Write name ->> 'department'.", "name ->> 'department' FROM accounts"],
    [
      'a.name:size::int FROM accounts a',
      "Write a.name ->> 'size'.",
      "(a.name ->> 'size')::int FROM accounts a",
    ],
    // Aggregates
    [
      "GROUP_CONCAT(DISTINCT name ORDER BY name SEPARATOR ', ') FROM accounts",
      "Write string_agg(text, ',').",
      "string_agg(DISTINCT name, ', ' ORDER BY name) FROM accounts",
    ],
    ['GROUP_CONCAT(name) FROM accounts', "string_agg(text, ',').", "string_agg(name, ',') FROM accounts"],
    [
      "LISTAGG(name, ';') WITHIN GROUP (ORDER BY id) FROM accounts",
      "string_agg(text, ',').",
      "string_agg(name, ';' ORDER BY id) FROM accounts",
    ],
    [
      "string_agg(name, ';') WITHIN GROUP (ORDER BY id) FROM accounts",
      'Write ORDER BY in its parentheses.',
      "string_agg(name, ';' ORDER BY id) FROM accounts",
    ],
    ['count() FROM accounts', 'Write count(*).', 'count(*) FROM accounts'],
    ['count(DISTINCT id, name) FROM accounts', '(one, two)).', 'count(DISTINCT (id, name)) FROM accounts'],
    ['array_agg(name IGNORE NULLS) FROM accounts', '(WHERE value IS NOT NULL).', undefined],
    ['name FROM accounts GROUP BY name WITH ROLLUP', 'Write GROUP BY ROLLUP (...).', undefined],
    // Other clauses
    ['id FROM accounts USE INDEX (a)', 'USE INDEX (a): leave it out.', 'id FROM accounts'],
    ['id FROM platform_identity..accounts', 'Write one dot.', 'id FROM platform_identity.accounts'],
    ['id INTO #mine FROM accounts', 'write WITH name AS (SELECT ...).', undefined],
    ['* REPLACE (lower(name) AS name) FROM accounts', 'name those that you want.', undefined],
    ["name FROM accounts FOR XML PATH('')", "FOR XML: write string_agg(text, ',').", undefined],
    ['order FROM accounts', 'To use it as a name, write "order".', '"order" FROM accounts'],
    [
      "to_date('2026-01-31') FROM accounts",
      "to_date(text, 'YYYY-MM-DD').",
      "CAST('2026-01-31' AS date) FROM accounts",
    ],
  ] as const)
    mendsQuery(query, message, mended);

  for (const [text, message] of [
    ['EXEC sp_who', 'Only SELECT statements run here.'],
    ['USE platform_identity', 'Choose the model in a comment at the top: -- @model platform_identity'],
    ['DESCRIBE accounts', 'point at the table in FROM, or open the Models view.'],
    ["DECLARE @a date = '2026-01-31'", '-- @param name date = 2026-01-31'],
    ['index=main | stats count by id', 'SELECT columns FROM table WHERE condition LIMIT 10.'],
  ] as const)
    it(`${text}: ${message}`, async () => {
      const analysis = await analyser.analyse(text, { isSavedQuery: false });
      assert.deepEqual(
        analysis?.findings.map((found) => found.message.endsWith(message)),
        [true],
      );
    });
  for (const [marked, title, expected] of [
    [
      `SELECT id FROM accounts WHERE name IN (|"a", 'b')`,
      "Replace with 'a'",
      "SELECT id FROM accounts WHERE name IN ('a', 'b')",
    ],
    [
      `SELECT id FROM accounts WHERE name = |"named" AND true`,
      "Replace with 'named'",
      "SELECT id FROM accounts WHERE name = 'named' AND true",
    ],
    // What is compared with itself is never meant.
    ['SELECT id FROM accounts WHERE name = |nam', 'Replace with name', undefined],
    ['SELECT id FROM accounts a WHERE a.|nam <> a.name', 'Replace with name', undefined],
    [
      'SELECT a.id FROM accounts a JOIN roles r ON a.id = r.|ids',
      'Replace with id',
      'SELECT a.id FROM accounts a JOIN roles r ON a.id = r.id',
    ],
    [
      "SELECT id FROM accounts WHERE name |LIKE 'adm*'",
      "Write 'adm%'",
      "SELECT id FROM accounts WHERE name LIKE 'adm%'",
    ],
    [
      'SELECT id FROM accounts WHERE length(id) BETWEEN |10 AND 1',
      'Swap the values',
      'SELECT id FROM accounts WHERE length(id) BETWEEN 1 AND 10',
    ],
  ] as const)
    becomes(marked, title, expected);

  for (const [query, code] of [
    ["id FROM accounts WHERE id NOT IN ('a', NULL)", 'NULL_COMPARISON'],
    ['id FROM accounts WHERE length(id) = max(length(id))', 'AGGREGATE_IN_WHERE'],
    ['array_agg(name) WITHIN GROUP (ORDER BY id) FROM accounts', 'AGGREGATE_MISUSE'],
    ['count(*) AS n FROM accounts HAVING n > 1', 'UNKNOWN_COLUMN'],
  ] as const)
    it(`only ${code}: ${query}`, async () => {
      const options = { isSavedQuery: false, catalogue, model: 'platform_identity' };
      const analysis = await analyser.analyse(`SELECT ${query}`, options);
      assert.deepEqual(
        analysis?.findings.map((found) => found.code),
        [code],
      );
    });

  it('leaves valid queries alone', async () => {
    const text = `SELECT name AS top, born AS contains, id AS separator FROM accounts option
      WHERE id BETWEEN 'b' AND 'a' AND length(id) BETWEEN 1 AND 10 AND id IN ('a', NULL)
        AND name LIKE '%*' AND born - '2026-01-31' > '1 day'`;
    const options = { isSavedQuery: false, catalogue: typedAccounts, model: 'platform_identity' };
    assert.deepEqual((await analyser.analyse(text, options))?.findings, []);
  });
});

describe('QUALIFY', () => {
  const first = 'row_number() OVER (PARTITION BY name ORDER BY id) = 1';
  const becomes = (query: string, mended: string | undefined): void => {
    it(`${query}: ${mended ?? 'no fix'}`, async () => {
      const options = { isSavedQuery: false, catalogue, model: 'platform_identity' };
      const [found] = (await analyser.analyse(query, options))?.findings ?? [];
      assert.match(found?.message ?? '', /PostgreSQL has no QUALIFY/);
      const edits = found?.unprovenFix?.edits;
      assert.equal(edits && applyEdits(query, edits), mended);
      if (mended === undefined) return;
      const again = await analyser.analyse(mended, options);
      assert.deepEqual(withoutInspections(again?.findings), []);
    });
  };
  for (const [query, mended] of [
    [
      `SELECT id, a.name FROM accounts a WHERE id > '1' QUALIFY ${first}`,
      `SELECT id, name FROM (SELECT id, a.name, ${first} AS is_qualified FROM accounts a WHERE id > '1' ) AS qualified WHERE is_qualified`,
    ],
    [
      `select id, lower(name) as "Name" -- all\nfrom accounts\nqualify ${first} -- one\norder by "Name" desc, 1 limit 5;`,
      `select id, "Name" from (select id, lower(name) as "Name", ${first} as is_qualified -- all\nfrom accounts\n) as qualified where is_qualified -- one\norder by "Name" desc, 1 limit 5;`,
    ],
    [
      'SELECT id, rank() OVER (ORDER BY name) AS r FROM accounts QUALIFY r <= 2 AND id IS NOT NULL',
      'SELECT id, r FROM (SELECT id, rank() OVER (ORDER BY name) AS r FROM accounts ) AS qualified WHERE r <= 2 AND id IS NOT NULL',
    ],
    [
      'WITH w AS (SELECT name, count(*) AS n FROM accounts GROUP BY name) SELECT name FROM w QUALIFY rank() OVER (ORDER BY n) = 1',
      'WITH w AS (SELECT name, count(*) AS n FROM accounts GROUP BY name) SELECT name FROM (SELECT name, rank() OVER (ORDER BY n) = 1 AS is_qualified FROM w ) AS qualified WHERE is_qualified',
    ],
    [
      `SELECT name, count(*) AS n FROM accounts GROUP BY name QUALIFY rank() OVER (ORDER BY count(*)) = 1`,
      `SELECT name, n FROM (SELECT name, count(*) AS n, rank() OVER (ORDER BY count(*)) = 1 AS is_qualified FROM accounts GROUP BY name ) AS qualified WHERE is_qualified`,
    ],
  ] as const)
    becomes(query, mended);

  // The outer query would have other columns, other rows, or another order.
  for (const query of [
    `SELECT * FROM accounts QUALIFY ${first}`,
    `SELECT a.* FROM accounts a QUALIFY ${first}`,
    `SELECT lower(name) FROM accounts QUALIFY ${first}`,
    `SELECT id key FROM accounts QUALIFY ${first}`,
    `SELECT id, a.id FROM accounts a QUALIFY ${first}`,
    `SELECT DISTINCT name FROM accounts QUALIFY ${first}`,
    `SELECT id FROM accounts QUALIFY ${first} ORDER BY name`,
    `SELECT id FROM accounts QUALIFY ${first} ORDER BY lower(id)`,
    `SELECT id FROM accounts a QUALIFY ${first} ORDER BY a.id`,
    `SELECT id FROM accounts QUALIFY ${first} UNION SELECT id FROM roles`,
    `SELECT id FROM (SELECT id FROM accounts QUALIFY ${first}) x`,
    `SELECT lower(name) AS name FROM accounts QUALIFY ${first}`,
    'SELECT id FROM accounts QUALIFY name = 1',
    'SELECT id, rank() OVER (ORDER BY name) AS r FROM accounts a QUALIFY a.r = 1',
    `SELECT id, rank() OVER (ORDER BY name) AS r FROM accounts QUALIFY r = 1 AND ${first}`,
    'SELECT id AS is_qualified FROM accounts QUALIFY rank() OVER () = 1',
    `SELECT id FROM accounts a QUALIFY rank() OVER w = 1 WINDOW w AS (ORDER BY id)`,
  ])
    becomes(query, undefined);
});

describe('choices, none of which is certain', () => {
  const moment = [
    { name: 'born', type: 'timestamp' },
    { name: 'day', type: 'date', nullable: true },
    { name: 'at', type: 'time' },
    { name: 'size', type: 'integer' },
    { name: 'Size', type: 'integer' },
  ];
  const catalogue = {
    models: [{ name: 'platform_identity', tables: [{ name: 'accounts', columns: moment }] }],
  };
  for (const [condition, choices] of [
    ['born > 5', ["now() - INTERVAL '5 days'"]],
    ['day <= 1', ["now() - INTERVAL '1 day'"]],
    ['born >= 2026', ["'2026-01-01'"]],
    ['day = 20260131', ["'2026-01-31'"]],
    // The year would have to end, the date does not exist, or no number of days makes sense.
    ['born > 2026', []],
    ['day = 20260231', []],
    ['born = 5', []],
    ['born > 1.5', []],
    ['at > 5', []],
    ["born > '2026-02-30'", ["'2026-02-28'", "'2026-03-01'"]],
    ["born > '2028-02-31 10:00'", ["'2028-02-29 10:00'", "'2028-03-01 10:00'"]],
    ["day = '2026-31-01'", ["'2026-01-31'"]],
    ["day = '2026-99-01'", []],
    ["day = '2026-04-32'", []],
    ["size = '2026-02-30'", []],
  ] as const)
    it(`${condition}: ${choices.join(', ') || 'none'}`, async () => {
      assert.deepEqual(
        await betterThan(`SELECT 1 FROM accounts WHERE ${condition}`),
        choices.map((each) => `Write ${each}`),
      );
    });
  for (const [query, ...choices] of [
    ['SELECT day FROM accounts GROUP BY day ORDER BY "Size"', 'Add "Size" to GROUP BY'],
    [
      'SELECT rank() OVER w FROM accounts a GROUP BY day WINDOW w AS (PARTITION BY a.at)',
      'Add "a.at" to GROUP BY',
    ],
    // The close name is one of both tables.
    ['SELECT bron FROM accounts a, accounts b', 'Replace with a.born', 'Replace with b.born'],
    // Grouping the subquery would not mend the query around it.
    ['SELECT day, (SELECT max(b.size) FROM accounts b WHERE b.at = a.at) FROM accounts a GROUP BY day'],
  ] as const)
    it(`${query}: ${choices.join(', ') || 'none'}`, async () => {
      assert.deepEqual(await betterThan(query), choices);
    });

  async function betterThan(text: string): Promise<readonly string[]> {
    const options = { isSavedQuery: false, catalogue, model: 'platform_identity' };
    const [found] = (await analyser.analyse(text, options))?.findings ?? [];
    assert.ok(found !== undefined);
    const better: string[] = [];
    for (const { title, edits } of found.alternatives ?? []) {
      if (await analyser.isBetterAfter(text, edits, options)) better.push(title);
    }
    return better;
  }
});

describe('rewrites', () => {
  for (const [marked, title, expected] of [
    ['SELECT (x).|* FROM (SELECT id AS x FROM accounts) q', 'Write out the columns of *', undefined],
    ['SELECT |* FROM accounts', 'Write out the columns of *', 'SELECT id, name, "Mixed" FROM accounts'],
    [
      'SELECT |* FROM accounts a JOIN roles ON a.id = roles.id',
      'Write out the columns of *',
      'SELECT a.id, a.name, a."Mixed", roles.id, roles.title FROM accounts a JOIN roles ON a.id = roles.id',
    ],
    [
      'SELECT r.|*, a.id FROM accounts a JOIN roles r ON a.id = r.id',
      'Write out the columns of *',
      'SELECT r.id, r.title, a.id FROM accounts a JOIN roles r ON a.id = r.id',
    ],
    ['SELECT |* FROM open', 'Write out the columns of *', undefined],
    ['SELECT |* FROM accounts, open', 'Write out the columns of *', undefined],
    ['SELECT |* FROM accounts JOIN roles USING (id)', 'Write out the columns of *', undefined],
    [
      'SELECT |* FROM accounts a (x, y)',
      'Write out the columns of *',
      'SELECT x, y, "Mixed" FROM accounts a (x, y)',
    ],
    [
      'SELECT s.id FROM (SELECT |* FROM roles) s',
      'Write out the columns of *',
      'SELECT s.id FROM (SELECT id, title FROM roles) s',
    ],
    [
      'SELECT 1 FROM accounts a WHERE EXISTS (SELECT r.|* FROM roles r WHERE r.id = a.id)',
      'Write out the columns of *',
      'SELECT 1 FROM accounts a WHERE EXISTS (SELECT r.id, r.title FROM roles r WHERE r.id = a.id)',
    ],
    [
      'WITH w AS (SELECT id AS k, title FROM roles) SELECT |* FROM w JOIN (SELECT name FROM accounts) n ON true',
      'Write out the columns of *',
      'WITH w AS (SELECT id AS k, title FROM roles) SELECT w.k, w.title, n.name FROM w JOIN (SELECT name FROM accounts) n ON true',
    ],
    [
      'SELECT id FROM roles UNION SELECT name FROM (SELECT |* FROM accounts) a',
      'Write out the columns of *',
      'SELECT id FROM roles UNION SELECT name FROM (SELECT id, name, "Mixed" FROM accounts) a',
    ],
    ['SELECT |* FROM (SELECT id, id FROM roles) s', 'Write out the columns of *', undefined],
    ['SELECT |* FROM (SELECT * FROM open) s', 'Write out the columns of *', undefined],
    ['SELECT count(|*) FROM accounts', 'Write out the columns of *', undefined],
    ['SELECT 2 |* 3 FROM accounts', 'Write out the columns of *', undefined],
    ['WITH accounts AS (SELECT 1) SELECT |* FROM accounts', 'Write out the columns of *', undefined],
    [
      'SELECT 1 FROM accounts a WHERE a.id IN (SELECT r.id FROM roles r WHERE |title = a.name)',
      'Qualify as r.title',
      'SELECT 1 FROM accounts a WHERE a.id IN (SELECT r.id FROM roles r WHERE r.title = a.name)',
    ],
    [
      'SELECT 1 FROM accounts a WHERE EXISTS (SELECT 1 FROM roles r WHERE r.title = |name)',
      'Qualify as a.name',
      'SELECT 1 FROM accounts a WHERE EXISTS (SELECT 1 FROM roles r WHERE r.title = a.name)',
    ],
    ['SELECT 1 FROM accounts a, open o WHERE |name = 1', 'Qualify as a.name', undefined],
    ['SELECT id AS name FROM accounts a ORDER BY |name', 'Qualify as a.name', undefined],
    ['SELECT 1 FROM accounts a JOIN (SELECT 1 AS name) r USING (|name)', 'Qualify as a.name', undefined],
    ['SELECT |name FROM accounts a', 'Qualify as a.name', 'SELECT a.name FROM accounts a'],
    [
      'SELECT id FROM accounts WHERE |name = :p',
      'Qualify as accounts.name',
      'SELECT id FROM accounts WHERE accounts.name = :p',
    ],
    ['SELECT id AS |name FROM accounts a', 'Qualify as a.name', undefined],
    ['SELECT id |name FROM accounts a', 'Qualify as a.name', undefined],
    ['SELECT a.|name FROM accounts a', 'Qualify as a.name', undefined],
    ['SELECT 1 FROM accounts |name', 'Qualify as name.name', undefined],
    [
      "SELECT id FROM accounts WHERE name = |'x y'",
      'Make the text a parameter',
      "-- @param name text = 'x y'\nSELECT id FROM accounts WHERE name = :name",
    ],
    [
      "-- @param name text\nSELECT id FROM accounts WHERE id = :name AND name = |'it''s'",
      'Make the text a parameter',
      "-- @param name text\n-- @param name2 text = 'it''s'\nSELECT id FROM accounts WHERE id = :name AND name = :name2",
    ],
    [
      'SELECT 1 FROM accounts LIMIT |10',
      'Make the value a parameter',
      '-- @param value integer = 10\nSELECT 1 FROM accounts LIMIT :value',
    ],
    [
      "SELECT 1 FROM accounts WHERE name IN ('a', |'b')",
      'Make the text a parameter',
      "-- @param value text = 'b'\nSELECT 1 FROM accounts WHERE name IN ('a', :value)",
    ],
    // A sign belongs to its number.
    [
      'SELECT id FROM accounts WHERE id::integer BETWEEN -3 AND -|1',
      'Make the value a parameter',
      '-- @param value integer = -1\nSELECT id FROM accounts WHERE id::integer BETWEEN -3 AND :value::integer',
    ],
    [
      'SELECT id FROM accounts WHERE length(name) IN (-1, - |2.5)',
      'Make the value a parameter',
      '-- @param value numeric = -2.5\nSELECT id FROM accounts WHERE length(name) IN (-1, :value::numeric)',
    ],
    [
      'SELECT id FROM accounts WHERE length(name) - |5 > 0',
      'Make the value a parameter',
      '-- @param value integer = 5\nSELECT id FROM accounts WHERE length(name) - :value::integer > 0',
    ],
    // Only LIMIT, OFFSET and a plain column decide the type of a parameter.
    [
      'SELECT id FROM accounts WHERE now() > current_date - |30',
      'Make the value a parameter',
      '-- @param value integer = 30\nSELECT id FROM accounts WHERE now() > current_date - :value::integer',
    ],
    [
      'SELECT id FROM accounts WHERE length(name) + 1 IN (1, |2) AND true',
      'Make the value a parameter',
      '-- @param value integer = 2\nSELECT id FROM accounts WHERE length(name) + 1 IN (1, :value::integer) AND true',
    ],
    [
      "SELECT id FROM accounts a WHERE a.name BETWEEN 'a' AND |'b' ORDER BY id",
      'Make the text a parameter',
      "-- @param value text = 'b'\nSELECT id FROM accounts a WHERE a.name BETWEEN 'a' AND :value ORDER BY id",
    ],
    [
      "SELECT CASE WHEN id = '' THEN |'x' ELSE name END FROM accounts",
      'Make the text a parameter',
      "-- @param value text = 'x'\nSELECT CASE WHEN id = '' THEN :value ELSE name END FROM accounts",
    ],
    // A cast would change the type: jsonb, not text.
    [
      `SELECT to_jsonb(a) @> |'{"b": 1}' FROM accounts a`,
      'Make the text a parameter',
      `-- @param value text = '{"b": 1}'\nSELECT to_jsonb(a) @> :value FROM accounts a`,
    ],
    ['SELECT id FROM accounts ORDER BY |1', 'Make the value a parameter', undefined],
    [
      'SELECT DISTINCT length(id) % |3 FROM accounts ORDER BY length(id) % 3',
      'Make the value a parameter',
      undefined,
    ],
    [
      'SELECT DISTINCT ON (length(id) + 1) id FROM accounts ORDER BY length(id) + |1',
      'Make the value a parameter',
      undefined,
    ],
    ['SELECT 1::numeric(|10)', 'Make the value a parameter', undefined],
    ["SELECT date |'2026-01-01'", 'Make the value a parameter', undefined],
    ["SELECT E|'a' = E'b'", 'Make the text a parameter', undefined],
    [
      'SELECT s.id FROM (|SELECT id FROM accounts) AS s',
      'Move the subquery to WITH s',
      'WITH s AS (SELECT id FROM accounts)\nSELECT s.id FROM s',
    ],
    [
      'SELECT s.id FROM roles JOIN |(SELECT id FROM accounts) s ON s.id = roles.id',
      'Move the subquery to WITH s',
      'WITH s AS (SELECT id FROM accounts)\nSELECT s.id FROM roles JOIN s ON s.id = roles.id',
    ],
    [
      'WITH c AS (SELECT 1 AS x) SELECT s.x FROM (|SELECT x FROM c) s, c',
      'Move the subquery to WITH s',
      'WITH c AS (SELECT 1 AS x), s AS (SELECT x FROM c) SELECT s.x FROM s, c',
    ],
    [
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3) SEARCH DEPTH FIRST BY n SET o SELECT s.id FROM (|SELECT id FROM roles) s, c',
      'Move the subquery to WITH s',
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3) SEARCH DEPTH FIRST BY n SET o, s AS (SELECT id FROM roles) SELECT s.id FROM s, c',
    ],
    ['SELECT s.id FROM (|SELECT id FROM accounts) /* why */ s', 'Move the subquery to WITH s', undefined],
    [
      'SELECT accounts.id FROM (|SELECT id FROM accounts) accounts',
      'Move the subquery to WITH accounts',
      undefined,
    ],
    [
      'SELECT o.id FROM (SELECT i.id FROM (|SELECT id FROM roles) i) o',
      'Move the subquery to WITH i',
      'WITH i AS (SELECT id FROM roles)\nSELECT o.id FROM (SELECT i.id FROM i) o',
    ],
    [
      'WITH a AS (SELECT 1 AS x), b AS (SELECT s.x FROM (|SELECT x FROM a) s) SELECT x FROM b',
      'Move the subquery to WITH s',
      'WITH a AS (SELECT 1 AS x), s AS (SELECT x FROM a), b AS (SELECT s.x FROM s) SELECT x FROM b',
    ],
    [
      'SELECT o.x FROM (WITH w AS (SELECT 1 AS x) SELECT s.x FROM (|SELECT x FROM w) s) o',
      'Move the subquery to WITH s',
      undefined,
    ],
    ['SELECT s.x FROM (|SELECT 1) s (x)', 'Move the subquery to WITH s', undefined],
    ['SELECT 1 FROM roles, LATERAL (|SELECT roles.id) s', 'Move the subquery to WITH s', undefined],
    [
      'SELECT (SELECT s.id FROM (|SELECT id FROM accounts) s) FROM roles',
      'Move the subquery to WITH s',
      undefined,
    ],
  ] as const)
    becomes(marked, title, expected);
});

describe('a new parameter', () => {
  it('has no name that the query of the population uses, which is in a comment', async () => {
    const { text, actions } = await actionsOf(
      "-- @control A-1 T\n-- @population SELECT count(*) FROM accounts WHERE id = :name\nSELECT id FROM accounts WHERE name = |'x'",
    );
    const action = actions.find(({ title }) => title === 'Make the text a parameter');
    assert.match(applyEdits(text, action?.edits ?? []), /@param name2 text = 'x'\n.*name = :name2$/s);
  });
});

describe('a false positive report', () => {
  it('has the shape of the statement and none of its content', async () => {
    const { actions } = await actionsOf(
      '-- secret comment\nSELECT a.salary, \'secret\', 42, "Secret" FROM secrets a WHERE a.salary |= NULL AND a.x = :secret /* secret */',
    );
    const report = actions.find(
      ({ title }) => title === 'Report a false positive of NULL_COMPARISON',
    )?.report;
    assert.equal(
      report,
      [
        'False positive of Identity Queries',
        'Code: NULL_COMPARISON',
        'Severity: warning',
        'Statement, with names and values replaced, the mark at >>>:',
        `select name1 . name2 , 'text' , 0 , "Name3" from name4 name1 where name1 . name2 >>> = null and name1 . name5 = :parameter6`,
        '',
      ].join('\n'),
    );
  });
});

describe('code actions over the protocol', () => {
  it('include edits, the fixed diagnostic, and no command unknown to the client', async () => {
    const server = path.join(import.meta.dirname, '../../../../../server/src/main.ts');
    const client = await startLanguageClient([process.execPath, server, '--stdio']);
    try {
      const uri = 'file:///query.identity.sql';
      await client.open(uri, 'SELECT 1\nWHERE 2 = NULL');
      const position = { line: 1, character: 9 };
      const params = {
        textDocument: { uri },
        range: { start: position, end: position },
        context: { diagnostics: [] },
      };
      const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', params);
      assert.deepEqual(
        actions.map(({ title, kind }) => [title, kind]),
        [
          ['Replace with IS NULL', 'quickfix'],
          ['Ignore NULL_COMPARISON here', 'quickfix'],
          ['Ignore NULL_COMPARISON in this text', 'quickfix'],
        ],
      );
      const [first] = actions;
      assert.deepEqual(first?.edit?.changes?.[uri], [
        { range: { start: { line: 1, character: 8 }, end: { line: 1, character: 14 } }, newText: 'IS NULL' },
      ]);
      assert.equal(first.diagnostics?.[0]?.code, 'NULL_COMPARISON');
      assert.equal(first.isPreferred, true);
      const only = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        ...params,
        context: { diagnostics: [], only: ['refactor'] },
      });
      assert.deepEqual(only, []);
      const foreign = 'file:///foreign.identity.sql';
      await client.open(foreign, "SELECT NVL(a, 'x') FROM t");
      const start = { line: 0, character: 8 };
      const fixes = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri: foreign },
        range: { start, end: start },
        context: { diagnostics: [], only: ['quickfix'] },
      });
      assert.deepEqual(
        fixes.map(({ title, isPreferred }) => [title, isPreferred]),
        [
          ["Replace with coalesce(a, 'x')", true],
          ['Ignore FOREIGN_FUNCTION here', undefined],
          ['Ignore FOREIGN_FUNCTION in this text', undefined],
        ],
      );
      const impossible = 'file:///impossible.identity.sql';
      await client.open(impossible, "SELECT date '2026-02-30'");
      const choices = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri: impossible },
        range: { start: { line: 0, character: 15 }, end: { line: 0, character: 15 } },
        context: { diagnostics: [], only: ['quickfix'] },
      });
      assert.deepEqual(
        choices.slice(0, 2).map(({ title, isPreferred }) => [title, isPreferred]),
        [
          ["Write '2026-02-28'", undefined],
          ["Write '2026-03-01'", undefined],
        ],
      );
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });

  it('select the reason of a suppression in editors that support snippets in edits', async () => {
    const server = path.join(import.meta.dirname, '../../../../../server/src/main.ts');
    const client = await startLanguageClient([process.execPath, server, '--stdio'], 'identity-sql', {
      workspace: { workspaceEdit: { documentChanges: true, snippetEditSupport: true } },
    });
    try {
      const uri = 'file:///query.identity.sql';
      await client.open(uri, 'SELECT 1\nWHERE 2 = NULL');
      const position = { line: 1, character: 9 };
      const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: position, end: position },
        context: { diagnostics: [] },
      });
      const ignore = actions.find(({ title }) => title === 'Ignore NULL_COMPARISON here');
      const start = { line: 1, character: 0 };
      assert.deepEqual(ignore?.edit, {
        documentChanges: [
          {
            textDocument: { uri, version: 1 },
            edits: [
              {
                range: { start, end: start },
                snippet: {
                  kind: 'snippet',
                  value: '-- identity-queries-ignore NULL_COMPARISON: ${1:reason}\n',
                },
              },
            ],
          },
        ],
      });
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });
});
