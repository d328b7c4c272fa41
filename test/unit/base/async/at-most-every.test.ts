/** Background work runs at most once per interval. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AtMostEvery } from '#base/async/at-most-every.ts';

test('runs at most once in thirty seconds, however often it is requested', () => {
  let now = 5;
  const looks = new AtMostEvery(30_000, () => now);
  assert.equal(looks.take(), true);
  assert.equal(looks.take(), false);
  now += 29_999;
  assert.equal(looks.take(), false);
  now += 1;
  assert.equal(looks.take(), true);
  assert.equal(looks.take(), false);
});
