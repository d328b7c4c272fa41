/** Aborting ends a wait immediately. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { reasonOf, unlessAborted } from '#api/client/abort.ts';

const never = () => Promise.withResolvers<never>().promise;

suite('waiting unless aborted', () => {
  test('ends with the awaited result, and removes its listener', async () => {
    const { signal } = new AbortController();
    assert.equal(await unlessAborted(Promise.resolve(1), signal), 1);
    await assert.rejects(unlessAborted(Promise.reject(new RangeError('Far')), signal), RangeError);
    assert.equal(await unlessAborted(Promise.resolve(2), undefined), 2);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  test('ends when the signal aborts, even if the work never settles', async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(never(), controller.signal);
    controller.abort();
    await assert.rejects(waiting, { name: 'UserAbort' });
    await assert.rejects(unlessAborted(Promise.resolve(1), controller.signal), { name: 'UserAbort' });
  });

  test("fails with the caller's error; a late failure is ignored", async () => {
    const controller = new AbortController();
    const late = Promise.withResolvers<number>();
    const waiting = unlessAborted(late.promise, controller.signal, reasonOf);
    controller.abort(new DOMException('Replaced', 'AbortError'));
    await assert.rejects(waiting, { name: 'AbortError', message: 'Replaced' });
    late.reject(new Error('Late'));
    await new Promise((resolve) => setImmediate(resolve)); // an unhandled rejection would fail the test here
  });
});
