import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { effectOfView, natureOfFunction } from '#server/language/checks/read-only/side-effects.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { readMarks } from '#test/unit/server/language/marked-text.ts';
import { withoutInspections } from '#test/unit/server/language/without-inspections.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
after(() => parser.dispose());

const cases: readonly string[] = [
  "SELECT «nextval»('s')",
  "SELECT «NextVal» /* x */ ('s')",
  "SELECT pg_catalog.«setval»('s', 1)",
  `SELECT "«»nextval", «"nextval"»('s')`.replace('«»', ''),
  `SELECT «U&"next\\0076al"»('s')`,
  "SELECT * FROM «dblink»('x', 'DELETE FROM a') AS t(a int)",
  "SELECT * FROM «dblink_exec»('x')",
  'SELECT * FROM a WHERE «pg_terminate_backend»(pid)',
  "WITH x AS (SELECT «pg_read_file»('/etc/passwd')) SELECT * FROM x ORDER BY «pg_sleep»(1)",
  'SELECT «pg_advisory_xact_lock»(1), «pg_try_advisory_lock»(:id)',
  "SELECT «lo_import»('x'), «set_config»('a', 'b', false), «query_to_xml»('x', true, true, '')",
  "SELECT «pg_input_is_valid»('5', 'hr.posint'), «pg_input_error_info»('5', :type)",
  "SELECT * FROM «pg_input_error_info»('5', 'posint[]')",
  "SELECT * FROM «pg_input_error_info»(value => 'integer', type_name => 'posint')",
  "SELECT «pg_input_is_valid»('5', 'posint'::text), «pg_input_is_valid»('5', upper('integer'))",
  // Attribute notation also calls functions.
  "SELECT ('s'::regclass).«nextval», (r).«nextval» FROM t",
  "SELECT (ARRAY['/etc/passwd'])[1].«pg_read_file»",
  'SELECT * FROM t WHERE (\'x\'::text) . /* c */ «"pg_ls_dir"» IS NULL',
  // Extensions may be in any schema.
  "SELECT * FROM public.«dblink»('x', 'DELETE FROM a') AS t(a int)",
  "SELECT extensions.«dblink_exec»('x'), admin.«pg_file_write»('a', 'b', true)",
  "SELECT * FROM «crosstab»('DELETE FROM a RETURNING 1, 2, 3') AS t(a int, b int)",
  "SELECT «heap_force_kill»('t'::regclass, :ids::tid[]), «pg_truncate_visibility_map»('t')",
  // Column notation on a value that a function in FROM returns.
  "SELECT s.«nextval» FROM regclass('s') AS s",
  'SELECT regclass.«nextval» FROM t, LATERAL regclass(t.name)',
  'SELECT (SELECT s.«pg_sleep») FROM generate_series(1, 3) AS s',
  "SELECT (ROW('s'::regclass)).f1.«nextval», :s.«nextval», :r.a.«nextval», (:s).«nextval», $1[1].«nextval»",
  // The row of a single value is that value, and a column goes before a relation of its name.
  "SELECT (s).«nextval» FROM regclass('s') AS s (nextval)",
  "SELECT (s).«nextval» FROM (SELECT 's'::regclass AS s) AS t, (SELECT 1 AS nextval) AS s",
  'SELECT (s).«nextval» FROM t, (SELECT 1 AS nextval) AS s',
  // Unusual spellings.
  `SELECT «U&"n!0065xtval"» UESCAPE '!' ('s')`,
  "SELECT treat('s'::regclass AS «nextval»)",
  // Functions that execute a text argument; some are only distinguished by their argument count.
  "SELECT «ts_rewrite»(a, 'DELETE'), «ts_rewrite»(a, :q) FROM t",
  "SELECT «ts_stat»('SELECT 1'), «database_to_xml»(true, true, ''), «cursor_to_xml»('c', 1, true, true, '')",
  // PostgreSQL views that call functions.
  'SELECT * FROM «pg_hba_file_rules», pg_catalog.«pg_file_settings», pg_settings, pg_locks, pg_catalog.pg_class',
  // Extensions that are recognized by their schema.
  "SELECT cron.«schedule»('x', 'y'), net.«http_get»('https://example.com'), aws_s3.«query_export_to_s3»('x')",
  "SELECT * FROM «run_command_on_workers»('x'), «citus_add_node»('a', 1), citus_version()",
  // Harmless look-alikes.
  "SELECT s.nextval FROM regclass('s') AS s (nextval)",
  "SELECT t.nextval FROM t, regclass('s') AS s",
  'SELECT s.nextval FROM json_to_record(:j) AS s (nextval int)',
  'SELECT (s).nextval FROM json_to_record(:j) AS s (nextval int)',
  'SELECT (s).nextval FROM (SELECT 1 AS nextval) AS s',
  'SELECT ts_rewrite(a, b, c) FROM t',
  'SELECT t.nextval, t.setval FROM t',
  'SELECT \'nextval(1)\', "nextval(" FROM a -- nextval(',
  'SELECT nextval FROM t AS setval(nextval)',
  "SELECT random(), clock_timestamp(), currval('s'), gen_random_uuid(), pg_backend_pid()",
  'SELECT pg_size_pretty(pg_total_relation_size(1))',
  "SELECT pg_input_is_valid(a, 'integer'), pg_input_is_valid(a, 'NUMERIC(5, 2)[]'), pg_input_is_valid(a, 'citext') FROM t",
  "SELECT i.message FROM t, pg_input_error_info(t.a, 'timestamp with time zone') AS i",
  "SELECT pg_input_is_valid(a, 'integer'::text), pg_input_is_valid(a, CAST('date' AS pg_catalog.text)) FROM t",
  "SELECT message FROM pg_input_error_info(type_name => 'integer', value => 'posint')",
  "SELECT message FROM pg_input_error_info('posint', type_name => 'integer'::text)",
];

describe('functions with side effects', () => {
  for (const marked of cases) {
    it(marked, async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: true });
      assert.deepEqual(
        withoutInspections(analysis?.findings)
          .filter(({ code }) => code !== 'POSITIONAL_PARAMETER')
          .map(({ code, severity, start, end }) => ({
            code,
            severity,
            start,
            end,
          })),
        ranges.map((range) => ({ code: 'SIDE_EFFECT_FUNCTION', severity: 'warning', ...range })),
      );
      const [statement] = analysis?.statements ?? [];
      assert.equal(statement?.verdict, ranges.length > 0 ? 'side-effects' : 'read-only');
      assert.equal(statement.calls === undefined, ranges.length === 0);
    });
  }

  it('are described individually', () => {
    assert.deepEqual(natureOfFunction('nextval'), { does: 'changes a sequence' });
    assert.deepEqual(natureOfFunction('lo_put'), { does: 'reads or writes large objects' });
    assert.deepEqual(natureOfFunction('pg_hba_file_rules', 'pg_catalog'), {
      does: 'reaches the files of the database server',
    });
    assert.equal(natureOfFunction('pg_logical_slot_peek_changes'), 'harmless');
    assert.equal(natureOfFunction('count'), 'harmless');
    assert.equal(natureOfFunction('similarity', 'public'), 'harmless');
    assert.equal(natureOfFunction('similarity', 'mine'), 'unknown');
    assert.equal(natureOfFunction('lower', 'mine'), 'unknown');
    assert.equal(natureOfFunction('constructor'), 'unknown');
    assert.equal(effectOfView('pg_locks'), undefined);
    assert.equal(effectOfView('pg_file_settings', 'mine'), undefined);
  });

  it('are described in addition to the verdict, which no comment changes', async () => {
    const text = "-- identity-queries-ignore-file SIDE_EFFECT_FUNCTION: wanted\nSELECT nextval('s')";
    const analysis = await analyser.analyse(text, {
      isSavedQuery: true,
      severities: { SIDE_EFFECT_FUNCTION: 'off' },
    });
    const [statement] = analysis?.statements ?? [];
    assert.equal(statement?.verdict, 'side-effects');
    assert.deepEqual(statement.calls, [{ kind: 'function', name: 'nextval', does: 'changes a sequence' }]);
  });
});

const unknown: readonly string[] = [
  "SELECT «wipe»(1), my.«nextval»('s'), «\"NextVal\"»('s') FROM t",
  'SELECT * FROM public.«reset_everything»()',
  'SELECT a «==>» b, c OPERATOR(my.«+») d FROM t',
  // `public` contains none of PostgreSQL's own objects, and only other names are those of extensions.
  'SELECT a OPERATOR(public.«*») b, c OPERATOR(public.«=») d, OPERATOR(public.«-») e FROM t',
  'SELECT a OPERATOR(extensions.«=») ANY (:b), (a, b) OPERATOR(hstore.«=») (c, d) FROM t',
  'SELECT a FROM t ORDER BY a USING OPERATOR(public.«<»)',
  "SELECT public.«replace»(a, 'b', 'c'), extensions.«strpos»(a, 'b'), public.«max»(a), public.similarity(a, 'b') FROM t",
  'SELECT a::public.«int4», b::public.citext FROM t',
  "SELECT 'x'::«status», CAST(a AS my.«mood»), NULL::«accounts»[] FROM t",
  'SELECT * FROM t TABLESAMPLE «mine» (1)',
  'SELECT «éléphant»(1)',
  // PostgreSQL truncates the name, possibly within a character.
  `«SELECT» ${'é'.repeat(40)}(1), 1`,
];

describe('unknown functions', () => {
  for (const marked of unknown) {
    it(marked, async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: true });
      const found = analysis?.findings.filter(({ code }) => code === 'UNKNOWN_FUNCTION') ?? [];
      assert.deepEqual(
        found.map(({ severity, start, end }) => ({ severity, start, end })),
        ranges.map((range) => ({ severity: 'hint', ...range })),
      );
      assert.equal(analysis?.statements[0]?.verdict, 'unknown-function');
      assert.ok(analysis.statements[0].calls?.every(({ does }) => does === undefined));
    });
  }

  it('of another database name what PostgreSQL has instead', async () => {
    const partsOf = async (text: string) =>
      (await analyser.analyse(text, { isSavedQuery: true }))?.statements[0]?.calls;
    assert.deepEqual(await partsOf("SELECT NVL(alias, 'x') FROM accounts"), [
      { kind: 'function', name: 'nvl', instead: 'coalesce(value, other)' },
    ]);
    // A function of the service's own schema.
    assert.deepEqual(await partsOf("SELECT ours.nvl(alias, 'x') FROM accounts"), [
      { kind: 'function', name: 'ours.nvl' },
    ]);
  });

  it('rank below a side effect, and above a harmless function', async () => {
    const verdictOf = async (text: string) =>
      (await analyser.analyse(text, { isSavedQuery: true }))?.statements[0]?.verdict;
    assert.equal(await verdictOf("SELECT mine(1), nextval('s')"), 'side-effects');
    assert.equal(
      await verdictOf('WITH x AS (DELETE FROM a RETURNING *) SELECT mine(1) FROM x'),
      'not-read-only',
    );
  });
});

/** SQL whose meaning changes if the server interprets backslashes in plain strings, with the string marked. */
const misread: readonly string[] = [
  "SELECT «'a\\'», '; DELETE FROM t; --'",
  "SELECT «'a\\'», ' INTO b FROM x --' FROM t",
  "SELECT 1 WHERE x = «N'\\'» AND y = ' OR nextval(1) = 1 --'",
  "SELECT «'\\'», ', mine(1) --'",
];
/** SQL that means the same on such a server, or that the server refuses entirely. */
const quiet: readonly string[] = [
  "SELECT 'C:\\'",
  "SELECT * FROM t WHERE path = 'C:\\' AND name = 'x'",
  "SELECT 'it\\''s'",
  "SELECT 'a\\', 'b'",
  "SELECT E'a\\'b', 'c'",
  "SELECT 'a\\\\', '; DELETE FROM t; --'",
  "SELECT $$\\'$$, '; DELETE FROM t; --'",
  'SELECT "\\\'" FROM t',
];

describe('a backslash before a quote', () => {
  for (const marked of misread) {
    it(`makes the text ambiguous: ${marked}`, async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: true });
      const found = analysis?.findings.filter(({ code }) => code === 'COULD_NOT_BE_VERIFIED') ?? [];
      assert.deepEqual(
        found.map(({ start, end }) => ({ start, end })),
        ranges,
      );
      assert.equal(analysis?.statements[0]?.verdict, 'unverified');
    });
  }
  for (const text of quiet) {
    it(`leaves the text unambiguous: ${text}`, async () => {
      const analysis = await analyser.analyse(text, { isSavedQuery: true });
      assert.deepEqual(withoutInspections(analysis?.findings), []);
      assert.equal(analysis?.statements[0]?.verdict, 'read-only');
    });
  }
});
