/** A time limit counts only the time of its own work. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deadline } from '#base/async/deadline.ts';

describe('a deadline', () => {
  it('does not pass while it is paused, and goes on with what is left', ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const deadline = new Deadline(60_000, new AbortController().signal);
    deadline.pause();
    deadline.pause();
    mock.timers.tick(600_000);
    assert.equal(deadline.hasPassed, false);
    deadline.resume();
    deadline.resume();
    mock.timers.tick(60_000);
    assert.ok(deadline.hasPassed);
    deadline.end();
  });

  it('never passes without a limit, or after its end', ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const none = new Deadline(Infinity, new AbortController().signal);
    none.pause();
    none.resume();
    const ended = new Deadline(1_000, new AbortController().signal);
    ended.end();
    mock.timers.tick(1e9);
    assert.deepEqual([none.hasPassed, ended.hasPassed], [false, false]);
  });
});
