import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from '#base/async/queue.ts';

test('work is done in turn, and a failure is only its own', async () => {
  const queue = new Queue();
  const done: string[] = [];
  const first = Promise.withResolvers<string>();
  const slow = queue.add(async () => {
    done.push(await first.promise);
    throw new Error('full disk');
  });
  const next = queue.add(() => Promise.resolve(done.push('next')));
  await Promise.resolve();
  assert.deepEqual(done, [], 'the next waits');
  first.resolve('slow');
  await assert.rejects(slow, /full disk/);
  assert.equal(await next, 2);
  await queue.ended();
  assert.deepEqual(done, ['slow', 'next']);
});
