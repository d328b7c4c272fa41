/** Round numbers along the axes of a chart. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { niceTicks, timeTicks } from '../../../../client/webview/results/chart/scale.ts';

suite('ticks', () => {
  test('ticks are round, few, and cover what is drawn', () => {
    assert.deepEqual(niceTicks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
    assert.deepEqual(niceTicks(3, 3, 2), [3, 3.2, 3.4]);
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
});
