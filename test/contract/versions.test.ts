/** All versions of a saved query, from a service that lists them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { NotFoundError, ServerFaultError } from '#api/client/errors.ts';
import { startSandbox } from '../helpers/sandbox.ts';

const draft = () => ({ name: `Mine ${randomUUID()}`, query_string: 'SELECT :draft' });

test('all versions are listed, newest first', async () => {
  const sandbox = await startSandbox({ accounts: 100 });
  const service = createClient({ ...sandbox, random: () => 0 });
  const { savedQueries } = service;
  try {
    const first = await savedQueries.create(draft());
    const second = await savedQueries.update(first.query_id, { ...draft(), expected_version: 1 });
    const listed = { items: [second, first], isComplete: true };
    assert.deepEqual(await savedQueries.versions(first.query_id), listed);
    await savedQueries.delete(first.query_id);
    assert.deepEqual(await savedQueries.versions(first.query_id), listed, 'a deleted query keeps them');
    await assert.rejects(savedQueries.versions('none'), NotFoundError);
    const path = `/v1/query/saved-queries/${first.query_id}/versions`;
    for (const status of [404, 405, 501]) {
      await sandbox.setFaults([{ path, always: { kind: 'status', status } }]);
      assert.equal(await savedQueries.versions(first.query_id), undefined, String(status));
    }
    await sandbox.setFaults([{ path, always: { kind: 'status', status: 500 } }]);
    await assert.rejects(savedQueries.versions(first.query_id), ServerFaultError);
  } finally {
    await service.close();
    await sandbox.stop();
  }
});
