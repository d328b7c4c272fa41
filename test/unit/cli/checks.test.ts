import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sharedAnalyser } from '#cli/checks.ts';

it('All checks of a run share one thread of the parser', async () => {
  let started = 0;
  const count = () => (started += 1);
  process.on('worker', count);
  try {
    for (const text of ['SELECT 1', 'SELECT 2'])
      assert.deepEqual((await sharedAnalyser().analyse(text, { isSavedQuery: false }))?.findings, []);
  } finally {
    process.off('worker', count);
  }
  // A test before this one may have started it.
  assert.ok(started <= 1, `${started} started`);
});
