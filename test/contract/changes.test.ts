/** Change operations and their jobs. Each change appears in REST and in SQL, even after a database restart. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ActionJob } from '#api/contract/action-jobs.ts';
import type { DownloadRequest } from '#api/contract/downloads.ts';
import { downloadContexts } from '#api/contract/downloads.ts';
import { endpoints, type Endpoint } from '#api/contract/endpoints.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp, type WireRequest } from '../helpers/service-http.ts';

let sandbox: RunningSandbox;
let http: ServiceHttp;

before(async () => {
  sandbox = await startSandbox({
    embedded: true,
    accounts: 200,
    queryTimeoutSeconds: 3,
    args: ['--job-step', '20'],
  });
  http = new ServiceHttp(sandbox);
});
after(() => sandbox.stop());

type Item = Record<string, unknown>;

async function find(endpoint: Endpoint, is: (item: Item) => boolean): Promise<Item> {
  const found = (await all(endpoint)).find(is);
  assert.ok(found, endpoint.path);
  return found;
}

async function all(endpoint: Endpoint): Promise<Item[]> {
  const items: Item[] = [];
  let pageToken: string | undefined;
  do {
    const query = { pageSize: 200, ...(pageToken === undefined ? {} : { pageToken }) };
    const { body } = await http.call(endpoint, { query });
    items.push(...(body.items as Item[])); // guaranteed by the schema
    pageToken = body.nextPageToken as string | undefined; // guaranteed by the schema
  } while (pageToken !== undefined);
  return items;
}

/** Sends a change, follows its job until it completes, and returns the observed states. */
async function carryOut(
  endpoint: Endpoint,
  path: NonNullable<WireRequest['path']>,
): Promise<{ job: ActionJob; states: string[] }> {
  const accepted = await http.call(endpoint, { path });
  assert.equal(accepted.status, 202, accepted.text);
  assert.equal(accepted.body.self, `/v1/action-jobs/${String(accepted.body.jobId)}`);
  const states: string[] = [];
  for (;;) {
    const { body } = await http.call({ method: 'GET', path: String(accepted.body.self) });
    const job = body as ActionJob; // guaranteed by the schema
    if (states.at(-1) !== job.status) states.push(job.status);
    const target = job.targets[0];
    const isOver = job.status === 'completed' && (target?.outcome !== 'changed' || target.reflected);
    if (isOver) return { job, states };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const count = async (sql: string): Promise<unknown> => {
  const { body, text } = await http.call(endpoints.executeQuery, { body: { query_string: sql } });
  assert.ok(body.rows, text);
  return body.rows[0][0];
};

/** Returns the only activity caused by a change, after checking that list, ID and SQL return the same one. */
async function onlyActivity(activityType: string, globalId: unknown): Promise<Item> {
  const found = (await all(endpoints.listActivities)).filter(
    (item) =>
      item['activityType'] === activityType &&
      item['analyticsActorAccountName'] === 'Identity and Access Data Service' &&
      JSON.stringify(item).includes(String(globalId)),
  );
  assert.equal(found.length, 1, activityType);
  const [activity] = found;
  assert.ok(activity);
  const id = String(activity['globalId']);
  assert.deepEqual((await http.call(endpoints.getActivity, { path: { id } })).body, activity);
  const inSql = `SELECT activity_type FROM activities WHERE global_id = '${id}'`;
  assert.equal(await count(inSql), activityType);
  return activity;
}

/**
 * Restarts the database: a query that runs too long is ended, and those that wait meanwhile get responses. The embedded
 * engine computes while it sleeps, so this limit of time is waited for here alone.
 */
async function restartDatabase(): Promise<void> {
  const body = { query_string: 'SELECT pg_sleep(1000)' };
  const endless = http.call(endpoints.executeQuery, { body });
  const waiting = count('SELECT count(*) FROM accounts');
  assert.equal((await http.call(endpoints.listModels)).status, 200);
  const ended = await endless;
  assert.equal(ended.body.code, 'QUERY_TIMEOUT');
  assert.equal(ended.body.details.limitMs, 3_000);
  assert.equal(await waiting, 200);
}

const payroll = (item: Item): boolean => String(item['accountRole']).startsWith('pay:');

suite('accounts', () => {
  test('a disabled account is disabled in REST and SQL, and keeps its assignments', async () => {
    const account = await find(endpoints.listAccounts, (item) => item['enabled'] === true && !payroll(item));
    const id = String(account['globalId']);
    const assignments = `SELECT count(*) FROM entity_assigned_access_to_object WHERE global_entity_id = '${id}'`;
    const before = await count(assignments);
    const { job, states } = await carryOut(endpoints.disableAccount, { id });
    // Slow polling may miss a state (test/unit/service/jobs.test.ts checks each one), but states are always in order.
    assert.deepEqual(
      states,
      ['accepted', 'running', 'completed'].filter((state) => states.includes(state)),
    );
    assert.equal(job.operation, 'accounts.disable');
    assert.deepEqual(job.targets, [{ globalId: id, outcome: 'changed', reflected: true }]);
    assert.ok(job.completedAt !== undefined && job.completedAt >= job.createdAt);
    const isDisabled = `SELECT NOT enabled FROM accounts WHERE global_id = '${id}'`;
    assert.equal(await count(isDisabled), true);
    assert.equal(await count(assignments), before);
    assert.equal((await find(endpoints.listAccounts, (item) => item['globalId'] === id))['enabled'], false);
    await restartDatabase();
    assert.equal(await count(isDisabled), true);
    const again = await carryOut(endpoints.disableAccount, { id });
    assert.equal(again.job.targets[0]?.outcome, 'unchanged');
    const activity = await onlyActivity('Account.Disabled', id);
    assert.equal(activity['globalAffectedObjectId'], id);
    assert.equal(activity['analyticsAffectedObjectName'], account['alias']);
    const from = String(activity['timestamp']);
    const window = (query: Record<string, string>) =>
      http.call(endpoints.listActivities, { query: { ...query, pageSize: 200 } });
    const later = new Date(Date.parse(from) + 1).toISOString();
    const listed = JSON.stringify((await window({ from })).body);
    assert.ok(listed.includes(String(activity['globalId'])), 'the window begins with it');
    assert.ok(!JSON.stringify((await window({ from: later })).body).includes(String(activity['globalId'])));
  });

  test('an account that cannot be changed stays unchanged, and the job reports the reason', async () => {
    const account = await find(endpoints.listAccounts, (item) => item['enabled'] === true && payroll(item));
    const id = String(account['globalId']);
    const { job } = await carryOut(endpoints.disableAccount, { id });
    assert.equal(job.targets[0]?.outcome, 'not_possible');
    assert.equal(job.targets[0].reason?.code, 'APPLICATION_READ_ONLY');
    assert.equal(job.targets[0].reflected, false);
    assert.equal(await count(`SELECT enabled FROM accounts WHERE global_id = '${id}'`), true);
  });
});

suite('access', () => {
  const assigned = (entityType: string) => (item: Item) =>
    item['entityType'] === entityType &&
    item['assignedObjectType'] === 'AssignedApplication' &&
    !JSON.stringify(item).includes('Payroll');
  const rest = async (id: unknown): Promise<boolean> =>
    (await all(endpoints.listEntityAssignedAccessToObject)).some((item) => item['globalId'] === id);
  const sql = (id: unknown): Promise<unknown> =>
    count(`SELECT count(*) FROM entity_assigned_access_to_object WHERE global_id = '${String(id)}'`);

  for (const [entityType, endpoint, member] of [
    ['Account', endpoints.removeAssignedAccount, 'accountId'],
    ['UserGroup', endpoints.removeAssignedGroup, 'groupId'],
  ] as const) {
    test(`${endpoint.path} removes the entitlement; a second request finds none`, async () => {
      const access = await find(endpoints.listEntityAssignedAccessToObject, assigned(entityType));
      const path = {
        id: String(access['globalAssignedObjectId']),
        [member]: String(access['globalEntityId']),
      };
      const { job } = await carryOut(endpoint, path);
      assert.equal(job.targets[0]?.outcome, 'changed');
      assert.equal(await rest(access['globalId']), false);
      assert.equal(await sql(access['globalId']), 0);
      assert.equal((await http.call(endpoint, { path })).body.code, 'NOT_FOUND');
      const activity = await onlyActivity('AccessTo.Deleted', path[member]);
      assert.equal(activity['globalAffectedObjectId'], path.id);
      assert.deepEqual(activity['platformActivityTypeSpecificData'], {
        fromId: access['entityId'],
        toId: access['assignedObjectId'],
      });
      await restartDatabase();
      assert.equal(await sql(access['globalId']), 0);
    });
  }

  test('membership is asserted, asserted again without effect, and removed', async () => {
    const group = await find(
      endpoints.listEntityAssignedAccessToObject,
      (item) => item['entityType'] === 'UserGroup',
    );
    const service = await find(endpoints.listAccounts, (item) => item['type'] === 'Service');
    const path = { groupId: String(group['globalEntityId']), accountId: String(service['globalId']) };
    const memberships = `SELECT count(*) FROM entity_assigned_access_to_object WHERE global_entity_id = '${path.accountId}' AND global_assigned_object_id = '${path.groupId}'`;
    assert.equal(await count(memberships), 0);
    const outcomes: unknown[] = [];
    for (const endpoint of [
      endpoints.addGroupMember,
      endpoints.addGroupMember,
      endpoints.removeGroupMember,
    ]) {
      const { job } = await carryOut(endpoint, path);
      outcomes.push(job.targets[0]?.outcome, await count(memberships));
    }
    assert.deepEqual(outcomes, ['changed', 1, 'unchanged', 1, 'changed', 0]);
    for (const type of ['Authorization.Access.Granted', 'Authorization.Access.Revoked']) {
      const activity = await onlyActivity(type, path.accountId);
      assert.equal(activity['globalAffectedObjectId'], path.groupId);
      assert.deepEqual(activity['globalSecondaryAffectedObjects'], [path.accountId]);
    }
    assert.equal((await http.call(endpoints.removeGroupMember, { path })).status, 404);
  });

  test('two concurrent requests for the same membership create one', async () => {
    const group = await find(
      endpoints.listEntityAssignedAccessToObject,
      (item) => item['entityType'] === 'UserGroup',
    );
    const service = await find(endpoints.listAccounts, (item) => item['type'] === 'Service');
    const path = { groupId: String(group['globalEntityId']), accountId: String(service['globalId']) };
    const both = await Promise.all([1, 2].map(() => carryOut(endpoints.addGroupMember, path)));
    assert.deepEqual(both.map(({ job }) => job.targets[0]?.outcome).sort(), ['changed', 'unchanged']);
    const is = (item: Item): boolean =>
      item['globalEntityId'] === path.accountId && item['globalAssignedObjectId'] === path.groupId;
    assert.equal((await all(endpoints.listEntityAssignedAccessToObject)).filter(is).length, 1);
    assert.equal(
      await count(
        `SELECT count(*) FROM entity_assigned_access_to_object WHERE global_entity_id = '${path.accountId}' AND global_assigned_object_id = '${path.groupId}'`,
      ),
      1,
    );
  });
});

suite('downloads', () => {
  async function completed(body: object): Promise<DownloadRequest> {
    const created = await http.call(endpoints.createDownload, { body });
    assert.equal(created.status, 202, created.text);
    assert.equal(created.body.status, 'accepted');
    assert.equal(created.body.url, undefined);
    for (;;) {
      const { body: record } = await http.call(endpoints.getDownload, {
        path: { id: String(created.body.id) },
      });
      if (record.status !== 'accepted') return record as DownloadRequest; // guaranteed by the schema
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  test('a CSV file conforms to RFC 4180', async () => {
    const { url = '', fileFormat } = await completed({ context: 'accessInventoryAccounts' });
    assert.equal(fileFormat, 'csv');
    const response = await fetch(url);
    assert.match(response.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(response.headers.get('content-disposition') ?? '', /accessInventoryAccounts\.csv/);
    const rows = parseCsv(await response.text());
    const accounts = await all(endpoints.listAccounts);
    assert.equal(rows.length, accounts.length + 1);
    const [header = [], ...records] = rows;
    assert.ok(records.every((record) => record.length === header.length));
    assert.deepEqual(
      records.map((record) => record[header.indexOf('alias')]),
      accounts.map((account) => account['alias']),
    );
    const status = records[0]?.[header.indexOf('enrichedMFAStatus')] ?? '';
    assert.deepEqual(JSON.parse(status), accounts[0]?.['enrichedMFAStatus']);
  });

  test('a JSONL file contains the same records as the list', async () => {
    const { url = '' } = await completed({ context: 'accessInventoryRolesV2', fileFormat: 'jsonl' });
    const lines = (await (await fetch(url)).text()).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line): unknown => JSON.parse(line)),
      await all(endpoints.listRoles),
    );
  });

  test('every context completes with its own file', async () => {
    const files = new Set<string>();
    for (const context of downloadContexts) {
      const record = await completed({ context, urlTtlMinutes: 4_320 });
      assert.equal(record.urlTtlMinutes, 4_320);
      assert.equal(record.status, 'completed', context);
      const response = await fetch(record.url ?? '');
      assert.equal(response.status, 200);
      const text = await response.text();
      assert.ok(parseCsv(text).length > 1, context);
      files.add(text);
    }
    assert.equal(files.size, downloadContexts.length, 'no data set is that of another');
  });

  test('a file has an ETag, which a change invalidates', async () => {
    const { url = '' } = await completed({ context: 'employees' });
    const whole = await fetch(url);
    const etag = whole.headers.get('etag') ?? '';
    const text = await whole.text();
    assert.equal(whole.headers.get('content-length'), String(Buffer.byteLength(text)));
    const rest = (condition: string) =>
      fetch(url, { headers: { range: 'bytes=10-', 'if-range': condition } });
    const part = await rest(etag);
    assert.equal(part.status, 206);
    assert.equal(await part.text(), Buffer.from(text).subarray(10).toString());
    assert.equal((await rest('"another"')).status, 200);
    const isFree = (each: Item): boolean => each['enabled'] === true && !payroll(each);
    const { globalId } = await find(endpoints.listAccounts, isFree);
    const { job } = await carryOut(endpoints.disableAccount, { id: String(globalId) });
    assert.equal(job.targets[0]?.outcome, 'changed');
    assert.equal((await rest(etag)).status, 200, 'the rest of another file is of no use');
  });

  test('a modified link is refused', async () => {
    const { url = '' } = await completed({ context: 'employees' });
    const later = new URL(url);
    later.searchParams.set('expires', String(Number(later.searchParams.get('expires')) + 1));
    for (const wrong of [later.href, `${url}x`, url.replace(/downloads\/[^/]+/, 'downloads/nope')]) {
      assert.equal((await fetch(wrong)).status, 403);
    }
    assert.equal((await fetch(url.replace(/\?.*/, ''))).status, 400);
  });
});

suite('rate limit', () => {
  test('allows a limited number of requests per second, then responds with 429 and Retry-After', async () => {
    const limited = await startSandbox({ embedded: true, accounts: 10, args: ['--rate-limit', '5'] });
    try {
      const client = new ServiceHttp(limited);
      await client.token('read', 'write');
      const started = performance.now();
      const answers = await Promise.all(Array.from({ length: 40 }, () => client.call(endpoints.listModels)));
      const mostWindows = 2 + Math.floor((performance.now() - started) / 1_000);
      const refused = answers.filter((answer) => answer.status === 429);
      assert.ok(answers.length - refused.length <= 5 * mostWindows, `${refused.length} refused`);
      assert.equal(refused[0]?.body.code, 'TOO_MANY_REQUESTS');
      assert.match(refused[0].headers.get('retry-after') ?? '', /^\d+$/);
    } finally {
      await limited.stop();
    }
  });
});

/** A CSV parser (RFC 4180) that is independent of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
    if (field.lastIndex === text.length) break;
  }
  return rows;
}
