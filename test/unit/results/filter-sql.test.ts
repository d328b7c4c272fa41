/** Filters and sort order as SQL, parsed by PostgreSQL's own parser: no value can terminate its literal. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { loadModule, parseSync } from 'libpg-query';
import { AmbiguousColumnError, narrowed } from '#client/features/results/filter-sql.ts';
import type { FilterRule } from '#core/rows/rows.ts';

const columns = [
  { name: 'id', type: 'int8', kind: 'number' },
  { name: 'Name', type: 'text', kind: 'text' },
  { name: 'at', type: 'timestamptz', kind: 'time' },
  { name: 'attributes', type: 'jsonb', kind: 'json' },
] as const;
const where = (column: number, rule: FilterRule) =>
  narrowed('SELECT 1', { columns, filters: [{ column, rule }], sort: [] })
    .split('WHERE ')
    .at(-1);

await loadModule();

suite('filters as SQL', () => {
  test('support each kind of filter', () => {
    const text = (operator: 'contains' | 'equals' | 'starts-with', value: string, matchCase = false) =>
      ({ kind: 'text', operator, text: value, matchCase }) as const;
    assert.equal(where(1, text('contains', "5%_\\'")), `"Name" ILIKE E'%5\\\\%\\\\_\\\\\\\\''%'`);
    assert.equal(where(1, text('equals', 'Mara')), `lower("Name") = lower('Mara')`);
    assert.equal(where(0, text('starts-with', '12', true)), `id::text LIKE '12%'`);
    assert.equal(
      where(0, { kind: 'compare', operator: '>=', text: ' 9007199254740993 ' }),
      'id >= 9007199254740993',
    );
    assert.equal(where(2, { kind: 'compare', operator: '<', text: '2026-01-01' }), `at < '2026-01-01'`);
    assert.equal(where(0, { kind: 'values', values: ['1', '2', null] }), '(id IN (1, 2) OR id IS NULL)');
    assert.equal(where(3, { kind: 'values', values: ['{"a": 1}'] }), `attributes::text IN ('{"a": 1}')`);
    assert.equal(where(1, { kind: 'values', values: [null] }), '"Name" IS NULL');
    assert.equal(where(1, { kind: 'null', isNull: false }), '"Name" IS NOT NULL');
  });

  test('make the statement a subquery, however it ends', () => {
    const statement = 'SELECT id, at FROM t LIMIT 5 -- the end\n;';
    const sql = narrowed(statement, { columns, filters: [], sort: [{ column: 2, descending: true }] });
    assert.match(
      sql,
      /^SELECT \*\nFROM \(\nSELECT id, at FROM t LIMIT 5 -- the end\n\) AS narrowed\nORDER BY at DESC NULLS LAST$/,
    );
    parseSync(sql);
  });

  test('are refused if two columns have the same name', () => {
    const twice = [columns[0], columns[0]];
    assert.throws(
      () => narrowed('SELECT 1', { columns: twice, filters: [], sort: [{ column: 1, descending: false }] }),
      AmbiguousColumnError,
    );
  });

  test('produce a single SELECT for all values, according to PostgreSQL', () => {
    const value = fc.string({
      unit: fc.constantFrom("'", '\\', '"', ';', '-', '/', '*', '$', 'a', '%', '\n', '🙂'),
    });
    const rule = fc.oneof(
      fc.record({
        kind: fc.constant('text' as const),
        operator: fc.constantFrom('contains', 'equals', 'ends-with', 'does-not-contain' as const),
        text: value,
        matchCase: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('values' as const),
        values: fc.array(fc.option(value), { minLength: 1 }),
      }),
      fc.record({
        kind: fc.constant('compare' as const),
        operator: fc.constantFrom('=', '<' as const),
        text: value,
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 3), rule, (column, one) => {
        const sql = narrowed('SELECT 1', { columns, filters: [{ column, rule: one }], sort: [] });
        const { stmts } = parseSync(sql) as { stmts: { stmt: Record<string, unknown> }[] };
        assert.deepEqual(
          stmts.map(({ stmt }) => Object.keys(stmt)),
          [['SelectStmt']],
        );
      }),
    );
  });
});
