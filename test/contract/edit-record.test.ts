/** Edits to single fields of a saved query on a running service, while a colleague saves and the network fails. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import {
  ConflictError,
  ContractError,
  NotFoundError,
  TransportError,
  UserAbort,
} from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { editRecord, type FieldConflict } from '#core/saved-queries/edit-record.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let client: ServiceClient;

before(async () => {
  sandbox = await startSandbox({ accounts: 100 });
  client = createClient({ ...sandbox, random: () => 0 });
});
afterEach(async () => {
  await sandbox.setFaults([]);
  await sandbox.forgetRequests();
});
after(async () => {
  await client.close();
  await sandbox.stop();
});

const path = '/v1/query/saved-queries/*';

async function create(): Promise<SavedQuery> {
  return await client.savedQueries.create({
    name: `Mine ${randomUUID()}`,
    query_string: 'SELECT 1',
    description: 'first',
  });
}

/** Saves a colleague's edit over the newest version. */
async function colleague(query: SavedQuery, change: Partial<SavedQuery>): Promise<SavedQuery> {
  const { name, query_string, model, description, version } = await client.savedQueries.get(query.query_id);
  return await client.savedQueries.update(query.query_id, {
    name: change.name ?? name,
    query_string: change.query_string ?? query_string,
    model: change.model ?? model,
    description: change.description ?? description ?? '',
    expected_version: version,
  });
}

const never = (): Promise<boolean> => Promise.reject(new Error('nobody was to be asked'));

const updates = async () => (await sandbox.requests()).filter(({ method }) => method === 'PUT').length;

suite('changing a field', () => {
  for (const status of [400, 412, 428]) {
    test(`an outdated version is detected if the service responds ${status}`, async () => {
      const base = await create();
      await colleague(base, { query_string: 'SELECT 2' });
      await sandbox.setFaults([{ method: 'PUT', path, script: [{ kind: 'status', status }] }]);
      const saved = await editRecord(client, base, { description: 'mine' }, never);
      assert.deepEqual([saved.version, saved.query_string, saved.description], [3, 'SELECT 2', 'mine']);
    });
  }

  test('a response with the unchanged record does not count as a change', async () => {
    const base = await create();
    await sandbox.setFaults([{ method: 'PUT', path, always: { kind: 'not-taken' } }]);
    await assert.rejects(editRecord(client, base, { description: 'mine' }, never), ContractError);
  });

  test('creates the next version, and changes nothing else', async () => {
    const query = await create();
    const name = `Other ${randomUUID()}`;
    const saved = await editRecord(client, query, { name }, never);
    assert.deepEqual(
      [saved.version, saved.name, saved.query_string, saved.description],
      [2, name, 'SELECT 1', 'first'],
    );
  });

  test('to its current value sends nothing', async () => {
    const query = await create();
    await sandbox.forgetRequests();
    assert.equal(await editRecord(client, query, { model: query.model }, never), query);
    assert.equal(await updates(), 0);
  });

  test('can clear a description', async () => {
    const saved = await editRecord(client, await create(), { description: '' }, never);
    assert.equal(saved.description ?? '', '');
  });

  test("keeps a colleague's change to another field", async () => {
    const query = await create();
    await colleague(query, { query_string: 'SELECT 2', description: 'second' });
    const name = `Other ${randomUUID()}`;
    const saved = await editRecord(client, query, { name }, never);
    assert.deepEqual(
      [saved.version, saved.name, saved.query_string, saved.description],
      [3, name, 'SELECT 2', 'second'],
    );
  });

  test("asks about a colleague's change to the same field, and shows their version", async () => {
    const query = await create();
    const theirs = await colleague(query, { description: 'theirs' });
    const asked: FieldConflict[] = [];
    const saved = await editRecord(client, query, { description: 'mine' }, (conflict) => {
      asked.push(conflict);
      return Promise.resolve(true);
    });
    assert.deepEqual(asked, [{ theirs, fields: ['description'] }]);
    assert.deepEqual([saved.version, saved.description], [3, 'mine']);
  });

  test("keeps the colleague's value on request", async () => {
    const query = await create();
    await colleague(query, { description: 'theirs' });
    await assert.rejects(
      editRecord(client, query, { description: 'mine' }, () => Promise.resolve(false)),
      UserAbort,
    );
    const newest = await client.savedQueries.get(query.query_id);
    assert.deepEqual([newest.version, newest.description], [2, 'theirs']);
  });

  test('asks again if a third person saves while the question is open', async () => {
    const query = await create();
    await colleague(query, { description: 'second' });
    const seen: string[] = [];
    const saved = await editRecord(client, query, { description: 'mine' }, async ({ theirs }) => {
      seen.push(theirs.description ?? '');
      if (seen.length === 1) await colleague(query, { description: 'third' });
      return true;
    });
    assert.deepEqual(seen, ['second', 'third']);
    assert.deepEqual([saved.version, saved.description], [4, 'mine']);
  });

  test('does not conflict with the same change by a colleague', async () => {
    const query = await create();
    await colleague(query, { description: 'same' });
    const saved = await editRecord(client, query, { description: 'same' }, never);
    assert.equal(saved.version, 2);
  });

  test('finds a change that succeeded without a response, and does not send it twice', async () => {
    const query = await create();
    await sandbox.forgetRequests();
    await sandbox.setFaults([{ method: 'PUT', path, script: [{ kind: 'drop-after' }] }]);
    const saved = await editRecord(client, query, { description: 'new' }, never);
    assert.deepEqual([saved.version, saved.description], [2, 'new']);
    assert.equal(await updates(), 1);
  });

  test('finds a change that succeeded although the response did not come from the service', async () => {
    const query = await create();
    const throughProxy: Pick<ServiceClient, 'savedQueries'> = {
      savedQueries: {
        ...client.savedQueries,
        update: async (queryId, change) => {
          await client.savedQueries.update(queryId, change);
          throw new ContractError('a page of a proxy', { status: 200 });
        },
      },
    };
    const saved = await editRecord(throughProxy, query, { description: 'new' }, never);
    assert.deepEqual([saved.version, saved.description], [2, 'new']);
  });

  test('reports a change that failed without a response, and returns the unchanged record', async () => {
    const query = await create();
    await sandbox.setFaults([{ method: 'PUT', path, always: { kind: 'drop' } }]);
    await assert.rejects(editRecord(client, query, { description: 'new' }, never), TransportError);
    assert.equal((await client.savedQueries.get(query.query_id)).version, 1);
  });

  test('reports the first failure if the service becomes unavailable after the write', async () => {
    const query = await create();
    await sandbox.setFaults([{ path, always: { kind: 'drop' } }]);
    await assert.rejects(editRecord(client, query, { description: 'new' }, never), TransportError);
  });

  test('reports a taken name', async () => {
    const [query, other] = [await create(), await create()];
    await assert.rejects(
      editRecord(client, query, { name: other.name.toUpperCase() }, never),
      (error) => error instanceof ConflictError && error.isNameConflict,
    );
  });

  test('reports a deleted query', async () => {
    const query = await create();
    await client.savedQueries.delete(query.query_id);
    await assert.rejects(
      editRecord(client, query, { description: 'new' }, never),
      (error) => error instanceof NotFoundError && error.code === 'SAVED_QUERY_NOT_FOUND',
    );
  });
});
