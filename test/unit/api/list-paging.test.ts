/** A list that is paged in a way that is not known is never taken for all entries. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const query = { query_id: '1', name: 'One', model: 'm', version: 1, query_string: 'SELECT 1' };

async function problemsOf(members: object): Promise<number> {
  const problems: string[] = [];
  await withService(
    (_request, response) => sendJson(response, 200, { items: [query], ...members }),
    async ({ savedQueries }) => {
      let count = 0;
      const onLeftOut = (more: readonly string[]) => more.forEach((each) => problems.push(each));
      for await (const { name } of savedQueries.listSummaries({ onLeftOut })) {
        assert.equal(name, 'One');
        count += 1;
      }
      assert.equal(count, 1);
    },
  );
  return problems.length;
}

suite('a list without nextPageToken', () => {
  for (const members of [
    { next_page_token: 'a', has_more: true },
    { nextToken: 'a' },
    { cursor: 'a' },
    { hasNext: true },
    { page: { isLast: false } },
    { _links: { next: { href: '/x' } } },
    { links: [{ rel: 'next', href: '/x' }] },
  ])
    test(`that tells of more is incomplete: ${JSON.stringify(members)}`, async () => {
      assert.equal(await problemsOf(members), 1);
    });

  for (const members of [
    {},
    { nextPageToken: null, total: 1 },
    { has_more: false, next_page_token: null },
    { links: { self: '/x', next: null } },
  ])
    test(`is complete: ${JSON.stringify(members)}`, async () => {
      assert.equal(await problemsOf(members), 0);
    });
});

const queries = Array.from({ length: 9 }, (_, at) => ({ ...query, query_id: String(at) }));

const noHeaders: Readonly<Record<string, string>> = {};

interface PagedService {
  /** Members of a page beside its items, given where the next one starts; undefined after the last. */
  readonly more: (next: number | undefined) => object;
  readonly headers?: (next: number | undefined) => Readonly<Record<string, string>>;
  /** The parameter that asks for the next page. */
  readonly name: string;
  readonly isStrict?: boolean;
  /** The place of the first item; 0 by default. */
  readonly first?: number;
}

/** Reads a list whose every page is this body; returns the number of its entries, and whether it is told as a part. */
async function readOf(body: unknown) {
  let isPart = false;
  let ids: readonly string[] = [];
  await withService(
    (_request, response) => sendJson(response, 200, body),
    async ({ savedQueries }) => {
      const list = savedQueries.listSummaries({ onPart: () => (isPart = true) });
      ids = (await Array.fromAsync(list)).map(({ query_id }) => query_id);
    },
  );
  return { count: ids.length, isPart };
}

/** Reads a list with three pages; returns the IDs, and whether it is told as a part. */
async function listed({ more, headers, name, isStrict = false, first = 0 }: PagedService) {
  const ids: string[] = [];
  let isPart = false;
  await withService(
    (request, response) => {
      const { searchParams } = new URL(request.path, 'http://service');
      if (isStrict && [...searchParams.keys()].some((each) => each !== name)) {
        sendJson(response, 400, { code: 'BAD_REQUEST', message: 'There is no such parameter.' });
        return;
      }
      const start = Number(searchParams.get(name) ?? first) - first;
      const next = start + 4 < queries.length ? start + 4 : undefined;
      for (const [header, value] of Object.entries(headers?.(next) ?? {})) response.setHeader(header, value);
      sendJson(response, 200, { items: queries.slice(start, start + 4), ...more(next) });
    },
    async ({ savedQueries }) => {
      const onPart = () => (isPart = true);
      for await (const { query_id } of savedQueries.listSummaries({ onPart })) ids.push(query_id);
    },
  );
  assert.equal(new Set(ids).size, ids.length, 'an item came twice');
  return { count: ids.length, isPart };
}

suite('a list that is paged under other names is read to its end', () => {
  const ways: Readonly<Record<string, Omit<PagedService, 'name'>>> = {
    page_token: { more: (next) => ({ next_page_token: next === undefined ? null : String(next) }) },
    nextToken: { more: (next) => ({ nextToken: next === undefined ? undefined : String(next) }) },
    cursor: { more: (next) => ({ cursor: String(next ?? 8), has_more: next !== undefined }) },
    next_cursor: {
      more: (next) => ({
        prev_cursor: String(next ?? 8),
        next_cursor: next === undefined ? null : String(next),
      }),
    },
    endCursor: {
      more: (next) => ({
        pageInfo: { startCursor: '0', endCursor: String(next ?? 8), hasNextPage: next !== undefined },
      }),
    },
    at: {
      more: () => ({}),
      headers: (next) =>
        next === undefined ? noHeaders : { link: `</v1/query/saved-queries?at=${next}>; rel=next` },
    },
    from: { more: (next) => ({ links: { next: next === undefined ? null : `https://x/y?from=${next}` } }) },
    offset: { more: (next) => ({ offset: (next ?? 12) - 4, total: 9 }) },
    skip: { more: () => ({ skip: 0, total: 9 }) },
    start_index: { first: 1, more: (next) => ({ start_index: (next ?? 12) - 3, total: 9 }) },
    start: { more: (next) => ({ start: next ?? 9, total: 9 }) },
    startAt: { first: 1, more: (next) => ({ startAt: (next ?? 9) + 1, total: 9 }) },
    after: { more: (next) => ({ after: String(next ?? 8), has_more: next === undefined ? 0 : 1 }) },
    page: {
      more: () => ({}),
      headers: (next) =>
        next === undefined
          ? noHeaders
          : { link: `</?page=0>; rel="first prev", </?page=${next}>; title="4, 5"; rel = "last Next"` },
    },
    pageToken: {
      more: () => ({}),
      headers: (next) => (next === undefined ? noHeaders : { 'x-next-page-token': String(next) }),
    },
    continuationToken: {
      more: () => ({}),
      headers: (next) => ({ 'x-ms-continuation-token': next === undefined ? '' : String(next) }),
    },
  };
  for (const isStrict of [false, true])
    for (const [name, paging] of Object.entries(ways))
      test(`${name}${isStrict ? ', where other parameters are refused' : ''}`, async () => {
        assert.deepEqual(await listed({ ...paging, name, isStrict }), { count: 9, isPart: false });
      });
});

suite('a list whose next page cannot be asked for is a part', () => {
  const parts: Readonly<Record<string, PagedService>> = {
    'only a total is told': { name: 'unheard', more: () => ({ total: 9 }) },
    'a parameter that nothing tells': { name: 'unheard', more: (next) => ({ nextToken: `${next}` }) },
    'a link without parameters': { name: 'unheard', more: () => ({ next: '/v1/query/saved-queries' }) },
    'a flag alone': { name: 'unheard', more: () => ({ hasMore: true }) },
    'a flag as a number': { name: 'unheard', more: () => ({ has_more: 1 }) },
    'a note': { name: 'unheard', more: () => ({ notice: 'Only the first 4 are shown.' }) },
    'a place that is neither of the first nor of the next item': {
      name: 'unheard',
      more: () => ({ from: 17, total: 9 }),
    },
  };
  for (const [what, service] of Object.entries(parts))
    test(what, async () => {
      assert.deepEqual(await listed(service), { count: 4, isPart: true });
    });

  const two = queries.slice(0, 2);
  for (const more of [
    { first: 0, last: 1, total: 5 },
    { last: 1, total: 5 },
    { page: { number: 0, last: 1 }, total: 9 },
    { last: '1', total: 5 },
    { isLast: true, total: 5 },
    { has_more: false, total_pages: 2 },
    { hasNext: 'n', notice: 'Only the first 2 are shown.' },
    { has_more: false, isLast: 'no' },
    ...[{ totalElements: 9 }, { count: 9 }, { row_count: 9 }, { page: { total: 9 } }, { num_found: 9 }].map(
      (counts) => ({ last: true, ...counts }),
    ),
    { has_more: false, omitted: 3 },
    { offset: 0, total: 2, has_more: true },
    { page: 1, pages: 1, total: 9 },
    { next: 'n' },
    { next: '0' },
    { has_more: false, data: { items: two, has_more: true } },
    { nextToken: null, data: { items: two, nextToken: 'unheard' } },
    { total: 9, data: { items: two, total: 2 } },
  ])
    test(JSON.stringify(more).slice(0, 60), async () => {
      assert.deepEqual(await readOf({ ...('data' in more ? {} : { items: two }), ...more }), {
        count: 2,
        isPart: true,
      });
    });

  for (const more of [
    { last: true, total: 2, first: 0 },
    { has_more: 0, cursor: 'end', total: 2 },
    { isLast: 'y', total_pages: 1 },
    { has_more: false, accountId: '12345' },
    { last: true, account: 77 },
    { has_more: false, usage: { total_tokens: 900 } },
    { page: 1, pages: 1, total_cost: 900, availableSlots: 9 },
    { discount: 9, accountNumber: 9, recount: 9, encounter: 9, countryId: '9' },
    { data: { items: two, id: 'page', status: 'SUCCEEDED' }, id: 'answer', status: 'ok' },
  ])
    test(`but not with ${JSON.stringify(more).slice(0, 60)}`, async () => {
      assert.deepEqual(await readOf({ ...('data' in more ? {} : { items: two }), ...more }), {
        count: 2,
        isPart: false,
      });
    });
});

suite('a list of nothing on one page is whole', () => {
  for (const body of [
    { data: [], current_page: 1, last_page: 1, total: 0 },
    { items: [], page: 1, pages: 1, total: 0 },
    { items: [], total_pages: 1, has_more: false },
  ])
    test(JSON.stringify(body), async () => {
      assert.deepEqual(await readOf(body), { count: 0, isPart: false });
    });
});

test('a list with an empty page between is read whole by the numbers of its pages', async () => {
  await withService(
    (request, response) => {
      const page = Number(new URL(request.path, 'http://service').searchParams.get('page') ?? 1);
      const items = [queries.slice(0, 4), [], queries.slice(4)][page - 1];
      sendJson(response, 200, { items, page, pages: 3 });
    },
    async ({ savedQueries }) => {
      const list = savedQueries.listSummaries({ onPart: () => assert.fail('is whole') });
      assert.equal((await Array.fromAsync(list)).length, 9);
    },
  );
});

/** Reads a list of nine of a service that takes one parameter, which counts from 0, and shows places from 1. */
async function readFromOne(shown: string, taken: string, isStrict: boolean, isEchoed = true) {
  const result = { count: 0, isPart: false, requests: 0 };
  await withService(
    (request, response) => {
      const { searchParams } = new URL(request.path, 'http://service');
      result.requests += 1;
      if (isStrict && [...searchParams.keys()].some((each) => each !== taken)) {
        sendJson(response, 400, { code: 'BAD_REQUEST', message: 'There is no such parameter.' });
        return;
      }
      const start = Number(searchParams.get(taken) ?? 0);
      const items = queries.slice(start, start + 4);
      sendJson(response, 200, {
        items,
        [shown]: isEchoed ? start + 1 : 1,
        to: start + items.length,
        total: 9,
      });
    },
    async ({ savedQueries }) => {
      const onPart = () => (result.isPart = true);
      result.count = (await Array.fromAsync(savedQueries.listSummaries({ onPart }))).length;
    },
  );
  assert.ok(result.requests < 12, 'ends');
  return result;
}

suite('a list that shows places from 1', () => {
  for (const isStrict of [false, true])
    test(`and takes an offset from 0 is read whole${isStrict ? ', where others are refused' : ''}`, async () => {
      const { count, isPart } = await readFromOne('from', 'offset', isStrict);
      assert.deepEqual({ count, isPart }, { count: 9, isPart: false });
    });

  test('and takes them from 0 under the same name is a part, since an entry is left out', async () => {
    for (const isEchoed of [true, false])
      assert.equal((await readFromOne('start', 'start', false, isEchoed)).isPart, true);
  });

  test('is a part where a page is empty before its end', async () => {
    const seen = { asked: 0, parts: 0 };
    await withService(
      (request, response) => {
        seen.asked += 1;
        const isFirst = !request.path.includes('offset=');
        sendJson(response, 200, {
          items: isFirst ? queries.slice(0, 2) : [],
          offset: isFirst ? 0 : 2,
          total: 5,
        });
      },
      async ({ savedQueries }) => {
        const list = savedQueries.listSummaries({ onPart: () => (seen.parts += 1) });
        assert.equal((await Array.fromAsync(list)).length, 2);
      },
    );
    assert.deepEqual(seen, { asked: 2, parts: 1 });
  });
});

test('the last of several pages is whole though it counts the pages', async () => {
  await withService(
    (request, response) => {
      const isFirst = !request.path.includes('token=');
      const items = isFirst ? queries.slice(0, 4) : queries.slice(4);
      sendJson(response, 200, { items, next_page_token: isFirst ? 'a' : null, total_pages: 2, total: 9 });
    },
    async ({ savedQueries }) => {
      const list = savedQueries.listSummaries({ onPart: () => assert.fail('is whole') });
      assert.equal((await Array.fromAsync(list)).length, 9);
    },
  );
});

test('the last of several pages is whole though it says where it starts', async () => {
  const problems: string[] = [];
  await withService(
    ({ path }, response) => {
      const offset = path.includes('pageToken') ? 5 : 0;
      const nextPageToken = offset === 0 ? 'a' : null;
      sendJson(response, 200, {
        items: offset === 0 ? queries.slice(0, 5) : queries.slice(5),
        ...{ offset, limit: 5, nextPageToken },
      });
    },
    async ({ savedQueries }) => {
      const onLeftOut = (more: readonly string[]) => more.forEach((each) => problems.push(each));
      assert.equal((await Array.fromAsync(savedQueries.listSummaries({ onLeftOut }))).length, 9);
      assert.deepEqual(problems, []);
    },
  );
});

suite('a list that nothing describes may have its items elsewhere', () => {
  const shapes: Readonly<Record<string, (items: readonly object[]) => unknown>> = {
    'under another name': (items) => ({ saved_queries: items, links: [], errors: [] }),
    'as the whole answer': (items) => items,
    'in a member': (items) => ({ data: { items }, status: { code: 200 } }),
    'in a member, under another name': (items) => ({ _embedded: { queries: items }, _links: {} }),
  };
  for (const [what, shape] of Object.entries(shapes))
    test(what, async () => {
      await withService(
        (request, response) => {
          const { searchParams } = new URL(request.path, 'http://service');
          // The first page is empty, while the list is prepared.
          const start = Number(searchParams.get('page_token') ?? 96) - 100;
          const next = start + 4 < queries.length ? String(start + 104) : '';
          response.setHeader('x-next-page-token', next);
          sendJson(response, 200, shape(start < 0 ? [] : queries.slice(start, start + 4)));
        },
        async ({ savedQueries }) => {
          const all = await Array.fromAsync(savedQueries.listSummaries());
          assert.deepEqual(
            all.map(({ query_id }) => query_id),
            queries.map(({ query_id }) => query_id),
          );
        },
      );
    });

  // An empty list may be the answer of something else, and of two lists, either may be meant.
  for (const answer of [
    { mine: [query], shared: [] },
    [],
    { meta: { tags: [] } },
    { one: { items: [query] }, two: { items: [query] } },
    { error: { reasons: [query] } },
    { user: { roles: ['a'] } },
    { diagnostics: { items: [] } },
    { status: 'success', data: { status: 'error', items: [] } },
    { errors: null, data: { errors: [{ message: 'x' }], items: [query] } },
    JSON.parse(`${'{"data":'.repeat(1_500)}{"items":[]}${'}'.repeat(1_500)}`) as unknown,
  ])
    test(`but not in ${JSON.stringify(answer).slice(0, 80)}`, async () => {
      await withService(
        (_request, response) => sendJson(response, 200, answer),
        async ({ savedQueries }) => {
          await assert.rejects(
            Array.fromAsync(savedQueries.listSummaries()),
            /there are no items|there was an error/,
          );
        },
      );
    });
});

test('what is learned of a list serves every reader of it', async () => {
  let refused = 0;
  await withService(
    (request, response) => {
      const { searchParams } = new URL(request.path, 'http://service');
      if ([...searchParams.keys()].some((name) => name !== 'page_token')) {
        refused += 1;
        sendJson(response, 400, { code: 'BAD_REQUEST', message: 'There is no such parameter.' });
        return;
      }
      const start = Number(searchParams.get('page_token') ?? 0);
      const next = start + 4 < queries.length ? String(start + 4) : null;
      sendJson(response, 200, { items: queries.slice(start, start + 4), next_page_token: next });
    },
    async ({ savedQueries }) => {
      await Array.fromAsync(savedQueries.listSummaries());
      const before = refused;
      assert.equal((await Array.fromAsync(savedQueries.listAll())).length, 9);
      assert.equal(refused, before);
    },
  );
});
