/** Names of values where their column is not in sight. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueName, wordsOfValueName } from '#core/rows/summary/value-name.ts';

test('a number, a boolean, NULL and an empty text are named with their column', () => {
  for (const value of ['true', 'f', 'YES', '0', '-1.50', '1e6']) {
    assert.equal(valueName('c', value, value), `c: ${value}`);
    assert.equal(wordsOfValueName('c', valueName('c', value, value)), value);
  }
  assert.equal(valueName('c', null, 'NULL'), 'c: NULL');
  assert.equal(valueName('c', '', '(empty)'), 'c: (empty)');
});

test('other values explain themselves', () => {
  for (const value of ['Sales', 'NULL', '2026-01-01', 'B12', 'true north'])
    assert.equal(valueName('c', value, value), value);
  assert.equal(wordsOfValueName('c', 'Sales'), 'Sales');
});
