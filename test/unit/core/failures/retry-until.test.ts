import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { UserAbort } from '#api/client/errors.ts';
import { EarlyPause, retryUntil } from '#core/failures/retry-until.ts';

const intervals = { firstMs: 10, maxMs: 40 };

suite('retryUntil', () => {
  test('waits before each check, twice as long each time up to the maximum, until one succeeds', async () => {
    const waits: number[] = [];
    let checks = 0;
    await retryUntil(
      () => ((checks += 1) < 5 ? Promise.reject(new Error('still away')) : Promise.resolve()),
      new AbortController().signal,
      intervals,
      (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    );
    assert.deepEqual(waits, [10, 20, 40, 40, 40]);
    assert.equal(checks, 5);
  });

  test('waits less at first, and then again longer', async () => {
    const waits: number[] = [];
    await retryUntil(
      () => (waits.length < 7 ? Promise.reject(new Error('still away')) : Promise.resolve()),
      new AbortController().signal,
      { firstMs: 10, maxMs: 100, early: { maxMs: 20, forMs: 50 } },
      (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    );
    assert.deepEqual(waits, [10, 20, 20, 40, 80, 100, 100]);
  });

  test('a pause ends early if there is a reason, but not as soon as it has begun', async () => {
    const pause = new EarlyPause();
    pause.end(0); // nothing to end
    const waiting = pause.wait(600_000, undefined);
    pause.end(60_000);
    assert.equal(await Promise.race([waiting.then(() => 'over'), Promise.resolve('waits')]), 'waits');
    pause.end(0);
    await waiting;
    const abort = new AbortController();
    const aborted = pause.wait(600_000, abort.signal);
    abort.abort();
    await assert.rejects(aborted, UserAbort);
  });

  test('ends when aborted while it waits, without another check', async () => {
    const abort = new AbortController();
    let checks = 0;
    const ended = retryUntil(() => Promise.resolve((checks += 1)), abort.signal, {
      firstMs: 600_000,
      maxMs: 600_000,
    });
    abort.abort();
    await assert.rejects(ended, UserAbort);
    assert.equal(checks, 0);
  });

  test('ends when aborted during a check, and passes the signal on to it', async () => {
    const abort = new AbortController();
    const ended = retryUntil(
      (signal) => {
        abort.abort();
        return Promise.reject(signal.reason instanceof Error ? signal.reason : new Error('not aborted'));
      },
      abort.signal,
      intervals,
      () => Promise.resolve(),
    );
    await assert.rejects(ended, UserAbort);
  });
});
