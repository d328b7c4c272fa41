/** How results are paged is learned: a page that shows nothing is never taken for the whole result. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import type { PageToken } from '#api/contract/lists.ts';
import { noFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { runControl } from '#core/controls/run-control.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { withService } from '#test/helpers/client-service.ts';
import { provenStatement } from '#test/helpers/control-service.ts';
import { sendJson } from '#test/helpers/http.ts';
import { queryPages } from '#test/helpers/query-pages.ts';

/** The rows of every result of the service, and how it cuts them. */
interface Cut {
  readonly rows: number;
  readonly most: number;
  /** Whether the service pays heed to the page size. */
  readonly isSized: boolean;
  readonly members?: (sent: number) => object;
  readonly failsOnce?: true;
}

/** The number of rows of a query that learns the paging. */
function rowsOf(text: string): number {
  const lists = text.split('VALUES').slice(1);
  return lists.reduce((product, list) => product * (list.match(/\(\d+\)/g) ?? []).length, 1);
}

async function endOf({ rows, most, isSized, members = () => ({}), failsOnce }: Cut) {
  let told: { readonly isPerhapsPartial?: true | undefined; readonly requests: number } | undefined;
  await withService(
    ({ body }, response, count) => {
      const { pageSize = most, query_string } = JSON.parse(body) as {
        pageSize?: number;
        query_string: string;
      };
      if (failsOnce === true && count === 2) {
        sendJson(response, 502, {});
        return;
      }
      const all = query_string === 'SELECT n FROM t' ? rows : rowsOf(query_string);
      const sent = Math.min(all, most, isSized ? pageSize : most);
      sendJson(response, 200, {
        columns: [{ name: 'n', type: 'int4' }],
        rows: Array.from({ length: sent }, (_, at) => [at + 1]),
        ...members(sent),
      });
    },
    async ({ queries }, seen) => {
      const { isPerhapsPartial } = await queries.execute({ query_string: 'SELECT n FROM t' });
      told = { isPerhapsPartial, requests: seen().filter(({ method }) => method === 'POST').length };
    },
  );
  return told;
}

suite('a result without a token', () => {
  for (const most of [2, 7, 10, 1_000])
    test(`cut at ${most} rows without a word is perhaps not all`, async () => {
      for (const members of [() => ({}), (rowCount: number) => ({ rowCount })])
        assert.equal((await endOf({ rows: 2_000, most, isSized: true, members }))?.isPerhapsPartial, true);
    });

  test('cut at a round number by a service without pages is perhaps not all', async () => {
    for (const most of [3, 10, 50, 99, 100, 256, 500, 1_000, 1_234])
      assert.equal((await endOf({ rows: 2_000, most, isSized: false }))?.isPerhapsPartial, true);
    assert.equal((await endOf({ rows: 999, most: 5_000, isSized: false }))?.isPerhapsPartial, undefined);
  });

  test('is the last page if it says so, without another request', async () => {
    const members = () => ({ nextPageToken: null });
    const told = await endOf({ rows: 5, most: 10, isSized: true, members });
    assert.equal(told?.isPerhapsPartial, undefined);
    assert.equal(told?.requests, 2, 'the token and the query');
  });

  test('a fault of the service while that is learned does not leave it unknown', async () => {
    const told = await endOf({ rows: 7, most: 5_000, isSized: false, failsOnce: true });
    assert.equal(told?.isPerhapsPartial, undefined);
  });
});

suite('a service that refuses a page size as large as the one that is asked for', () => {
  for (const most of [1_000, 200, 100])
    test(`takes ${most} at most: a result is read, and that is learned once`, async () => {
      let refused = 0;
      await withService(
        ({ body }, response) => {
          const { pageSize = 5, pageToken = '0' } = JSON.parse(body) as {
            readonly pageSize?: number;
            readonly pageToken?: string;
          };
          if (pageSize > most) {
            refused += 1;
            sendJson(response, 400, { code: 'BAD_REQUEST', message: `pageSize is ${most} at most.` });
            return;
          }
          const start = Number(pageToken);
          const rows = Array.from({ length: Math.min(pageSize, 300 - start) }, (_, at) => [start + at]);
          const end = start + rows.length;
          const nextPageToken = end < 300 ? String(end) : null;
          sendJson(response, 200, { columns: ['n'], rows, nextPageToken });
        },
        async ({ queries }) => {
          const read = async () => {
            const rows = [];
            const request = { query_string: 'SELECT n FROM t', pageSize: 10_000 };
            for await (const page of queryPages({ queries }, request)) rows.push(...page.rows);
            return rows.length;
          };
          assert.equal(await read(), 300);
          const before = refused;
          assert.equal(await read(), 300);
          assert.equal(refused, before);
        },
      );
    });

  test('and refuses the query itself is asked no more than once for its page size', async () => {
    let asked = 0;
    await withService(
      (_request, response) => {
        asked += 1;
        sendJson(response, 400, { code: 'BAD_REQUEST', message: 'There is no such model.' });
      },
      async ({ queries }) => {
        const ask = () => queries.execute({ query_string: 'SELECT 1', pageSize: 10_000 });
        await assert.rejects(ask(), /no such model/);
        const before = asked;
        await assert.rejects(ask(), /no such model/);
        assert.equal(asked, before + 1);
      },
    );
  });
});

suite('a service whose largest page size is 200, asked for more', () => {
  const strict =
    (names: readonly string[], seen: { asked: number; alike: number }) =>
    ({ body }: { readonly body: string }, response: ServerResponse) => {
      const { query_string: text, model, ...others } = JSON.parse(body) as Readonly<Record<string, unknown>>;
      seen.asked += 1;
      if (String(text) === 'SELECT 1 AS n' && Object.keys(others).length === 0) seen.alike += 1;
      const isOdd =
        Object.keys(others).some((name) => !names.includes(name)) || Number(others['pageSize']) > 200;
      if (isOdd || model === 'none' || /FROM nothing/.test(String(text)))
        sendJson(response, 400, { code: 'BAD_REQUEST', message: 'This is refused.' });
      else sendJson(response, 200, { columns: ['n'], rows: [[1]], nextPageToken: null });
    };

  for (const isAtOnce of [false, true])
    test(`reads a model ${isAtOnce ? 'while' : 'after'} one that is not there is refused`, async () => {
      const seen = { asked: 0, alike: 0 };
      await withService(strict(['pageSize', 'pageToken'], seen), async ({ queries }) => {
        const ask = (model: string) => queries.execute({ query_string: 'SELECT n', model, pageSize: 10_000 });
        const refused = assert.rejects(ask('none'), /This is refused/);
        if (!isAtOnce) await refused;
        assert.deepEqual((await ask('there')).rows, [[1]]);
        await refused;
        const before = seen.asked;
        await assert.rejects(ask('none'), /This is refused/);
        assert.equal(seen.asked, before + 1);
      });
    });

  test('is not asked for other sizes where it takes none', async () => {
    const seen = { asked: 0, alike: 0 };
    await withService(strict([], seen), async ({ queries }) => {
      const asked = { query_string: 'SELECT n FROM nothing', pageSize: 10_000 };
      await assert.rejects(queries.execute(asked), /This is refused/);
      await assert.rejects(
        queries.execute({ ...asked, query_string: 'SELECT n, n FROM nothing' }),
        /refused/,
      );
      assert.equal(seen.alike, 0);
    });
  });
});

suite('a first page that says it is the last, while something counts more rows, is perhaps not all', () => {
  for (const [headers, members] of [
    [{ 'x-pagination': '{"HasNext":true,"TotalCount":900}' }, {}],
    [{ 'x-total-count': '900' }, {}],
    [{ 'content-range': 'rows 0-4/900' }, {}],
    [{}, { rowCount: 900 }],
    [{}, { total: 900 }],
  ] as const)
    for (const rows of [1, 5])
      test(`${rows} rows, ${JSON.stringify({ ...headers, ...members })}`, async () => {
        await withService(
          (_request, response) => {
            for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
            const list = Array.from({ length: rows }, (_, at) => [at]);
            sendJson(response, 200, { columns: ['n'], rows: list, nextPageToken: null, ...members });
          },
          async ({ queries }) => {
            const page = await queries.execute({ query_string: 'SELECT n FROM t' });
            assert.equal(page.isPerhapsPartial, true);
          },
        );
      });
});

suite('the last of two pages is not the end of all rows', () => {
  /** The outcome of a control on four rows in two pages. */
  const outcomeOf = async (first: object, last: object, headers: Readonly<Record<string, string>> = {}) => {
    let outcome: string | undefined;
    await withService(
      ({ body }, response) => {
        const isFirst = !body.includes('pageToken');
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        const nextPageToken = isFirst ? 'a' : null;
        sendJson(response, 200, {
          columns: ['n'],
          rows: isFirst ? [[1], [2]] : [[3], [4]],
          nextPageToken,
          ...(isFirst ? first : last),
        });
      },
      async (client) => {
        const text = '-- @control A\n-- @error_if rows > 15\nSELECT id FROM a';
        const control = readControl(text);
        assert.ok(control !== undefined);
        const run = { control, place: { name: 'a' }, text, checked: provenStatement(), facts: noFacts };
        ({ outcome } = await runControl(run, { client, signal: new AbortController().signal }));
      },
    );
    return outcome;
  };
  const cut = { warnings: ['Result truncated to 10,000 rows'] };
  for (const [first, last, headers] of [
    [{ total: 900 }, { total: 900 }],
    [{ total_rows: '900' }, {}],
    [{}, {}, { 'x-total-count': '900' }],
    [cut, {}],
    [{ notices: [{ code: 'ROW_LIMIT_REACHED' }] }, {}],
    [{}, { message: 'Response size limit reached; continue with nextPageToken' }],
    [{ message: 'Result truncated to 10,000 rows. Continue with the token.' }, {}],
    [{ message: 'Result limited to 2 million rows: request the next page.' }, {}],
    [{ message: 'Result capped at 2,000 rows, page by page' }, {}],
    [{}, { message: 'Page size reduced to 2' }],
    [{ total: { rows: 900, bytes: 3 } }, {}],
    [{ total: { value: '900', relation: 'eq' } }, {}],
    [{}, {}, { warning: '299 - "Result truncated to 2 rows"' }],
  ] as const)
    test(`where ${JSON.stringify([first, last, headers])}`, async () => {
      assert.equal(await outcomeOf(first, last, headers), 'error');
    });
  for (const [first, last, headers] of [
    [{ total: 4 }, { total: 4 }, { 'x-total-count': '4', 'x-total-pages': '9' }],
    [{ notice: 'Only the first 2 are shown.' }, {}],
    [{ warnings: ['Result truncated to 2 rows'], truncated: true }, { truncated: false }],
    [{ remaining: 2, total_cost: 900 }, { remaining: 0 }],
    // Beside a token, a note that names the way on is about the page.
    ...[
      ...[
        'Response size limit reached; continue with nextPageToken',
        'Capped result. Request the next page.',
      ],
      ...['Page size reduced to 200', 'Response limited to 6,000,000 bytes; request the next page'],
      'Result truncated, see next_page_token',
      ...['The page size exceeds the maximum of 1000'],
    ].map((message) => [{ message }, {}] as const),
    ...['Partial result. Request the next page.', 'Incomplete: use the cursor to get more rows'].map(
      (note) => [{ note }, {}] as const,
    ),
    [{ message: 'Page size reduced to 200' }, { message: 'Page size reduced to 200' }],
    [{ total: { rows: 4, bytes: 12_345, elapsedMs: 120 } }, { total: { value: 4, cost: 17 } }],
    [{ total: [{ toString: 1, valueOf: 1 }] }, { total: { a: { b: { c: { d: { toString: 1 } } } } } }],
    [
      { offset: 0, limit: 2 },
      { offset: 2, limit: 2 },
    ],
    [
      { skip: '0', start: 0 },
      { skip: '2', start: 2 },
    ],
  ] as const)
    test(`but where ${JSON.stringify([first, last, headers])}`, async () => {
      assert.equal(await outcomeOf(first, last, headers), 'pass');
    });
});

suite('a first page that says it is the last, with a header that says otherwise, is perhaps not all', () => {
  for (const [name, value] of [
    ['warning', '299 - "Result truncated to 200 rows"'],
    ['x-message', 'Only the first 200 rows are sent'],
    ['x-notice', 'ROW_LIMIT_REACHED'],
    ['x-warning', '10 rows were omitted'],
  ] as const)
    test(`${name}: ${value}`, async () => {
      await withService(
        ({ body }, response) => {
          response.setHeader(name, value);
          const count = body.includes('FROM t') ? 200 : 1;
          const rows = Array.from({ length: count }, (_, at) => [at]);
          sendJson(response, 200, { columns: ['n'], rows, nextPageToken: null, rowCount: count });
        },
        async ({ queries }) => {
          const { isPerhapsPartial } = await queries.execute({ query_string: 'SELECT n FROM t' });
          assert.equal(isPerhapsPartial, true);
        },
      );
    });
});

test('a first page that says it is the last, beside counts of something else, is all', async () => {
  await withService(
    (_request, response) => {
      response.setHeader('x-envoy-attempt-count', '1');
      sendJson(response, 200, { columns: ['n'], rows: [], nextPageToken: null });
    },
    async ({ queries }, seen) => {
      const page = await queries.execute({ query_string: 'SELECT n FROM t' });
      assert.equal(page.isPerhapsPartial, undefined);
      assert.equal(seen().filter(({ method }) => method === 'POST').length, 2, 'the token and the query');
    },
  );
});

suite('a strict service that runs no query with two rows', () => {
  for (const size of ['page_size', 'limit', undefined])
    test(`is asked with ${size ?? 'no page size'}`, async () => {
      await withService(
        ({ body }, response) => {
          const { query_string: text, ...others } = JSON.parse(body) as Readonly<Record<string, unknown>>;
          const odd = Object.keys(others).find((name) => name !== size);
          if (odd !== undefined || /values|union/i.test(String(text)))
            sendJson(response, 400, { code: 'BAD_REQUEST', message: `Not known: ${odd ?? 'this SQL'}.` });
          else sendJson(response, 200, { columns: [{ name: 'n', type: 'int4' }], rows: [[1], [2], [3]] });
        },
        async ({ queries }) => {
          const { rows, isPerhapsPartial } = await queries.execute({
            query_string: 'SELECT n FROM t',
            pageSize: 500,
          });
          assert.equal(rows.length, 3);
          assert.equal(isPerhapsPartial, true);
        },
      );
    });
});

test('a query that waited while the names were learned is asked by the learned names', async () => {
  const first = Promise.withResolvers<undefined>();
  const asked: unknown[] = [];
  await withService(
    ({ body }, response) => {
      const { query_string: text, ...others } = JSON.parse(body) as Readonly<Record<string, unknown>>;
      const odd = Object.keys(others).find((name) => name !== 'page_size');
      const page = { columns: [{ name: 'n', type: 'int4' }], rows: [[1]], next_page_token: null };
      const answer = () =>
        odd === undefined
          ? sendJson(response, 200, page)
          : sendJson(response, 400, { code: 'BAD_REQUEST', message: `Not known: ${odd}.` });
      const isWaiting = text === 'SELECT waiting' && asked.push(others) === 1;
      if (isWaiting) void first.promise.then(answer);
      else answer();
    },
    async ({ queries }) => {
      const waiting = queries.execute({ query_string: 'SELECT waiting', pageSize: 5 });
      await queries.execute({ query_string: 'SELECT learning', pageSize: 5 });
      first.resolve(undefined);
      assert.deepEqual((await waiting).rows, [[1]]);
      assert.deepEqual(asked, [{ pageSize: 5 }, { page_size: 5 }]);
    },
  );
});

/** A service of 25 rows that sends ten at a time, whatever the page size is. */
interface Unsized {
  readonly least?: number;
  readonly token?: string;
  readonly others?: (at: { readonly start: number; readonly end: number; readonly all: number }) => object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a page behind the last row has no rows and a token again. */
  readonly isEndless?: true;
}

async function readUnsized({ least, token, others = () => ({}), headers = {}, isEndless }: Unsized) {
  const result = { rows: 0, isPerhapsPartial: false };
  await withService(
    ({ body }, response) => {
      const asked = JSON.parse(body) as Readonly<Record<string, unknown>> & { readonly query_string: string };
      const { query_string: text, pageSize } = asked;
      const all = text === 'SELECT n FROM t' ? 25 : rowsOf(text);
      const size = least === undefined ? 10 : Math.max(least, typeof pageSize === 'number' ? pageSize : 10);
      const start = token === undefined ? 0 : Number(asked[token] ?? 0);
      const end = Math.min(all, start + size);
      const rows = Array.from({ length: end - start }, (_, at) => [start + at + 1]);
      const isMore = end < all || isEndless === true;
      for (const [name, value] of Object.entries(headers)) if (isMore) response.setHeader(name, value);
      sendJson(response, 200, { columns: ['n'], rows, ...others({ start, end, all }) });
    },
    async ({ queries }, seen) => {
      let pageToken: PageToken | undefined;
      do {
        const request = { query_string: 'SELECT n FROM t', pageSize: 10, pageToken };
        const page = await queries.execute(request);
        result.rows += page.rows.length;
        result.isPerhapsPartial = page.isPerhapsPartial === true;
        pageToken = page.nextPageToken;
        assert.ok(seen().length < 60, 'ends');
      } while (pageToken !== undefined);
    },
  );
  return result;
}

suite('a service that takes its nextPageToken under another name', () => {
  for (const name of ['page_token', 'nextPageToken', 'cursor'])
    for (const isSame of [true, false])
      test(`${name}, and ${isSame ? 'the same' : 'another'} token for the same page: each row is read once`, async () => {
        let made = 0;
        await withService(
          ({ body }, response) => {
            const asked = JSON.parse(body) as Readonly<Record<string, unknown>> & {
              readonly query_string: string;
            };
            const { query_string: text, pageSize = 10 } = asked;
            const all = text === 'SELECT n FROM t' ? 25 : rowsOf(text);
            const token = asked[name];
            const start = typeof token === 'string' ? Number(token.split('-')[0]) : 0;
            const end = Math.min(all, start + Math.min(10, Number(pageSize)));
            const rows = Array.from({ length: end - start }, (_, at) => [start + at + 1]);
            const nextPageToken = end < all ? `${end}-${isSame ? 0 : (made += 1)}` : null;
            sendJson(response, 200, { columns: ['n'], rows, nextPageToken });
          },
          async (client, seen) => {
            const read = await Array.fromAsync(
              queryPages(client, { query_string: 'SELECT n FROM t', pageSize: 10 }),
            );
            const rows = read.flatMap((page) => page.rows.map(([n]) => n));
            assert.deepEqual(
              rows,
              Array.from({ length: 25 }, (_, at) => at + 1),
            );
            const scanner = new PageScanner('texts');
            const first = await client.queries.executeBytes({ query_string: 'SELECT n FROM t' }, scanner);
            assert.ok(first.nextPageToken !== undefined);
            assert.ok(seen().length < 30, 'ends');
          },
        );
      });

  for (const [isPacked, pageSize] of [
    [false, 10],
    [true, 10],
    [false, 500],
  ] as const)
    test(`that no query of this program shows is told, ${isPacked ? 'packed ' : ''}pages of ${pageSize}`, async () => {
      await withService(
        ({ body }, response) => {
          const { pageSize = 0 } = JSON.parse(body) as { readonly pageSize?: number };
          // Another size was asked for before, so that it is known that nothing shows the names.
          const code =
            pageSize > 200 ? 'BAD_REQUEST' : /VALUES|UNION/.test(body) ? 'QUERY_PARSE_ERROR' : undefined;
          if (code !== undefined) sendJson(response, 400, { code, message: 'no' });
          else sendJson(response, 200, { columns: ['n'], rows: [[1], [2]], nextPageToken: 'a' });
        },
        async ({ queries }) => {
          const ask = async (pageToken?: PageToken) => {
            const request = { query_string: 'SELECT n FROM t', pageToken, pageSize };
            return isPacked
              ? await queries.executeBytes(request, new PageScanner('texts'))
              : await queries.execute(request);
          };
          const { nextPageToken } = await ask();
          await assert.rejects(ask(nextPageToken), /same page/);
        },
      );
    });

  test('is not asked how, where the second page is another one', async () => {
    await withService(
      ({ body }, response) => {
        const isFirst = !body.includes('pageToken');
        sendJson(response, 200, {
          columns: ['n'],
          rows: [[isFirst ? 1 : 2]],
          nextPageToken: isFirst ? 'a' : null,
        });
      },
      async (client, seen) => {
        const request = { query_string: 'SELECT n FROM t' };
        const { nextPageToken: pageToken } = await client.queries.executeBytes(
          request,
          new PageScanner('texts'),
        );
        await client.queries.executeBytes({ ...request, pageToken }, new PageScanner('texts'));
        await Array.fromAsync(queryPages(client, request));
        assert.equal(
          seen().filter(({ method }) => method === 'POST').length,
          5,
          'the token and two pages twice',
        );
      },
    );
  });

  test('is not asked how, where pages without rows come first', async () => {
    let asked = 0;
    await withService(
      (_request, response) => {
        asked += 1;
        sendJson(response, 200, {
          columns: ['n'],
          rows: asked < 3 ? [] : [[1]],
          nextPageToken: asked < 3 ? 'a' : null,
        });
      },
      async ({ queries }) => {
        for (const pageToken of [undefined, 'a', 'a'])
          await queries.execute({ query_string: 'SELECT n', pageToken });
      },
    );
  });
});

suite('a service that pays no heed to the page size', () => {
  const hints: Readonly<Record<string, NonNullable<Unsized['others']>>> = {
    nothing: () => ({}),
    hasNext: ({ end, all }) => ({ hasNext: end < all }),
    has_next_page: ({ end, all }) => ({ page: { has_next_page: end < all } }),
    'isLast=false': ({ end, all }) => ({ isLast: end >= all }),
    'a flag as a text': ({ end, all }) => ({ hasMore: String(end < all) }),
    '_links.next.href': ({ end, all }) => (end < all ? { _links: { next: { href: `/x?at=${end}` } } } : {}),
    'a list of links': ({ end, all }) => ({ links: end < all ? [{ rel: 'next', href: '/x' }] : [] }),
    total: ({ all }) => ({ total: all }),
    totalPages: ({ all }) => ({ page: { totalPages: Math.ceil(all / 10) } }),
    remaining: ({ end, all }) => ({ remaining: all - end }),
    'a flag as a number': ({ end, all }) => ({ has_more: end < all ? 1 : 0 }),
    'a note': ({ end, all }) => ({ warnings: end < all ? ['Result truncated to 10 rows'] : [] }),
  };
  for (const [name, others] of Object.entries(hints))
    test(`and tells more by ${name} is never complete`, async () => {
      const { rows, isPerhapsPartial } = await readUnsized({ others });
      assert.deepEqual([rows, isPerhapsPartial], [10, true]);
    });

  for (const [name, value] of [
    ['x-has-more', 'true'],
    ['x-next-page', '2'],
    ['x-total-count', '25'],
    ['content-range', 'rows 0-9/25'],
  ] as const)
    test(`and tells more by the header ${name} is never complete`, async () => {
      assert.equal((await readUnsized({ headers: { [name]: value } })).isPerhapsPartial, true);
    });

  for (const name of ['x-nextjs-cache', 'x-nextcloud-request'])
    test(`is complete whatever the header ${name} of another program says`, async () => {
      const read = await readUnsized({
        headers: { [name]: 'MISS' },
        token: 'cursor',
        others: ({ end, all }) => ({ cursor: end < all ? end : null }),
      });
      assert.deepEqual([read.rows, read.isPerhapsPartial], [25, false]);
    });

  for (const least of [undefined, 4])
    test(`is read to its end by its tokens, ${least ?? 10} rows at least`, async () => {
      const read = await readUnsized({
        ...(least === undefined ? {} : { least }),
        token: 'cursor',
        others: ({ end, all }) => ({ cursor: end < all ? end : null }),
      });
      assert.deepEqual([read.rows, read.isPerhapsPartial], [25, false]);
    });
});

suite('a token that stays on the last page', () => {
  const flags: Readonly<Record<string, NonNullable<Unsized['others']>>> = {
    'hasPrevious before hasNext': ({ start, end, all }) => ({ hasPrevious: start > 0, hasNext: end < all }),
    'cached on all but the first page': ({ start, end, all }) => ({ cached: start > 0, more: end < all }),
    'fresh on the first page': ({ start, end, all }) => ({ fresh: start === 0, isLast: end >= all }),
    'a flag for the page before alone': ({ start }) => ({ hasPrevious: start > 0 }),
    nothing: () => ({}),
  };
  for (const least of [1, 4])
    for (const [name, others] of Object.entries(flags))
      test(`with ${name}, ${least} rows at least: all rows are read`, async () => {
        const read = await readUnsized({
          least,
          token: 'cursor',
          others: (at) => ({ ...others(at), cursor: at.end }),
        });
        assert.deepEqual([read.rows, read.isPerhapsPartial], [25, false]);
      });

  test('under the assumed name ends at a page without rows', async () => {
    const read = await readUnsized({
      least: 1,
      token: 'pageToken',
      isEndless: true,
      others: ({ end }) => ({ nextPageToken: String(end) }),
    });
    assert.deepEqual([read.rows, read.isPerhapsPartial], [25, false]);
  });
});

suite('a service whose token is in a header', () => {
  for (const [header, token] of [
    ['x-next-page-token', 'page_token'],
    ['x-ms-continuation', 'continuation'],
    ['next-cursor', 'cursor'],
  ] as const)
    test(`is read to its end by ${header}`, async () => {
      const rows: unknown[] = [];
      await withService(
        ({ body }, response) => {
          const asked = JSON.parse(body) as Readonly<Record<string, unknown>>;
          const text = String(asked['query_string']);
          const all = text === 'SELECT n FROM t' ? 25 : rowsOf(text);
          const start = Number(asked[token] ?? 0);
          const end = Math.min(all, start + Math.min(10, Number(asked['pageSize'] ?? 10)));
          response.setHeader(header, end < all ? String(end) : '');
          const page = Array.from({ length: end - start }, (_, at) => [start + at + 1]);
          sendJson(response, 200, { columns: ['n'], rows: page });
        },
        async ({ queries }) => {
          let pageToken: PageToken | undefined;
          do {
            const page = await queries.execute({ query_string: 'SELECT n FROM t', pageSize: 10, pageToken });
            assert.equal(page.isPerhapsPartial, undefined);
            rows.push(...page.rows.flat());
            pageToken = page.nextPageToken;
          } while (pageToken !== undefined && rows.length < 60);
        },
      );
      assert.deepEqual(
        rows,
        Array.from({ length: 25 }, (_, at) => at + 1),
      );
    });
});

for (const count of [0, 5, 25])
  test(`a result of ${count} rows that begins with a page without rows, as does what is learned, is read to its end`, async () => {
    const rows: unknown[] = [];
    await withService(
      ({ body }, response) => {
        const asked = JSON.parse(body) as Readonly<Record<string, unknown>>;
        const text = String(asked['query_string']);
        const all = text === 'SELECT n FROM t' ? count : rowsOf(text);
        const start = Number(asked['pageToken'] ?? 0);
        const size = asked['pageToken'] === undefined ? 0 : Math.min(10, Number(asked['pageSize'] ?? 10));
        const end = Math.min(all, start + size);
        const page = Array.from({ length: end - start }, (_, at) => [start + at + 1]);
        const isMore = asked['pageToken'] === undefined || end < all;
        sendJson(response, 200, {
          columns: ['n'],
          rows: page,
          ...(isMore && { nextPageToken: String(end) }),
        });
      },
      async ({ queries }) => {
        let pageToken: PageToken | undefined;
        do {
          const page = await queries.execute({ query_string: 'SELECT n FROM t', pageSize: 10, pageToken });
          assert.equal(page.isPerhapsPartial, undefined);
          rows.push(...page.rows.flat());
          pageToken = page.nextPageToken;
        } while (pageToken !== undefined);
      },
    );
    assert.equal(rows.length, count);
  });
