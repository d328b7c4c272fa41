/**
 * Each gap in docs/assumptions.md, filled by the second service with each supported alternative. The client behaves as
 * the table says (`otherwise`). A gap or way without a case causes a compile error or fails the first test.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, before, after, suite, test } from 'node:test';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import {
  AuthError,
  ConflictError,
  NotFoundError,
  RateLimitError,
  RejectedError,
} from '#api/client/errors.ts';
import { fetchExport } from '#core/exports/fetch-export.ts';
import { readModelTables } from '#core/models/model-schema.ts';
import { findRecord } from '#core/records/find-record.ts';
import { isListMissing, writeAnswerOf } from '#core/saved-queries/write-answers.ts';
import { queryPages } from '../helpers/query-pages.ts';
import { startService, type RunningService } from '../service/service.ts';
import { otherWays, type Gap } from '../service/switches.ts';

let service: RunningService;
const clients: ServiceClient[] = [];

before(async () => {
  service = await startService({ accounts: 10 });
});
afterEach(async () => {
  service.set({});
  await service.setFaults([]);
  await Promise.all(clients.splice(0).map((each) => each.close()));
});
after(() => service.stop());

function open(options: Partial<Parameters<typeof createClient>[0]> = {}): ServiceClient {
  const client = createClient({ ...service, random: () => 0, retry: { attempts: 1 }, ...options });
  clients.push(client);
  return client;
}

const draft = (query_string = 'SELECT 1') => ({ name: randomUUID(), query_string });

/** Creates a saved query that has a colleague's newer version. */
async function stale(client: ServiceClient) {
  const created = await client.savedQueries.create(draft());
  await client.savedQueries.update(created.query_id, { ...draft(), expected_version: 1 });
  return created;
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => assert.fail('nothing was thrown'),
    (error: unknown) => error,
  );
}

async function isStale(client: ServiceClient): Promise<void> {
  const { query_id } = await stale(client);
  const error = await failureOf(client.savedQueries.update(query_id, { ...draft(), expected_version: 1 }));
  assert.ok(error instanceof ConflictError && !error.isNameConflict);
}

async function rows(client: ServiceClient): Promise<void> {
  const pages = await Array.fromAsync(
    queryPages(client, { query_string: 'SELECT g AS n, g AS m FROM generate_series(1, 3) g', pageSize: 2 }),
  );
  assert.deepEqual(
    pages.map((page) => page.columns.map(({ name }) => name)),
    [
      ['n', 'm'],
      ['n', 'm'],
    ],
  );
  assert.deepEqual(
    pages.flatMap((page) => page.rows),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  );
}

async function doesNotParse(client: ServiceClient, position: unknown): Promise<void> {
  const error = await failureOf(client.queries.execute({ query_string: 'SELECT 1\n  )' }));
  assert.ok(error instanceof RejectedError);
  assert.equal(error.code, 'QUERY_PARSE_ERROR');
  assert.deepEqual(error.position, position);
}

async function token(client: ServiceClient): Promise<void> {
  await client.models.list();
  await client.models.list();
  const asked = (await service.requests()).filter(({ path }) => path === '/oauth/token');
  assert.equal(asked.length, 1);
}

async function firstAccount(client: ServiceClient) {
  const [account] = (await client.accounts.list()).items;
  assert.ok(account);
  return account;
}

const cases: {
  readonly [Id in Gap]: {
    readonly [Way in (typeof otherWays)[Id][number]]: (client: ServiceClient) => Promise<void>;
  };
} = {
  'saved-query-list': {
    missing: async (client) => assert.ok(isListMissing(await failureOf(client.savedQueries.list()))),
    'without-texts': async (client) => {
      const summaries = await Array.fromAsync(client.savedQueries.listSummaries());
      assert.ok(summaries.length >= 15);
      assert.ok(summaries.every((each) => each.query_string === undefined));
    },
  },
  update: {
    'by-patch': async (client) => {
      const { query_id } = await client.savedQueries.create(draft());
      const { version } = await client.savedQueries.update(query_id, { ...draft(), expected_version: 1 });
      assert.equal(version, 2);
    },
    'stale-bare': isStale,
    'stale-412': isNotSaved,
    'stale-428': isNotSaved,
    'stale-400': isNotSaved,
    missing: async (client) => {
      const { query_id } = await client.savedQueries.create(draft());
      const error = await failureOf(
        client.savedQueries.update(query_id, { ...draft(), expected_version: 1 }),
      );
      assert.equal(writeAnswerOf(error).kind, 'unsupported');
    },
  },
  delete: {
    missing: async (client) => {
      const { query_id } = await client.savedQueries.create(draft());
      const error = await failureOf(client.savedQueries.delete(query_id));
      assert.equal(writeAnswerOf(error).kind, 'unsupported');
    },
    'answers-200': async (client) => {
      const { query_id } = await client.savedQueries.create(draft());
      await client.savedQueries.delete(query_id);
      await assert.rejects(client.savedQueries.get(query_id), NotFoundError);
    },
  },
  execute: { 'rows-as-objects': rows, 'no-types': rows, data: rows },
  'execute-paging': {
    snake: async (client) => {
      const request = { query_string: 'SELECT g AS n FROM generate_series(1, 2500) g' };
      const pages = await Array.fromAsync(queryPages(client, request));
      assert.deepEqual(
        pages.flatMap((page) => page.rows.map(([n]) => n)),
        Array.from({ length: 2500 }, (_, at) => at + 1),
      );
      assert.ok(pages.length > 1);
    },
  },
  scopes: { 'execute-writes': rows },
  'page-tokens': {
    'one-for-a-list': async (client) =>
      assert.equal((await Array.fromAsync(client.accounts.listAll({ pageSize: 3 }))).length, 10),
  },
  'activity-window': {
    'both-needed': async (client) => {
      const window = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };
      assert.ok((await client.activities.list(window)).items.length > 0);
    },
  },
  'records-by-id': {
    'no-tables': async (client) => {
      const [role] = (await client.roles.list()).items;
      assert.equal((await findRecord(client, role?.globalId ?? ''))?.collection, 'roles');
      const { globalId } = await firstAccount(client);
      await assert.rejects(findRecord(client, globalId), /other collections could not be searched/);
    },
  },
  'other-ids': {
    'local-only': async (client) =>
      assert.equal((await client.accessAssignments.list()).items[0]?.globalEntityId, undefined),
  },
  principals: {
    'other-type': async (client) =>
      assert.equal((await client.savedQueries.list()).items[0]?.created_by?.type, 'Robot'),
  },
  'data-classifications': {
    objects: async (client) =>
      assert.deepEqual(Reflect.get(await firstAccount(client), 'enrichedDataClassifications'), [
        { name: 'Confidential' },
      ]),
  },
  'open-words': {
    'other-word': async (client) => assert.equal((await firstAccount(client)).type, 'Robot'),
  },
  characters: {
    'utf16-units': async (client) => {
      const create = client.savedQueries.create({ name: '\u{1F4A5}'.repeat(150), query_string: 'SELECT 1' });
      const error = await failureOf(create);
      assert.ok(error instanceof RejectedError);
      assert.match(error.message, /at most 200 characters/);
    },
  },
  'kept-jobs': {
    gone: async (client) => {
      const { jobId } = await client.accounts.disable((await firstAccount(client)).globalId);
      assert.ok((await failureOf(client.jobs.read(jobId))) instanceof NotFoundError);
    },
  },
  'export-file': {
    redirected: async (client) => {
      const { id } = await client.downloads.create({ context: 'employees', fileFormat: 'jsonl' });
      await client.downloads.wait(id, { pollMs: 1 });
      const chunks = await Array.fromAsync(fetchExport(client, id, { signal: new AbortController().signal }));
      assert.ok(chunks.length > 0 && !chunks.includes('restart'));
    },
  },
  'parse-error': {
    'status-422': (client) => doesNotParse(client, { line: 2, column: 3 }),
    'from-zero': (client) => doesNotParse(client, { line: 2, column: 3 }),
    'without-place': (client) => doesNotParse(client, undefined),
  },
  'query-failed': {
    'other-code': async (client) => {
      const error = await failureOf(client.queries.execute({ query_string: 'SELECT 1 / 0' }));
      assert.ok(error instanceof RejectedError);
      assert.equal(error.code, 'EXECUTION_ERROR');
      assert.match(error.message, /division by zero/);
    },
  },
  'unknown-model': {
    'not-found': async (client) => {
      const error = await failureOf(client.queries.execute({ query_string: 'SELECT 1', model: 'none' }));
      assert.ok(error instanceof NotFoundError);
      assert.equal(error.code, 'MODEL_NOT_FOUND');
    },
  },
  'http-errors': {
    html: async (client) => {
      service.set({ assumptions: { 'http-errors': 'html', 'saved-query-list': 'missing' } });
      assert.ok(isListMissing(await failureOf(client.savedQueries.list())));
    },
  },
  'create-status': {
    'status-200': async (client) => assert.equal((await client.savedQueries.create(draft())).version, 1),
  },
  token: {
    'no-lifetime': token,
    'lifetime-as-text': token,
    'body-only': async (client) => {
      assert.ok((await failureOf(client.models.list())) instanceof AuthError);
      assert.equal((await open({ clientAuthentication: 'body' }).models.list()).length, 2);
    },
  },
  'retry-after': {
    absent: async (client) => {
      await client.models.list();
      await service.nextAnswers('/v1/schema/models', { kind: 'status', status: 429, retryAfter: '7' });
      const error = await failureOf(client.models.list());
      assert.ok(error instanceof RateLimitError && error.retryAfterMs === undefined);
      await service.nextAnswers('/v1/schema/models', { kind: 'status', status: 429, retryAfter: '7' });
      assert.equal((await open({ retry: { attempts: 2 } }).models.list()).length, 2);
    },
  },
  'account-role': {
    'other-name': async (client) => {
      const { items } = await client.accounts.list();
      assert.equal(Reflect.get(items[0] ?? {}, 'accountRoleName'), 'member');
    },
  },
  'other-lists': {
    missing: async (client) => {
      for (const list of [client.accountRoles, client.authenticatorEnrollments])
        assert.ok(isListMissing(await failureOf(list.list())));
    },
  },
  'link-text': {
    'other-text': async (client) => {
      const { items } = await client.enrollmentViaAuthenticator.list();
      assert.match(items[0] ?? '', /^\(AuthenticatorEnrollment /);
    },
  },
  'action-job': {
    'other-words': async (client) => {
      const { jobId } = await client.accounts.disable((await firstAccount(client)).globalId);
      assert.deepEqual(Reflect.get(Object(await client.jobs.read(jobId)), 'state'), 'IN_PROGRESS');
    },
    bare: async (client) => {
      const { jobId } = await client.accounts.disable((await firstAccount(client)).globalId);
      assert.deepEqual(await client.jobs.read(jobId), { done: false });
    },
    'unknown-is-410': async (client) => {
      const error = await failureOf(client.jobs.read(randomUUID()));
      assert.ok(error instanceof RejectedError && error.status === 410);
    },
  },
  membership: {
    missing: async (client) => {
      const { globalId } = await firstAccount(client);
      assert.ok((await failureOf(client.groups.addMember(randomUUID(), globalId))) instanceof NotFoundError);
    },
  },
  'create-download': {
    missing: async (client) => {
      const error = await failureOf(client.downloads.create({ context: 'employees' }));
      assert.ok(isListMissing(error));
      assert.ok((await failureOf(client.downloads.get(randomUUID()))) instanceof NotFoundError);
    },
  },
  'model-columns': {
    refused: async (client) => {
      assert.ok((await failureOf(readModelTables(client, 'platform_identity'))) instanceof AuthError);
    },
    empty: async (client) =>
      assert.deepEqual((await readModelTables(client, 'platform_identity')).tables, []),
  },
};

/** Whatever the error code, the save fails and the service keeps its text. */
async function isNotSaved(client: ServiceClient): Promise<void> {
  const { query_id } = await stale(client);
  const before = await client.savedQueries.get(query_id);
  await failureOf(client.savedQueries.update(query_id, { ...draft(), expected_version: 1 }));
  assert.deepEqual(await client.savedQueries.get(query_id), before);
}

suite('each gap in the specification, filled in another way', () => {
  test('every row of docs/assumptions.md has a switch', () => {
    const table = readFileSync(new URL('../../docs/assumptions.md', import.meta.url), 'utf8');
    const ids = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => id);
    assert.ok(ids.length > 0);
    assert.deepEqual(ids.toSorted(), Object.keys(otherWays).toSorted());
  });

  for (const [gap, ways] of Object.entries(cases)) {
    for (const [way, check] of Object.entries(ways) as [string, (client: ServiceClient) => Promise<void>][]) {
      test(`${gap}: ${way}`, async () => {
        service.set({ assumptions: { [gap]: way } }); // a key and a value from the cases above
        await service.forgetRequests();
        await check(open());
      });
    }
  }
});
