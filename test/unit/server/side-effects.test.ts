import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '../../../server/src/language/analyser.ts';
import { effectOf } from '../../../server/src/language/side-effects.ts';
import { WorkerParser } from '../../../server/src/parser/worker-parser.ts';
import { readMarks } from './marked-text.ts';
import { withoutInspections } from './without-inspections.ts';

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
  // A function is called in the notation of an attribute too.
  "SELECT ('s'::regclass).«nextval», (r).«nextval» FROM t",
  "SELECT (ARRAY['/etc/passwd'])[1].«pg_read_file»",
  'SELECT * FROM t WHERE (\'x\'::text) . /* c */ «"pg_ls_dir"» IS NULL',
  // Extensions live in any schema.
  "SELECT * FROM public.«dblink»('x', 'DELETE FROM a') AS t(a int)",
  "SELECT extensions.«dblink_exec»('x'), admin.«pg_file_write»('a', 'b', true)",
  "SELECT * FROM «crosstab»('DELETE FROM a RETURNING 1, 2, 3') AS t(a int, b int)",
  "SELECT «heap_force_kill»('t'::regclass, :ids::tid[]), «pg_truncate_visibility_map»('t')",
  // Alike, and harmless.
  'SELECT t.nextval, t.setval FROM t',
  "SELECT other.nextval('s')",
  'SELECT \'nextval(1)\', "nextval(" FROM a -- nextval(',
  'SELECT nextval FROM t AS setval(nextval)',
  'SELECT "NextVal"(\'s\')',
  "SELECT random(), clock_timestamp(), currval('s'), gen_random_uuid(), pg_backend_pid()",
  'SELECT pg_size_pretty(pg_total_relation_size(1))',
];

describe('functions with side effects', () => {
  for (const marked of cases) {
    it(marked, async () => {
      const { text, ranges } = readMarks(marked);
      const analysis = await analyser.analyse(text, { isSavedQuery: true });
      assert.deepEqual(
        withoutInspections(analysis?.findings).map(({ code, severity, start, end }) => ({
          code,
          severity,
          start,
          end,
        })),
        ranges.map((range) => ({ code: 'SIDE_EFFECT_FUNCTION', severity: 'warning', ...range })),
      );
      assert.equal(analysis?.statements[0]?.verdict, 'read-only');
    });
  }

  it('knows what each does', () => {
    assert.equal(effectOf('nextval'), 'changes a sequence');
    assert.equal(effectOf('lo_put'), 'reads or writes large objects');
    assert.equal(effectOf('pg_logical_slot_peek_changes'), undefined);
    assert.equal(effectOf('count'), undefined);
  });
});
