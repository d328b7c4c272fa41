/** Processing many items, a few at a time. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { eachOf } from '#base/async/each-of.ts';

suite('eachOf', () => {
  test('processes all items, but never more at a time than the limit', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await eachOf(
      Array.from({ length: 20 }, (_, index) => index),
      3,
      async (item) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        done.push(item);
      },
    );
    assert.equal(done.length, 20);
    assert.equal(most, 3);
  });

  test('rejects on a failure, and starts nothing afterwards', async () => {
    const begun: number[] = [];
    await assert.rejects(
      eachOf([1, 2, 3, 4, 5, 6], 2, async (item) => {
        begun.push(item);
        await new Promise(setImmediate);
        if (item === 1) throw new Error('first');
      }),
      /first/,
    );
    assert.deepEqual(begun, [1, 2]);
  });
});
