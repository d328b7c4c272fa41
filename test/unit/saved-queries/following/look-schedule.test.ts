/** Looking for newer versions: at most every so often, each query by itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LookSchedule } from '../../../../client/src/features/saved-queries/following/look-schedule.ts';

test('a query is looked at once in thirty seconds, whatever asks for it', () => {
  let now = 5;
  const schedule = new LookSchedule(30_000, () => now);
  assert.equal(schedule.take('a'), true);
  assert.equal(schedule.take('a'), false);
  assert.equal(schedule.take('b'), true);
  now += 29_999;
  assert.equal(schedule.take('a'), false);
  now += 1;
  assert.equal(schedule.take('a'), true);
  assert.equal(schedule.take('a'), false);
});
