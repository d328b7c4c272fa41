import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextCache } from '#server/language/text/text-cache.ts';

await test('the least recently requested texts are dropped first, to stay within a number of characters', () => {
  const cache = new TextCache<number>(10);
  cache.set('aaaa', 1);
  cache.set('bbbb', 2);
  assert.equal(cache.get('aaaa'), 1);
  cache.set('cccc', 3);
  assert.deepEqual(
    ['aaaa', 'bbbb', 'cccc'].map((text) => cache.get(text)),
    [1, undefined, 3],
  );
  cache.set('a text larger than all of it', 4);
  assert.equal(cache.has('a text larger than all of it'), false);
  assert.equal(cache.has('aaaa'), false);
});
