/** Automatic work is limited to an interval. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AtMostEvery } from '../../../../../core/src/util/async/at-most-every.ts';

test('once in thirty seconds, whatever requests it', () => {
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
