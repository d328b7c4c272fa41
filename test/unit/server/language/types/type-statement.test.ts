/** Types of results, placeholders and subexpressions. `npm run fuzz -- meaning` compares them with PostgreSQL. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TypeContext } from '#server/language/types/type-statement.ts';
import { createParserInstance } from '#server/parser/instance.ts';

const parser = await createParserInstance();
const context: TypeContext = {
  model: 'm',
  tables: [
    {
      model: 'm',
      table: 'accounts',
      columns: [
        { name: 'id', type: 'integer', nullable: false },
        { name: 'name', type: 'character varying(20)', nullable: true },
        { name: 'born', type: 'date' },
        { name: 'tags', type: 'text[]' },
        { name: 'data', type: 'jsonb' },
        { name: 'place', type: 'geometry' },
      ],
    },
  ],
  parameters: [],
};

function typesOf(sql: string, own: Partial<TypeContext> = {}) {
  const types = parser.readTypes(sql, { ...context, ...own });
  assert.ok(types);
  return types;
}

const columnsOf = (sql: string) => typesOf(sql).columns?.map(({ name, type }) => `${name} ${type}`);

describe('columns of a result', () => {
  const cases: readonly (readonly [string, readonly string[] | undefined])[] = [
    [
      "SELECT 1, 'a' AS a, NULL AS n, 1.5 AS d, 10000000000 AS b",
      ['?column? integer', 'a text', 'n text', 'd numeric', 'b bigint'],
    ],
    [
      'SELECT * FROM accounts WHERE place = 1',
      ['id integer', 'name character varying', 'born date', 'tags text[]', 'data jsonb', 'place undefined'],
    ],
    // Beside a table with unknown columns, those of another are known if it is named.
    [
      'SELECT a.id, id, b.* FROM accounts a NATURAL JOIN nobody JOIN accounts b USING (name)',
      [
        'id integer',
        'id undefined',
        'id integer',
        'name character varying',
        'born date',
        'tags text[]',
        'data jsonb',
        'place undefined',
      ],
    ],
    ['SELECT j.name FROM nobody JOIN accounts USING (name) AS j', ['name undefined']],
    ['SELECT m.accounts.id FROM accounts', ['id integer']],
    [
      "SELECT tags[1], tags[1:2], data ->> 'a' AS t, data -> 'a' AS j FROM accounts",
      ['tags text', 'tags text[]', 't text', 'j jsonb'],
    ],
    [
      'SELECT count(*), sum(id), avg(id), array_agg(id), max(born) FROM accounts',
      ['count bigint', 'sum bigint', 'avg numeric', 'array_agg integer[]', 'max date'],
    ],
    [
      'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n, n::text AS t FROM r',
      ['n integer', 't text'],
    ],
    [
      "SELECT born + 1 AS a, born - born AS b, born - INTERVAL '1 day' AS c FROM accounts",
      ['a date', 'b integer', 'c timestamp without time zone'],
    ],
    [
      'SELECT * FROM accounts a JOIN (SELECT id::bigint AS id FROM accounts) b USING (id)',
      ['id bigint', 'name character varying', 'born date', 'tags text[]', 'data jsonb', 'place undefined'],
    ],
    [
      "SELECT key, value FROM jsonb_each_text('{}') UNION SELECT name, NULL FROM accounts",
      ['key text', 'value text'],
    ],
    // Of two equally good types, the first is chosen: the casts between them are both implicit.
    [
      "SELECT tags || name AS a, ARRAY[name] || 'x'::text AS b FROM accounts",
      ['a text[]', 'b character varying[]'],
    ],
    ['SELECT (ROW(1, now())).f2, ROW(1)', ['f2 undefined', 'row record']],
    ['SELECT g, n FROM generate_series(1, 2) WITH ORDINALITY AS g (g, n)', ['g integer', 'n bigint']],
    ['SELECT * FROM elsewhere', undefined],
    [
      "SELECT make_interval(days => 3), concat_ws(',', 1, name), my_own(1) FROM accounts",
      ['make_interval interval', 'concat_ws text', 'my_own undefined'],
    ],
  ];
  for (const [sql, expected] of cases) {
    it(sql, () => {
      const known = (columns: readonly string[] | undefined) =>
        columns?.filter((column) => !column.startsWith('f2 '));
      assert.deepEqual(known(columnsOf(sql)), known(expected));
      assert.deepEqual(typesOf(sql).findings, []);
    });
  }
  it('are non-nullable only if that is certain', () => {
    const sql =
      "SELECT a.id, b.id AS b, count(*), coalesce(a.name, 'x') AS c, a.name FROM accounts a LEFT JOIN accounts b ON true GROUP BY 1, 2, 4, 5";
    assert.deepEqual(
      typesOf(sql).columns?.map(({ nullable }) => nullable),
      [false, true, false, false, true],
    );
  });
});

describe('the origins of values', () => {
  it('are traced through subqueries, common tables and expressions', () => {
    const sql = `WITH x AS (SELECT lower(name) AS n, id FROM accounts) SELECT n || id::text AS a, (SELECT max(born) FROM accounts) AS b FROM x WHERE id > 1`;
    const origins = typesOf(sql).columns?.map((column) =>
      column.origins.map(({ table, column: own }) => `${table}.${own}`),
    );
    assert.deepEqual(origins, [['accounts.name', 'accounts.id'], ['accounts.born']]);
  });
});

describe('placeholders', () => {
  it('get their types from their uses', () => {
    const types = typesOf(
      'SELECT 1 FROM accounts WHERE born > .0 AND id IN (.0, 2) AND name LIKE .0 AND lower(.0) = name AND length(.0) > 1',
    );
    assert.deepEqual(
      types.parameters.map(({ type }) => type),
      ['date', 'integer', 'text', 'text', 'text'],
    );
    assert.deepEqual(types.findings, []);
  });
  it('never cause a finding, declared or not', () => {
    const sql = 'SELECT .0 + 1 AS a FROM accounts WHERE born = .0';
    assert.deepEqual(
      typesOf(sql, {
        parameters: [
          { start: 7, type: 'date' },
          { start: 46, type: 'integer' },
        ],
      }).findings,
      [],
    );
    assert.deepEqual(
      typesOf(sql, { parameters: [{ start: 7, type: 'date' }] }).columns?.map(({ type }) => type),
      ['date'],
    );
  });
});

describe('declared placeholders', () => {
  const uses = [
    'id = .0',
    '.0',
    '.0 + 1',
    '.0 + id',
    'born + .0',
    'born - .0',
    'now() - .0',
    'coalesce(.0, id)',
    'greatest(.0, 1.5)',
    'CASE WHEN id > 1 THEN .0 END',
    'CASE WHEN id > 1 THEN .0 ELSE born END',
    'make_interval(days => .0)',
    'round(.0)',
    'power(.0, 2)',
    'ARRAY[.0, id]',
    'id IN (1, .0)',
    'id = ANY (ARRAY[.0])',
    'lower(.0)',
    "date_trunc('day', .0)",
    'nullif(.0, id)',
    '(SELECT max(born) FROM accounts WHERE born > .0)',
    'sum(.0) OVER (ORDER BY id)',
    'id BETWEEN .0 AND .00',
    '.0 BETWEEN .00 AND id',
    '.0 IN (.00, id)',
    'coalesce(.0, .00, id)',
  ];
  const types = [
    'integer',
    'bigint',
    'numeric',
    'float8',
    'boolean',
    'date',
    'timestamptz',
    'interval',
    'uuid',
  ];
  for (const use of uses)
    it(`give the same types whether or not ${use} already has them`, () => {
      const sql = `SELECT ${use} AS value FROM accounts`;
      const start = sql.indexOf('.0');
      for (const type of types) {
        const parameters = [{ start, type }];
        // The types of all expressions are determined with the declarations in every case.
        const { expressions: _, ...full } = typesOf(sql, { parameters, wantsExpressions: true });
        assert.deepEqual(typesOf(sql, { parameters }), full, type);
      }
    });
});

describe('an unknown type', () => {
  const silent = [
    "SELECT place + 1, place = 'x', place::int, sum(place) FROM accounts",
    'SELECT * FROM elsewhere e (a, b), my_rows() r (a, b, c)',
    'SELECT * FROM elsewhere e WHERE e.a + e.b > now() AND e.c',
    'SELECT ARRAY[now(), 1, name]::mood[], ARRAY[ARRAY[now(), 1]]::mood[] FROM accounts',
    "SELECT 'x'::mood + 1, my.f(1) > now(), f(1) AND 1 = f(2)",
    'SELECT x.* FROM my_rows() x WHERE x.a > x.b',
    'SELECT a.nope > 1 FROM accounts a GROUP BY a.born',
    'SELECT name % name, ARRAY[1] & ARRAY[2] FROM accounts',
  ];
  for (const sql of silent) {
    it(`is not reported: ${sql}`, () => {
      assert.deepEqual(
        typesOf(sql)
          .findings.map(({ code }) => code)
          .filter((code) => code !== 'UNGROUPED_COLUMN'),
        [],
      );
    });
  }
  it('results from a type name that is called with an unknown value, which may access a field', () => {
    assert.deepEqual(columnsOf('SELECT name(my_row()), lower(my_text()) FROM accounts'), [
      'name undefined',
      'lower undefined',
    ]);
  });
  it('results from too much depth or size', () => {
    const deep = `SELECT ${'abs('.repeat(900)}1${')'.repeat(900)} AS a`;
    assert.deepEqual(typesOf(deep).findings, []);
    const long = `SELECT ${Array.from({ length: 3_000 }, () => "'a'").join(' || ')} AS a`;
    assert.deepEqual(columnsOf(long), ['a text']);
    const doubled = `WITH c0 AS (SELECT 1 a, 2 b)${Array.from({ length: 30 }, (_, index) => `, c${index + 1} AS (SELECT x.*, y.* FROM c${index} x, c${index} y)`).join('')} SELECT * FROM c30`;
    assert.equal(typesOf(doubled).columns, undefined);
  });
});

describe('a domain of the models', () => {
  const codesOf = (sql: string, type: string) => {
    const columns = [{ name: 'own', type }];
    return typesOf(sql, { tables: [{ model: 'm', table: 'goods', columns }] }).findings.map(
      ({ code }) => code,
    );
  };
  const used =
    "SELECT own + 1, own || 'a', lower(own), own::int, own[1] FROM goods WHERE own = 'x' AND own > now() AND own";

  it('is unknown, so nothing is reported about it', () => {
    for (const type of ['mail', 'public.mail', 'mail[]', '"Date"', 'shop."Date"']) {
      assert.deepEqual(codesOf(used, type), [], type);
    }
  });
  it("may have the name of another database's type", () => {
    const cast = "SELECT own, 'a'::string FROM goods";
    for (const type of ['string', 'public.string', 'public."string"', 'string[]', 'STRING(20)']) {
      assert.deepEqual(codesOf(cast, type), [], type);
    }
    assert.deepEqual(codesOf(cast, 'text'), ['FOREIGN_TYPE']);
  });
});

describe('a column beside a grouped one', () => {
  const columns = [
    { name: 'sku', type: 'text', nullable: false },
    { name: 'vendor_id', type: 'integer', nullable: false },
    { name: 'title', type: 'text', nullable: true },
    { name: 'note', type: 'text', nullable: true },
  ];
  const likely = (sql: string) =>
    parser
      .readTypes(sql, { model: 'm', tables: [{ model: 'm', table: 'goods', columns }], parameters: [] })
      ?.findings.map(({ code, isLikely = false }) => [code, isLikely]);

  it('is reported as certain if the grouped column is nullable, and as likely if it may be the key', () => {
    assert.deepEqual(likely('SELECT note, count(*) FROM goods GROUP BY title'), [
      ['UNGROUPED_COLUMN', false],
    ]);
    assert.deepEqual(likely('SELECT title, count(*) FROM goods GROUP BY sku'), [['UNGROUPED_COLUMN', true]]);
    assert.deepEqual(likely('SELECT title, count(*) FROM goods GROUP BY vendor_id'), []);
  });
});
