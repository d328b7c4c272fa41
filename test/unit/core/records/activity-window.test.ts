/** Time windows for reading activities. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  defaultWindow,
  parseMoment,
  requestWindows,
  rfc3339,
  windowAfter,
  windowBefore,
  windowProblem,
} from '#core/records/activity-window.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-11-21T12:00:00Z');

suite('activity window', () => {
  test('is 30 days by default and at most 31', () => {
    const { from, to } = defaultWindow(now);
    assert.equal(to - from, 30 * day);
    assert.equal(windowProblem({ from, to }), undefined);
    assert.equal(windowProblem({ from: now - 31 * day, to: now }), undefined);
    assert.equal(windowProblem({ from: now - 31 * day - 1, to: now }), 'too-long');
    assert.equal(windowProblem({ from: now, to: now }), 'empty');
    assert.equal(windowProblem({ from: now + 1, to: now }), 'empty');
  });

  test('may be a calendar month in which the clocks are set back', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Europe/Berlin';
    try {
      const october = { from: Date.parse('2026-09-30T22:00Z'), to: Date.parse('2026-10-31T23:00Z') };
      assert.equal(october.to - october.from, 31 * day + 3_600_000);
      assert.equal(windowProblem(october), undefined);
      const windows = requestWindows(october);
      assert.deepEqual(windows, [
        { from: october.from, to: october.from + 31 * day },
        { from: october.from + 31 * day, to: october.to },
      ]);
      assert.equal(windowProblem({ from: october.from - 1, to: october.to }), 'too-long');
      const march = { from: Date.parse('2026-02-28T23:00Z'), to: Date.parse('2026-03-31T22:00Z') };
      assert.deepEqual(requestWindows(march), [march]);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  test('moves back without a gap or overlap, and forward no further than the present', () => {
    const window = { from: now - 10 * day, to: now - 3 * day };
    assert.deepEqual(windowBefore(window), { from: now - 17 * day, to: now - 10 * day });
    assert.deepEqual(windowAfter(windowBefore(window), now), window);
    assert.deepEqual(windowAfter(window, now), { from: now - 3 * day, to: now });
    assert.equal(windowAfter({ from: now - day, to: now }, now), undefined);
  });

  for (const [text, moment] of [
    ['now', now],
    ['7d', now - 7 * day],
    ['36 h', now - 36 * 3_600_000],
    ['2026-11-01T10:00Z', Date.parse('2026-11-01T10:00:00Z')],
    ['2026-11-01 10:00:30+02:00', Date.parse('2026-11-01T08:00:30Z')],
    ['2026-11-01 10:00:30 +0200', Date.parse('2026-11-01T08:00:30Z')],
    ['2026-11-01', new Date(2026, 10, 1).getTime()],
    ['today', new Date(now).setHours(0, 0, 0, 0)],
    ['2026-02-30', undefined],
    ['2026-13-01', undefined],
    ['2026-11-01 25:00', undefined],
    ['yesterday', undefined],
    ['', undefined],
  ] as const) {
    test(`reads "${text}"`, () => assert.equal(parseMoment(text, now), moment));
  }

  test('is sent as RFC 3339', () => {
    assert.equal(rfc3339(now), '2026-11-21T12:00:00Z');
    assert.equal(rfc3339(now + 5), '2026-11-21T12:00:00.005Z');
  });
});
