/** The crash limit after which the server is no longer restarted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrashCount } from '#client/features/language/crash-count.ts';

const minuteMs = 60_000;

test('the fifth crash within three minutes is one too many', () => {
  const count = new CrashCount();
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((nth) => count.isTooMany(nth * 100)),
    [false, false, false, false, true],
  );
});

test('infrequent crashes are tolerated forever', () => {
  const count = new CrashCount();
  for (let nth = 0; nth < 100; nth++) assert.equal(count.isTooMany(nth * 4 * minuteMs), false);
  assert.deepEqual(
    [1, 2, 3, 4].map((after) => count.isTooMany(99 * 4 * minuteMs + after)),
    [false, false, false, true],
  );
});
