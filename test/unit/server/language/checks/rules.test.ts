/** Rules beyond the grammar: parameters, models, suppressions, severities. Marks enclose the expected ranges. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { defaultSeverities } from '#base/finding-severities.ts';
import { relateTables } from '#core/models/relate-tables.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import type { AnalysisOptions } from '#server/language/checks/analysis.ts';
import { parseSeverities } from '#server/language/checks/finding.ts';
import { readParameters } from '#server/language/checks/parameters/parameters.ts';
import { complete } from '#server/language/editing/completion.ts';
import { closestName, type Catalogue } from '#server/language/names/catalogue.ts';
import { readDirectives } from '#server/language/text/directives.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { readMarks } from '../marked-text.ts';
import { withoutInspections } from '../without-inspections.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

const catalogue: Catalogue = { models: [{ name: 'platform_identity' }, { name: 'platform_governance' }] };

/** Tests that exactly the marked ranges are reported with these codes, in order. */
function check(marked: string, codes: readonly string[], options: Partial<AnalysisOptions> = {}): void {
  it(JSON.stringify(marked), async () => {
    const { text, ranges } = readMarks(marked);
    const analysis = await analyser.analyse(text, { isSavedQuery: false, ...options });
    assert.deepEqual(
      withoutInspections(analysis?.findings).map(({ code, start, end }) => [
        code,
        text.slice(start, end),
        start,
      ]),
      ranges.map(({ start, end }, index) => [codes[index], text.slice(start, end), start]),
    );
  });
}

describe('a query that names no model', () => {
  const people = [{ name: 'People', columns: [{ name: 'Full name', type: 'text' }] }];
  const own = {
    models: [
      { name: 'hr', tables: [{ name: 'notes', columns: [] }] },
      { name: 'public', isDefault: true, tables: people },
    ],
  };
  check('SELECT "Full name", «nope» FROM "People"', ['UNKNOWN_COLUMN'], { catalogue: own });
  check('-- @model hr\nSELECT 1 FROM «"People"»', ['UNKNOWN_TABLE'], { catalogue: own });
});

describe('a function of another database', () => {
  const tables = [{ name: 'accounts', columns: [{ name: 'created_date', type: 'timestamptz' }] }];
  const options = {
    catalogue: { models: [{ name: 'platform_identity', tables }] },
    model: 'platform_identity',
  };
  for (const [sql, codes] of [
    ['SELECT DATEADD(day, 1, created_date) FROM accounts', ['FOREIGN_FUNCTION']],
    ['SELECT TimestampDiff(HOUR, created_date, nope) FROM accounts', ['FOREIGN_FUNCTION', 'UNKNOWN_COLUMN']],
    ['SELECT nvl(nope, 1) FROM accounts', ['FOREIGN_FUNCTION', 'UNKNOWN_COLUMN']],
    ['SELECT day FROM accounts', ['UNKNOWN_COLUMN']],
  ] as const)
    it(`is reported without its unit of time as a column: ${sql}`, async () => {
      const analysis = await analyser.analyse(sql, { isSavedQuery: false, ...options });
      const found = (analysis?.findings ?? []).map(({ code }) => code);
      assert.deepEqual(
        found.filter((code) => code === 'FOREIGN_FUNCTION' || code === 'UNKNOWN_COLUMN'),
        codes,
      );
    });
});

describe('a join of the keys of two models', () => {
  const id = { name: 'id', type: 'int', isOwnId: true };
  const toPeople = [{ model: 'hr', table: 'people', column: 'id', rank: 0 }];
  const models = [
    {
      name: 'platform_identity',
      tables: [
        { name: 'badges', columns: [id, { name: 'holder', type: 'int', refersTo: toPeople }] },
        { name: 'people', columns: [id] },
      ],
    },
    { name: 'hr', tables: [{ name: 'people', columns: [id] }] },
  ];
  const said = async (table: string) => {
    const sql = `SELECT 1 FROM badges b JOIN ${table} p ON b.id = p.id`;
    const analysis = await analyser.analyse(sql, { isSavedQuery: false, catalogue: { models } });
    return (analysis?.findings ?? []).find(({ code }) => code === 'UNRELATED_IDS')?.message;
  };

  it('is corrected by the reference between them, and by none to a table of the same name', async () => {
    assert.match((await said('hr.people')) ?? '', /Did you mean "b\.holder = p\.id"/);
    assert.doesNotMatch((await said('people')) ?? '', /Did you mean/);
  });
});

describe('the suggestion for a join of two own IDs', () => {
  const columns = (list: string) => list.split(' ').map((name) => ({ name, type: 'text' }));
  const tables = relateTables([
    { name: 'accounts', columns: columns('global_id email account_role') },
    { name: 'account_roles', columns: columns('global_id name sor_primary_steward_email') },
  ]);
  const models = [{ name: 'platform_identity', tables }];

  for (const from of ['accounts a JOIN account_roles r', 'account_roles r JOIN accounts a'])
    for (const condition of ['a.global_id = r.global_id', 'r.global_id = a.global_id'])
      it(`is the first that completion offers: ${from} ON ${condition}`, async () => {
        const start = `SELECT a.email FROM ${from} ON `;
        const { suggestions } = complete(lex(start), start.length, {
          catalogue: { models },
          model: 'platform_identity',
        });
        const analysis = await analyser.analyse(`${start}${condition}`, {
          isSavedQuery: false,
          catalogue: { models },
        });
        const [found] = (analysis?.findings ?? []).filter(({ code }) => code === 'UNRELATED_IDS');
        const sides = (equation = '') => equation.split(' = ').sort();
        assert.deepEqual(sides(suggestions[0]?.insertText), ['a.account_role', 'r.name']);
        assert.match(found?.message ?? '', /Did you mean "a.account_role = r.name"/);
        assert.equal(found?.fix?.edits[0]?.newText, 'a.account_role = r.name');
      });
});

describe('parameters', () => {
  check('SELECT :a', []);
  check('-- @param a text\nSELECT :a', []);
  check('-- @param a\nSELECT :a', []);
  check('-- @param a text[] = x,y People\nSELECT :a', []);
  check("-- @param a text = 'it''s so' Text\nSELECT :a", []);
  check('-- @param a numeric(10,2) = 1.5\nSELECT :a', []);
  check('-- @param a date = 2026-01-01 Only later\nSELECT :a', []);
  check('-- @param a boolean = true\n-- @param b integer = -1\n-- @param c uuid\nSELECT :a, :b, :c', []);
  check('-- @author me\n-- @since 2026\nSELECT 1', []);
  check('SELECT 1 «-- @param a text»', ['UNKNOWN_DIRECTIVE']);
  check('-- @param «a» text\nSELECT 1', ['UNUSED_PARAMETER']);
  check("-- @param «a» text\nSELECT «':a'»", ['UNUSED_PARAMETER', 'QUOTED_PLACEHOLDER']);
  check('-- @param a text\n-- @param «a» date\nSELECT :a', ['DUPLICATE_PARAMETER']);
  check('-- @param a text\nSELECT :a, «:b», :b', ['UNDECLARED_PARAMETER']);
  check('«-- @param»\nSELECT 1', ['INVALID_DIRECTIVE']);
  check('-- @param «:a» text\nSELECT :a', ['INVALID_DIRECTIVE']);
  check('-- @param «1a» text\nSELECT 1', ['INVALID_DIRECTIVE']);
  check('-- @param «a» txet\nSELECT :a', ['INVALID_DIRECTIVE']);
  check('-- @param «a» integer = x\nSELECT :a', ['INVALID_DIRECTIVE']);
  check('-- @param «a» date = soon\nSELECT :a', ['INVALID_DIRECTIVE']);
  check("SELECT «':name'»", ['QUOTED_PLACEHOLDER']);
  check("SELECT ': name', 'a:b', '::x', '12:30'", []);

  it('have a type, default and description', () => {
    const text =
      "-- @param since date = 2026-01-01 Only events after\n--@param names text[]\n-- @param q text = 'it''s' Q";
    assert.deepEqual(
      readParameters(readDirectives(lex(text))).map(({ start, end, ...rest }) => ({
        at: text.slice(start, end),
        ...rest,
      })),
      [
        {
          at: 'since',
          name: 'since',
          type: 'date',
          defaultValue: '2026-01-01',
          description: 'Only events after',
        },
        { at: 'names', name: 'names', type: 'text[]' },
        { at: 'q', name: 'q', type: 'text', defaultValue: "it's", description: 'Q' },
      ],
    );
  });
});

describe('models', () => {
  const unknown = ['UNKNOWN_MODEL', 'UNKNOWN_MODEL', 'UNKNOWN_MODEL'];
  check('-- @model platform_identity\nSELECT * FROM platform_governance.a', [], { catalogue });
  check('-- @model «platform_identiy»\nSELECT 1', unknown, { catalogue });
  check('«-- @model a b»\nSELECT 1', ['INVALID_DIRECTIVE'], { catalogue });
  check('«-- @model»\nSELECT 1', ['INVALID_DIRECTIVE'], { catalogue });
  check('SELECT 1', [], { catalogue, model: 'platform_identity' });
  check('«»SELECT 1', unknown, { catalogue, model: 'old' });
  check('-- @model platform_identity\nSELECT 1', [], { catalogue, model: 'old' });
  check('SELECT * FROM «nope».a', unknown, { catalogue });
  check('SELECT * FROM «"Platform_Identity"».a JOIN PLATFORM_IDENTITY.b ON true', unknown, { catalogue });
  check('SELECT * FROM a, «nope».b, «nah».c x', unknown, { catalogue });
  check('SELECT * FROM a LEFT JOIN «nope».b ON a.x = b.x', unknown, { catalogue });
  check('SELECT * FROM (SELECT * FROM «nope».a) x', unknown, { catalogue });
  check('SELECT * FROM (a JOIN «nope».b ON true)', unknown, { catalogue });
  check('SELECT * FROM («nope».b CROSS JOIN c)', unknown, { catalogue });
  check('SELECT * FROM ONLY «nope».a', unknown, { catalogue });
  check('WITH x AS (SELECT * FROM «nope».a) SELECT x.y FROM x', unknown, { catalogue });
  check('SELECT (SELECT 1 FROM «nope».a WHERE a.b = c.d), e.f FROM g', unknown, { catalogue });
  // Names before a dot that are not models.
  check('SELECT a.b, c.d FROM a JOIN c ON a.b = c.d WHERE a.x IN (a.y, c.z) ORDER BY a.b, c.d', [], {
    catalogue,
  });
  check('SELECT * FROM a, concat(b.c, d.e), LATERAL (SELECT a.x, a.y) z', [], { catalogue });
  check('SELECT extract(year FROM a.b), substring(a.b from c.d for 1), trim(both from a.b) FROM a', [], {
    catalogue,
  });
  check('SELECT * FROM a WHERE a.b IS DISTINCT FROM c.d AND a.b IS NOT DISTINCT FROM c.d', [], { catalogue });
  check(
    'SELECT * FROM information_schema.tables, pg_catalog.pg_class, pg_temp.x, public.y, pg_temp_3.z',
    [],
    {
      catalogue,
    },
  );
  check('SELECT * FROM nope.«f»(1), db.nope.t', ['UNKNOWN_FUNCTION'], { catalogue });
  check('SELECT count(*) FILTER (WHERE a.b), array_agg(a.b ORDER BY a.c, a.d) FROM a GROUP BY a.e, a.f', [], {
    catalogue,
  });
  check('SELECT * FROM a JOIN b USING (c), d WINDOW w AS (PARTITION BY a.b, a.c)', [], { catalogue });
  check('SELECT \'FROM nope.a\', "FROM nope.a" -- FROM nope.a', [], { catalogue });
  // Without a catalog, an unknown model is not an error.
  check('SELECT * FROM nope.a', []);
  check('SELECT * FROM nope.a', [], { catalogue: { models: [] } });

  it('are suggested if a name is similar', () => {
    const names = ['accounts', 'account_roles', 'roles'];
    assert.equal(closestName('acounts', names), 'accounts');
    assert.equal(closestName('ACCOUNTS', names), 'accounts');
    assert.equal(closestName('rols', names), 'roles');
    assert.equal(closestName('x', names), undefined);
    assert.equal(closestName('something_else', names), undefined);
  });
});

describe('suppressions', () => {
  const off = ['UNUSED_SUPPRESSION'];
  check("SELECT nextval('s') -- identity-queries-ignore SIDE_EFFECT_FUNCTION: wanted", []);
  check("-- identity-queries-ignore SIDE_EFFECT_FUNCTION: wanted\nSELECT nextval('s')", []);
  check("-- identity-queries-ignore: all\n\n-- note\nSELECT nextval('s'), ':x'", []);
  check("-- identity-queries-ignore SIDE_EFFECT_FUNCTION, QUOTED_PLACEHOLDER\nSELECT nextval('s'), ':x'", []);
  check("-- identity-queries-ignore-file SIDE_EFFECT_FUNCTION: wanted\nSELECT 1;\n\nSELECT nextval('s')", []);
  check("«-- identity-queries-ignore SIDE_EFFECT_FUNCTION»\nSELECT 1,\n«nextval»('s')", [
    ...off,
    'SIDE_EFFECT_FUNCTION',
  ]);
  check('«-- identity-queries-ignore SIDE_EFFECT_FUNCTION: why»\nSELECT 1', off);
  check('«-- identity-queries-ignore»\nSELECT 1', off);
  check("SELECT '-- identity-queries-ignore'", []);
  check('-- identity-queries-ignore QUERY_PARSE_ERROR: newer syntax\nSELEC', []);
  check('-- identity-queries-ignore MUTATION_NOT_ALLOWED: please\n«DELETE» FROM a', ['MUTATION_NOT_ALLOWED']);
});

describe('severities', () => {
  it('follow the settings', async () => {
    const text = "SELECT nextval('s'), ':x'";
    const severities = parseSeverities({
      SIDE_EFFECT_FUNCTION: 'error',
      QUOTED_PLACEHOLDER: 'off',
      NOPE: 'error',
    });
    assert.deepEqual(severities, { SIDE_EFFECT_FUNCTION: 'error', QUOTED_PLACEHOLDER: 'off' });
    const analysis = await analyser.analyse(text, { isSavedQuery: true, severities });
    assert.deepEqual(
      analysis?.findings.map(({ code, severity }) => [code, severity]),
      [['SIDE_EFFECT_FUNCTION', 'error']],
    );
  });

  it('ignore invalid settings', () => {
    assert.deepEqual(parseSeverities(null), {});
    assert.deepEqual(parseSeverities({ EMPTY_QUERY: 'loud', QUERY_TOO_LONG: 1 }), {});
  });

  it('are documented with their codes, and no others', async () => {
    const page = await readFile(path.join(import.meta.dirname, '../../../../../docs/diagnostics.md'), 'utf8');
    const documented = [...page.matchAll(/^## ([A-Z_]+)\n\n_Default: ([a-z]+)/gm)].map(
      ([, code, severity]) => [code, severity],
    );
    assert.deepEqual(documented, Object.entries(defaultSeverities));
  });
});
