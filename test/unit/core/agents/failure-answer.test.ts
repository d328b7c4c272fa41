/** What an agent is told of a failure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotFoundError } from '#api/client/errors.ts';
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

test('what is not found is not looked for in a list that the service may lack', () => {
  const missing = new NotFoundError('gone', { code: 'NOT_FOUND', status: 404, retryable: false });
  const { answer } = answerFailure(missing);
  assert.match(answer.advice ?? '', /Check the ID.*if this service lists them/);
});
