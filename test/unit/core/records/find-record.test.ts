/** Finding records by ID on a service with different tables, additional columns, or no record operation. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { RejectedError } from '#api/client/errors.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { backReferences, findRecord, readRecord } from '#core/records/find-record.ts';
import { failure, withService, type Answer } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const id = '6c1a2e9d-2990-8638-9b31-b9c573c105b3';
const rejected = { code: 'QUERY_PARSE_ERROR', message: 'relation "accounts" does not exist' };
const missing = { code: 'NOT_FOUND', message: 'no' };

/** Creates a service that sends this response to SQL lookups, and 404 to record operations. */
const bySql =
  (status: number, body: unknown): Answer =>
  ({ path }, response) =>
    path.endsWith('/execute') ? sendJson(response, status, body) : sendJson(response, 404, missing);

suite('a record read by SQL', () => {
  test('keeps every column, has times in wire format, and states how it was read', async () => {
    const columns = [
      ['global_id', 'text'],
      ['alias', 'text'],
      ['last_activity_date', 'text'],
      ['created_at', 'timestamptz'],
      ['seen_at', 'timestamp with time zone'],
      ['odd_at', 'timestamptz'],
      ['note', 'text'],
      ['other_id', 'integer'],
      ['email', 'text'],
    ];
    const row = [
      id,
      'ada',
      '2026-01-31 08:00:00.5+00',
      '2026-01-31 08:00:00+05:30',
      '2026-01-31T08:00:00-03',
      'infinity',
      '2026-01-31 08:00:00+00',
      7,
      null,
    ];
    const body = { columns: columns.map(([name, type]) => ({ name, type })), rows: [row] };
    await withService(bySql(200, body), async (client) => {
      const found = await readRecord(client, 'accounts', id);
      assert.ok(found !== undefined);
      assert.equal(found.isReadBySql, true);
      assert.deepEqual(found.record, {
        globalId: id,
        alias: 'ada',
        lastActivityDate: '2026-01-31T08:00:00.5Z',
        created_at: '2026-01-31T08:00:00+05:30',
        seen_at: '2026-01-31T08:00:00-03:00',
        odd_at: 'infinity',
        note: '2026-01-31 08:00:00+00',
        other_id: 7,
      });
    });
  });
});

/** Each row on a page of its own, behind an empty one while the rows are prepared. */
const paged =
  (rows: readonly (readonly unknown[])[]): Answer =>
  ({ path, body }, response) => {
    if (!path.endsWith('/execute')) {
      sendJson(response, 404, missing);
      return;
    }
    const { pageToken = 'at 0' } = JSON.parse(body) as { readonly pageToken?: string };
    const at = Number(pageToken.slice(3));
    const columns = rows[0]?.map((_, column) => ({ name: `c${column}`, type: 'text' }));
    const nextPageToken = at < rows.length ? `at ${at + 1}` : null;
    sendJson(response, 200, { columns, rows: rows.slice(at - 1, at), nextPageToken });
  };

suite('a lookup whose rows come on several pages', () => {
  test('waits for the first row', async () => {
    await withService(paged([['accounts']]), async (client) => {
      assert.equal((await findRecord(client, id))?.collection, 'accounts');
    });
  });

  test('counts the references of every page', async () => {
    const rows = [
      ['accounts', 'globalCreatedBy', 2],
      ['roles', 'globalMembership', 1],
    ];
    await withService(paged(rows), async (client) => {
      assert.equal((await backReferences(client, id)).length, 2);
    });
  });
});

suite('a lookup by ID', () => {
  test('that fails in the tables reports the failure, not a missing record', async () => {
    await withService(bySql(400, rejected), async (client) => {
      const error = await failure(findRecord(client, id));
      assert.ok(error instanceof ExpectedError, String(error));
      assert.match(
        error.message,
        /^No role, .* has the global ID .* could not be searched: look in their lists\. .*relation "accounts" does not exist/,
      );
      assert.ok(error.cause instanceof RejectedError);
    });
  });

  test('that a gateway refuses in the tables says where there is no such record', async () => {
    const route = { code: 'ROUTE_NOT_ALLOWED', message: 'no route' };
    await withService(bySql(403, route), async (client) => {
      const error = await failure(findRecord(client, id));
      assert.ok(error instanceof ExpectedError, String(error));
      assert.match(
        error.message,
        /^No role, .* could not be searched: look in their lists\. This client may not do this, or this service does not offer POST \/v1\/query\/execute \(403\)\. No route/i,
      );
    });
    await withService(bySql(403, { code: 'FORBIDDEN', message: 'no scope' }), async (client) => {
      const error = await failure(findRecord(client, id));
      assert.match(error.message, /^This client may not do this \(403\)/);
    });
  });

  test('that fails in the tables still finds records with a get operation', async () => {
    const answer: Answer = (request, response, count) =>
      request.path === `/v1/roles/${id}`
        ? sendJson(response, 200, { globalId: id, name: 'Reader' })
        : bySql(400, rejected)(request, response, count);
    await withService(answer, async (client) => {
      const found = await findRecord(client, id);
      assert.deepEqual([found?.collection, found?.isReadBySql], ['roles', undefined]);
    });
  });

  test('finds a record of a table where another table is missing', async () => {
    const row = { columns: [{ name: 'global_id', type: 'text' }], rows: [[id]] };
    const answer =
      (where: string): Answer =>
      (request, response, count) => {
        const text = JSON.stringify(request.body);
        if (!request.path.endsWith('/execute')) sendJson(response, 404, missing);
        else if (text.includes('UNION') || text.includes('FROM authenticators'))
          bySql(400, rejected)(request, response, count);
        else sendJson(response, 200, text.includes(`FROM ${where} `) ? row : { ...row, rows: [] });
      };
    await withService(answer('accounts'), async (client) => {
      assert.equal((await findRecord(client, id))?.collection, 'accounts');
    });
    await withService(answer('nowhere'), async (client) => {
      const error = await failure(findRecord(client, id));
      assert.match(
        error.message,
        /^No record that could be searched .* Some collections could not be searched: look in their lists\./,
      );
    });
  });

  test('goes on where a collection refuses the form of the ID', async () => {
    const answer: Answer = ({ path }, response) => {
      if (path.endsWith('/execute')) sendJson(response, 404, missing);
      else if (path.endsWith(`/activities/${id}`)) sendJson(response, 200, { globalId: id });
      else sendJson(response, 400, { code: 'BAD_REQUEST', message: 'not an ID of a role' });
    };
    await withService(answer, async (client) => {
      assert.equal((await findRecord(client, id))?.collection, 'activities');
    });
  });

  test('reads a name that the database has padded', async () => {
    await withService(paged([['accounts    ']]), async (client) => {
      assert.equal((await findRecord(client, id))?.collection, 'accounts');
    });
  });

  for (const [what, part] of [
    ['a part without a row', { rows: [], hasMore: true }],
    ['another word', { rows: [['people']], nextPageToken: null }],
  ] as const)
    test(`that is answered with ${what} says what could not be searched`, async () => {
      const body = { columns: [{ name: 'collection', type: 'text' }], ...part };
      await withService(bySql(200, body), async (client) => {
        const error = await failure(findRecord(client, id));
        assert.ok(error instanceof ExpectedError, String(error));
        assert.match(
          error.message,
          /^No role, .* has the global ID .* The other collections could not be searched: look in their lists\. The service did not tell in which collection the record is\.$/,
        );
      });
    });

  test('that finds nothing reports this', async () => {
    const body = { columns: [{ name: 'collection', type: 'text' }], rows: [] };
    await withService(
      bySql(200, body),
      async (client) => assert.equal(await findRecord(client, id), undefined),
      { executeValues: 'parameters' },
    );
  });
});
