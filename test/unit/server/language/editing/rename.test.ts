import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyChanges, rename, symbolAt } from '#server/language/editing/rename.ts';
import type { Catalogue } from '#server/language/names/catalogue.ts';
import { bindStatement } from '#server/language/names/over-tokens/bindings.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { corpora, readCorpus } from '#test/helpers/corpora.ts';

const catalogue: Catalogue = {
  models: [
    {
      name: 'platform_identity',
      tables: [
        { name: 'accounts', columns: ['id', 'person', 'day'].map((name) => ({ name, type: 'text' })) },
        { name: 'roles', columns: ['id', 'title'].map((name) => ({ name, type: 'text' })) },
      ],
    },
  ],
};
const known = { catalogue, model: 'platform_identity' };
const unknown = { model: 'platform_identity' };

function renamed(marked: string, newName: string, context: typeof known | typeof unknown): string {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const result = rename(lex(text), offset, newName, context);
  return result.kind === 'refused' ? `refused: ${result.reason}` : applyChanges(text, result.changes);
}

/** The text with the cursor at `|`, the new name, and the text after the rename. */
const renames: readonly (readonly [string, string, string])[] = [
  // A NATURAL JOIN compares by name, and a function of JSON looks values up by it.
  [
    'SELECT * FROM (SELECT 1 AS id|, 2 AS x) a NATURAL JOIN roles',
    'y',
    'refused: NATURAL JOIN compares columns of the same name, so the new name would change the rows.',
  ],
  [
    'SELECT * FROM (SELECT 1 AS y|) a NATURAL JOIN roles',
    'title',
    'refused: NATURAL JOIN compares columns of the same name, so the new name would change the rows.',
  ],
  [
    'SELECT * FROM (SELECT 1 AS y|) a NATURAL JOIN roles',
    'z',
    'SELECT * FROM (SELECT 1 AS z) a NATURAL JOIN roles',
  ],
  [
    "SELECT t.a FROM jsonb_to_record('{}') AS t(a| int)",
    'b',
    'refused: The name of this column is also the key of its value, so it cannot be renamed.',
  ],
  [
    "SELECT z.a| FROM ROWS FROM (json_to_record('{}') AS (a int, b text)) AS z(a, c)",
    'd',
    "SELECT z.d AS a FROM ROWS FROM (json_to_record('{}') AS (a int, b text)) AS z(d, c)",
  ],
  [
    'SELECT q.k FROM (SELECT id AS k| FROM roles) p, LATERAL (SELECT p.* FROM accounts LIMIT 1) q',
    'n',
    'SELECT q.n AS k FROM (SELECT id AS n FROM roles) p, LATERAL (SELECT p.* FROM accounts LIMIT 1) q',
  ],
  // What is computed from a subquery in brackets has no name.
  [
    'SELECT ((SELECT max(id) AS m| FROM roles) + 1), n FROM (SELECT 1 AS n) s',
    'n',
    'SELECT ((SELECT max(id) AS n FROM roles) + 1), n FROM (SELECT 1 AS n) s',
  ],
  [
    'SELECT ((SELECT 1 AS m|) + 1) FROM (SELECT 2 AS m) s ORDER BY m',
    'n',
    'SELECT ((SELECT 1 AS n) + 1) FROM (SELECT 2 AS m) s ORDER BY m',
  ],
  [
    'SELECT (((SELECT s.k) - (SELECT s.k))) FROM (SELECT 1 AS k|) s',
    'n',
    'SELECT (((SELECT s.n AS k) - (SELECT s.n AS k))) FROM (SELECT 1 AS n) s',
  ],
  [
    'SELECT 1 FROM (SELECT 1 AS k|) s WHERE k IN ((SELECT s.k), k)',
    'n',
    'SELECT 1 FROM (SELECT 1 AS n) s WHERE n IN ((SELECT s.n AS k), n)',
  ],
  [
    'SELECT q.k FROM (SELECT (((SELECT s.k))::text) FROM (SELECT 1 AS k|) s) q',
    'n',
    'SELECT q.k FROM (SELECT (((SELECT s.n AS k))::text) FROM (SELECT 1 AS n) s) q',
  ],
  // ORDER BY and GROUP BY read the name of an output first.
  [
    'SELECT s|, count(*) FROM (SELECT id FROM roles) s GROUP BY s',
    'count',
    'refused: The name "count" is already used in the same scope.',
  ],
  [
    'SELECT max(n) FROM (SELECT id AS n| FROM roles) s GROUP BY n ORDER BY n LIMIT 1',
    'max',
    'refused: The name "max" is already used in the same scope.',
  ],
  [
    'SELECT collation for (person) AS k|, a.day FROM accounts a ORDER BY k',
    'other',
    'SELECT collation for (person) AS other, a.day FROM accounts a ORDER BY other',
  ],
  [
    'SELECT id FROM accounts JOIN roles USING (id) JOIN unnest(ARRAY[1]) s(o|) ON s.o = 1',
    'id',
    'refused: The name "id" is already used in the same scope.',
  ],
  [
    'SELECT id + 0 AS k|, count(*) FROM accounts GROUP BY k',
    'ctid',
    'refused: The name "ctid" is already used in the same scope.',
  ],
  ['SELECT a.day d| FROM accounts a', 'year', 'SELECT a.day AS year FROM accounts a'],
  ['WITH a| AS (SELECT 1 AS x) SELECT a.x FROM a', 'b', 'WITH b AS (SELECT 1 AS x) SELECT b.x FROM b'],
  ['WITH a AS (SELECT 1 AS x) SELECT a.x FROM |a', 'b', 'WITH b AS (SELECT 1 AS x) SELECT b.x FROM b'],
  ['WITH a AS (SELECT 1 AS x) SELECT c.x FROM |a c', 'b', 'WITH b AS (SELECT 1 AS x) SELECT c.x FROM b c'],
  [
    'WITH a AS (SELECT 1) SELECT (SELECT 1 FROM a) FROM |A',
    'b',
    'WITH b AS (SELECT 1) SELECT (SELECT 1 FROM b) FROM b',
  ],
  [
    'WITH RECURSIVE t|(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE t.n < 5) SELECT n FROM t',
    'u',
    'WITH RECURSIVE u(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM u WHERE u.n < 5) SELECT n FROM u',
  ],
  [
    'WITH RECURSIVE t(n|) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE t.n < 5) SELECT n FROM t',
    'm',
    'WITH RECURSIVE t(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM t WHERE t.m < 5) SELECT m AS n FROM t',
  ],
  ['SELECT a|.id FROM accounts a WHERE a.id > 1', 'x', 'SELECT x.id FROM accounts x WHERE x.id > 1'],
  [
    'SELECT a.id FROM accounts |a WHERE EXISTS (SELECT 1 FROM roles r WHERE r.id = a.id)',
    'x',
    'SELECT x.id FROM accounts x WHERE EXISTS (SELECT 1 FROM roles r WHERE r.id = x.id)',
  ],
  [
    "SELECT a.id FROM accounts |a WHERE a.person = 'a.id' -- a.id",
    'x',
    "SELECT x.id FROM accounts x WHERE x.person = 'a.id' -- a.id",
  ],
  [
    'SELECT a.id FROM accounts |a WHERE EXISTS (SELECT 1 FROM roles a WHERE a.id = 1)',
    'x',
    'SELECT x.id FROM accounts x WHERE EXISTS (SELECT 1 FROM roles a WHERE a.id = 1)',
  ],
  [
    'SELECT id AS k| FROM accounts ORDER BY k DESC',
    'key',
    'SELECT id AS key FROM accounts ORDER BY key DESC',
  ],
  ['SELECT id AS k| FROM accounts GROUP BY k', '"K y"', 'SELECT id AS "K y" FROM accounts GROUP BY "K y"'],
  ['SELECT id k| FROM accounts', 'key', 'SELECT id key FROM accounts'],
  [
    'WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT x FROM b, accounts WHERE b.|x = 1',
    'y',
    'WITH a AS (SELECT 1 AS x), b AS (SELECT x AS y FROM a) SELECT y AS x FROM b, accounts WHERE b.y = 1',
  ],
  [
    'WITH a AS (SELECT 1 AS |x), b AS (SELECT x FROM a) SELECT x FROM b',
    'y',
    'WITH a AS (SELECT 1 AS y), b AS (SELECT y AS x FROM a) SELECT x FROM b',
  ],
  [
    'WITH a AS (SELECT 1 AS |x), b AS (SELECT * FROM a) SELECT b.x AS z FROM b',
    'y',
    'WITH a AS (SELECT 1 AS y), b AS (SELECT * FROM a) SELECT b.y AS z FROM b',
  ],
  [
    'SELECT s.|n FROM (SELECT count(*) AS n FROM roles UNION ALL SELECT 2) AS s ORDER BY n',
    'm',
    'SELECT s.m AS n FROM (SELECT count(*) AS m FROM roles UNION ALL SELECT 2) AS s ORDER BY n',
  ],
  [
    'SELECT f.k FROM json_each(:j) AS f(|k, v)',
    'key_',
    'SELECT f.key_ AS k FROM json_each(:j) AS f(key_, v)',
  ],
  ['SELECT 1 AS a UNION SELECT 2 ORDER BY |a', 'b', 'SELECT 1 AS b UNION SELECT 2 ORDER BY b'],
  ['-- @param a date\nSELECT :a, |:a, :b', 'c', '-- @param c date\nSELECT :c, :c, :b'],
  ['-- @param |a date\nSELECT :a', ':c', '-- @param c date\nSELECT :c'],
  ['SELECT 1 AS x; SELECT 1 AS |x', 'y', 'SELECT 1 AS x; SELECT 1 AS y'],
];

const refusals: readonly (readonly [string, string, RegExp])[] = [
  // A window function names its column, too.
  ['SELECT id AS x|, rank() OVER (ORDER BY id) FROM roles ORDER BY x', 'rank', /./],
  [
    'SELECT id AS x|, sum(id) FILTER (WHERE id > 1) OVER w FROM roles WINDOW w AS (ORDER BY id) ORDER BY x',
    'sum',
    /./,
  ],
  // Columns behind those of a shorter list keep their names.
  ['WITH c(g, h) AS (SELECT n|, 1 + 1, * FROM generate_series(1, 3) AS s(n)) SELECT h FROM c', 'h', /./],
  ['SELECT a|.id FROM accounts a', 'order', /keyword/],
  ['SELECT a|.id FROM accounts a', 'left', /keyword/],
  ['SELECT a|.id FROM accounts a', '', /not a valid name/],
  ['SELECT a|.id FROM accounts a', '1x', /not a valid name/],
  ['SELECT a|.id FROM accounts a', 'x y', /not a valid name/],
  ['SELECT a|.id FROM accounts a', 'x; DROP TABLE t', /not a valid name/],
  ['SELECT a|.id FROM accounts a', 'x--', /not a valid name/],
  ['SELECT a|.id FROM accounts a', '"x', /not a valid name/],
  ['SELECT a|.id FROM accounts a', 'x'.repeat(64), /63 bytes/],
  ['SELECT a|.id FROM accounts a, roles r', 'r', /already used/],
  ['SELECT a|.id FROM accounts a, roles', 'roles', /already used/],
  [
    'SELECT a.id FROM accounts |a WHERE EXISTS (SELECT 1 FROM roles r WHERE r.id = a.id)',
    'r',
    /something else/,
  ],
  ['WITH x| AS (SELECT 1) SELECT 1 FROM x, accounts', 'accounts', /something else|already used/],
  ['WITH x| AS (SELECT 1), y AS (SELECT 2) SELECT 1 FROM x', 'y', /already used/],
  ['WITH x AS (SELECT 1 AS |n) SELECT n, id FROM x, (SELECT 2 AS id) z', 'id', /something else|told/],
  ['SELECT 1 AS |a, 2 AS b', 'b', /already used/],
  ['SELECT a.id |p, (a).alias FROM accounts a ORDER BY p', 'alias', /already used/],
  ['SELECT a.id |p, lower(a.alias) FROM accounts a ORDER BY p', 'lower', /already used/],
  ['SELECT id FROM |accounts', 'x', /table of the model/],
  ["SELECT 'a|' FROM accounts", 'x', /Nothing here can be renamed/],
  // The output has no name of its own.
  ["SELECT |id::text LIKE 'a' FROM accounts", 'x', /Nothing here can be renamed/],
  ["SELECT |day::timestamptz AT TIME ZONE 'UTC' FROM accounts", 'x', /Nothing here can be renamed/],
  ['SELECT |id::text ISNULL FROM accounts', 'x', /Nothing here can be renamed/],
  ['SEL|ECT 1', 'x', /Nothing here can be renamed/],
  ['SELECT :a|, :b', 'b', /already/],
  ['SELECT :a|', '1b', /parameter name/],
  [
    'WITH x AS (SELECT 1 AS |n), y AS (SELECT 1 AS n) SELECT 1 FROM x JOIN y USING (n)',
    'm',
    /unclear whether/,
  ],
];

describe('rename', () => {
  for (const [marked, newName, expected] of renames) {
    it(JSON.stringify(marked), () => {
      assert.equal(renamed(marked, newName, known), expected);
    });
  }
  for (const [marked, newName, reason] of refusals) {
    it(`refuses ${newName} in ${JSON.stringify(marked)}`, () => {
      assert.match(renamed(marked, newName, known), /^refused: /);
      assert.match(renamed(marked, newName, known), reason);
    });
  }

  it('refuses a rename that would need the columns of an unknown table', () => {
    const text = 'WITH x AS (SELECT 1 AS |n) SELECT (SELECT n FROM roles) FROM x';
    assert.match(renamed(text, 'm', unknown), /unclear whether/);
    assert.equal(
      renamed(text, 'm', known),
      'WITH x AS (SELECT 1 AS m) SELECT (SELECT m AS n FROM roles) FROM x',
    );
  });

  it('finds the definition of each use', () => {
    const marked = 'WITH a AS (SELECT id AS k FROM accounts) SELECT b.|k FROM a b';
    const text = marked.replace('|', '');
    const symbol = symbolAt(lex(text), marked.indexOf('|'), known);
    assert.deepEqual(symbol?.definition, { start: 24, end: 25 });
    assert.equal(symbol.places.length, 2);
  });
});

describe('rename in real queries', () => {
  it('keeps every query in the corpora valid, whatever is renamed', async () => {
    const queries = corpora
      .filter((file) => /tpc/.test(file))
      .flatMap((file) => readCorpus(file))
      .map(({ sql }) => sql);
    const texts: string[] = [];
    let refusedCount = 0;
    for (const text of queries) {
      const lexed = lex(text);
      const bindings = bindStatement(lexed, 0, unknown);
      for (const token of new Set(bindings?.definitions.keys())) {
        // Tests every seventh token, because testing all of them takes 15 s.
        if (bindings?.definitions.get(token)?.kind === 'table' || token % 7 !== 0) continue;
        const result = rename(lexed, lexed.code.start(token), 'fresh_name', unknown);
        if (result.kind === 'changes') {
          texts.push(applyChanges(text, result.changes).replace(/;\s*$/, ''));
        } else {
          refusedCount++;
        }
      }
    }
    const parser = new WorkerParser();
    try {
      const outcomes = await parser.parse(texts, () => false);
      const broken = texts.filter((_, index) => outcomes?.[index]?.kind !== 'parsed');
      assert.deepEqual(broken.slice(0, 3), []);
    } finally {
      await parser.dispose();
    }
    assert.ok(texts.length > 300, `${texts.length} renames`);
    assert.ok(refusedCount < texts.length / 5, `${refusedCount} refused of ${texts.length}`);
  });
});

describe('a new name that makes another name ambiguous', () => {
  it('is refused', () => {
    const text = 'WITH w AS (SELECT 1 AS a|) SELECT title, w.a FROM w, roles';
    assert.match(renamed(text, 'title', known), /^refused: /);
    assert.doesNotMatch(renamed(text, 'b', known), /^refused: /);
  });
});

describe('a name with further uses', () => {
  for (const [marked, newName, expected] of [
    // A function's alias is the name of its column too.
    ['SELECT m.m FROM unnest(ARRAY[1]) AS m|', 'x', 'SELECT x.x AS m FROM unnest(ARRAY[1]) AS x'],
    ['SELECT m + 1 FROM generate_series(1, 2) m|', 'x', 'SELECT x + 1 FROM generate_series(1, 2) x'],
    [
      'SELECT rank() OVER w|, sum(1) OVER (w ROWS 1 PRECEDING) FROM roles WINDOW w AS (ORDER BY id)',
      'v',
      'SELECT rank() OVER v, sum(1) OVER (v ROWS 1 PRECEDING) FROM roles WINDOW v AS (ORDER BY id)',
    ],
    [
      'SELECT rank() OVER b FROM roles WINDOW a| AS (PARTITION BY id), b AS (a ORDER BY title)',
      'v',
      'SELECT rank() OVER b FROM roles WINDOW v AS (PARTITION BY id), b AS (v ORDER BY title)',
    ],
    [
      'SELECT id + 1 AS k|, title AS l FROM roles GROUP BY ROLLUP (k, (l)), GROUPING SETS ((k), CUBE (l, k))',
      'n',
      'SELECT id + 1 AS n, title AS l FROM roles GROUP BY ROLLUP (n, (l)), GROUPING SETS ((n), CUBE (l, n))',
    ],
    ['SELECT id AS k| FROM roles ORDER BY (k) DESC', 'n', 'SELECT id AS n FROM roles ORDER BY (n) DESC'],
    [
      'WITH RECURSIVE c(n|) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SEARCH DEPTH FIRST BY n SET o CYCLE n SET y USING p SELECT o FROM c',
      'm',
      'WITH RECURSIVE c(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM c) SEARCH DEPTH FIRST BY m SET o CYCLE m SET y USING p SELECT o FROM c',
    ],
    [
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SEARCH DEPTH FIRST BY n SET o| SELECT c.o FROM c',
      'm',
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SEARCH DEPTH FIRST BY n SET m SELECT c.m AS o FROM c',
    ],
  ] as const) {
    it(JSON.stringify(marked), () => {
      assert.equal(renamed(marked, newName, known), expected);
    });
  }
});

describe('a column that names an output through something else', () => {
  for (const [output, expected] of [
    ['(k)', '(n) AS k'],
    ['((s.k))', '((s.n)) AS k'],
    ['k COLLATE "C"', 'n COLLATE "C" AS k'],
    ['k[1]', 'n[1] AS k'],
    ['(s.k)[1:2]', '(s.n)[1:2] AS k'],
    ['k::text::varchar(3)', 'n::text::varchar(3) AS k'],
    ['k::double precision', 'n::double precision AS k'],
    [
      '(k)::timestamp (3) with time zone COLLATE pg_catalog."C"',
      '(n)::timestamp (3) with time zone COLLATE pg_catalog."C" AS k',
    ],
    ['CAST(k AS text)', 'CAST(n AS text) AS k'],
    ['CAST((k) AS numeric(5, 2))::text', 'CAST((n) AS numeric(5, 2))::text AS k'],
    ['CASE WHEN k > 1 THEN 2 ELSE k END', 'CASE WHEN n > 1 THEN 2 ELSE n END AS k'],
    [
      'CASE 1 WHEN 1 THEN CASE WHEN true THEN 1 ELSE 2 END ELSE (k)::text END',
      'CASE 1 WHEN 1 THEN CASE WHEN true THEN 1 ELSE 2 END ELSE (n)::text END AS k',
    ],
    ['(SELECT (k))', '(SELECT (n) AS k)'],
    // These are not named by the column.
    ['k + 1', 'n + 1'],
    ['(k, 1)', '(n, 1)'],
    ['k::text < k', 'n::text < n'],
    ["k AT TIME ZONE 'UTC'", "n AT TIME ZONE 'UTC'"],
    ['(k) IS NULL', '(n) IS NULL'],
    ['CASE WHEN true THEN k END', 'CASE WHEN true THEN n END'],
    ['CASE WHEN true THEN 1 ELSE k END + 1', 'CASE WHEN true THEN 1 ELSE n END + 1'],
    ['CAST(k + 1 AS text)', 'CAST(n + 1 AS text)'],
    ['nullif(k, 1)', 'nullif(n, 1)'],
    ['(k)::text AS other', '(n)::text AS other'],
    ['CAST(k AS text) other', 'CAST(n AS text) other'],
  ] as const) {
    it(output, () => {
      const query = (own: string, name: string) => `SELECT ${own} FROM (SELECT 1 AS ${name}) s`;
      assert.equal(renamed(query(output, 'k|'), 'n', known), query(expected, 'n'));
      // Outside, the name is known, too.
      const outer = (own: string) => `SELECT o.k FROM (${own}) o`;
      if (expected.endsWith(' AS k'))
        assert.equal(renamed(outer(query(output, 'k|')), 'n', known), outer(query(expected, 'n')));
    });
  }

  for (const [marked, expected] of [
    [
      'SELECT q.m FROM (SELECT (SELECT max(id) AS m| FROM roles)) q',
      'SELECT q.n AS m FROM (SELECT (SELECT max(id) AS n FROM roles)) q',
    ],
    [
      'SELECT m FROM (SELECT (SELECT max(id) m| FROM roles UNION SELECT 1)::text, 2 AS n2) q',
      'SELECT n AS m FROM (SELECT (SELECT max(id) n FROM roles UNION SELECT 1)::text, 2 AS n2) q',
    ],
    [
      'SELECT EXISTS (SELECT id AS m| FROM roles), ARRAY(SELECT 1 AS m)',
      'SELECT EXISTS (SELECT id AS n FROM roles), ARRAY(SELECT 1 AS m)',
    ],
  ] as const) {
    it(JSON.stringify(marked), () => {
      assert.equal(renamed(marked, 'n', known), expected);
    });
  }
});

describe('a name that is a key, a tag or syntax', () => {
  for (const marked of [
    'SELECT to_jsonb(s) FROM (SELECT id AS k| FROM roles) s',
    'SELECT json_agg(s.*) FROM (SELECT id AS k| FROM roles) s',
    'SELECT (s).k FROM (SELECT id AS k| FROM roles) s',
    'SELECT row_to_json(o) FROM (SELECT * FROM (SELECT id AS k| FROM roles) s) o',
    'SELECT xmlforest(s.k) FROM (SELECT id AS k| FROM roles) s',
    'SELECT title IS NFC NORMALIZED| FROM roles',
    'SELECT now() AT LOCAL| FROM roles',
    'SELECT s.|grouping FROM (SELECT grouping(id) FROM roles GROUP BY id) s GROUP BY GROUPING SETS ((1))',
    'SELECT title IS JSON OBJECT| FROM roles',
  ]) {
    it(`is not renamed: ${JSON.stringify(marked)}`, () => {
      assert.match(renamed(marked, 'fresh', known), /^refused: /);
    });
  }
  it('is refused where a star or a duplicate has the new name', () => {
    for (const marked of [
      'SELECT id AS k|, roles.* FROM roles ORDER BY k',
      'SELECT s.k FROM (SELECT id AS k|, roles.* FROM roles) s',
    ]) {
      assert.match(renamed(marked, 'title', known), /^refused: The name "title" is already used/);
    }
  });
});

describe('a name that the comments of a control use', () => {
  for (const [marked, newName, expected] of [
    [
      '-- @control A-1 T\n-- @key k, "Odd n"\n-- @warn_if max(K) > 3\nSELECT id AS k|, id AS "Odd n" FROM roles',
      'm',
      '-- @control A-1 T\n-- @key m, "Odd n"\n-- @warn_if max(m) > 3\nSELECT id AS m, id AS "Odd n" FROM roles',
    ],
    [
      '-- @control A-1 T\n-- @expect column k\nWITH c AS (SELECT title AS k| FROM roles) SELECT * FROM c UNION SELECT person FROM accounts',
      '"M m"',
      '-- @control A-1 T\n-- @expect column "M m"\nWITH c AS (SELECT title AS "M m" FROM roles) SELECT * FROM c UNION SELECT person FROM accounts',
    ],
    [
      '-- @control A-1 T\n-- @key id\nSELECT id| FROM roles',
      'U&"\\00e9"',
      '-- @control A-1 T\n-- @key "\u00e9"\nSELECT id AS U&"\\00e9" FROM roles',
    ],
    // What the query selects keeps its name.
    [
      '-- @control A-1 T\n-- @key k\nWITH c AS (SELECT id AS k| FROM roles) SELECT k FROM c',
      'm',
      '-- @control A-1 T\n-- @key k\nWITH c AS (SELECT id AS m FROM roles) SELECT m AS k FROM c',
    ],
    [
      '-- @control A-1 T\n-- @key id\nSELECT id FROM roles WHERE id IN (SELECT id| FROM accounts)',
      'm',
      '-- @control A-1 T\n-- @key id\nSELECT id FROM roles WHERE id IN (SELECT id AS m FROM accounts)',
    ],
    [
      '-- @control A-1 T\n-- @param d| date\n-- @population SELECT count(*) FROM accounts WHERE day > :d OR day = :dd\nSELECT :d',
      'e',
      '-- @control A-1 T\n-- @param e date\n-- @population SELECT count(*) FROM accounts WHERE day > :e OR day = :dd\nSELECT :e',
    ],
    [
      '-- @control A-1 T\n-- @population SELECT count(*) FROM accounts WHERE day > :d|\nSELECT :d',
      'e',
      '-- @control A-1 T\n-- @population SELECT count(*) FROM accounts WHERE day > :e\nSELECT :e',
    ],
    [
      '-- @control A-1 T\n-- @population SELECT count(*) FROM accounts WHERE day > :e\nSELECT :d|',
      'e',
      'refused: A parameter "e" already exists.',
    ],
    // Without @control, they are only comments.
    ['-- @key k\nSELECT id AS k| FROM roles', 'm', '-- @key k\nSELECT id AS m FROM roles'],
  ] as const) {
    it(JSON.stringify(marked), () => {
      assert.equal(renamed(marked, newName, known), expected);
    });
  }
});

describe('a statement of many joins', () => {
  it('is renamed in every place', () => {
    const columns = Array.from({ length: 12 }, (_, index) => `${index} AS c${index}`).join(', ');
    const joins = Array.from({ length: 2_000 }, (_, index) => `JOIN t j${index} ON j${index}.c0 = w.k`);
    const text = `WITH t AS (SELECT ${columns}), w AS (SELECT 1 AS k|)\nSELECT w.k AS o FROM w\n${joins.join('\n')}`;
    assert.equal(renamed(text, 'fresh', known), text.replace('|', '').replaceAll(/\bk\b/g, 'fresh'));
  });

  it('is not renamed where some names were not looked up', () => {
    const doubled = Array.from(
      { length: 16 },
      (_, index) => `t${index + 1} AS (SELECT x.*, y.* FROM t${index} x, t${index} y)`,
    );
    const text = `WITH t0 AS (SELECT 1 AS a), ${doubled.join(', ')}, w AS (SELECT 1 AS k|) SELECT w.k AS o, t16.a FROM w, t16`;
    assert.match(renamed(text, 'fresh', known), /^refused: The statement has too many names/);
  });
});
