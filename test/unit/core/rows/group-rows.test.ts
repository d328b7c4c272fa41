/** Grouping rows by values: exact numbers, NULL as its own group, pivots, limits. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createLocalData } from '#core/rows/local-data.ts';
import type { GroupSpec, StoreColumn } from '#core/rows/rows.ts';

type Row = readonly unknown[];

async function dataOf(columns: readonly StoreColumn[], rows: readonly Row[]) {
  const data = createLocalData().create(columns);
  await data.append(rows);
  return data;
}

async function groupsOf(columns: readonly StoreColumn[], rows: readonly Row[], spec: GroupSpec) {
  const answer = await (await dataOf(columns, rows)).ask('group', spec);
  return answer.kind === 'groups' ? answer : assert.fail(answer.kind);
}

const columns = [
  { name: 'department', type: 'text' },
  { name: 'amount', type: 'numeric' },
  { name: 'at', type: 'timestamptz' },
  { name: 'active', type: 'bool' },
];
const rows: readonly Row[] = [
  ['b', '0.1', '2026-02-03 04:05:06+00', true],
  ['a', '0.2', '2026-02-28 23:59:59.5+00', false],
  ['b', '0.2', '2025-12-31 00:00:00+00', true],
  [null, null, null, null],
  ['', '9007199254740993', '2026-02-03 04:59:00+00', false],
  ['b', '9007199254740993', null, false],
];

suite('groups', () => {
  test('count rows, ordered by value, NULL last and distinct from an empty text', async () => {
    const { columns: found, rows: groups } = await groupsOf(columns, rows, {
      by: [{ column: 0 }],
      measure: { kind: 'count' },
    });
    assert.deepEqual(
      found.map(({ name, type }) => [name, type]),
      [
        ['department', 'text'],
        ['Number of rows', 'int8'],
      ],
    );
    assert.deepEqual(groups, [
      ['', '1'],
      ['a', '1'],
      ['b', '3'],
      [null, '1'],
    ]);
  });

  const measures: readonly (readonly [GroupSpec['measure']['kind'], string | null, string | null])[] = [
    ['sum', '9007199254740993.3', null],
    ['average', '3002399751580331.1', null],
    ['least', '0.1', null],
    ['greatest', '9007199254740993', null],
    ['distinct', '3', '0'],
  ];
  for (const [kind, ofB, ofNull] of measures) {
    test(`${kind}: exact beyond double precision, and empty without a value`, async () => {
      const { rows: groups } = await groupsOf(columns, rows, {
        by: [{ column: 0 }],
        measure: { kind, column: 1 },
      });
      assert.deepEqual([groups[2]?.[1], groups[3]?.[1]], [ofB, ofNull]);
    });
  }

  test('equal numbers form one group, however they are written', async () => {
    const numbers = [['1.0'], ['1'], ['1.00'], ['-0'], ['0'], ['10'], ['9']];
    const { rows: groups } = await groupsOf([{ name: 'n', type: 'numeric' }], numbers, {
      by: [{ column: 0 }],
      measure: { kind: 'count' },
    });
    assert.deepEqual(groups, [
      ['0', '2'],
      ['1', '3'],
      ['9', '1'],
      ['10', '1'],
    ]);
  });

  test('times are grouped by month, and a value that is not a time stays unchanged', async () => {
    const { columns: found, rows: groups } = await groupsOf(columns, [...rows, ['c', 1, 'infinity', true]], {
      by: [{ column: 2, unit: 'month' }],
      measure: { kind: 'count' },
    });
    assert.deepEqual([found[0]?.name, found[0]?.type], ['at (month)', 'date']);
    assert.deepEqual(groups, [
      ['2025-12-01', '1'],
      ['2026-02-01', '3'],
      ['infinity', '1'],
      [null, '2'],
    ]);
  });

  test('times of all years are grouped by units in their order', async () => {
    const times = [
      '12026-05-01',
      '2026-02-03',
      '0044-03-15 BC',
      '0044-07-01 12:00:00+00 BC',
      '-infinity',
      '0999-01-01',
    ];
    const { rows: groups } = await groupsOf(
      [{ name: 'at', type: 'timestamptz' }],
      times.map((at) => [at]),
      { by: [{ column: 0, unit: 'year' }], measure: { kind: 'count' } },
    );
    assert.deepEqual(groups, [
      ['-infinity', '1'],
      ['0044-01-01 BC', '2'],
      ['0999-01-01', '1'],
      ['2026-01-01', '1'],
      ['12026-01-01', '1'],
    ]);
  });

  test('a pivot has a column for each value, 0 for no rows, and a total', async () => {
    const { columns: found, rows: groups } = await groupsOf(columns, rows, {
      by: [{ column: 0 }],
      across: { column: 3 },
      measure: { kind: 'count' },
    });
    assert.deepEqual(
      found.map(({ name }) => name),
      ['department', 'active: false', 'active: true', 'active: NULL', 'Total'],
    );
    assert.deepEqual(groups, [
      ['', '1', '0', '0', '1'],
      ['a', '1', '0', '0', '1'],
      ['b', '1', '2', '0', '3'],
      [null, '0', '0', '1', '1'],
    ]);
    const summed = await groupsOf(columns, rows, {
      by: [{ column: 0 }],
      across: { column: 3 },
      measure: { kind: 'sum', column: 1 },
    });
    assert.deepEqual(summed.rows[2], ['b', '9007199254740993', '0.3', null, '9007199254740993.3']);
  });

  test('only rows that match the filters count', async () => {
    const data = await dataOf(columns, rows);
    await data.ask('sortAndFilter', {
      sort: [{ column: 0, descending: true }],
      filters: [{ column: 0, rule: { kind: 'values', values: ['b'] } }],
    });
    const answer = await data.ask('group', { by: [{ column: 3 }], measure: { kind: 'count' } });
    assert.deepEqual(answer.kind === 'groups' && answer.rows, [
      ['false', '1'],
      ['true', '2'],
    ]);
  });

  test('a pivot with too many columns is refused', async () => {
    const many = Array.from({ length: 101 }, (_, n) => [n]);
    const data = await dataOf([{ name: 'n', type: 'int4' }], many);
    assert.deepEqual(
      await data.ask('group', { by: [{ column: 0 }], across: { column: 0 }, measure: { kind: 'count' } }),
      { kind: 'too-many-columns', most: 100 },
    );
  });

  test('have the same counts and sums as a plain loop', async () => {
    const cell = fc.option(fc.constantFrom('x', 'y', '', '-', '1:x', 'constructor'), { freq: 5 });
    const amount = fc.option(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), { freq: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, amount), { maxLength: 60 }), async (made) => {
        const { rows: groups } = await groupsOf(
          [
            { name: 'a', type: 'text' },
            { name: 'b', type: 'text' },
            { name: 'n', type: 'numeric' },
          ],
          made.map(([a, b, n]) => [a, b, n === null ? null : String(n)]),
          { by: [{ column: 0 }, { column: 1 }], measure: { kind: 'sum', column: 2 } },
        );
        const expected = new Map<string, bigint | null>();
        for (const [a, b, n] of made) {
          const id = JSON.stringify([a, b]);
          const before = expected.get(id) ?? null;
          expected.set(id, n === null ? before : (before ?? 0n) + n);
        }
        assert.equal(groups.length, expected.size);
        for (const [a, b, sum] of groups)
          assert.equal(sum, expected.get(JSON.stringify([a, b]))?.toString() ?? null);
      }),
      { numRuns: 100 },
    );
  });
});
