/** Previews of changes before they are confirmed, read from a running service. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { previewTargets } from '#core/changes/preview.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

suite('the effects of a change', () => {
  let sandbox: RunningSandbox;
  let client: ServiceClient;
  before(async () => {
    sandbox = await startSandbox();
    client = createClient(sandbox);
  });
  after(async () => {
    await client.close();
    await sandbox.stop();
  });

  const disable = (account: string) => ({ kind: 'disable-account', account }) as const;

  test("every target has its name and state, however small the service's pages are", async () => {
    const { items } = await client.accounts.list();
    const { queries } = client;
    const smallPages: ServiceClient = {
      ...client,
      queries: {
        ...queries,
        execute: (request, options) => queries.execute({ ...request, pageSize: 7 }, options),
      },
    };
    const previewed = await previewTargets(
      smallPages,
      items.map(({ globalId }) => disable(globalId)),
    );
    assert.deepEqual(
      previewed.map(({ label, isDone, isKnown }) => [label.includes(`(`), isDone, isKnown]),
      items.map(({ enabled }) => [true, !enabled, true]),
    );
  });

  test('an ID without an account is reported as unknown; without a response, nothing is reported', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    assert.deepEqual(await previewTargets(client, [disable(id)]), [
      { operation: disable(id), label: id, isDone: false, isKnown: false },
    ]);
    await sandbox.setFaults([{ path: '/v1/query/execute', always: { kind: 'status', status: 403 } }]);
    assert.deepEqual(await previewTargets(client, [disable(id)]), [
      { operation: disable(id), label: id, isDone: false, isKnown: undefined },
    ]);
    await sandbox.setFaults([]);
  });
});
