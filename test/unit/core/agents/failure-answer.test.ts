/** What an agent is told of a failure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeLimitError } from '#base/async/deadline.ts';
import { answerFailure } from '#core/agents/failure-answer.ts';

test('a call that takes too long says so, and what to do', () => {
  assert.deepEqual(answerFailure(new TimeLimitError(600_000)).answer, {
    status: 'refused',
    code: 'too-slow',
    reason: 'It did not finish within 600 seconds.',
    advice: 'Narrow the query.',
  });
});
