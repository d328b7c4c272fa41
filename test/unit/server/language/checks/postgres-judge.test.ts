/**
 * Compares the inspections that predict PostgreSQL's errors with PostgreSQL itself: it must accept queries without a
 * finding, and refuse reported queries for the reason that the finding gives.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import type { FindingCode } from '#base/finding-severities.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { corpora, readCorpus } from '#test/helpers/corpora.ts';
import { newDatabase } from '#test/helpers/new-database.ts';
import { acceptedQueries, refusedQueries } from './judged-queries.ts';
import { tables, validQueries } from './queries-of-all-syntax.ts';

/** Codes that predict an error, each with the SQLSTATEs that PostgreSQL reports for it. */
const refusals: Readonly<Partial<Record<FindingCode, readonly string[]>>> = {
  // 42703: in HAVING, PostgreSQL resolves only table columns, not output names.
  UNGROUPED_COLUMN: ['42803', '42703'],
  QUERY_PARSE_ERROR: ['42601'],
  AGGREGATE_IN_WHERE: ['42803'],
  ORDINAL_OUT_OF_RANGE: ['42P10'],
  SET_OPERATION_COLUMNS: ['42601'],
  // A number compared with non-numeric text fails when PostgreSQL converts the text.
  STRING_NUMBER_COMPARISON: ['42883', '22P02'],
  UNKNOWN_OPERATOR: ['42883', '42704'],
  // 42703: PostgreSQL resolves columns first.
  TYPE_MISMATCH: ['42703', '42883', '42804', '42846', '42725', '42P18', '42809', '42601'],
  INVALID_LITERAL: ['22P02', '22007', '22008', '22003'],
  AGGREGATE_MISUSE: ['42703', '42803', '42809', '42P20', '0A000'],
  SUBQUERY_COLUMNS: ['42601'],
  INVALID_CLAUSE: ['42703', '42601', '42712', '42P10', '42P19', '42P20', '42701', '42704', '0A000', '2201W'],
};

/** Tables for the judged queries, and for the corpora that need only a few tables. */
const schema = `
  CREATE TABLE t (id int PRIMARY KEY, a int, b int, c text, d timestamptz, e int[], f boolean, j jsonb, n numeric);
  CREATE TABLE u (id int PRIMARY KEY, t_id int, a int, name text);
  CREATE TABLE two (k1 int, k2 int, v text, PRIMARY KEY (k1, k2));
  CREATE TABLE "Mixed" ("Id" int PRIMARY KEY, "Name" text);
  CREATE TABLE x (a int, b int, c int);
  CREATE TABLE y (b int, c int);
  CREATE TABLE z (a int, b int, c int);
  CREATE TABLE test (a int, b int, x int, y int, z int, q int);
`;

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
const analyser = new Analyser(parser);
let database: PGlite;
before(async () => {
  database = await newDatabase();
  await database.exec(schema);
});
after(() => Promise.all([parser.dispose(), database.close()]));

/** Returns the SQLSTATE with which PostgreSQL refuses to plan the query; undefined if it accepts the query. */
async function refusalOf(sql: string): Promise<string | undefined> {
  try {
    await database.query(`EXPLAIN ${sql}`);
    return undefined;
  } catch (error) {
    return (error as { readonly code?: string }).code ?? 'no state'; // PGlite errors have PostgreSQL's fields
  }
}

async function claimsAbout(sql: string): Promise<readonly FindingCode[]> {
  const analysis = await analyser.analyse(sql, { isSavedQuery: true });
  return (analysis?.findings ?? []).map(({ code }) => code).filter((code) => code in refusals);
}

describe('PostgreSQL as the judge', () => {
  for (const sql of acceptedQueries) {
    it(`accepts, like the checks: ${sql}`, async () => {
      assert.equal(await refusalOf(sql), undefined);
      assert.deepEqual(await claimsAbout(sql), []);
    });
  }
  for (const [code, ...queries] of refusedQueries) {
    for (const sql of queries) {
      it(`rejects, with the finding ${code}: ${sql}`, async () => {
        assert.deepEqual([...new Set(await claimsAbout(sql))], [code]);
        assert.ok(refusals[code]?.includes((await refusalOf(sql)) ?? ''), await refusalOf(sql));
      });
    }
  }
});

describe('PostgreSQL as the judge of names and types', () => {
  it('accepts, like the checks, queries with all syntax of SELECT', async () => {
    const named = await newDatabase();
    await named.exec(tables);
    const { rows } = await named.query<Record<'table' | 'name' | 'type', string> & { nullable: boolean }>(
      `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
         NOT a.attnotnull AS nullable
       FROM pg_class c JOIN pg_attribute a ON c.oid = a.attrelid
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 ORDER BY a.attnum`,
    );
    const byTable = [...Map.groupBy(rows, ({ table }) => table)];
    const model = { name: 'public', tables: byTable.map(([name, columns]) => ({ name, columns })) };
    const options = { isSavedQuery: true, catalogue: { models: [model] }, model: 'public' };
    const wrong: string[] = [];
    for (const sql of validQueries) {
      const reason = await named.query(`EXPLAIN ${sql}`).then(() => undefined, String);
      const { findings = [] } = (await analyser.analyse(sql, options)) ?? {};
      const claims = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
      if (reason !== undefined || claims.length > 0)
        wrong.push([sql, reason, ...claims.map(({ message }) => message)].join(': '));
    }
    await named.close();
    assert.deepEqual(wrong, []);
  });
});

/** Errors that PostgreSQL reports before any other: a missing table or function. */
const notJudged: readonly (string | undefined)[] = ['42P01', '42883'];

describe('PostgreSQL as the judge of the corpora', () => {
  it('rejects the reported queries, if it has the tables', async () => {
    const refused: string[] = [];
    const open: string[] = [];
    const taken: string[] = [];
    for (const file of corpora) {
      for (const { id, sql } of readCorpus(file)) {
        const claims = await claimsAbout(sql);
        const refusal = claims.length === 0 ? undefined : await refusalOf(sql);
        if (claims.some((code) => refusals[code]?.includes(refusal ?? ''))) {
          refused.push(id);
        } else if (claims.length > 0) {
          const into = notJudged.includes(refusal) ? open : taken;
          into.push(`${id} is reported as ${claims.join(', ')}; PostgreSQL: ${refusal ?? 'taken'}: ${sql}`);
        }
      }
    }
    assert.deepEqual(taken, []);
    assert.ok(refused.length >= 25, `only ${refused.length} were judged`);
    // These have been reviewed manually: each query is wrong, whatever the tables.
    assert.ok(open.length <= 12, open.join('\n'));
  });
});
