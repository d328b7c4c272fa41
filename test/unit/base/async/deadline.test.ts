/** A time limit counts only the time of its own work. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deadline, TimeLimitError } from '#base/async/deadline.ts';

const never = new AbortController().signal;
/** Work that ends only when its signal aborts. */
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });

describe('a deadline', () => {
  it('does not pass between its parts, and goes on with what is left', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const now = mock.method(performance, 'now', () => 0);
    const deadline = new Deadline(60_000);
    const clock = (ms: number) => now.mock.mockImplementation(() => ms);
    await deadline.within(never, () => {
      clock(50_000);
      return Promise.resolve();
    });
    clock(900_000);
    mock.timers.tick(900_000);
    const rest = deadline.within(never, hanging);
    mock.timers.tick(10_000);
    await assert.rejects(rest, new TimeLimitError(60_000));
    await assert.rejects(deadline.within(never, hanging), TimeLimitError, 'it stays passed');
  });

  it('has the whole time for each part that a person asks for', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const deadline = new Deadline(1_000, { isEachTime: true });
    for (let times = 0; times < 3; times += 1) {
      const part = deadline.within(never, hanging);
      mock.timers.tick(1_000);
      await assert.rejects(part, TimeLimitError);
    }
    assert.equal(await deadline.within(never, () => Promise.resolve('done')), 'done');
  });

  it('has the whole time for each page of one load, where a person waits', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const pages = async (deadline: Deadline) =>
      await deadline.within(never, async (signal) => {
        for (let page = 0; page < 3; page += 1) {
          deadline.nextPart();
          mock.timers.tick(600);
          signal.throwIfAborted();
          await Promise.resolve();
        }
        return 'all';
      });
    assert.equal(await pages(new Deadline(1_000, { isEachTime: true })), 'all');
    await assert.rejects(pages(new Deadline(1_000)), TimeLimitError);
  });

  it('never passes without a limit, and leaves cancelling and other failures as they are', async ({
    mock,
  }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const controller = new AbortController();
    const endless = new Deadline(Infinity).within(controller.signal, hanging);
    mock.timers.tick(1e9);
    const stopped = new Error('stopped');
    controller.abort(stopped);
    await assert.rejects(endless, stopped);
    const failed = new Error('failed');
    await assert.rejects(
      new Deadline(1_000).within(never, () => Promise.reject(failed)),
      failed,
    );
  });
});
