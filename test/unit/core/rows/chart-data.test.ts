/** Chart data: sums by category, counts by range, downsampled lines. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ChartSpec, StoreColumn } from '#core/rows/rows.ts';

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

  suite('bars of times', () => {
    const at = (...parts: readonly [number, number, number?, number?]) =>
      Date.UTC(parts[0], parts[1] - 1, parts[2] ?? 1, parts[3] ?? 0);
    const daily = (count: number, valueOf: (index: number) => unknown = () => 1) =>
      Array.from({ length: count }, (_, index) => {
        const day = new Date(at(2026, 1) + index * 86_400_000).toISOString().slice(0, 10);
        return [index % 2 === 0 ? 'a' : 'b', valueOf(index), `${day} 08:00:00+00`];
      });
    const bars = async (rows: readonly (readonly unknown[])[], more: Partial<ChartSpec> = {}) =>
      await chartOf(columns, rows, { type: 'bar', x: 2, ...more });

    test('are in the order of time, each as wide as its day, with gaps, and without NULL', async () => {
      const rows = [
        ['a', 1, null],
        ['a', 1, '2026-03-01 00:00:00+00'],
        ['b', 1, '2026-02-26 09:00:00+00'],
        ['b', 1, 'infinity'],
        ['a', 1, '2026-03-01 00:30:00+02'],
      ];
      const { xKind, points, period, untimed, skipped } = await bars(rows);
      assert.equal(xKind, 'time');
      assert.deepEqual(points[0], { x: at(2026, 2, 26), end: at(2026, 2, 27), y: 1 });
      assert.deepEqual(
        points.slice(1).map(({ x }) => x),
        [at(2026, 2, 28), at(2026, 3, 1)],
      );
      assert.deepEqual([period?.unit, untimed, skipped], ['day', 2, 0]);
    });

    for (const [count, unit] of [
      [62, 'day'],
      [200, 'week'],
      [700, 'month'],
      [4_000, 'year'],
    ] as const) {
      test(`counts and sums of ${count} days are those of each ${unit}`, async () => {
        const counted = await bars(daily(count));
        assert.deepEqual(counted.period, { unit, isMerged: unit !== 'day' });
        assert.ok(counted.points.length <= 62);
        const total = (points: typeof counted.points) => points.reduce((sum, { y }) => sum + y, 0);
        assert.equal(total(counted.points), count);
        const summed = await bars(
          daily(count, () => 2),
          { y: 1, split: 0 },
        );
        assert.equal(total(summed.points), 2 * count);
        assert.deepEqual(
          summed.series?.map((one) => one.kind === 'value' && one.value),
          ['a', 'b'],
        );
        assert.equal(summed.others, undefined);
        counted.points.slice(1).forEach(({ x }, index) => assert.equal(x, counted.points[index]?.end));
      });
    }

    test('have the period that was chosen, at most 2,000 times', async () => {
      const days = await bars(daily(700), { period: 'day' });
      assert.deepEqual([days.period, days.points.length], [{ unit: 'day', isMerged: false }, 700]);
      const years = await bars(daily(700), { period: 'year' });
      assert.deepEqual(
        years.points.map(({ x, y }) => [x, y]),
        [
          [at(2026, 1), 365],
          [at(2027, 1), 335],
        ],
      );
      const seconds = await bars(daily(2_500), { period: 'second' });
      assert.deepEqual([seconds.points.length, seconds.others?.count], [2_000, 500]);
    });

    test('that start a month each keep it, and weeks start on Monday', async () => {
      const months = await bars(['2026-01-01', '2026-04-01', '2026-02-01'].map((day) => ['a', 1, day]));
      assert.deepEqual(months.period, { unit: 'month', isMerged: false });
      assert.deepEqual(months.points[1], { x: at(2026, 2), end: at(2026, 3), y: 1 });
      const weeks = await bars(daily(200));
      assert.ok(weeks.points.every(({ x }) => new Date(Number(x)).getUTCDay() === 1));
    });

    test('are not added up if their values must keep their times', async () => {
      const averages = await bars(
        daily(500, (index) => index),
        { y: 1, keepsTimes: true },
      );
      assert.deepEqual([averages.period, averages.points.length], [undefined, 500]);
      assert.deepEqual(averages.points[3], { x: at(2026, 1, 4, 8), y: 3 });
      const many = await bars(
        daily(1_200, (index) => index),
        { y: 1, keepsTimes: true },
      );
      assert.deepEqual([many.points.length, many.others?.count, many.points[0]?.y], [1_000, 200, 200]);
    });

    test('are combined as chosen, with and without a period', async () => {
      const rows = [
        ['a', 4, '2026-03-02'],
        ['a', 1, '2026-03-02'],
        ['a', 10, '2026-03-04'],
      ];
      for (const [combination, days, month] of [
        ['sum', [5, 10], 15],
        ['average', [2.5, 10], 5],
        ['least', [1, 10], 1],
        ['greatest', [4, 10], 10],
      ] as const) {
        const ys = async (more: Partial<ChartSpec>) =>
          (await bars(rows, { y: 1, combination, ...more })).points.map(({ y }) => y);
        assert.deepEqual(await ys({}), days);
        assert.deepEqual(await ys({ keepsTimes: true }), days);
        assert.deepEqual(await ys({ period: 'month' }), [month]);
        const byName = await chartOf(columns, rows, { type: 'bar', x: 0, y: 1, combination });
        assert.deepEqual(
          byName.points.map(({ x, y }) => [x, y]),
          [['a', month]],
        );
      }
    });

    test('are counted by a line, too, which falls to zero where there are no rows', async () => {
      const rows = ['2026-03-02', '2026-03-02', '2026-03-05'].map((day, index) => [
        `${index % 2}`,
        index,
        day,
      ]);
      const line = await bars(rows, { type: 'line' });
      assert.deepEqual(
        line.points.map(({ x, end, y }) => [x, end, y]),
        [
          [at(2026, 3, 2), at(2026, 3, 3), 2],
          [at(2026, 3, 3), at(2026, 3, 4), 0],
          [at(2026, 3, 4), at(2026, 3, 5), 0],
          [at(2026, 3, 5), at(2026, 3, 6), 1],
        ],
      );
      const split = await bars(rows, { type: 'line', split: 0 });
      assert.deepEqual(
        split.points.map(({ y, series }) => `${series}: ${y}`),
        ['0: 1', '0: 0', '0: 0', '0: 1', '1: 1', '1: 0', '1: 0', '1: 0'],
      );
      // Only the ends of a gap of many seconds.
      const seconds = await bars(rows, { type: 'line', period: 'second' });
      assert.deepEqual(
        seconds.points.map(({ y }) => y),
        [2, 0, 0, 1],
      );
    });

    test('reach from year 1 to beyond the calendar of JavaScript', async () => {
      const { points, period, untimed } = await bars(
        ['0001-01-01', '9999-12-31', '294276-12-31'].map((day) => ['a', 1, `${day} 00:00:00+00`]),
      );
      assert.deepEqual([period?.unit, points.length, untimed], ['year', 2, 1]);
      assert.equal(new Date(Number(points[0]?.x)).toISOString(), '0001-01-01T00:00:00.000Z');
    });
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
