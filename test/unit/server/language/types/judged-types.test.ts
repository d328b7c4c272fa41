/** Compares type findings with PostgreSQL: it must refuse exactly the queries with findings. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import type { TypedTable } from '#server/language/types/type-statement.ts';
import { createParserInstance } from '#server/parser/instance.ts';
import { newDatabase } from '#test/helpers/new-database.ts';
import { refusedForms, takenForms } from './judged-forms.ts';
import { certainValues, leftOutValues, readLiterals, refusedLiterals } from './judged-literals.ts';
import { judgedTables, takenQueries, wrongQueries } from './judged-types.ts';

const parser = await createParserInstance();
let database: PGlite;
let tables: readonly TypedTable[] = [];
before(async () => {
  database = await newDatabase();
  await database.exec(judgedTables);
  const { rows } = await database.query<Record<'table' | 'name' | 'type', string> & { nullable: boolean }>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
       NOT a.attnotnull AS nullable
     FROM pg_class c JOIN pg_attribute a ON c.oid = a.attrelid
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 ORDER BY a.attnum`,
  );
  tables = [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => ({
    model: 'public',
    table,
    columns,
  }));
});
after(() => database.close());

const isRefused = (sql: string): Promise<boolean> =>
  database.query(sql).then(
    () => false,
    () => true,
  );

const typeFindingsOf = (sql: string) =>
  parser.readTypes(sql, { model: 'public', tables, parameters: [] })?.findings;
const findingsOf = (sql: string) => typeFindingsOf(sql)?.map(({ message }) => message);

describe('PostgreSQL as the judge of types', () => {
  for (const sql of [...takenQueries, ...readLiterals, ...takenForms]) {
    it(`accepts, like the checks: ${sql}`, async () => {
      assert.equal(await isRefused(sql), false);
      assert.deepEqual(findingsOf(sql), []);
    });
  }
  for (const sql of [...wrongQueries, ...refusedLiterals, ...refusedForms]) {
    it(`rejects, like the checks: ${sql}`, async () => {
      assert.equal(await isRefused(sql), true);
      assert.notEqual(findingsOf(sql)?.length, 0);
    });
  }
  for (const [queries, isLikely] of [
    [leftOutValues, true],
    [certainValues, undefined],
  ] as const) {
    for (const sql of queries) {
      it(`${isLikely === true ? 'only warns of' : 'refuses'} a value: ${sql}`, async () => {
        assert.equal(await isRefused(sql), isLikely !== true);
        assert.deepEqual(
          typeFindingsOf(sql)?.map((each) => [each.code, each.isLikely]),
          [['INVALID_LITERAL', isLikely]],
        );
      });
    }
  }
});
