/** Lists and records: pages, filters and time windows. REST and SQL return the same data. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { endpoints, type Endpoint } from '#api/contract/endpoints.ts';
import { limits } from '#api/contract/limits.ts';
import { collections, type CollectionName } from '#service/data/collections.ts';
import { columnsOf } from '#service/data/tables/columns.ts';
import { sampleQueries } from '#service/store/sample-queries.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { ServiceHttp } from '../helpers/service-http.ts';

let sandbox: RunningSandbox;
let http: ServiceHttp;
const now = '2026-06-30';

before(async () => {
  sandbox = await startSandbox({ embedded: true, accounts: 300, now });
  http = new ServiceHttp(sandbox);
});
after(() => sandbox.stop());

type Item = Record<string, unknown>;
type Query = Record<string, string | number>;

async function pageOf(endpoint: Endpoint, query: Query): Promise<{ items: Item[]; nextPageToken?: string }> {
  const { body, status, text } = await http.call(endpoint, { query });
  assert.equal(status, 200, text);
  return body as { items: Item[]; nextPageToken?: string }; // endpoints.test.ts checks the schema
}

async function all(endpoint: Endpoint, query: Query = {}): Promise<Item[]> {
  const items: Item[] = [];
  let pageToken: string | undefined;
  do {
    const page = await pageOf(endpoint, {
      pageSize: 200,
      ...query,
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    items.push(...page.items);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return items;
}

const lists = {
  accounts: endpoints.listAccounts,
  roles: endpoints.listRoles,
  accountRoles: endpoints.listAccountRoles,
  authenticators: endpoints.listAuthenticators,
  enrollments: endpoints.listAuthenticatorEnrollments,
  access: endpoints.listEntityAssignedAccessToObject,
  personLinks: endpoints.listPersonIsEmployee,
  enrollmentLinks: endpoints.listEnrollmentViaAuthenticator,
} as const satisfies Partial<Record<CollectionName, Endpoint>>;

const sqlRows = async (query_string: string): Promise<unknown[][]> => {
  const body = { query_string, pageSize: limits.executePageSizeMax };
  const answer = await http.call(endpoints.executeQuery, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.rows as unknown[][]; // guaranteed by the schema
};

suite('lists', () => {
  for (const [name, endpoint] of Object.entries(lists)) {
    test(`${name}: small and large pages return the same items, each once`, async () => {
      const large = await all(endpoint);
      const small = await all(endpoint, { pageSize: 37 });
      assert.ok(large.length > 0);
      assert.deepEqual(small, large);
      assert.equal(new Set(large.map((item) => JSON.stringify(item))).size, large.length);
    });
  }

  test('a page holds fifty items by default, and the requested number up to the limits', async () => {
    const size = async (query: Query): Promise<number> =>
      (await pageOf(endpoints.listAccounts, query)).items.length;
    assert.equal(await size({}), limits.pageSizeDefault);
    assert.equal(await size({ pageSize: 1 }), 1);
    assert.equal(await size({ pageSize: limits.pageSizeMax }), limits.pageSizeMax);
  });

  test('the last page has no token, even if it is full', async () => {
    const count = (await all(endpoints.listAuthenticators)).length;
    assert.equal((await pageOf(endpoints.listAuthenticators, { pageSize: count })).nextPageToken, undefined);
    assert.ok((await pageOf(endpoints.listAuthenticators, { pageSize: count - 1 })).nextPageToken);
  });

  test('each application instance returns its own records, and all instances together return everything', async () => {
    const instanceOf = (item: Item): string =>
      String((item['objectMetadata'] as Record<string, unknown>)['ApplicationInstanceId']); // a required field
    const accounts = await all(endpoints.listAccounts);
    const instances = new Set(accounts.map(instanceOf));
    let count = 0;
    for (const applicationInstanceId of instances) {
      const own = await all(endpoints.listAccounts, { applicationInstanceId });
      const capitals = { applicationInstanceId: applicationInstanceId.toUpperCase() };
      assert.deepEqual(await all(endpoints.listAccounts, capitals), own);
      assert.ok(own.every((item) => instanceOf(item) === applicationInstanceId));
      count += own.length;
    }
    assert.equal(count, accounts.length);
    const nobody = '00000000-0000-4000-8000-000000000000';
    assert.deepEqual(await all(endpoints.listAccounts, { applicationInstanceId: nobody }), []);
  });

  test('a token is valid only for its list and instance, and only if unchanged', async () => {
    const { nextPageToken = '' } = await pageOf(endpoints.listAccounts, { pageSize: 1 });
    const instance = '00000000-0000-4000-8000-000000000000';
    for (const [endpoint, query] of [
      [endpoints.listRoles, { pageToken: nextPageToken }],
      [endpoints.listAccounts, { pageToken: `${nextPageToken}a` }],
      [endpoints.listAccounts, { pageToken: nextPageToken, applicationInstanceId: instance }],
    ] as const) {
      const answer = await http.call(endpoint, { query });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.details.field, 'pageToken');
    }
  });

  test('a token is valid only for its time window', async () => {
    const from = '2026-06-01T00:00:00Z';
    const { nextPageToken = '' } = await pageOf(endpoints.listActivities, { pageSize: 1, from });
    const same = await pageOf(endpoints.listActivities, { pageSize: 1, from, pageToken: nextPageToken });
    assert.equal(same.items.length, 1);
    const others: Query[] = [{}, { from: '2026-06-02T00:00:00Z' }, { from, to: '2026-06-03T00:00:00Z' }];
    for (const other of others) {
      const query = { ...other, pageToken: nextPageToken };
      const answer = await http.call(endpoints.listActivities, { query });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.details.field, 'pageToken');
    }
  });

  test('while results are being prepared, pages are empty and have a token', async () => {
    const slow = await startSandbox({ embedded: true, accounts: 10, args: ['--preparing-pages', '2'] });
    try {
      const client = new ServiceHttp(slow);
      for (const [endpoint, count] of [
        [endpoints.listAuthenticators, 6],
        [endpoints.listSavedQueries, sampleQueries.length],
      ] as const) {
        const sizes: number[] = [];
        let pageToken: string | undefined;
        do {
          const query: Query = pageToken === undefined ? {} : { pageToken };
          const { body } = await client.call(endpoint, { query });
          sizes.push(body.items.length as number); // an array, guaranteed by the schema
          pageToken = body.nextPageToken as string | undefined; // a string, guaranteed by the schema
        } while (pageToken !== undefined);
        assert.deepEqual(sizes, [0, 0, count]);
      }
    } finally {
      await slow.stop();
    }
  });
});

suite('activities', () => {
  const times = (items: Item[]): string[] => items.map((item) => String(item['timestamp']));

  test('without a window, the last thirty days', async () => {
    const found = times(await all(endpoints.listActivities));
    assert.ok(found.length > 100);
    assert.ok(found.every((time) => time >= '2026-05-31T00:00:00.000Z' && time < `${now}T00:00:00.000Z`));
  });

  test('a window includes its start and excludes its end', async () => {
    const everything = times(await all(endpoints.listActivities));
    const [from, to] = [everything[3]!, everything[8]!];
    assert.deepEqual(times(await all(endpoints.listActivities, { from, to })), everything.slice(3, 8));
  });

  test('windows may span 31 days, add up to the whole, and accept UTC offsets', async () => {
    const first = await all(endpoints.listActivities, {
      from: '2026-04-30T00:00:00Z',
      to: '2026-05-31T00:00:00Z',
    });
    const second = await all(endpoints.listActivities, {
      from: '2026-05-31T02:00:00+02:00',
      to: '2026-06-30T00:00:00Z',
    });
    const rows = await sqlRows('SELECT count(*) FROM activities');
    assert.deepEqual(rows, [
      [
        first.length +
          second.length +
          (await all(endpoints.listActivities, { to: '2026-04-30T00:00:00Z' })).length,
      ],
    ]);
  });
});

suite('records', () => {
  for (const [list, get] of [
    [endpoints.listRoles, endpoints.getRole],
    [endpoints.listAccountRoles, endpoints.getAccountRole],
    [endpoints.listActivities, endpoints.getActivity],
    [endpoints.listAuthenticatorEnrollments, endpoints.getAuthenticatorEnrollment],
  ] as const) {
    test(`${get.path} returns what the list returns`, async () => {
      for (const item of (await all(list)).slice(0, 5)) {
        const { body } = await http.call(get, { path: { id: String(item['globalId']) } });
        assert.deepEqual(body, item);
      }
    });
  }
});

suite('REST and SQL return the same data', () => {
  for (const [name, endpoint] of Object.entries(lists) as [keyof typeof lists, Endpoint][]) {
    // the keys of an object literal
    test(name, async () => {
      const collection = collections[name];
      const items = await all(endpoint);
      if (name === 'enrollmentLinks') {
        const links = await sqlRows(`SELECT relationship FROM ${collection.table}`);
        assert.deepEqual(links.flat().sort(), items.map(String).sort());
        return;
      }
      const columns = columnsOf(collection.schema);
      const rows = await sqlRows(`SELECT * FROM ${collection.table}`);
      const byId = new Map(
        rows.map((row) => [row[columns.findIndex((column) => column.name === 'global_id')], row]),
      );
      assert.equal(byId.size, items.length);
      for (const item of items) {
        const row = byId.get(item['globalId']);
        assert.ok(row);
        for (const [index, column] of columns.entries()) {
          const expected: unknown = item[column.member] ?? null;
          const value: unknown = row[index];
          if (column.type === 'timestamptz' && typeof value === 'string' && typeof expected === 'string') {
            // PostgreSQL's format is 2026-01-31 00:00:00+00.
            assert.equal(Date.parse(`${value.replace(' ', 'T')}:00`), Date.parse(expected), column.name);
          } else {
            assert.deepEqual(value, expected, column.name);
          }
        }
      }
    });
  }
});
