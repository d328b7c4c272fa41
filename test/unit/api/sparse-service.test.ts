/** A sparse implementation of the same specification: a missing member does not affect other data. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import { ContractError } from '#api/client/errors.ts';
import { failure, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

/** Returns the result of a call to a service that always responds with `body`. */
async function answered<Value>(
  body: unknown,
  call: (client: ServiceClient) => Promise<Value>,
): Promise<Value> {
  const values: Value[] = [];
  await withService(
    (_, response) => sendJson(response, 200, body),
    async (client) => {
      values.push(await call(client));
    },
  );
  assert.ok(values.length === 1);
  return values[0] as Value;
}

suite('records of a sparse service', () => {
  test('a record without most of its members is listed beside whole ones', async () => {
    const items = [{ globalId: 'a' }, { globalId: 'b', enabled: 'yes', more: 1 }];
    assert.deepEqual((await answered({ items }, ({ accounts }) => accounts.list())).items, items);
  });

  test('an invalid record keeps its place', async () => {
    const items = [{ globalId: 'a' }, 'odd', 7, null, ['x']];
    assert.deepEqual((await answered({ items }, ({ accounts }) => accounts.list())).items, items);
  });

  test('a link that is not a text keeps its place', async () => {
    const items = ['(:A)-[:EnrolledVia]->(:B)', { from: 'A', to: 'B' }];
    const page = await answered({ items }, (client) => client.enrollmentViaAuthenticator.list());
    assert.deepEqual(page.items, items);
  });

  test('an empty list may be null', async () => {
    assert.deepEqual((await answered({ items: null }, ({ roles }) => roles.list())).items, []);
  });

  test('a response without a list is still reported', async () => {
    const error = await failure(answered({ rows: [] }, ({ roles }) => roles.list()));
    assert.ok(error instanceof ContractError);
    assert.match(error.message, /no items/);
  });

  test('a record requested by its ID requires none of its members', async () => {
    const record = { id: 'local', name: 'Readers' };
    assert.deepEqual(await answered(record, ({ roles }) => roles.get('g')), record);
    assert.ok((await failure(answered(['x'], ({ roles }) => roles.get('g')))) instanceof ContractError);
  });
});

suite('jobs and exports of a sparse service', () => {
  test('an accepted change requires only an ID', async () => {
    const accepted = await answered({ jobId: 'j' }, ({ accounts }) => accounts.disable('a'));
    assert.equal(accepted.jobId, 'j');
  });

  test('an export may lack its format and data set, and have its own limit', async () => {
    const record = {
      id: 'not-a-uuid',
      status: 'completed',
      urlTtlMinutes: 100_000,
      url: 'https://files.test/a',
    };
    assert.deepEqual(await answered(record, ({ downloads }) => downloads.get('x')), record);
  });

  test('an export whose error is a text keeps its status', async () => {
    const record = await answered({ id: 'a', status: 'failed', error: 'no data' }, ({ downloads }) =>
      downloads.get('x'),
    );
    assert.deepEqual(record, { id: 'a', status: 'failed' });
  });
});

suite('a request for an export that is accepted', () => {
  const at = { location: '/v1/downloads/d-1' };
  for (const [name, status, body, headers, expected] of [
    ['with its ID alone', 202, { id: 'd-1' }, {}, { id: 'd-1', status: 'accepted' }],
    ['with the address alone', 202, '', at, { id: 'd-1', status: 'accepted' }],
    [
      'with a whole address',
      201,
      '',
      { location: 'https://a.test/v1/downloads/d-1?x' },
      { id: 'd-1', status: 'accepted' },
    ],
    ...[
      ['/v1/downloads/d-1/', 'd-1'],
      ['/v1/downloads/d%3A1', 'd:1'],
      ['https://a.test/v1/downloads/d%201/?x', 'd 1'],
      ['/v1/downloads/5%', '5%'],
    ].map(
      ([location = '', id = '']) =>
        [`with ${location}`, 202, '', { location }, { id, status: 'accepted' }] as const,
    ),
    ['with both', 202, { id: 'd-2', status: 'completed' }, at, { id: 'd-2', status: 'completed' }],
    ['with neither', 202, {}, {}, /`id`/],
    ['with another address', 202, '', { location: '/v1/work/d-1' }, /`id`/],
    ['in vain', 200, { id: 'e-1', error: 'no quota' }, {}, /`status`/],
    ['in vain, with a code', 200, { id: 'e-1', code: 'QUOTA', message: 'no quota' }, {}, /`status`/],
    ['by a list', 200, ['d-1'], at, /not an object/],
  ] as const)
    // oxfmt-ignore
    test(name, async () => {
      await withService(
        (_, response) => sendJson(response, status, body, headers),
        async ({ downloads }) => {
          const made = downloads.create({ context: 'employees' });
          if (expected instanceof RegExp) assert.match((await failure(made)).message, expected);
          else assert.deepEqual(await made, expected);
        },
      );
    });
});

suite('saved queries of a sparse service', () => {
  const whole = { query_id: 'a', name: 'A', query_string: 'SELECT 1', model: 'm', version: 1 };

  test('one odd query does not hide the others, and is reported', async () => {
    const items = [whole, { query_id: 'b', version: 'one' }, 'text', { ...whole, query_id: 'c' }];
    const problems: string[] = [];
    const read = await answered({ items }, ({ savedQueries }) =>
      Array.fromAsync(savedQueries.listSummaries({ onLeftOut: (more) => problems.push(...more) })),
    );
    assert.deepEqual(
      read.map(({ query_id: id }) => id),
      ['a', 'c'],
    );
    assert.equal(problems.length, 2);
    assert.match(problems[0] ?? '', /`name`/);
  });

  test('a caller that does not accept omitted items gets an error', async () => {
    const items = [whole, { query_id: 'b' }];
    const error = await failure(
      answered({ items }, ({ savedQueries }) => Array.fromAsync(savedQueries.listAll())),
    );
    assert.ok(error instanceof ContractError);
  });

  test('limits are for writing: longer names, texts and descriptions are read', async () => {
    const record = {
      ...whole,
      name: 'n'.repeat(500),
      query_string: 'x'.repeat(200_000),
      description: 'd'.repeat(5_000),
    };
    assert.deepEqual(await answered(record, ({ savedQueries }) => savedQueries.get('a')), record);
  });

  test('a record without a model gets the default one; authors and times may have any shape', async () => {
    const { model: _, ...record } = { ...whole, created_by: 'user-1', last_modified_at: 17 };
    const read = await answered(record, ({ savedQueries }) => savedQueries.get('a'));
    assert.deepEqual(read, { ...whole, model: 'platform_identity' });
  });

  test('one odd model does not hide the others', async () => {
    const body = { models: [{ name: 'a' }, {}, { name: 'b', description: 7 }] };
    assert.deepEqual(
      (await answered(body, ({ models }) => models.list())).map(({ name }) => name),
      ['a', 'b'],
    );
  });
});
