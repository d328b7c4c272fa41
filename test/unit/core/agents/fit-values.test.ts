/** Values of a cell that an agent reads lose nothing in silence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitValue } from '#core/agents/answers/fit-values.ts';

test('members whose long names begin alike are all there, and the cut is told', () => {
  const start = 'x'.repeat(400);
  let cuts = 0;
  const value = fitValue({ [`${start}a`]: 1, [`${start}b`]: 2, [`${start}c`]: 3 }, () => (cuts += 1));
  assert.deepEqual(Object.values(value as object), [1, 2, 3]); // an object, as given
  assert.ok(cuts > 0);
});

test('a value that fits is not cut', () => {
  const value = { a: 1, 'b c': { d: ['e', null] } };
  assert.deepEqual(
    fitValue(value, () => assert.fail('cut')),
    value,
  );
});
