/** Changes and jobs outlive the process that accepted them, even if it is killed. REST and SQL agree afterwards. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { ActionJob } from '#api/contract/action-jobs.ts';
import { endpoints, type Endpoint } from '#api/contract/endpoints.ts';
import { ownDatabase, startSandbox, usesDatabases, type RunningSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';

type Item = Record<string, unknown>;

let dataFolder: string;
let database: string | undefined;
const running = new Set<RunningSandbox>();

before(async () => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'sandbox-'));
  database = await ownDatabase();
});
after(async () => {
  for (const sandbox of running) await sandbox.stop();
  rmSync(dataFolder, { recursive: true });
});

interface Service {
  readonly sandbox: RunningSandbox;
  readonly http: ServiceHttp;
}

async function start(jobStepMs: number, more: { readonly seed?: number } = {}): Promise<Service> {
  const args = ['--job-step', String(jobStepMs)];
  const sandbox = await startSandbox({
    embedded: true,
    dataFolder,
    accounts: 100,
    args,
    ...more,
    ...(database === undefined ? {} : { database }),
  });
  running.add(sandbox);
  return { sandbox, http: new ServiceHttp(sandbox) };
}

async function end({ sandbox }: Service, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  running.delete(sandbox);
  const exit = once(sandbox.process, 'exit');
  sandbox.process.kill(signal);
  await exit;
}

async function items({ http }: Service, endpoint: Endpoint): Promise<Item[]> {
  const found: Item[] = [];
  let pageToken: string | undefined;
  do {
    const query = { pageSize: 200, ...(pageToken === undefined ? {} : { pageToken }) };
    const { body } = await http.call(endpoint, { query });
    found.push(...(body.items as Item[])); // guaranteed by the schema
    pageToken = body.nextPageToken as string | undefined; // guaranteed by the schema
  } while (pageToken !== undefined);
  return found;
}

async function job({ http }: Service, jobId: string): Promise<ActionJob> {
  return (await http.call(endpoints.getActionJob, { path: { jobId } })).body as ActionJob; // guaranteed by the schema
}

async function over(service: Service, jobId: string): Promise<ActionJob> {
  for (;;) {
    const now = await job(service, jobId);
    if (now.targets[0]?.reflected === true) return now;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function count({ http }: Service, sql: string): Promise<unknown> {
  const { body, text } = await http.call(endpoints.executeQuery, { body: { query_string: sql } });
  assert.ok(body.rows, text);
  return body.rows[0][0];
}

suite('a restart', () => {
  test('keeps the changes, in REST and SQL, and the job that reports them', async () => {
    const first = await start(5);
    const account = (await items(first, endpoints.listAccounts)).find(
      (item) => item['enabled'] === true && !String(item['accountRole']).startsWith('pay:'),
    );
    const id = String(account?.['globalId']);
    const { jobId } = (await first.http.call(endpoints.disableAccount, { path: { id } })).body as {
      jobId: string;
    };
    const done = await over(first, jobId);
    await end(first, 'SIGTERM');
    const second = await start(5);
    assert.deepEqual(await job(second, jobId), done);
    const isEnabled = (await items(second, endpoints.listAccounts)).find((item) => item['globalId'] === id)?.[
      'enabled'
    ];
    assert.equal(isEnabled, false);
    assert.equal(await count(second, `SELECT enabled FROM accounts WHERE global_id = '${id}'`), false);
    await end(second, 'SIGTERM');
  });

  for (const killedAt of ['accepted', 'completed'] as const) {
    test(`a job that was ${killedAt} when its process was killed is completed once`, async () => {
      const first = await start(killedAt === 'accepted' ? 60_000 : 300);
      const access = await items(first, endpoints.listEntityAssignedAccessToObject);
      const groupId = String(access.find((item) => item['entityType'] === 'UserGroup')?.['globalEntityId']);
      const isMember = (accountId: unknown) => (item: Item) =>
        item['globalEntityId'] === accountId && item['globalAssignedObjectId'] === groupId;
      const service = (await items(first, endpoints.listAccounts)).find(
        (item) => item['type'] === 'Service' && !access.some(isMember(item['globalId'])),
      );
      const path = { groupId, accountId: String(service?.['globalId']) };
      const { jobId } = (await first.http.call(endpoints.addGroupMember, { path })).body as { jobId: string };
      let seen = await job(first, jobId);
      for (; seen.status !== killedAt; seen = await job(first, jobId))
        await new Promise((resolve) => setTimeout(resolve, 5));
      await end(first, 'SIGKILL');
      assert.equal(seen.targets[0]?.reflected, false);
      const second = await start(5);
      const done = await over(second, jobId);
      assert.equal(done.status, 'completed');
      assert.equal(done.targets[0]?.outcome, 'changed');
      const members = (await items(second, endpoints.listEntityAssignedAccessToObject)).filter(
        isMember(path.accountId),
      );
      assert.equal(members.length, 1);
      const sql = `SELECT count(*) FROM entity_assigned_access_to_object WHERE global_entity_id = '${path.accountId}' AND global_assigned_object_id = '${groupId}'`;
      assert.equal(await count(second, sql), 1);
      assert.equal(
        await count(
          second,
          `SELECT global_id FROM entity_assigned_access_to_object WHERE global_entity_id = '${path.accountId}' AND global_assigned_object_id = '${groupId}'`,
        ),
        members[0]?.['globalId'],
      );
      await end(second, 'SIGTERM');
    });
  }

  // A PostgreSQL database holds one company and serves only one sandbox.
  if (usesDatabases()) return;

  test('with another seed shows none of the changes', async () => {
    const first = await start(5);
    const account = (await items(first, endpoints.listAccounts)).find(
      (item) => item['enabled'] === true && !String(item['accountRole']).startsWith('pay:'),
    );
    const id = String(account?.['globalId']);
    const { jobId } = (await first.http.call(endpoints.disableAccount, { path: { id } })).body as {
      jobId: string;
    };
    await over(first, jobId);
    await end(first, 'SIGTERM');
    const other = await start(5, { seed: 2 });
    const accounts = await items(other, endpoints.listAccounts);
    assert.equal(
      accounts.some((item) => item['globalId'] === id),
      false,
    );
    const disabled = accounts.filter((item) => item['enabled'] === false).length;
    assert.equal(await count(other, 'SELECT count(*) FROM accounts WHERE NOT enabled'), disabled);
    await end(other, 'SIGTERM');
  });

  test('a second sandbox on the same folder leaves the jobs of the first alone', async () => {
    const first = await start(60_000);
    const id = String((await items(first, endpoints.listAccounts))[0]?.['globalId']);
    const { jobId } = (await first.http.call(endpoints.disableAccount, { path: { id } })).body as {
      jobId: string;
    };
    const second = await start(1);
    const { body } = await second.http.call(endpoints.removeGroupMember, {
      path: { groupId: id, accountId: id },
    });
    assert.equal(body.code, 'NOT_FOUND');
    assert.equal((await job(second, jobId)).status, 'accepted');
    await end(second, 'SIGTERM');
    await end(first, 'SIGTERM');
  });
});
