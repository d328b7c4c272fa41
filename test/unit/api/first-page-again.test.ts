/** A service that sends the first page again takes the token under another name: no row comes twice without a word. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import type { ExecutePaging } from '#api/client/execute-paging.ts';
import type { PageToken } from '#api/contract/lists.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { withService, type Answer } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

type Body = Readonly<Record<string, unknown>> & { readonly query_string: string };

/** The number of rows of a query that learns the paging. */
function rowsOf(text: string): number {
  const lists = text.split('VALUES').slice(1);
  return lists.reduce((product, list) => product * (list.match(/\(\d+\)/g) ?? []).length, 1);
}

interface Service {
  /** The member that asks for the next page. */
  readonly name: string;
  /** Returns the rows of a query of a test. */
  readonly rows: (text: string) => readonly unknown[];
  /** The status of the answers to queries that learn the paging. */
  readonly probeStatus?: number;
  /** Called before a page is sent. */
  readonly before?: (body: Body) => Promise<undefined> | undefined;
}

/** Pages of two rows, with the same tokens for each query. */
function serviceOf({ name, rows, probeStatus = 200, before }: Service): Answer {
  return ({ body }, response) => {
    const asked = JSON.parse(body) as Body;
    const { query_string: text, pageSize = 2 } = asked;
    const isProbe = /VALUES|UNION|AS n$/.test(text);
    if (isProbe && probeStatus !== 200) {
      sendJson(response, probeStatus, { code: 'QUERY_FAILED', message: 'no' });
      return;
    }
    const all = isProbe ? Array.from({ length: rowsOf(text) }, (_, at) => at + 1) : rows(text);
    const start = Number(asked[name] ?? 0);
    const end = start + Math.min(2, Number(pageSize));
    const nextPageToken = end < all.length ? String(end) : null;
    const page = { columns: ['n'], rows: all.slice(start, end).map((value) => [value]), nextPageToken };
    void Promise.resolve(before?.(asked)).then(() => sendJson(response, 200, page));
  };
}

function pageOf({ queries }: ServiceClient, text: string, pageToken?: PageToken) {
  return queries.execute({ query_string: text, pageSize: 2, pageToken });
}

async function readAll(client: ServiceClient, text: string, isPacked = false) {
  const rows: unknown[] = [];
  let told = 0;
  let count = 0;
  let pageToken: PageToken | undefined;
  do {
    const request = { query_string: text, pageSize: 2, pageToken };
    const page = isPacked
      ? await client.queries.executeBytes(request, new PageScanner('texts'))
      : await client.queries.execute(request);
    const list: unknown = page.rows;
    if (Array.isArray(list))
      rows.push(...list.map((row: unknown) => (Array.isArray(row) ? (row[0] as unknown) : row)));
    else count += Number(Reflect.get(page.rows, 'rowCount'));
    told = Math.max(told, page.toldRows ?? 0);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return isPacked ? { rows: count, told } : { rows, told };
}

suite('several results at once, of a service that takes its nextPageToken as page_token', () => {
  const numbers = (text: string) => [0, 1, 2, 3, 4].map((at) => `${text} ${at}`);

  test('whose second pages are asked for before its name is known: each row is read once', async () => {
    const learned = Promise.withResolvers<undefined>();
    const sent = Promise.withResolvers<undefined>();
    const before = ({ query_string: text, pageToken }: Body) => {
      if (text !== 'SELECT late' || pageToken === undefined) return undefined;
      sent.resolve(undefined);
      return learned.promise;
    };
    await withService(serviceOf({ name: 'page_token', rows: numbers, before }), async (client) => {
      const [one, late] = await Promise.all([pageOf(client, 'SELECT early'), pageOf(client, 'SELECT late')]);
      const second = pageOf(client, 'SELECT late', late.nextPageToken);
      await sent.promise;
      const early = await pageOf(client, 'SELECT early', one.nextPageToken);
      assert.deepEqual(early.rows.flat(), ['SELECT early 2', 'SELECT early 3']);
      learned.resolve(undefined);
      assert.deepEqual((await second).rows.flat(), ['SELECT late 2', 'SELECT late 3']);
    });
  });

  test('of the same query, asked for at once, and again: each row is read once', async () => {
    await withService(serviceOf({ name: 'page_token', rows: numbers }), async ({ queries }) => {
      const request = { query_string: 'SELECT a', pageSize: 2 };
      const { nextPageToken } = await queries.execute(request);
      // The last one before a limit of rows asks for as many as are left.
      const seconds = [2, 2, 3].map((pageSize) =>
        queries.execute({ ...request, pageSize, pageToken: nextPageToken }),
      );
      for (const { rows } of await Promise.all(seconds))
        assert.deepEqual(rows.flat(), ['SELECT a 2', 'SELECT a 3']);
    });
  });

  for (const left of [1, 3])
    test(`whose last page before a limit has ${left} rows: each row is read once`, async () => {
      await withService(serviceOf({ name: 'page_token', rows: numbers }), async ({ queries }) => {
        const request = { query_string: 'SELECT a', pageSize: 2 };
        const { nextPageToken } = await queries.execute(request);
        const { rows } = await queries.execute({ ...request, pageSize: left, pageToken: nextPageToken });
        assert.equal(rows[0]?.[0], 'SELECT a 2');
      });
    });

  for (const probeStatus of [200, 400])
    for (const isPacked of [false, true])
      test(`of what may change data: it is not sent again${isPacked ? ', packed' : ''} (${probeStatus})`, async () => {
        let sent = 0;
        const before = ({ query_string: text }: Body) => {
          if (text === 'SELECT change()') sent += 1;
          return undefined;
        };
        await withService(
          serviceOf({ name: 'page_token', rows: numbers, probeStatus, before }),
          async ({ queries }) => {
            const request = { query_string: 'SELECT change()', pageSize: 2 };
            const options = { isRepeatable: false };
            const read = async (pageToken?: PageToken) =>
              isPacked
                ? await queries.executeBytes({ ...request, pageToken }, new PageScanner('texts'), options)
                : await queries.execute({ ...request, pageToken }, options);
            const { nextPageToken } = await read();
            const second = await read(nextPageToken).catch((error: unknown) => String(error));
            if (typeof second === 'string') assert.match(second, /same page/);
            else assert.equal(second.toldRows, Infinity);
            assert.equal(sent, 2);
          },
        );
      });

  test('in turns, with the same tokens: each row is read once', async () => {
    await withService(serviceOf({ name: 'page_token', rows: numbers }), async (client) => {
      const a = await pageOf(client, 'SELECT a');
      const c = await pageOf(client, 'SELECT c');
      for (const [text, { nextPageToken }] of [
        ['SELECT a', a],
        ['SELECT c', c],
      ] as const) {
        const { rows } = await pageOf(client, text, nextPageToken);
        assert.deepEqual(rows.flat(), [`${text} 2`, `${text} 3`]);
      }
    });
  });

  test('the values and the model are a part of what is asked', async () => {
    await withService(serviceOf({ name: 'page_token', rows: numbers }), async ({ queries }) => {
      const requests = [{ model: 'a' }, { model: 'b' }].map((more) => ({
        query_string: 'SELECT a',
        pageSize: 2,
        ...more,
      }));
      const firsts = await Promise.all(requests.map((request) => queries.execute(request)));
      for (const [at, request] of requests.entries()) {
        const pageToken = firsts[at]?.nextPageToken;
        const { rows } = await queries.execute({ ...request, pageToken });
        assert.deepEqual(rows.flat(), ['SELECT a 2', 'SELECT a 3']);
      }
    });
  });

  const kept = (token: string): ExecutePaging => ({
    kind: 'pages',
    size: 'pageSize',
    token,
    next: ['nextPageToken'],
    end: { kind: 'no-token' },
  });
  for (const [name, token] of [
    ['pageToken', 'cursor'],
    ['page_token', 'pageToken'],
    ['cursor', 'page_token'],
  ] as const)
    test(`kept as ${token}, while the service takes ${name} now: each row is read once`, async () => {
      await withService(
        serviceOf({ name, rows: numbers }),
        async (client) => {
          const { rows } = await readAll(client, 'SELECT a');
          assert.deepEqual(rows, numbers('SELECT a'));
        },
        { keptExecutePaging: kept(token) },
      );
    });
});

suite('two equal pages of a service whose paging cannot be learned', () => {
  const users = () => Array.from({ length: 5 }, () => 'User');
  for (const isPacked of [false, true])
    for (const probeStatus of [400, 504])
      test(`of equal rows are read, and perhaps not all${isPacked ? ', packed' : ''} (${probeStatus})`, async () => {
        await withService(serviceOf({ name: 'pageToken', rows: users, probeStatus }), async (client) => {
          const { rows, told } = await readAll(client, 'SELECT type FROM accounts', isPacked);
          assert.deepEqual(rows, isPacked ? 5 : users());
          assert.equal(told, Infinity);
        });
      });

  for (const isPacked of [false, true])
    for (const probeStatus of [400, 504])
      test(`of other rows are told as an error${isPacked ? ', packed' : ''} (${probeStatus})`, async () => {
        const rows = () => [1, 2, 3, 4, 5];
        await withService(serviceOf({ name: 'page_token', rows, probeStatus }), async (client) => {
          await assert.rejects(readAll(client, 'SELECT n FROM t', isPacked), /same page/);
        });
      });

  test('of equal rows of what may change data are not sent again to compare them', async () => {
    let sent = 0;
    const before = ({ query_string: text }: Body) => {
      if (text === 'SELECT change()') sent += 1;
      return undefined;
    };
    const service = serviceOf({ name: 'pageToken', rows: users, probeStatus: 400, before });
    await withService(service, async ({ queries }) => {
      let pageToken: PageToken | undefined;
      for (let pages = 0; pages < 3; pages += 1) {
        const request = { query_string: 'SELECT change()', pageSize: 2, pageToken };
        const options = { isRepeatable: false };
        ({ nextPageToken: pageToken } = await queries.executeBytes(
          request,
          new PageScanner('texts'),
          options,
        ));
      }
      assert.equal(sent, 3);
    });
  });

  test('that are learned to be pages are read, and all', async () => {
    await withService(serviceOf({ name: 'pageToken', rows: users }), async (client) => {
      const { rows, told } = await readAll(client, 'SELECT type FROM accounts');
      assert.deepEqual([rows, told], [users(), 0]);
    });
  });
});
