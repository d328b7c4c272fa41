/** Charts split into series: sums by category and series, lines by series, and the rest combined. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createLocalData } from '#core/rows/local-data.ts';
import type { ChartData, ChartSpec } from '#core/rows/rows.ts';

const columns = [
  { name: 'department', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'amount', type: 'numeric' },
  { name: 'at', type: 'timestamptz' },
];

async function chartOf(
  rows: readonly (readonly unknown[])[],
  spec: ChartSpec,
  of: readonly { readonly name: string; readonly type: string }[] = columns,
): Promise<ChartData> {
  const data = createLocalData().create(of);
  await data.append(rows);
  return await data.ask('chart', spec);
}

suite('bars split into series', () => {
  test('are ordered like bars that are not split; NULL and the empty text are values', async () => {
    const rows = [
      ['a', null, 1],
      ['b', '', 2],
      ['b', 'on', 3],
      ['b', 'on', null],
      [null, 'on', 4],
    ];
    const counted = await chartOf(rows, { type: 'bar', x: 0, split: 1 });
    assert.deepEqual(counted.series, [
      { kind: 'value', value: 'on' },
      { kind: 'value', value: null },
      { kind: 'value', value: '' },
    ]);
    assert.deepEqual(counted.points, [
      { x: 'b', y: 2, series: 0 },
      { x: 'b', y: 1, series: 2 },
      { x: 'a', y: 1, series: 1 },
      { x: null, y: 1, series: 0 },
    ]);
    const summed = await chartOf(rows, { type: 'bar', x: 0, y: 2, split: 1 });
    assert.deepEqual(summed.points.slice(0, 2), [
      { x: 'b', y: 3, series: 0 },
      { x: 'b', y: 2, series: 1 },
    ]);
    assert.equal(summed.skipped, 1);
  });

  test('the seven largest values are series, by size regardless of sign, and the rest is one more', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => ['a', `s${index}`, index === 9 ? -100 : index]);
    const { series, points } = await chartOf(rows, { type: 'bar', x: 0, y: 2, split: 1 });
    assert.deepEqual(series?.at(0), { kind: 'value', value: 's9' });
    assert.deepEqual(series.at(-1), { kind: 'others', count: 3 });
    assert.equal(series.length, 8);
    assert.deepEqual(points.at(0), { x: 'a', y: -100, series: 0 });
    assert.deepEqual(points.at(-1), { x: 'a', y: 0 + 1 + 2, series: 7 });
  });

  test('add up to the bars that are not split, and omit the same categories', async () => {
    const cell = fc.tuple(
      fc.integer({ min: 0, max: 60 }).map(String),
      fc.option(fc.integer({ min: 0, max: 12 }).map(String)),
      fc.option(fc.integer({ min: -50, max: 50 })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 200 }), async (rows) => {
        const whole = await chartOf(rows, { type: 'bar', x: 0, y: 2 });
        const split = await chartOf(rows, { type: 'bar', x: 0, y: 2, split: 1 });
        const totals = new Map<unknown, number>();
        for (const { x, y } of split.points) totals.set(x, (totals.get(x) ?? 0) + y);
        assert.deepEqual(
          [...totals],
          whole.points.map(({ x, y }) => [x, y]),
        );
        assert.deepEqual([split.others, split.skipped], [whole.others, whole.skipped]);
      }),
    );
  });

  test('a column for each series, as in a pivot, keeps the order of the columns', async () => {
    const pivot = [
      { name: 'department', type: 'text' },
      ...Array.from({ length: 9 }, (_, index) => ({ name: `c${index}`, type: 'int8' })),
      { name: 'Total', type: 'int8' },
    ];
    const rows = [
      ['Sales', '1', '20', '3', '40', '5', '60', '7', '80', null, '216'],
      ['Legal', ...Array<null>(9).fill(null), '0'],
    ];
    const measures = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const { series, points, skipped } = await chartOf(rows, { type: 'bar', x: 0, measures }, pivot);
    assert.deepEqual(series, [
      ...[2, 3, 4, 5, 6, 7, 8].map((column) => ({ kind: 'column', column })),
      { kind: 'others', count: 1 },
    ]);
    assert.deepEqual(
      points.map(({ y }) => y),
      [20, 3, 40, 5, 60, 7, 80, 1],
    );
    assert.equal(skipped, 1, 'a row without any number');
  });
});

suite('lines split into series', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();

  test('are ordered by time; the rest keeps its points, which are not added up', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => [
      null,
      `s${index % 10}`,
      index % 10,
      at(20 - index),
    ]);
    const { series, points } = await chartOf(rows, { type: 'line', x: 3, y: 2, split: 1 });
    assert.deepEqual(series?.[0], { kind: 'value', value: 's9' });
    assert.deepEqual(series.at(-1), { kind: 'others', count: 3 });
    const first = points.filter((point) => point.series === 0);
    assert.deepEqual(
      first.map(({ x, y }) => [new Date(Number(x)).toISOString(), y]),
      [
        [at(1), 9],
        [at(11), 9],
      ],
    );
    assert.equal(points.filter((point) => point.series === 7).length, 6);
  });

  test('a long line does not thin out a short one', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => [
      null,
      index % 2_500 === 0 ? 'short' : 'long',
      index === 7_777 ? 1_000_000 : 1,
      at(index),
    ]);
    const { points, sampled } = await chartOf(rows, { type: 'line', x: 3, y: 2, split: 1 });
    assert.equal(points.filter((point) => point.series === 1).length, 4);
    assert.ok(points.length <= 2_000 && sampled === points.length);
    assert.ok(points.some(({ y }) => y === 1_000_000));
  });

  test('integers beyond double precision share one base, so that series stay comparable', async () => {
    const wide = [
      { name: 'at', type: 'int4' },
      { name: 'low', type: 'int8' },
      { name: 'high', type: 'int8' },
    ];
    const rows = [
      [1, '9007199254740993', '9007199254740994'],
      [2, '9007199254740992', null],
    ];
    const { yBase, points } = await chartOf(rows, { type: 'line', x: 0, measures: [1, 2] }, wide);
    assert.equal(yBase, '9007199254740992');
    assert.deepEqual(points, [
      { x: 1, y: 1, series: 0 },
      { x: 2, y: 0, series: 0 },
      { x: 1, y: 2, series: 1 },
    ]);
  });
});
