/** Chart data: sums by category, counts by range, downsampled lines. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createLocalData } from '../../../../core/src/rows/local-data.ts';
import type { ChartSpec, StoreColumn } from '../../../../core/src/rows/rows.ts';

async function chartOf(
  columns: readonly StoreColumn[],
  rows: readonly (readonly unknown[])[],
  spec: ChartSpec,
) {
  const data = createLocalData().create(columns);
  await data.append(rows);
  return await data.ask('chart', spec);
}

const columns = [
  { name: 'department', type: 'text' },
  { name: 'amount', type: 'numeric' },
  { name: 'at', type: 'timestamptz' },
];

suite('charts', () => {
  test('bars count rows or sum a column, the tallest first, including NULL', async () => {
    const rows = [
      ['a', 5, null],
      ['b', 2, null],
      ['b', null, null],
      [null, 1, null],
    ];
    const counted = await chartOf(columns, rows, { type: 'bar', x: 0 });
    assert.deepEqual(counted.points, [
      { x: 'b', y: 2 },
      { x: 'a', y: 1 },
      { x: null, y: 1 },
    ]);
    const summed = await chartOf(columns, rows, { type: 'bar', x: 0, y: 1 });
    assert.deepEqual(summed.points[0], { x: 'a', y: 5 });
    assert.equal(summed.skipped, 1);
  });

  test('bars of times are in the order of time, the largest of them, with NULL at the end', async () => {
    const times = ['2026-03-01 00:00:00+00', '2025-12-31 00:00:00+00', '2026-03-01 00:30:00+02'];
    const [march, december, february] = times;
    const rows = [
      ['a', 1, null],
      ['a', 1, null],
      ['a', 1, march],
      ['b', 1, march],
      ['b', 1, december],
      ['a', 1, february],
    ];
    const xs = async (spec: ChartSpec) => (await chartOf(columns, rows, spec)).points.map(({ x }) => x);
    assert.deepEqual(await xs({ type: 'bar', x: 2 }), [december, february, march, null]);
    assert.deepEqual(await xs({ type: 'bar', x: 2, split: 0 }), [december, february, march, march, null]);
    const many = Array.from({ length: 60 }, (_, day) => {
      const at = new Date(Date.UTC(2026, 0, 60 - day)).toISOString().slice(0, 10);
      return ['a', day, `${at} 00:00:00+00`];
    });
    const { points, others } = await chartOf(columns, many, { type: 'bar', x: 2, y: 1 });
    assert.equal(others?.count, 20);
    assert.deepEqual(
      points.map(({ y }) => y),
      Array.from({ length: 40 }, (_, index) => 59 - index),
    );
  });

  test('categories beyond forty are combined, not hidden', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => [`c${index}`, index, null]);
    const { points, others } = await chartOf(columns, rows, { type: 'bar', x: 0, y: 1 });
    assert.equal(points.length, 40);
    assert.deepEqual(others, { count: 10, sum: 45 });
  });

  test('integers beyond double precision are distances from the smallest one, all distinct', async () => {
    const ids = ['9007199254740993', '9007199254740992', '9007199254740995', null, '9007199254740994'];
    const wide = [
      { name: 'id', type: 'int8' },
      { name: 'n', type: 'int4' },
    ];
    const rows = ids.map((id, index) => [id, index]);
    const line = await chartOf(wide, rows, { type: 'line', x: 0, y: 1 });
    assert.equal(line.xBase, '9007199254740992');
    assert.deepEqual(line.points, [
      { x: 0, y: 1 },
      { x: 1, y: 0 },
      { x: 2, y: 4 },
      { x: 3, y: 2 },
    ]);
    assert.equal(line.skipped, 1);
    const scatter = await chartOf(wide, rows, { type: 'scatter', x: 1, y: 0 });
    assert.equal(scatter.yBase, '9007199254740992');
    assert.deepEqual(
      scatter.points.map(({ y }) => y),
      [1, 0, 3, 2],
    );
    const histogram = await chartOf(wide, rows, { type: 'histogram', x: 0 });
    assert.equal(histogram.xBase, '9007199254740992');
    assert.deepEqual(
      histogram.points.map(({ y }) => y),
      [1, 1, 1, 1],
    );
    const mixed = await chartOf(
      columns,
      [
        [null, '9007199254740993', null],
        [null, 0.5, null],
      ],
      {
        type: 'histogram',
        x: 1,
      },
    );
    assert.equal(mixed.xBase, undefined);
  });

  test('every number is in exactly one range of the histogram', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(fc.integer({ min: -50, max: 50 }), fc.double({ noNaN: true, min: -1e6, max: 1e6 })),
          {
            minLength: 1,
          },
        ),
        async (values) => {
          const rows = values.map((value) => [null, value, null]);
          const { points, skipped } = await chartOf(columns, rows, { type: 'histogram', x: 1 });
          assert.equal(
            points.reduce((sum, point) => sum + point.y, 0),
            values.length,
          );
          assert.equal(skipped, 0);
        },
      ),
    );
  });

  test('a line is ordered by time, and keeps its ends and its extremes when it is thinned', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => [
      null,
      index === 7_777 ? 1_000_000 : index % 10,
      new Date(Date.UTC(2026, 0, 1) + (9_999 - index) * 60_000).toISOString(),
    ]);
    const { points, sampled, xKind } = await chartOf(columns, rows, { type: 'line', x: 2, y: 1 });
    assert.equal(xKind, 'time');
    assert.equal(sampled, 2_000);
    assert.ok(points.length <= 2_000);
    assert.ok(points.some((point) => point.y === 1_000_000));
    const times = points.map((point) => Number(point.x));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });

  test('points without a number are omitted and counted', async () => {
    const scatter = await chartOf(
      columns,
      [
        ['x', 'NaN', null],
        ['y', 3, '2026-01-01'],
      ],
      { type: 'scatter', x: 1, y: 1 },
    );
    assert.deepEqual([scatter.points, scatter.skipped], [[{ x: 3, y: 3 }], 1]);
  });
});
