/** Without a list of the service, only its own word makes a query look deleted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotFoundError } from '#api/client/errors.ts';
import { readService, UnreadQueries } from '#core/sync/read-service.ts';

const missing = (code: string) => new NotFoundError('404', { code, status: 404, retryable: false });

test('a query that a gateway hides is unread, and one that the service misses is not', async () => {
  const client = {
    savedQueries: {
      get: (id: string) => Promise.reject(missing(id === 'gone' ? 'SAVED_QUERY_NOT_FOUND' : 'HTTP_404')),
      listSummaries: () => ({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(missing('HTTP_404')) }),
      }),
    },
  } as never; // no other methods are used
  const unread = new UnreadQueries();
  const read = await readService(client, { agreed: new Map(), ids: ['gone', 'hidden'], unread });
  assert.deepEqual(read, { queries: [], isListed: false });
  assert.deepEqual([unread.has('gone'), unread.has('hidden')], [false, true]);
  assert.deepEqual([...unread.problems], ['hidden: 404']);
});
