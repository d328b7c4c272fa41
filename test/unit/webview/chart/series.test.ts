/** Split charts: stacks with negative values, the legend's places, and the table of numbers. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { ChartData } from '#panel-protocol/rows.ts';
import { tableRows } from '#webview/results/chart/chart-table.ts';
import { layOutLegend } from '#webview/results/chart/legend.ts';
import { stacksOf } from '#webview/results/chart/stacks.ts';

suite('stacks', () => {
  test('positive values go up from zero and negative ones down, each from the end of the one before', () => {
    const { stacks, segments } = stacksOf([
      { x: 'a', y: 3, series: 0 },
      { x: 'a', y: -2, series: 1 },
      { x: null, y: 1, series: 0 },
      { x: 'a', y: 4, series: 2 },
      { x: 'a', y: -1, series: 3 },
    ]);
    assert.deepEqual(stacks, [
      { x: 'a', up: 7, down: -3 },
      { x: null, up: 1, down: 0 },
    ]);
    assert.deepEqual(
      segments.map(({ place, from, to }) => [place, from, to]),
      [
        [0, 0, 3],
        [0, 0, -2],
        [1, 0, 1],
        [0, 3, 7],
        [0, -2, -3],
      ],
    );
  });

  test('NULL, the empty text and the text NULL are different categories', () => {
    const { stacks } = stacksOf([null, '', 'NULL'].map((x) => ({ x, y: 1 })));
    assert.equal(stacks.length, 3);
  });
});

suite('the legend', () => {
  const measure = (text: string) => text.length * 6;
  const layOut = (series: readonly string[], width: number, height = 500) =>
    layOutLegend({ type: 'line', names: { x: '', y: '', series, legend: series }, width, height }, measure);

  test('takes no height without series', () => {
    assert.deepEqual(layOut([], 400), { items: [], height: 0 });
  });

  test('never leaves the picture, and no name covers another', () => {
    const names = fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(names, fc.integer({ min: 120, max: 2_000 }), (series, width) => {
        const { items } = layOut(series, width);
        assert.equal(items.length, series.length);
        items.forEach(({ label, x, line }, index) => {
          assert.ok(x + 25 + measure(label) <= width, label);
          const before = items[index - 1];
          if (before?.line === line) assert.ok(before.x + 25 + measure(before.label) < x);
        });
      }),
    );
  });

  test('starts with the name of the column', () => {
    const names = { x: '', y: '', split: 'enabled', series: ['enabled: true'], legend: ['true'] };
    const { items } = layOutLegend({ type: 'bar', names, width: 400, height: 400 }, measure);
    assert.deepEqual(
      items.map(({ label, series }) => [label, series]),
      [
        ['enabled:', undefined],
        ['true', 0],
      ],
    );
  });

  test('takes two lines of a low picture, with shorter names', () => {
    const series = Array.from({ length: 8 }, (_, index) => `${index} is a name of some length`);
    const { items, height } = layOut(series, 420, 170);
    assert.equal(items.at(-1)?.line, 1);
    assert.ok(height <= 36 && items.every(({ label }) => label.endsWith('…')));
  });
});

suite('the table of a split chart', () => {
  const series = ['a', 'b'].map((value) => ({ kind: 'value', value }) as const);
  const cellsOf = (data: Pick<ChartData, 'points' | 'xKind'>) =>
    tableRows({ ...data, series, rows: 0, skipped: 0 }, 2).map(({ point, cells }) => [
      point.x,
      ...cells.map((cell) => cell?.y),
    ]);

  test('has one row for each category, in the order of the bars', () => {
    const points = [
      { x: 'z', y: 1, series: 1 },
      { x: 'y', y: 2, series: 0 },
      { x: 'z', y: 3, series: 0 },
    ];
    assert.deepEqual(cellsOf({ xKind: 'category', points }), [
      ['z', 3, 1],
      ['y', 2, undefined],
    ]);
  });

  test('keeps every point of a line with several at the same time', () => {
    const points = [
      { x: 2, y: 1, series: 0 },
      { x: 2, y: 5, series: 0 },
      { x: 1, y: 7, series: 1 },
      { x: 2, y: 8, series: 1 },
    ];
    assert.deepEqual(cellsOf({ xKind: 'number', points }), [
      [1, undefined, 7],
      [2, 1, 8],
      [2, 5, undefined],
    ]);
  });
});
