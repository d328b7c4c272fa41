/** `--odd NAME`: each oddity changes responses in one way that the specification allows, and nothing else. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { assumptions, type AssumptionId } from '#api/contract/assumptions.ts';
import { endpoints } from '#api/contract/endpoints.ts';
import { oddities, type Oddity } from '#service/plugins/oddities.ts';
import { queryPages } from '../helpers/query-pages.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp, type WireAnswer } from '../helpers/service-http.ts';

async function withOddity(
  odd: readonly Oddity[],
  check: (http: ServiceHttp) => Promise<void>,
): Promise<void> {
  const args = [...odd.flatMap((name) => ['--odd', name]), '--job-step', '1'];
  const sandbox = await startSandbox({ accounts: 200, args });
  try {
    await check(new ServiceHttp(sandbox));
  } finally {
    await sandbox.stop();
  }
}

type Item = Record<string, unknown>;

async function accounts(http: ServiceHttp, query: Record<string, string | number> = {}) {
  const { body } = await http.call(endpoints.listAccounts, { query: { pageSize: 100, ...query } });
  return { items: body.items as Item[], next: String(body.nextPageToken) }; // guaranteed by the schema
}

/** Returns the paths of empty fields at any depth. */
function emptyMembers(value: unknown, place: string): string[] {
  if (value === null || value === '') return [place];
  if (typeof value !== 'object') return [];
  const entries: readonly [string, unknown][] = Object.entries(value);
  return entries.length === 0
    ? [place]
    : entries.flatMap(([name, each]) => emptyMembers(each, `${place}.${name}`));
}

const draft = (name: string): object => ({ name, query_string: 'SELECT 1' });

async function finishedJob(http: ServiceHttp, is: (item: Item) => boolean): Promise<WireAnswer> {
  const account = (await accounts(http)).items.find(is);
  const path = { id: String(account?.['globalId']) };
  const { body } = await http.call(endpoints.disableAccount, { path });
  const jobId = String(body.jobId);
  assert.deepEqual(body, { jobId });
  for (;;) {
    const job = await http.call(endpoints.getActionJob, { path: { jobId } });
    if (job.body.finished !== undefined) return job;
    await new Promise(setImmediate);
  }
}

suite('--odd', () => {
  test('sparse: no empty members, and fewer than in the contract', async () => {
    await withOddity(['sparse'], async (http) => {
      const { items } = await accounts(http);
      assert.equal(items.length, 100);
      assert.deepEqual(
        items.flatMap((item) => emptyMembers(item, '')),
        [],
      );
      assert.ok(items.every((item) => item['globalId'] !== undefined && item['accountRole'] === undefined));
      const create = { body: { context: 'employees' } };
      const { body } = await http.call(endpoints.createDownload, create);
      assert.equal(body.fileFormat, undefined);
      assert.ok(body.id);
    });
  });

  test('growing: a member appears on the second page', async () => {
    await withOddity(['growing'], async (http) => {
      const first = await accounts(http);
      assert.ok(first.items.every((item) => !('reviewState' in item)));
      const second = await accounts(http, { pageToken: first.next });
      assert.ok(second.items.length > 0 && second.items.every((item) => 'reviewState' in item));
    });
  });

  test('other-jobs: a state, and targets with a status', async () => {
    await withOddity(['other-jobs'], async (http) => {
      const isPayroll = (item: Item) => String(item['accountRole']).startsWith('pay:');
      const done = await finishedJob(http, (item) => item['enabled'] === true && !isPayroll(item));
      assert.equal(done.body.state, 'SUCCEEDED');
      assert.equal(done.body.targets[0].status, 'SUCCEEDED');
      const failed = await finishedJob(http, (item) => item['enabled'] === true && isPayroll(item));
      assert.equal(failed.body.state, 'COMPLETED_WITH_ERRORS');
      assert.equal(failed.body.targets[0].status, 'FAILED');
      assert.equal(failed.body.targets[0].error.code, 'APPLICATION_READ_ONLY');
    });
  });

  test('lower-case-codes, stale-412: errors', async () => {
    await withOddity(['lower-case-codes', 'stale-412'], async (http) => {
      const created = await http.call(endpoints.createSavedQuery, { body: draft('One') });
      const again = await http.call(endpoints.createSavedQuery, { body: draft('one') });
      assert.deepEqual([again.status, again.body.code], [409, 'name_conflict']);
      const path = { query_id: String(created.body.query_id) };
      const body = { ...draft('One'), expected_version: 7 };
      const stale = await http.call(endpoints.updateSavedQuery, { path, body });
      assert.equal(stale.status, 412);
      assert.equal(stale.body.code, 'PRECONDITION_FAILED');
      assert.equal(stale.body.details.current_version, 1);
    });
  });

  test('patch-updates: PUT names the allowed method', async () => {
    await withOddity(['patch-updates'], async (http) => {
      const created = await http.call(endpoints.createSavedQuery, { body: draft('One') });
      const path = { query_id: String(created.body.query_id) };
      const body = { ...draft('Two'), expected_version: 1 };
      const put = await http.call(endpoints.updateSavedQuery, { path, body });
      assert.equal(put.status, 405);
      assert.match(put.headers.get('allow') ?? '', /PATCH/);
      const patched = await http.call({ ...endpoints.updateSavedQuery, method: 'PATCH' }, { path, body });
      assert.deepEqual([patched.status, patched.body.version], [200, 2]);
    });
  });

  test('no-query-list, no-members, no-information-schema: missing operations', async () => {
    await withOddity(['no-query-list', 'no-members', 'no-information-schema'], async (http) => {
      assert.equal((await http.call(endpoints.listSavedQueries)).status, 404);
      assert.equal((await http.call(endpoints.createSavedQuery, { body: draft('One') })).status, 201);
      const path = { groupId: 'x', accountId: 'y' };
      assert.equal((await http.call(endpoints.addGroupMember, { path })).status, 404);
      const run = (query_string: string) => http.call(endpoints.executeQuery, { body: { query_string } });
      assert.equal((await run('SELECT * FROM information_schema.columns')).body.code, 'QUERY_FAILED');
      assert.deepEqual((await run('SELECT 1 AS one')).body.rows, [[1]]);
    });
  });

  test('snake-paging, same-page-token: the client reads results and lists to their end', async () => {
    const args = ['--odd', 'snake-paging', '--odd', 'same-page-token'];
    const sandbox = await startSandbox({ accounts: 450, args });
    const client = createClient(sandbox);
    try {
      const run = queryPages(client, { query_string: 'SELECT global_id FROM accounts', pageSize: 100 });
      const rows = (await Array.fromAsync(run)).flatMap((page) => page.rows);
      const listed = await Array.fromAsync(client.accounts.listAll());
      assert.ok(listed.length >= 450);
      assert.equal(rows.length, listed.length);
      assert.equal(new Set(listed.map(({ globalId }) => globalId)).size, listed.length);
    } finally {
      await client.close();
      await sandbox.stop();
    }
  });

  test('utf16-names, gone-jobs, redirected-files', async () => {
    await withOddity(['utf16-names', 'gone-jobs', 'redirected-files'], async (http) => {
      const name = '\u{1F4A5}'.repeat(150);
      assert.equal((await http.call(endpoints.createSavedQuery, { body: draft(name) })).status, 400);
      const [account] = (await accounts(http)).items;
      const path = { id: String(account?.['globalId']) };
      const { jobId } = (await http.call(endpoints.disableAccount, { path })).body;
      assert.equal((await http.call(endpoints.getActionJob, { path: { jobId } })).status, 404);
      const made = await http.call(endpoints.createDownload, { body: { context: 'employees' } });
      for (;;) {
        const { body } = await http.call(endpoints.getDownload, { path: { id: made.body.id } });
        if (body.url === undefined) {
          await new Promise(setImmediate);
          continue;
        }
        const moved = await fetch(String(body.url), { redirect: 'manual' });
        assert.equal(moved.status, 307);
        await moved.body?.cancel();
        const file = await fetch(String(body.url));
        assert.equal(file.status, 200);
        assert.match(await file.text(), /,/);
        break;
      }
    });
  });

  test('created-200, retry-dates, no-deletes, no-exports: writes and waiting', async () => {
    const args = ['created-200', 'retry-dates', 'no-deletes', 'no-exports'].flatMap((name) => [
      '--odd',
      name,
    ]);
    const sandbox = await startSandbox({ accounts: 20, args: [...args, '--rate-limit', '40'] });
    try {
      const http = new ServiceHttp(sandbox);
      const created = await http.call(endpoints.createSavedQuery, { body: draft('One') });
      assert.deepEqual([created.status, created.body.version], [200, 1]);
      const path = { query_id: String(created.body.query_id) };
      const deleted = await http.call(endpoints.deleteSavedQuery, { path });
      assert.deepEqual([deleted.status, deleted.headers.get('allow')], [405, 'GET, PUT, PATCH']);
      assert.equal((await http.call(endpoints.getSavedQuery, { path })).status, 200);
      const asked = await http.call(endpoints.createDownload, { body: { context: 'employees' } });
      assert.equal(asked.status, 404);
      const many = await Promise.all(
        Array.from({ length: 60 }, () => http.call(endpoints.getSavedQuery, { path })),
      );
      const waits = many.flatMap(({ headers }) => headers.get('retry-after') ?? []);
      assert.ok(waits.length > 0);
      assert.ok(waits.every((wait) => !/^\d+$/.test(wait) && Date.parse(wait) > 0));
    } finally {
      await sandbox.stop();
    }
  });

  test('every gap of docs/assumptions.md has one', () => {
    const gaps = new Set(Object.values<readonly [string, AssumptionId?]>(oddities).map(([, gap]) => gap));
    assert.deepEqual(
      Object.keys(assumptions).filter((id) => !gaps.has(id as AssumptionId)), // the table's own keys
      [],
    );
  });

  test('the README of the sandbox describes each of them', async () => {
    const readme = await readFile(new URL('../../service/README.md', import.meta.url), 'utf8');
    const told = [...readme.matchAll(/^\| `([\w-]+)` +\| (.+?) +\|$/gm)].map(([, name, words]) => [
      name,
      words,
    ]);
    for (const [name, [words]] of Object.entries(oddities))
      assert.deepEqual(
        told.find(([each]) => each === name),
        [name, words],
      );
  });
});
