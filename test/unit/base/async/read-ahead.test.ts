/** Reading one item ahead: order, the position of failures, and closing the source. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readAhead } from '#base/async/read-ahead.ts';

class Source implements AsyncIterator<number, undefined> {
  asked = 0;
  isEnded = false;
  readonly #count: number;
  readonly #failsAt: number;

  constructor(count: number, failsAt = -1) {
    this.#count = count;
    this.#failsAt = failsAt;
  }

  next(): Promise<IteratorResult<number, undefined>> {
    const at = this.asked;
    this.asked += 1;
    if (at === this.#failsAt) return Promise.reject(new Error(`no item ${at}`));
    return Promise.resolve(at < this.#count ? { done: false, value: at } : { done: true, value: undefined });
  }

  return(): Promise<IteratorResult<number, undefined>> {
    this.isEnded = true;
    return Promise.resolve({ done: true, value: undefined });
  }
}

suite('reading ahead', () => {
  test('yields everything in order and is at most one item ahead', async () => {
    const source = new Source(5);
    const got: number[] = [];
    for await (const item of readAhead(source)) {
      got.push(item);
      assert.equal(source.asked, item + 2);
    }
    assert.deepEqual(got, [0, 1, 2, 3, 4]);
  });

  test('a failure follows the items before it, and closes the source', async () => {
    const source = new Source(5, 2);
    const got: number[] = [];
    await assert.rejects(async () => {
      for await (const item of readAhead(source)) got.push(item);
    }, /no item 2/);
    assert.deepEqual(got, [0, 1]);
    assert.ok(source.isEnded);
  });

  test('stopping early closes the source', async () => {
    const source = new Source(5, 2);
    for await (const item of readAhead(source)) if (item === 1) break;
    assert.ok(source.isEnded);
  });
});
