/** What a change of an account could be about, to choose from. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import { RejectedError } from '#api/client/errors.ts';
import { readCandidates } from '#core/changes/candidates.ts';

type Execute = (request: unknown, options: { readonly signal: AbortSignal }) => Promise<unknown>;

const read = async (execute: Execute, signal: AbortSignal) => {
  const client = { queries: { execute } } as unknown as ServiceClient; // nothing else is called
  return await readCandidates(client, 'remove-account-access', { account: 'a', signal });
};

test('choices are read; without a name, an ID stands for it', async () => {
  const rows = [['1', 'CRM', 'Application'], ['2', null, null], [null, 'none', 'none']]; // oxfmt-ignore
  assert.deepEqual(await read(() => Promise.resolve({ columns: [], rows }), AbortSignal.any([])), [
    { id: '1', name: 'CRM', type: 'Application' },
    { id: '2', name: '2', type: '' },
  ]);
});

test('there are none, so that an ID can be typed, where the tables are missing or the time has passed', async () => {
  const fields = { code: 'QUERY_FAILED', retryable: false, serviceMessage: '' };
  assert.deepEqual(
    await read(() => Promise.reject(new RejectedError('no such table', fields)), AbortSignal.any([])),
    [],
  );
  const limit = new AbortController();
  const never: Execute = (_request, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      limit.abort(new DOMException('The time limit has passed', 'TimeoutError'));
    });
  assert.deepEqual(await read(never, limit.signal), []);
  await assert.rejects(
    read(() => Promise.reject(new TypeError('a mistake of ours')), AbortSignal.any([])),
    TypeError,
  );
});
