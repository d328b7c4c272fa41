import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endOfFirstChange } from '#core/saved-queries/first-change.ts';

describe('the end of the first change', () => {
  for (const [before, after, expected] of [
    ['SELECT a, b', 'SELECT a, c, b', { line: 0, character: 11 }],
    ['SELECT\r\n1', 'SELECT\n12', { line: 1, character: 2 }],
    ['aa', 'aaa', { line: 0, character: 1 }],
    ['a', 'a\n\nb', { line: 1, character: 0 }],
    ['a', 'a', undefined],
    // Only lines at the end were removed.
    ['a\nb', 'a', undefined],
  ] as const)
    it(`is found in ${JSON.stringify([before, after])}`, () => {
      assert.deepEqual(endOfFirstChange(before, after), expected);
    });
});
