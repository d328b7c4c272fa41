/** `--timeout`, as its help says it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLimitDefault, timeLimitOf } from '#cli/time-limit.ts';

test('a command that writes a file has no time limit unless one is given', () => {
  assert.equal(timeLimitOf({}), timeLimitDefault);
  assert.equal(timeLimitOf({ out: 'rows.csv' }), 0);
  assert.equal(timeLimitOf({ timeout: 5, out: 'rows.csv' }), 5);
  assert.equal(timeLimitOf({ timeout: 0 }), 0);
});
