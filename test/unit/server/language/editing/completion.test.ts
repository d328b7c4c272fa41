/** Completion at `|`, mostly in incomplete text, as during typing. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { relateTables } from '#core/models/relate-tables.ts';
import { complete } from '#server/language/editing/completion.ts';
import { FunctionKinds } from '#server/language/editing/function-kinds.ts';
import type { SuggestionKind } from '#server/language/editing/suggestion.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { directiveNames } from '#server/language/text/control-directives.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';
import { judgeCompletions } from '#test/helpers/judged-completions.ts';

const textColumns = (list: string) =>
  list.split(' ').map((name) => ({ name, type: 'text', description: `About ${name}` }));
const catalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [
        { name: 'accounts', columns: textColumns('id name Mixed user') },
        { name: 'roles', columns: textColumns('id title') },
      ],
    },
    {
      name: 'platform_governance',
      tables: [
        { name: 'reviews', columns: textColumns('decision') },
        {
          name: 'cases',
          columns: [{ name: 'state', type: 'text', values: ['Open', "Won't"] }, ...textColumns('other')],
        },
      ],
    },
  ],
};

function at(
  marked: string,
  kinds: readonly SuggestionKind[] = [
    'column',
    'table',
    'model',
    'alias',
    'common-table',
    'parameter',
    'directive',
    'type',
  ],
): string[] {
  const offset = marked.indexOf('|');
  const lexed = lex(marked.slice(0, offset) + marked.slice(offset + 1));
  const { suggestions } = complete(lexed, offset, { catalogue, model: 'platform_identity' });
  return suggestions
    .filter(({ kind }) => kinds.includes(kind))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ insertText }) => insertText);
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  // A name of several tables, or one that an inner query hides, is qualified.
  [
    'SELECT | FROM accounts a JOIN roles r ON true',
    ['a.id', 'name', '"Mixed"', '"user"', 'r.id', 'title', 'a', 'r'],
  ],
  [
    'SELECT | FROM accounts a JOIN roles r USING (id)',
    ['id', 'name', '"Mixed"', '"user"', 'id', 'title', 'a', 'r'],
  ],
  // The text tells a column of a table without known columns.
  ['SELECT | FROM nowhere n, unnest(n.tags) tags', ['tags.tags', 'n']],
  ['SELECT | FROM nowhere n, unnest(n.tags) tag', ['tag', 'n']],
  ['SELECT | FROM nowhere, unnest(tags) tags', ['tags.tags', 'nowhere']],
  ['SELECT | FROM nowhere n, LATERAL (SELECT unnest(tags) AS tags) x', ['x.tags', 'n', 'x']],
  ['SELECT | FROM nowhere n, LATERAL (SELECT unnest(list) AS tags) x', ['tags', 'n', 'x']],
  [
    'SELECT | FROM nowhere n CROSS JOIN LATERAL unnest(tags) WITH ORDINALITY AS x(tag, k)',
    ['tag', 'k', 'n', 'x'],
  ],
  ['SELECT q.| FROM (SELECT ((SELECT count(*) FROM accounts) - 1)) q', []],
  ['SELECT q.| FROM (SELECT ((SELECT max(id) AS m FROM roles) > (SELECT 1))) q', []],
  [
    'SELECT q.| FROM (SELECT (((SELECT id FROM roles)))::text, (((SELECT title FROM roles))::text)) q',
    ['id', 'title'],
  ],
  ['SELECT (((SELECT |) + 1)) FROM roles', ['id', 'title', 'roles']],
  ['SELECT (SELECT | FROM (SELECT 1 AS x) y) FROM nowhere n WHERE n.x = 1', ['x', 'y', 'n']],
  [
    'SELECT | FROM other.nowhere "N", roles WHERE "N".title = 1 AND n.id = 1',
    ['id', 'roles.title', '"N"', 'roles'],
  ],
  // NATURAL may join two of three tables, and a row's field is a column of that name.
  [
    'SELECT | FROM roles NATURAL JOIN (SELECT 1 AS id) x CROSS JOIN (SELECT (a).title) y',
    ['roles.id', 'roles.title', 'x.id', 'y.title', 'roles', 'x', 'y'],
  ],
  // A selected name stands for its value in ORDER BY if it is the only one, in GROUP BY if none is read, as a whole.
  ['SELECT title AS t FROM roles ORDER BY |', ['t', 'id', 'title', 'roles']],
  ['SELECT title AS id, * FROM roles ORDER BY |', ['roles.id', 'title', 'roles']],
  ['SELECT title AS t FROM roles ORDER BY lower(|)', ['id', 'title', 'roles']],
  [
    'SELECT r.title AS name, r.* FROM roles r, accounts a ORDER BY |',
    ['name', 'r.id', 'title', 'a.id', '"Mixed"', '"user"', 'r', 'a'],
  ],
  ['SELECT title AS id FROM roles GROUP BY |', ['id', 'title', 'roles']],
  ['SELECT title AS t FROM roles GROUP BY ROLLUP (id, |)', ['t', 'id', 'title', 'roles']],
  ['SELECT | FROM (SELECT 1 AS id) x, roles x', ['x.id', 'x.id', 'title', 'x', 'x']],
  // Each place takes only what the grammar allows there.
  ['SELECT * FROM accounts a JOIN roles r USING (|', ['id']],
  ['SELECT * FROM roles r JOIN platform_governance.reviews v USING (|)', []],
  ['SELECT * FROM accounts LIMIT |', []],
  ['SELECT :n FROM accounts LIMIT |', [':n']],
  ['SELECT * FROM accounts |', []],
  ['SELECT * FROM accounts AS a | WHERE true', []],
  [
    'SELECT * FROM accounts a JOIN roles r ON a.id = r.id, |',
    ['accounts', 'roles', 'platform_identity', 'platform_governance'],
  ],
  [
    'SELECT * FROM accounts a JOIN roles r USING (id), |',
    ['accounts', 'roles', 'platform_identity', 'platform_governance'],
  ],
  ['SELECT * FROM (|', ['accounts', 'roles', 'platform_identity', 'platform_governance']],
  ['SELECT * FROM ONLY |', ['accounts', 'roles', 'platform_identity', 'platform_governance']],
  ['TABLE |', ['accounts', 'roles', 'platform_identity', 'platform_governance']],
  // Only a WITH table in scope can be read.
  [
    'WITH a AS (SELECT * FROM |), b AS (SELECT 1) SELECT 1',
    ['accounts', 'roles', 'platform_identity', 'platform_governance'],
  ],
  [
    'SELECT * FROM (WITH a AS (SELECT 1) SELECT 1) q JOIN |',
    ['accounts', 'roles', 'platform_identity', 'platform_governance'],
  ],
  ['SELECT | FROM roles', ['id', 'title', 'roles']],
  ['SELECT i| FROM roles', ['id', 'title', 'roles']],
  // Without FROM, the columns of every table, each once.
  ['SELECT id, na|', ['id', 'name', '"Mixed"', '"user"', 'title']],
  ['WITH w AS (SELECT 1 FROM roles) SELECT |', ['id', 'name', '"Mixed"', '"user"', 'title']],
  ['SELECT id FROM roles UNION SELECT |', ['id', 'name', '"Mixed"', '"user"', 'title']],
  ['SELECT extract(year FROM |)', ['id', 'name', '"Mixed"', '"user"', 'title']],
  ['SELECT 1 WHERE |', []],
  ['SELECT i| FROM missing', ['missing']],
  ['SELECT | FROM accounts a', ['id', 'name', '"Mixed"', '"user"', 'a']],
  ['SELECT a.| FROM accounts a', ['id', 'name', '"Mixed"', '"user"']],
  ['SELECT a.na| FROM accounts AS a WHERE', ['id', 'name', '"Mixed"', '"user"']],
  ['SELECT * FROM roles r WHERE r.|', ['id', 'title']],
  ['SELECT * FROM roles r JOIN accounts a ON a.id = r.| WHERE (', ['id', 'title']],
  ['SELECT * FROM |', ['accounts', 'roles', 'platform_identity', 'platform_governance']],
  ['SELECT * FROM ro|', ['accounts', 'roles', 'platform_identity', 'platform_governance']],
  ['SELECT * FROM roles, |', ['accounts', 'roles', 'platform_identity', 'platform_governance']],
  ['SELECT * FROM roles JOIN |', ['accounts', 'roles', 'platform_identity', 'platform_governance']],
  ['SELECT * FROM platform_governance.|', ['reviews', 'cases']],
  ['SELECT * FROM platform_governance.reviews x WHERE x.|', ['decision']],
  [
    'WITH recent AS (SELECT 1) SELECT * FROM |',
    ['recent', 'accounts', 'roles', 'platform_identity', 'platform_governance'],
  ],
  ['SELECT id AS |', []],
  ['SELECT id AS i| FROM roles', []],
  ["SELECT 'a|' FROM roles", []],
  ['SELECT 12| FROM roles', []],
  ['SELECT 1 -- a|', []],
  ['SELECT 1 /* a| */', []],
  ['SELECT extract(year FROM |) FROM roles', ['id', 'title', 'roles']],
  ['SELECT a, | FROM roles', ['id', 'title', 'roles']],
  [
    'SELECT (SELECT | FROM roles) FROM accounts',
    ['id', 'title', 'accounts.id', 'name', '"Mixed"', '"user"', 'roles', 'accounts'],
  ],
  [
    'SELECT * FROM accounts WHERE EXISTS (SELECT 1 FROM roles r WHERE r.id = accounts.|)',
    ['id', 'name', '"Mixed"', '"user"'],
  ],
  ['SELECT * FROM (SELECT id FROM roles) s WHERE |', ['id', 's']],
  ['WITH w AS (SELECT id AS k, title FROM roles) SELECT w.| FROM w', ['k', 'title']],
  ['WITH w AS (SELECT id AS k, title FROM roles) SELECT | FROM w x', ['k', 'title', 'x']],
  ['SELECT f.| FROM json_each(:j) AS f(k, v)', ['k', 'v']],
  ['SELECT 1; SELECT | FROM roles; SELECT 2 FROM accounts', ['id', 'title', 'roles']],
  // Unclosed brackets.
  ['SELECT count(| FROM roles', ['id', 'title', 'roles']],
  ['SELECT coalesce(lower(| FROM roles r WHERE true', ['id', 'title', 'r']],
  ['SELECT * FROM (SELECT count(| FROM roles) s', ['id', 'title', 'roles']],
  ['SELECT id, count(*) OVER (PARTITION BY | FROM roles', ['id', 'title', 'roles']],
  ['SELECT extract(year FROM | FROM roles', ['id', 'title', 'roles']],
  ['SELECT * FROM roles r WHERE EXISTS (SELECT 1 FROM platform_governance.reviews v WHERE v.|', ['decision']],
  // Names in scope at a position.
  ['SELECT * FROM roles r, (SELECT | FROM platform_governance.reviews) v', ['decision', 'reviews']],
  [
    'SELECT * FROM roles r, LATERAL (SELECT | FROM platform_governance.reviews) v',
    ['decision', 'id', 'title', 'reviews', 'r'],
  ],
  ['SELECT | FROM (roles r CROSS JOIN platform_governance.reviews v)', ['id', 'title', 'decision', 'r', 'v']],
  ['SELECT id FROM roles UNION SELECT | FROM platform_governance.reviews', ['decision', 'reviews']],
  ['SELECT id AS k FROM roles UNION SELECT decision FROM platform_governance.reviews ORDER BY |', ['k']],
  ['WITH roles AS (SELECT 1 AS own) SELECT | FROM roles', ['own', 'roles']],
  [
    'WITH w(k) AS (SELECT 1) SELECT * FROM roles JOIN |',
    ['w', 'accounts', 'roles', 'platform_identity', 'platform_governance'],
  ],
  ['SELECT | FROM roles AS r(a)', ['a', 'title', 'r']],
  ['SELECT | FROM generate_series(1, 2)', ['generate_series']],
  ['SELECT | FROM generate_series(1, 2) AS g', ['g']],
  // Columns that the text names.
  [
    `SELECT x.| FROM json_table('[]', '$' COLUMNS (a int, NESTED PATH '$.b' COLUMNS (c int, d int), e text)) x`,
    ['a', 'e', 'c', 'd'],
  ],
  [`SELECT x.| FROM xmltable('/a' PASSING '<a/>' COLUMNS k int PATH 'k', l text) AS x`, ['k', 'l']],
  ['SELECT j.| FROM accounts JOIN roles USING (id) AS j', ['id']],
  ['SELECT j.| FROM accounts JOIN roles USING (id) AS j WHERE true', ['id']],
  ['SELECT (r).| FROM roles r', ['id', 'title']],
  ['SELECT ((roles)).| FROM roles', ['id', 'title']],
  [
    `SELECT x.| FROM ROWS FROM (generate_series(1, 2), json_each('{}')) WITH ORDINALITY AS x`,
    ['generate_series', 'key', 'value', 'ordinality'],
  ],
  ['SELECT x.| FROM ROWS FROM (generate_series(1, 2), unnest(:l)) AS x(p, q)', ['p', 'q']],
  // Nothing can name one of two columns of a name.
  ['SELECT x.| FROM unnest(:l, :m) AS x', []],
  ['SELECT q.| FROM (SELECT * FROM roles a CROSS JOIN roles b) q', []],
  // Statements other than queries.
  ['DELETE FROM roles WHERE |', ['id', 'title', 'roles']],
  ['EXPLAIN SELECT | FROM roles', ['id', 'title', 'roles']],
  ['SEL| FROM roles', ['id', 'title', 'roles']],
  ['WITH d AS (DELETE FROM roles WHERE | RETURNING *) SELECT 1', ['id', 'title', 'roles']],
  ['-- @param since date Only later\nSELECT * FROM roles WHERE id = :|', [':since']],
  ['SELECT :first, :second, :s|', [':first', ':second']],
  ['SELECT :first WHERE |', [':first']],
  ['-- @|', [...directiveNames]],
  ['-- @mo|', [...directiveNames]],
  ['-- @model |', ['platform_identity', 'platform_governance']],
  ['-- @model platform_g|', ['platform_identity', 'platform_governance']],
  ['|', []],
];

describe('completion of key words', () => {
  for (const [marked, offered, refused] of [
    ['SELECT id | FROM roles', ['as', 'is', 'from', 'not'], ['select', 'exists', 'case', 'by', 'over']],
    ['SELECT id FROM roles WHERE |', ['not', 'exists', 'case'], ['select', 'from', 'join', 'order']],
    ['SELECT id FROM roles WHERE id = |', ['any', 'case', 'null'], ['select', 'and', 'on']],
    ['SELECT count(|) FROM roles', ['distinct', 'case'], ['from', 'on', 'and']],
    ['SELECT rank() | FROM roles', ['over', 'filter', 'as'], ['by', 'exists']],
    ['SELECT rank() OVER (PARTITION | id) FROM roles', ['by'], ['select', 'case']],
    ['SELECT 1 FROM roles GROUP |', ['by'], []],
    ['WITH w AS (SELECT 1) |', ['select'], ['case']],
    ['SELECT id FROM roles UNION |', ['all', 'select'], []],
    ['|', ['select', 'with'], []],
  ] as const) {
    it(JSON.stringify(marked), () => {
      const found = at(marked, ['keyword']).map((word) => word.toLowerCase());
      for (const word of offered) assert.ok(found.includes(word), word);
      for (const word of refused) assert.ok(!found.includes(word), word);
    });
  }
});

describe('completion asks the grammar', () => {
  const parser = new ServerParser();
  const suggested = (marked: string) => {
    const offset = marked.indexOf('|');
    const lexed = lex(marked.replace('|', ''));
    return complete(lexed, offset, { catalogue, model: 'platform_identity', probe: parser.probe })
      .suggestions;
  };
  before(async () => {
    await parser.parse(['SELECT 1']);
  });
  after(() => parser.dispose());

  for (const [marked, words] of [
    ['SELECT sum(id) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING |) FROM roles', ['exclude']],
    ['SELECT 1 FROM roles WINDOW w AS (GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW |)', ['exclude']],
    [
      'SELECT sum(id) OVER (ROWS 1 PRECEDING EXCLUDE |) FROM roles',
      ['current row', 'group', 'ties', 'no others'],
    ],
    ["SELECT * FROM xmltable('/r' |", ['passing']],
    ["SELECT * FROM roles, xmltable('/r' PASSING roles.title |", ['columns']],
    ["SELECT * FROM roles, json_table(title::jsonb, '$' |", ['passing', 'columns']],
    ["SELECT * FROM json_table('{}'::jsonb, '$' PASSING 1 AS x |", ['columns']],
    ["SELECT * FROM json_table('{}'::jsonb, '$' COLUMNS (a int |", ['path']],
    ["SELECT json_exists('{}'::jsonb, '$' |", ['passing']],
    [
      'WITH RECURSIVE w AS (SELECT 1 AS a UNION ALL SELECT a FROM w) |',
      ['search depth first by', 'cycle', 'select'],
    ],
    ['WITH RECURSIVE w AS (SELECT 1 AS a UNION ALL SELECT a FROM w) SEARCH DEPTH FIRST BY a |', ['set']],
    [
      'WITH RECURSIVE w AS (SELECT 1 AS a UNION ALL SELECT a FROM w) SEARCH DEPTH FIRST BY a SET o |',
      ['cycle'],
    ],
    ['WITH RECURSIVE w AS (SELECT 1 AS a UNION ALL SELECT a FROM w) CYCLE a, |', []],
    ['WITH RECURSIVE w AS (SELECT 1 AS a UNION ALL SELECT a FROM w) CYCLE a |', ['set']],
    ['WITH RECURSIVE w AS (SELECT 1 AS a UNION ALL SELECT a FROM w) CYCLE a SET c |', ['to', 'using']],
  ] as const)
    it(`offers the words of a clause: ${marked}`, () => {
      const offered = new Set(suggested(marked).map(({ insertText }) => insertText.toLowerCase()));
      for (const word of words) assert.ok(offered.has(word), `${word} is missing: ${[...offered].join()}`);
    });

  for (const marked of [
    'SELECT max(id) | FROM roles',
    'SELECT * FROM roles r, LATERAL (SELECT 1) |',
    'WITH w AS (SELECT 1) SELECT (a) | FROM w',
    'SELECT sum(id) OVER (ORDER BY |) FROM roles',
    'SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING |) FROM roles',
  ])
    it(`offers no word of another clause: ${marked}`, () => {
      const others = /^(search|cycle|exclude|passing|columns|set|path|ties)/i;
      assert.deepEqual(
        suggested(marked).filter(({ kind, insertText }) => kind === 'keyword' && others.test(insertText)),
        [],
      );
    });

  for (const [marked, words, names] of [
    ['SELECT id FROM roles ORDER BY id |', ['asc', 'desc', 'nulls', 'limit'], false],
    ['SELECT id FROM roles r JOIN accounts a |', ['on', 'using', 'join'], false],
    ['SELECT 1 FROM roles WHERE id |', ['is', 'not', 'in', 'like', 'and'], false],
    ['SELECT 1 FROM roles WHERE id = 1 |', ['and', 'or', 'group'], false],
    ['SELECT 1 FROM roles WHERE (SELECT max(id) FROM accounts WHERE id |', ['is', 'and', 'group'], false],
    ['SELECT 1 UNION |', ['all', 'select', 'distinct'], false],
    ['WITH w AS (SELECT 1) SELECT 1 FROM w WHERE |', ['not', 'case', 'exists'], true],
    ['SELECT sum(id) * |/ 2 FROM roles', ['case', 'cast'], true],
    ['SELECT 1 FROM roles WHERE id = :a AND |', ['not', 'exists'], true],
    ['SELECT 1 FROM roles -- why\n |', ['where', 'join', 'left'], false],
    ['SELECT 1 FROM (SELECT id FROM roles) |', ['as', 'where', 'join'], false],
    ['SELECT 1 FROM roles JOIN generate_series(1, 2) |', ['as', 'on'], false],
    ['SELECT DISTINCT ON (id) | FROM roles', ['not'], true],
    ['SELECT | FROM roles', ['coalesce', 'nullif', 'greatest', 'extract', 'substring', 'trim'], true],
    ['SELECT xmlserialize(content | AS text) FROM roles', ['not', 'id'], true],
    ['SELECT xmlserialize(content id AS | FROM roles', ['text', 'jsonb'], false],
    ['SELECT * FROM ROWS FROM (|', ['unnest'], true],
    ['SELECT * FROM roles, LATERAL ROWS FROM (unnest(:a), |', ['unnest'], true],
  ] as const) {
    it(JSON.stringify(marked), () => {
      const found = suggested(marked);
      const offered = new Set(found.map(({ insertText }) => insertText.toLowerCase()));
      for (const word of words) assert.ok(offered.has(word), `${word} is missing`);
      assert.equal(
        found.some(({ kind }) => kind === 'column' || kind === 'function'),
        names,
      );
    });
  }

  // All that is offered there.
  for (const [marked, expected] of [
    ['|', ['SELECT', 'WITH', 'VALUES']],
    ['SELECT 1; |', ['SELECT', 'WITH', 'VALUES']],
    ['WITH |', ['RECURSIVE']],
    ['WITH RECURSIVE |', []],
    ['WITH w AS (SELECT 1), |', []],
    ['SELECT rank() OVER | FROM roles WINDOW a AS (ORDER BY id), b AS (a)', ['a', 'b']],
    ['SELECT rank() OVER (|) FROM roles WINDOW a AS ()', ['a', 'ORDER', 'PARTITION', 'ROWS', 'RANGE']],
    ['SELECT 1 FROM roles WINDOW a AS (), b AS (|), c AS ()', ['a', 'ORDER', 'PARTITION', 'ROWS', 'RANGE']],
    [
      'SELECT sum(id) OVER (ORDER BY id ROWS |) FROM roles',
      ['BETWEEN', 'UNBOUNDED PRECEDING', 'CURRENT ROW'],
    ],
    [
      'SELECT sum(id) OVER (ORDER BY id RANGE BETWEEN |) FROM roles',
      ['UNBOUNDED PRECEDING', 'CURRENT ROW', 'UNBOUNDED FOLLOWING'],
    ],
    [
      'SELECT sum(id) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND |) FROM roles',
      ['CURRENT ROW', 'UNBOUNDED FOLLOWING'],
    ],
    ['SELECT sum(id) OVER (ORDER BY id ROWS UNBOUNDED |) FROM roles', ['PRECEDING']],
    ['SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN 1 |) FROM roles', ['PRECEDING', 'FOLLOWING']],
    ['SELECT sum(id) OVER (ORDER BY id ROWS BETWEEN CURRENT |) FROM roles', ['ROW']],
    ['SELECT * FROM accounts a JOIN roles r USING (|) WHERE true', ['id']],
    ['SELECT * FROM accounts a JOIN roles r USING (i|', ['id']],
    ['SELECT * FROM accounts a JOIN roles r USING (id, |)', []],
    ['SELECT * FROM (SELECT 1 AS k) a JOIN (SELECT 2 AS k) b USING (|)', ['k']],
    // Two tables before the joined one have the column, unless USING made it one.
    ['SELECT * FROM accounts a JOIN roles r ON true JOIN roles s USING (|)', ['title']],
    ['SELECT * FROM accounts a JOIN roles r USING (id) JOIN roles s USING (|)', ['id', 'title']],
    ['SELECT |.id FROM accounts a JOIN roles r ON true', ['a', 'r']],
    // WITH is not always that of a query.
    ['SELECT |.id FROM roles r ORDER BY id FETCH FIRST 1 ROW WITH TIES', ['r']],
    [
      'SELECT 1 FROM roles r, LATERAL (SELECT |.id FROM accounts a FETCH FIRST 1 ROW WITH TIES) q',
      ['a', 'r'],
    ],
    // New names, and the size of a type.
    ['SELECT 1 FROM unnest(:a) WITH ORDINALITY AS |', []],
    ['WITH RECURSIVE r(n) AS (SELECT 1) SEARCH DEPTH FIRST BY n SET |', []],
    ["SELECT 1 FROM XMLTABLE('/a' PASSING :a COLUMNS id int |", ['NOT']],
    ['SELECT id::numeric(|) FROM roles', []],
    ['SELECT CAST(id AS numeric(5, |', []],
    // A condition sees the tables of its join, and LATERAL those before it.
    ['SELECT 1 FROM accounts a, roles r JOIN roles s ON |.id = 1', ['r', 's']],
    ['SELECT 1 FROM accounts a JOIN (roles r JOIN roles s ON |.id = 1) ON true', ['r', 's']],
    ['SELECT 1 FROM roles r JOIN roles s ON |.id = 1 JOIN accounts a ON true', ['r', 's']],
    ['SELECT 1 FROM accounts a JOIN roles r JOIN roles s ON |.id = 1 ON true', ['r', 's']],
    ['SELECT 1 FROM accounts a JOIN roles r JOIN roles s ON true ON |.id = 1', ['a', 'r', 's']],
    ['SELECT 1 FROM accounts a CROSS JOIN roles r JOIN roles s ON |.id = 1', ['a', 'r', 's']],
    ['SELECT 1 FROM accounts a WHERE a|.id = 1', ['a']],
    ['SELECT id FROM roles ORDER BY id NULLS |', ['FIRST', 'LAST']],
    ['SELECT array_agg(id ORDER BY id DESC NULLS |) FROM roles', ['FIRST', 'LAST']],
    ['SELECT id FROM roles WHERE id NOT |', ['IN', 'LIKE', 'ILIKE', 'BETWEEN']],
    ['SELECT id FROM roles FETCH FIRST |', []],
    ['SELECT id FROM roles FETCH FIRST 3 |', ['ROWS']],
    ['SELECT id FROM roles ORDER BY title COLLATE |', []],
    ['SELECT id FROM roles TABLESAMPLE |', []],
    ['SELECT 1 FROM roles r, LATERAL (|', ['SELECT', 'WITH', 'VALUES']],
    ['SELECT 1 FROM json_populate_record(NULL::roles, :j) p WHERE p.|', []],
    ['SELECT s.| FROM (SELECT trim(id), trim(LEADING FROM id) FROM roles) s', ['btrim', 'ltrim']],
    ['SELECT x.| FROM (accounts a JOIN roles r ON true) AS x', ['name', '"Mixed"', '"user"', 'title']],
    [
      'SELECT x.| FROM (accounts a JOIN roles r ON true) AS x(p, q)',
      ['p', 'q', '"Mixed"', '"user"', 'id', 'title'],
    ],
  ] as const)
    it(`and nothing else: ${JSON.stringify(marked)}`, () => {
      const offered = suggested(marked).map(({ insertText }) => insertText);
      assert.deepEqual(offered, expected);
    });

  it('offers no alias that is a column, also of another table', () => {
    const aliases = (marked: string) =>
      suggested(marked).flatMap(({ kind, insertText }) => (kind === 'alias' ? insertText : []));
    const tables = '(SELECT 1 id, 2 a) x, (SELECT 1 id) y';
    assert.deepEqual(aliases(`SELECT | FROM ${tables}, (SELECT 1 b) id`), ['x', 'y']);
    assert.deepEqual(aliases(`SELECT 1 FROM (SELECT 1 id) y WHERE (SELECT | FROM (SELECT 1 b) id) > 0`), [
      'y',
    ]);
  });
  it('offers the alias of a join in brackets outside of them, and the tables inside', () => {
    const names = (marked: string): readonly string[] =>
      suggested(marked).flatMap(({ kind, insertText }) => (kind === 'alias' ? insertText : []));
    assert.deepEqual(names('SELECT | FROM (accounts a JOIN roles r ON true) AS x'), ['x']);
    assert.deepEqual(names('SELECT 1 FROM (accounts a JOIN roles r ON |) AS x'), ['a', 'r']);
    assert.deepEqual(names('SELECT | FROM (accounts a JOIN roles r ON true)'), ['a', 'r']);
  });

  for (const marked of [
    "SELECT * FROM jsonb_to_record('{}') AS x(a |)",
    "SELECT * FROM jsonb_to_record('{}') AS x(a int, b |",
    "SELECT * FROM json_table('{}', '$' COLUMNS (a |)) x",
    "SELECT * FROM xmltable('/r' PASSING '<r/>' COLUMNS a |) x",
    "SELECT json_value('{}', '$.a' RETURNING |)",
    "SELECT xmlserialize(content '<a/>' AS |)",
    'SELECT id::| FROM roles',
    'SELECT cast(id AS |) FROM roles',
  ])
    it(`and types alone: ${JSON.stringify(marked)}`, () => {
      const found = suggested(marked);
      assert.ok(found.length > 20);
      assert.deepEqual(
        found.filter(({ kind }) => kind !== 'type'),
        [],
      );
    });

  for (const marked of ['SELECT | FROM roles', 'SELECT id FROM roles WHERE |', 'SELECT count(|) FROM roles'])
    it(`and no key word as a name: ${JSON.stringify(marked)}`, () => {
      const words = suggested(marked).flatMap(({ kind, insertText }) =>
        kind === 'keyword' ? insertText.toLowerCase() : [],
      );
      const names = [
        'by',
        'join',
        'left',
        'is',
        'like',
        'between',
        'values',
        'over',
        'rows',
        'first',
        'recursive',
      ];
      assert.deepEqual(
        words.filter((word) => names.includes(word)),
        [],
      );
      assert.ok(words.includes('exists') && words.includes('interval'));
    });

  // The editor compares them with what is typed, and writes the best one at Enter.
  const beginning = (marked: string) =>
    suggested(marked).flatMap(({ kind, insertText }) => {
      const typed = /\w*$/.exec(marked.slice(0, marked.indexOf('|')))?.[0] ?? '';
      const isMatch = new RegExp([...typed].join('.*'), 'i').test(insertText);
      return kind === 'keyword' && isMatch ? insertText.toLowerCase() : [];
    });
  for (const marked of [
    'SELECT * FROM accounts a|',
    'SELECT * FROM accounts o|',
    'SELECT * FROM platform_identity.accounts w|',
    'SELECT * FROM roles r JOIN accounts o|',
    'SELECT * FROM generate_series(1, 2) g|',
    'SELECT * FROM (SELECT 1) AS s, (SELECT 2) l|',
    'SELECT count(*) n|',
    'SELECT id i| FROM roles',
    'SELECT * FROM orders ord|',
  ])
    it(`and no key word in place of a new name: ${JSON.stringify(marked)}`, () =>
      assert.deepEqual(beginning(marked), []));
  for (const [marked, word] of [
    ['SELECT * FROM accounts |', 'as'],
    ['SELECT * FROM accounts a w|', 'where'],
    ['SELECT * FROM accounts whe|', 'where'],
    ['SELECT * FROM accounts\nw|', 'where'],
    ['SELECT * FROM orders o ord|', 'order'],
    ['SELECT * FROM orders order|', 'order'],
    ['SELECT * FROM groups GROUP|', 'group'],
    ['SELECT * FROM limits limit|', 'limit'],
    ['SELECT * FROM joins join|', 'join'],
    ['SELECT count(*) f|', 'from'],
    ['SELECT * FROM roles WHERE id = 1 o|', 'or'],
    ['SELECT * FROM roles ORDER BY id d|', 'desc'],
  ] as const)
    it(`but where none is meant: ${JSON.stringify(marked)}`, () =>
      assert.ok(beginning(marked).includes(word), word));

  it('and no label as a key word', () => {
    const words = new Set(suggested('SELECT id |').map(({ insertText }) => insertText.toLowerCase()));
    for (const word of ['when', 'then', 'else', 'end', 'asc', 'desc', 'using', 'select'])
      assert.ok(!words.has(word), word);
    assert.ok(words.has('from') && words.has('as') && words.has('is'));
  });

  it('offers what extract takes out of a date', () => {
    const offered = suggested('SELECT extract(| FROM now())').map(({ insertText }) => insertText);
    assert.ok(offered.includes('year') && offered.includes('epoch') && !offered.includes('abs'));
  });

  it('and gives up nothing where the text before is wrong', () => {
    assert.ok(suggested('SELECT FROM WHERE |').some(({ kind }) => kind === 'keyword'));
  });

  it('never offers what it refuses, nor takes away what stood there, in holes of real queries', async () => {
    const { holes, suggestions, refused, lost } = await judgeCompletions({ every: 401, first: 0 });
    assert.ok(holes > 200 && suggestions > 8_000);
    assert.deepEqual({ refused, lost }, { refused: [], lost: [] });
  });
});

describe('completion of types', () => {
  for (const marked of [
    'SELECT id::| FROM roles',
    'SELECT CAST(id AS | FROM roles',
    'SELECT id::int| FROM roles',
  ]) {
    it(JSON.stringify(marked), () => {
      const found = at(marked);
      assert.ok(
        found.includes('integer') && found.includes('timestamptz') && !found.includes('id'),
        found.join(),
      );
    });
  }
});

describe('completion', () => {
  for (const [marked, expected] of cases) {
    it(JSON.stringify(marked), () => {
      assert.deepEqual(at(marked), expected);
    });
  }

  it('offers types in a declaration', () => {
    assert.ok(at('-- @param a |').includes('timestamptz'));
  });

  it("writes keywords in the text's case", () => {
    assert.ok(at('select * from roles |', ['keyword']).includes('where'));
    assert.ok(at('SELECT * FROM roles |', ['keyword']).includes('WHERE'));
    // A complete word stays as it is, so that the editor has nothing to accept on Enter.
    const complete = at('SELECT * FROM roles WHERE active = false|', ['keyword']);
    assert.ok(complete.includes('false') && !complete.includes('FALSE'));
  });

  it('offers functions with their arguments and result', () => {
    const { suggestions } = complete(lex('SELECT '), 7, { model: 'platform_identity' });
    const lower = suggestions.find(({ label }) => label === 'lower');
    assert.equal(lower?.kind, 'function');
    assert.match(lower.detail ?? '', /^lower\(.*\) → /);
  });

  it('says on every row what it is, except on keywords and types', () => {
    const functions = new FunctionKinds(loadTypeCatalogue);
    const rows = (text: string) =>
      complete(lex(text), text.length, { catalogue, model: 'platform_identity', functions }).suggestions;
    const texts = [
      'SELECT 1 FROM accounts WHERE :since = ',
      '-- @param since\nSELECT 1 FROM accounts a, (SELECT 1) AS s WHERE ',
      'SELECT 1 FROM generate_series(1, 2) WHERE ',
      'WITH w AS (SELECT 1) SELECT 1 FROM ',
      'SELECT 1 FROM accounts JOIN roles ON ',
      "SELECT 1 FROM platform_governance.cases WHERE state = '",
      'SELECT 1 FROM platform_governance.cases WHERE state = ',
      'SELECT accounts.id.',
      '-- @',
    ];
    for (const text of texts) {
      const bare = rows(text).filter(({ kind, detail }) => kind !== 'keyword' && (detail ?? '') === '');
      assert.deepEqual(bare, [], text);
    }
    const [open] = rows("SELECT 1 FROM platform_governance.cases WHERE state = '");
    assert.deepEqual([open?.label, open?.detail, open?.type], ['Open', 'example of state', 'text']);
    assert.equal(open?.documentation, 'From the specification; the service may have others.');
    const result = (name: string) => rows('SELECT ').find(({ label }) => label === name)?.result;
    assert.equal(result('date_part'), 'double precision');
    assert.equal(result('date_trunc'), 'timestamp with time zone, …');
    // Its overload for ranges returns their elements.
    assert.equal(result('lower'), 'text');
  });

  it('replaces the word at the cursor', () => {
    const { start, end } = complete(lex('SELECT nam FROM accounts'), 9, {
      catalogue,
      model: 'platform_identity',
    });
    assert.deepEqual([start, end], [7, 10]);
  });

  it('works anywhere in any text', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'select ',
        'from ',
        'a',
        '.',
        ',',
        '(',
        ')',
        "'",
        '"',
        ':',
        '--',
        '\n',
        '@',
        'join ',
        ' as ',
        ';',
        '$$',
        '/*',
      ),
    );
    fc.assert(
      fc.property(pieces, fc.nat(80), (parts, offset) => {
        const text = parts.join('');
        const clamped = Math.min(offset, text.length);
        const { start, end } = complete(lex(text), clamped, { catalogue, model: 'platform_identity' });
        assert.ok(start <= clamped && clamped <= end);
      }),
      { numRuns: 2000 },
    );
  });

  it('offers the known values of the compared column', () => {
    const values = (marked: string): string[] => at(marked, ['value']);
    const known = ["Open'", "Won''t'"];
    assert.deepEqual(values("SELECT * FROM reviews.cases WHERE state = '|'"), []);
    assert.deepEqual(values("SELECT * FROM platform_governance.cases c WHERE c.state = '|'"), known);
    assert.deepEqual(values("SELECT * FROM platform_governance.cases WHERE state <> 'O|'"), known);
    assert.deepEqual(
      values("SELECT * FROM platform_governance.cases WHERE state NOT IN ('Open', '|')"),
      known,
    );
    assert.deepEqual(values("SELECT * FROM platform_governance.cases WHERE state = '|"), known);
    assert.deepEqual(values("SELECT * FROM platform_governance.cases WHERE other = '|'"), []);
    assert.deepEqual(values("SELECT 'a|' FROM platform_governance.cases"), []);
  });

  it('offers them with their quotes before one is typed', () => {
    const from = 'SELECT * FROM platform_governance.cases c WHERE';
    const known = ["'Open'", "'Won''t'"];
    const values = (marked: string): string[] => at(`${from} ${marked}`, ['value']);
    assert.deepEqual(values('state = |'), known);
    assert.deepEqual(values('c.state <> Op|'), known);
    assert.deepEqual(values("state IN ('Open', |)"), known);
    assert.deepEqual(values('state |'), []);
    assert.deepEqual(values('other = |'), []);
    const text = `${from} state = `;
    const { suggestions } = complete(lex(text), text.length, { catalogue, model: 'platform_identity' });
    assert.deepEqual(
      suggestions.toSorted((a, b) => a.rank - b.rank || (a.order ?? 9) - (b.order ?? 9))[0]?.label,
      "'Open'",
    );
  });

  it('offers related tables first after JOIN', () => {
    const names = ['entity_assigned_access_to_object', 'account_roles', 'accounts', 'applications'];
    const tables = relateTables(
      names.map((name) => ({ name, columns: textColumns('global_id name account_role') })),
    );
    const related = (text: string): string[] => {
      const { suggestions } = complete(lex(text), text.length, {
        catalogue: { models: [{ name: 'platform_identity', tables }] },
        model: 'platform_identity',
      });
      return suggestions
        .filter(({ kind, order }) => kind === 'table' && order === 0)
        .map(({ label }) => label);
    };
    assert.ok(related('SELECT 1 FROM accounts a JOIN ').includes('account_roles'));
    assert.ok(!related('SELECT 1 FROM accounts a JOIN ').includes('applications'));
    assert.deepEqual(related('SELECT 1 FROM '), []);
  });

  it('says which conditions of a JOIN are only a guess, and offers them last', () => {
    const tables = relateTables([
      { name: 'accounts', columns: textColumns('global_id account_role region_code') },
      { name: 'account_roles', columns: textColumns('global_id name region_code') },
    ]);
    const text = 'SELECT 1 FROM accounts a JOIN account_roles r ON ';
    const { suggestions } = complete(lex(text), text.length, {
      catalogue: { models: [{ name: 'platform_identity', tables }] },
      model: 'platform_identity',
    });
    const conditions = suggestions.filter(({ kind }) => kind === 'condition');
    assert.deepEqual(
      conditions.map(({ label, detail }) => [label, detail]),
      [
        ['a.account_role = r.name', 'ON'],
        ['a.region_code = r.region_code', 'guess by name'],
      ],
    );
  });

  it("knows the columns of PostgreSQL's functions", () => {
    const functions = new FunctionKinds(loadTypeCatalogue);
    for (const [text, expected] of [
      ['SELECT x. FROM pg_identify_object(1, 2, 3) x', 'type:text schema:text name:text identity:text'],
      ['SELECT (pg_identify_object(1, 2, 3)). FROM roles', 'type:text schema:text name:text identity:text'],
      ['SELECT x. FROM ts_stat(:q) AS x(w)', 'w:text ndoc:integer nentry:integer'],
      [`SELECT x. FROM pg_ls_dir('a') x`, 'x:'],
    ] as const) {
      const { suggestions } = complete(lex(text), text.indexOf('. ') + 1, {
        catalogue,
        model: 'platform_identity',
        functions,
      });
      assert.equal(suggestions.map(({ label, type = '' }) => `${label}:${type}`).join(' '), expected);
    }
  });

  it('leaves the caret behind the closing quote of a value', () => {
    const from = 'SELECT * FROM platform_governance.cases WHERE';
    const accepted = (marked: string): string => {
      const offset = marked.indexOf('|');
      const text = marked.replace('|', '');
      const { start, end, suggestions } = complete(lex(text), offset, {
        catalogue,
        model: 'platform_identity',
      });
      const { insertText = '' } = suggestions.find(({ kind }) => kind === 'value') ?? {};
      return `${text.slice(0, start)}${insertText}|${text.slice(end)}`;
    };
    assert.equal(accepted(`${from} state = '|'`), `${from} state = 'Open'|`);
    assert.equal(accepted(`${from} state = '|`), `${from} state = 'Open'|`);
    assert.equal(accepted(`${from} state = 'O|ld' AND TRUE`), `${from} state = 'Open'| AND TRUE`);
    assert.equal(accepted(`${from} state IN ('|')`), `${from} state IN ('Open'|)`);
    // Only the text of the line is replaced.
    assert.equal(
      accepted(`${from} state = '|\n  AND other = 'a'`),
      `${from} state = 'Open'|\n  AND other = 'a'`,
    );
  });

  it('lists the selected columns first in GROUP BY and ORDER BY', () => {
    const first = (marked: string): string[] => {
      const offset = marked.indexOf('|');
      const text = marked.replace('|', '');
      const { suggestions } = complete(lex(text), offset, { catalogue, model: 'platform_identity' });
      return suggestions.filter(({ order }) => order !== undefined).map(({ insertText }) => insertText);
    };
    assert.deepEqual(first('SELECT a.name, id AS k, count(*) AS n, lower(name) FROM accounts a GROUP BY |'), [
      'a.name',
      'k',
    ]);
    assert.deepEqual(first('SELECT a.name, count(*) AS n FROM accounts a GROUP BY 1 ORDER BY n DESC, |'), [
      'a.name',
      'n',
    ]);
    assert.deepEqual(first('SELECT a.name FROM accounts a WHERE |'), []);
    assert.deepEqual(first('SELECT (SELECT max(id) AS m FROM roles ORDER BY |) FROM accounts'), ['m']);
  });

  it('lists a column that is also selected only once in GROUP BY and ORDER BY', () => {
    for (const clause of ['GROUP BY', 'ORDER BY']) {
      const text = `SELECT name, count(*) AS n FROM accounts ${clause} `;
      const { suggestions } = complete(lex(text), text.length, { catalogue, model: 'platform_identity' });
      assert.equal(suggestions.filter(({ label }) => label === 'name').length, 1);
    }
  });

  it('shows the column types of common table expressions and subqueries', () => {
    const types = (marked: string): (string | undefined)[] => {
      const offset = marked.indexOf('|');
      const { suggestions } = complete(lex(marked.replace('|', '')), offset, {
        catalogue,
        model: 'platform_identity',
      });
      return suggestions
        .filter(({ kind }) => kind === 'column')
        .map(({ label, detail, type }) => [label, detail, type].join(' '));
    };
    assert.deepEqual(
      types(
        'WITH w AS (SELECT a.name, id::integer AS k, count(*) AS n, lower(name) AS l FROM accounts a) SELECT w.| FROM w',
      ),
      ['name w text', 'k w integer', 'n w bigint', 'l w '],
    );
    assert.deepEqual(types('WITH w (x) AS (SELECT name FROM accounts) SELECT w.| FROM w'), ['x w text']);
  });
});

it('follows the type of a column through a hundred queries, and not through a thousand', () => {
  const typed = (count: number): string | undefined => {
    const tables = Array.from({ length: count }, (_, n) =>
      n === 0 ? 'c0 AS (SELECT id FROM accounts)' : `c${n} AS (SELECT id FROM c${n - 1})`,
    );
    const text = `WITH ${tables.join(', ')} SELECT  FROM c${count - 1}`;
    const { suggestions } = complete(lex(text), text.indexOf('  FROM') + 1, {
      catalogue,
      model: 'platform_identity',
    });
    const column = suggestions.find(({ kind, label }) => kind === 'column' && label === 'id');
    assert.ok(column !== undefined);
    return column.type;
  };
  assert.equal(typed(90), 'text');
  assert.equal(typed(1_000), undefined);
});

describe('the expected type', () => {
  const typed: Catalogue = {
    models: [
      {
        name: 'm',
        tables: [
          {
            name: 'accounts',
            columns: [
              { name: 'alias', type: 'text' },
              { name: 'born', type: 'timestamp with time zone' },
              { name: 'seen', type: 'date' },
              { name: 'amount', type: 'numeric(10,2)' },
              { name: 'size', type: 'integer' },
              { name: 'enabled', type: 'boolean' },
              { name: 'mail', type: 'character varying(20)' },
            ],
          },
        ],
      },
    ],
  };
  const first = (marked: string) => {
    const offset = marked.indexOf('|');
    const { suggestions } = complete(lex(marked.replace('|', '')), offset, { catalogue: typed, model: 'm' });
    return suggestions
      .filter(({ kind, order }) => kind === 'column' && order !== undefined)
      .map(({ label }) => label);
  };
  const wanted: readonly (readonly [string, readonly string[]])[] = [
    ['SELECT 1 FROM accounts WHERE born > |', ['born', 'seen']],
    ['SELECT 1 FROM accounts a WHERE a.size = a.|', ['amount', 'size']],
    ['SELECT 1 FROM accounts WHERE alias NOT LIKE |', ['alias', 'mail']],
    ['SELECT 1 FROM accounts WHERE size BETWEEN |', ['amount', 'size']],
    ['SELECT 1 FROM accounts WHERE alias IN (|', ['alias', 'mail']],
    ['SELECT 1 FROM accounts WHERE enabled IS DISTINCT FROM |', ['enabled']],
    ['SELECT lower(|) FROM accounts', ['alias', 'mail']],
    ["SELECT split_part(alias, '@', |) FROM accounts", ['amount', 'size']],
    ['SELECT 1 FROM accounts WHERE lower(alias) = |', ['alias', 'mail']],
    ['SELECT 1 FROM accounts WHERE alias::date < |', ['born', 'seen']],
    ['SELECT | FROM accounts', []],
    ['SELECT 1 FROM accounts WHERE nothing = |', []],
    ['SELECT 1 FROM accounts WHERE |', []],
  ];
  for (const [marked, expected] of wanted) {
    it(`comes first: ${marked}`, () => assert.deepEqual(first(marked), expected));
  }
  it('ranks functions that return it above others', () => {
    const text = 'SELECT 1 FROM accounts WHERE born > ';
    const { suggestions } = complete(lex(text), text.length, { catalogue: typed, model: 'm' });
    const rank = (name: string) => suggestions.find(({ label }) => label === name)?.rank;
    assert.deepEqual([rank('now'), rank('lower')], [2, 3]);
  });

  const functions = new FunctionKinds(loadTypeCatalogue);
  const offered = (marked: string) => {
    const offset = marked.indexOf('|');
    const text = marked.replace('|', '');
    const { start, suggestions } = complete(lex(text), offset, { catalogue: typed, model: 'm', functions });
    return { replaced: text.slice(start, offset), suggestions };
  };
  const placeOf = (marked: string, name: string) => {
    const found = offered(marked).suggestions.find(({ label }) => label === name);
    return found === undefined ? [] : [found.rank, ...(found.order === undefined ? [] : [found.order])];
  };

  const columns = (marked: string) =>
    offered(marked)
      .suggestions.filter(({ kind, order }) => kind === 'column' && order !== undefined)
      .map(({ label }) => label);

  it('considers every overload of a function', () => {
    assert.deepEqual(columns("SELECT date_trunc('day', |) FROM accounts"), ['born', 'seen']);
    assert.deepEqual(columns('SELECT 1 FROM accounts WHERE max(alias) = |'), ['alias', 'mail']);
    assert.deepEqual(columns('SELECT 1 FROM accounts WHERE max(accounts.born) > |'), ['born', 'seen']);
    assert.deepEqual(columns('SELECT 1 FROM accounts WHERE max(lower(mail)) = |'), ['alias', 'mail']);
    assert.deepEqual(columns('SELECT count(|) FROM accounts'), []);
  });

  it('is that of the other operand', () => {
    assert.deepEqual(columns('SELECT 1 FROM accounts WHERE x| = born'), ['born', 'seen']);
    assert.deepEqual(columns('SELECT 1 FROM accounts a WHERE a.x| <> a.alias'), ['alias', 'mail']);
    assert.deepEqual(columns('SELECT 1 FROM accounts WHERE x| = lower(alias)'), []);
  });

  it('ranks functions that also accept it above those that only return it', () => {
    const place = (name: string) => placeOf('SELECT 1 FROM accounts WHERE born > |', name);
    assert.deepEqual(place('date_trunc'), [2, 1]);
    assert.deepEqual(place('max'), [2, 1]);
    assert.deepEqual(place('now'), [2]);
    assert.deepEqual(place('length'), [3]);
  });

  it('ranks functions that accept the given arguments first', () => {
    const place = (name: string) => placeOf('SELECT d|(born) FROM accounts', name);
    assert.deepEqual(place('age'), [0, 0]);
    assert.deepEqual(place('max'), [0, 0]);
    assert.deepEqual(place('lower'), [3]);
    assert.deepEqual(placeOf("SELECT d|('day', born) FROM accounts", 'date_trunc'), [0, 0]);
    assert.deepEqual(placeOf("SELECT d|('day', born) FROM accounts", 'lower'), [3]);
  });

  it('ranks parameters with a matching type above others', () => {
    const text = '-- @param since date\n-- @param who text\nSELECT 1 FROM accounts WHERE ';
    assert.deepEqual(placeOf(`${text}born > |`, ':since'), [2, 0]);
    assert.deepEqual(placeOf(`${text}born > |`, ':who'), [2]);
    assert.deepEqual(placeOf(`${text}alias = :|`, ':who'), [2, 0]);
    assert.deepEqual(placeOf(`${text}alias = :s|`, ':since'), [2]);
  });

  it('offers the functions that accept a column after its dot', () => {
    const after = (marked: string) => {
      const { replaced, suggestions } = offered(marked);
      return {
        replaced,
        first: suggestions.filter(({ rank, kind }) => rank === 0 && kind === 'function'),
        suggestions,
      };
    };
    const { replaced, first: taking, suggestions } = after('SELECT a.born.| FROM accounts a');
    assert.equal(replaced, 'a.born.');
    const texts = taking.map(({ insertText, snippet }) => snippet ?? insertText);
    for (const text of ['age(a.born)', 'date_trunc($1, a.born)', 'to_char(a.born, $1)', 'max(a.born)']) {
      assert.ok(texts.includes(text), text);
    }
    assert.ok(!texts.some((text) => text.startsWith('lower') || text.startsWith('extract')));
    assert.ok(suggestions.some(({ insertText, rank }) => insertText === 'count(a.born)' && rank === 1));
    assert.ok(suggestions.every(({ filterText, label }) => filterText === `a.born.${label}`));
    const bare = after('SELECT alias.lo| FROM accounts');
    assert.equal(bare.replaced, 'alias.lo');
    assert.ok(bare.first.some(({ insertText }) => insertText === 'lower(alias)'));
    for (const marked of [
      'SELECT accounts.| FROM accounts',
      'SELECT 1 FROM alias.|',
      'SELECT 1 FROM accounts JOIN alias.|',
      'SELECT nothing.| FROM accounts',
      'SELECT a.\nborn.| FROM accounts a',
    ]) {
      assert.deepEqual(after(marked).first, [], marked);
    }
  });

  it('escapes snippet syntax', () => {
    const table = { name: 't', columns: [{ name: 'a$1}', type: 'text' }] };
    const text = 'SELECT "a$1}".';
    const { suggestions } = complete(lex(`${text} FROM t`), text.length, {
      catalogue: { models: [{ name: 'm', tables: [table] }] },
      model: 'm',
      functions,
    });
    const found = suggestions.find(({ label }) => label === 'split_part');
    assert.equal(found?.snippet, String.raw`split_part("a\$1\}", $1, $2)`);
  });

  it('follows nested calls of any depth', () => {
    const text = `SELECT 1 FROM accounts WHERE ${'max('.repeat(20_000)}born${')'.repeat(20_000)} > `;
    complete(lex(text), text.length, { catalogue: typed, model: 'm', functions });
  });
});

describe('completion inside a quoted name', () => {
  it('offers only names, which match the text from the quote on', () => {
    const text = 'SELECT a."na" FROM accounts a';
    const { start, suggestions } = complete(lex(text), 'SELECT a."na'.length, {
      catalogue,
      model: 'platform_identity',
    });
    assert.equal(start, text.indexOf('"'));
    assert.ok(
      suggestions.some(({ filterText, insertText }) => filterText === '"name' && insertText === 'name'),
    );
    assert.ok(suggestions.every(({ kind, filterText }) => kind === 'column' && filterText?.startsWith('"')));
  });
});
