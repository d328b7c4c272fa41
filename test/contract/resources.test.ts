/** Every endpoint in the table has a client method, and every method calls its endpoint. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { ContractError, NotFoundError, RejectedError, UserAbort } from '#api/client/errors.ts';
import { endpoints, type EndpointId } from '#api/contract/endpoints.ts';
import { queryPages } from '../helpers/query-pages.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let client: ServiceClient;

before(async () => {
  sandbox = await startSandbox({
    embedded: true,
    accounts: 120,
    args: ['--job-step', '5', '--preparing-pages', '1'],
  });
  client = createClient(sandbox);
});
after(async () => {
  await client.close();
  await sandbox.stop();
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const quick = { emptyPageDelayMs: 1 };

async function first<Item>(items: AsyncGenerator<Item, void, undefined>): Promise<Item> {
  for await (const item of items) return item;
  return assert.fail('the list is empty');
}

async function access(entityType: string, assignedObjectType: string) {
  const all = await collect(client.accessAssignments.listAll(quick));
  const found = all.find(
    (each) => each.entityType === entityType && each.assignedObjectType === assignedObjectType,
  );
  return { entity: found?.globalEntityId ?? '', object: found?.globalAssignedObjectId ?? '' };
}

const draft = () => ({ name: randomUUID(), query_string: 'SELECT 1' });

const calls: Record<EndpointId, () => Promise<unknown>> = {
  listAccounts: () => client.accounts.list(),
  listRoles: () => client.roles.list(),
  listAccountRoles: () => client.accountRoles.list(),
  listAuthenticators: () => client.authenticators.list(),
  listAuthenticatorEnrollments: () => client.authenticatorEnrollments.list(),
  listActivities: () => client.activities.list(),
  listEntityAssignedAccessToObject: () => client.accessAssignments.list(),
  listPersonIsEmployee: () => client.personIsEmployee.list(),
  listEnrollmentViaAuthenticator: () => client.enrollmentViaAuthenticator.list(),
  getRole: async () => client.roles.get((await first(client.roles.listAll(quick))).globalId),
  getAccountRole: async () =>
    client.accountRoles.get((await first(client.accountRoles.listAll(quick))).globalId),
  getActivity: async () => client.activities.get((await first(client.activities.listAll(quick))).globalId),
  getAuthenticatorEnrollment: async () =>
    client.authenticatorEnrollments.get(
      (await first(client.authenticatorEnrollments.listAll(quick))).globalId,
    ),
  disableAccount: async () => client.accounts.disable((await first(client.accounts.listAll(quick))).globalId),
  removeAssignedAccount: async () => {
    const { entity, object } = await access('Account', 'AssignedApplication');
    return client.assignedApplications.removeAccount(object, entity);
  },
  removeAssignedGroup: async () => {
    const { entity, object } = await access('UserGroup', 'AssignedApplication');
    return client.assignedApplications.removeGroup(object, entity);
  },
  addGroupMember: async () => {
    const { entity } = await access('UserGroup', 'AssignedApplication');
    return client.groups.addMember(entity, (await first(client.accounts.listAll(quick))).globalId);
  },
  removeGroupMember: async () => {
    const { entity, object } = await access('Account', 'UserGroup');
    return client.groups.removeMember(object, entity);
  },
  getActionJob: async () => {
    const { jobId } = await client.accounts.disable((await first(client.accounts.listAll(quick))).globalId);
    const job = await client.jobs.wait(jobId, { pollMs: 1 });
    assert.equal(job.status, 'completed');
  },
  createDownload: () => client.downloads.create({ context: 'employees' }),
  getDownload: async () => {
    const { id } = await client.downloads.create({ context: 'employees', fileFormat: 'jsonl' });
    const { status, url = '' } = await client.downloads.wait(id, { pollMs: 1 });
    assert.equal(status, 'completed');
    const text = Buffer.concat(await collect(client.downloads.read(url))).toString();
    assert.ok(text.trimEnd().split('\n').length > 30);
  },
  listModels: () => client.models.list(),
  listSavedQueries: () => client.savedQueries.list(),
  createSavedQuery: () => client.savedQueries.create(draft()),
  getSavedQuery: async () => client.savedQueries.get((await client.savedQueries.create(draft())).query_id),
  updateSavedQuery: async () => {
    const { query_id } = await client.savedQueries.create(draft());
    return client.savedQueries.update(query_id, { ...draft(), expected_version: 1 });
  },
  deleteSavedQuery: async () =>
    client.savedQueries.delete((await client.savedQueries.create(draft())).query_id),
  executeQuery: async () => {
    const query_string = 'SELECT g FROM generate_series(1, 25) g';
    const pages = await collect(queryPages(client, { query_string, pageSize: 10 }));
    assert.deepEqual(
      pages.map((page) => page.rows.length),
      [10, 10, 5],
    );
  },
};

suite('methods of the client', () => {
  for (const [id, call] of Object.entries(calls) as [EndpointId, () => Promise<unknown>][]) {
    // the keys of an object literal
    test(id, async () => {
      await sandbox.forgetRequests();
      await call();
      const { method, path } = endpoints[id];
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const asked = await sandbox.requests();
      assert.ok(
        asked.some((request) => request.method === method && pattern.test(request.path)),
        `${method} ${path}`,
      );
      assert.ok(asked.every((request) => request.status >= 200 && request.status < 300));
    });
  }

  test('a list is read to its end across empty pages', async () => {
    const waits: number[] = [];
    const accounts = await collect(
      client.accounts.listAll({ pageSize: 50, ...quick, onWaiting: (ms) => waits.push(ms) }),
    );
    assert.equal(accounts.length, 120);
    assert.deepEqual(waits, [1]);
  });

  test('filters are sent with the request for every page', async () => {
    const account = (await collect(client.accounts.listAll(quick))).at(-1);
    const applicationInstanceId = account?.objectMetadata.ApplicationInstanceId ?? '';
    const own = await collect(client.accounts.listAll({ applicationInstanceId, pageSize: 1, ...quick }));
    assert.ok(own.length > 1);
    assert.ok(own.every((each) => each.objectMetadata.ApplicationInstanceId === applicationInstanceId));
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z'];
    await assert.rejects(collect(client.activities.listAll({ from, to })), RejectedError);
  });

  test('a list that is no longer read sends no more requests', async () => {
    await sandbox.forgetRequests();
    await first(client.accounts.listAll({ pageSize: 10, ...quick }));
    assert.equal((await sandbox.requests()).length, 2);
    const abort = new AbortController();
    const reading = collect(client.accounts.listAll({ signal: abort.signal, emptyPageDelayMs: 60_000 }));
    abort.abort();
    await assert.rejects(reading, UserAbort);
  });

  test('a missing record is reported', async () => {
    await assert.rejects(client.roles.get(randomUUID()), NotFoundError);
    await assert.rejects(client.jobs.get(randomUUID()), NotFoundError);
    await assert.rejects(client.downloads.get(randomUUID()), NotFoundError);
    const wrong = `${sandbox.baseUrl}/downloads/x/file?expires=1&signature=x`;
    await assert.rejects(collect(client.downloads.read(wrong)), ContractError);
  });

  test('no token is sent to the link of an export', async () => {
    const { listen } = await import('../helpers/http.ts');
    const elsewhere = await listen((_request, response) => response.end('x'));
    try {
      await collect(client.downloads.read(`${elsewhere.url}/file`));
      assert.equal(elsewhere.seen[0]?.headers.authorization, undefined);
    } finally {
      await elsewhere.close();
    }
  });
});
