/** Labels and ticks on a chart's axes. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  niceTicks,
  tickLabels,
  timeLabels,
  timeTicks,
  valueAxis,
  wholeTicks,
} from '#webview/results/chart/scale.ts';

suite('labels', () => {
  test('tick labels are distinct, however large the numbers', () => {
    assert.deepEqual(tickLabels([0, 100_000, 200_000], undefined), ['0', '100K', '200K']);
    assert.deepEqual(tickLabels([123_456_789, 123_456_790], undefined), ['123,456,789', '123,456,790']);
    assert.deepEqual(tickLabels([0, 1, 2], '9007199254740993'), [
      '9,007,199,254,740,993',
      '9,007,199,254,740,994',
      '9,007,199,254,740,995',
    ]);
    for (const [low, high] of [
      [9_007_199_254_740_990, 9_007_199_254_741_000],
      [1e20, 1e20 + 20_000],
      [-9_007_199_254_740_990, -9_007_199_254_740_980],
    ] as const) {
      const ticks = niceTicks(low, high, 6);
      assert.equal(new Set(ticks).size, ticks.length, ticks.join());
      const labels = tickLabels(ticks, undefined);
      assert.equal(new Set(labels).size, labels.length, labels.join());
    }
  });
});

suite('ticks', () => {
  test('row counts have integer ticks', () => {
    assert.deepEqual(wholeTicks(0, 20, 8), [0, 5, 10, 15, 20]);
    assert.deepEqual(wholeTicks(0, 3, 8), [0, 1, 2, 3]);
    assert.deepEqual(wholeTicks(0, 200, 8), [0, 50, 100, 150, 200]);
    assert.deepEqual(wholeTicks(4, 4, 8), [4, 5]);
    assert.deepEqual(wholeTicks(0, 0, 8), [0, 1]);
  });

  test('ticks are round, few, and cover the data', () => {
    assert.deepEqual(niceTicks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
    assert.deepEqual(niceTicks(3, 3, 2), [3, 3.2, 3.4]);
    assert.deepEqual(niceTicks(0, 20, 8), [0, 2.5, 5, 7.5, 10, 12.5, 15, 17.5, 20]);
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        (low, span) => {
          const ticks = niceTicks(low, low + span, 6);
          assert.ok(ticks.length <= 9, ticks.join());
          assert.ok((ticks[0] ?? 0) <= low + span * 1e-9 && (ticks.at(-1) ?? 0) >= low + span * (1 - 1e-9));
        },
      ),
    );
    const year = timeTicks(Date.UTC(2025, 0, 15), Date.UTC(2026, 0, 15), 6);
    assert.deepEqual(year.map((at) => new Date(at).toISOString().slice(0, 10)).slice(0, 2), [
      '2025-04-01',
      '2025-07-01',
    ]);
  });

  test('the axis of values ends near them in every height', () => {
    const axis = (high: number, height: number) => valueAxis(0, high, { height, isWhole: true });
    assert.deepEqual(axis(118, 110), { ticks: [0, 50, 100], low: 0, high: 118 });
    assert.deepEqual(axis(96, 110), { ticks: [0, 50, 100], low: 0, high: 100 });
    assert.deepEqual(axis(63, 30), { ticks: [0, 50], low: 0, high: 63 });
    assert.deepEqual(axis(118, 400).ticks, [0, 20, 40, 60, 80, 100, 120]);
    assert.deepEqual(axis(1, 110), { ticks: [0, 1], low: 0, high: 1 });
    assert.deepEqual(axis(0, 110), { ticks: [0, 1], low: 0, high: 1 });
    assert.deepEqual(valueAxis(-10, 118, { height: 110, isWhole: true }), {
      ...{ ticks: [0, 50, 100], low: -10, high: 118 },
    });
    assert.deepEqual(valueAxis(5, 5, { height: 110, isWhole: true }).ticks, [5, 6]);
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        fc.integer({ min: 30, max: 1_000 }),
        fc.boolean(),
        (from, span, height, isWhole) => {
          const [low, high] = isWhole
            ? [Math.floor(from), Math.floor(from) + Math.ceil(span)]
            : [from, from + span];
          const found = valueAxis(low, high, { height, isWhole });
          const words = JSON.stringify({ ...found, values: [low, high], height });
          assert.ok(found.low <= low && found.high >= high, words);
          assert.ok(high - low >= (found.high - found.low) * 0.79, words);
          const { ticks } = found;
          assert.ok(ticks.length > 1, words);
          const pixels = (height * ((ticks[1] ?? 0) - (ticks[0] ?? 0))) / (found.high - found.low);
          assert.ok(pixels >= 11, words);
        },
      ),
    );
  });

  test('ticks of times are at least half of those that fit', () => {
    const second = 1_000;
    for (let span = 20 * second; span < 3e12; span *= 1.3) {
      for (const count of [2, 4, 8, 12, 25]) {
        const low = Date.UTC(2026, 0, 15, 7, 21, 13);
        const ticks = timeTicks(low, low + span, count);
        const words = `${count} in ${span / second} s: ${ticks.length}`;
        assert.ok(ticks.length <= count + 1 && ticks.length >= Math.floor(count / 2.5), words);
        const labels = timeLabels(ticks, span);
        assert.equal(new Set(labels).size, labels.length, `${words}: ${labels.join()}`);
      }
    }
    const hours = timeTicks(Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 3, 6), 9);
    assert.deepEqual(timeLabels(hours, 54 * 3_600 * second).slice(0, 2), ['03-01 00:00', '03-01 06:00']);
  });
});
