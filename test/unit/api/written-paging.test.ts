/** How paging is written into a connection, and kept: the same forms, and nothing that could be misread. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assumedPaging, learnPaging, pageEnd, type ExecutePaging } from '#api/client/execute-paging.ts';
import type { JsonValue } from '#api/client/json.ts';
import { decodeQueryPage } from '#api/client/query-page.ts';
import { parseWrittenPaging, writtenPaging } from '#api/client/written-paging.ts';
import { withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';
import { queryPages } from '#test/helpers/query-pages.ts';

const known: readonly ExecutePaging[] = [
  assumedPaging,
  { kind: 'pages', size: 'limit', token: 'offset', next: ['page', 'next'], end: { kind: 'empty-page' } },
  {
    kind: 'pages',
    size: 'page_size',
    token: 'cursor',
    next: ['cursor'],
    end: { kind: 'flag', flag: ['meta', 'has_more'], value: false },
  },
  { kind: 'whole', size: undefined },
  { kind: 'whole', size: 'limit' },
];

suite('paging as it is written', () => {
  test('is read back as it was learned', () => {
    for (const paging of known)
      assert.deepEqual(parseWrittenPaging(JSON.parse(JSON.stringify(writtenPaging(paging)))), paging);
  });

  test('does not exist for what is unknown, and for names with a dot', () => {
    assert.equal(writtenPaging({ kind: 'unknown', size: 'pageSize' }), undefined);
    assert.equal(writtenPaging({ ...assumedPaging, next: ['a.b'] }), undefined);
  });

  const wrong: readonly unknown[] = [
    undefined,
    null,
    'whole',
    [],
    {},
    { all: false },
    { all: true, token: 'x' },
    { all: true, last: 'no-token' },
    { size: 'pageSize', token: 'pageToken' },
    { size: 'pageSize', token: 'pageSize', next: 'n' },
    { size: 'pageSize', token: 'query_string', next: 'n' },
    { size: 'parameters', token: 'pageToken', next: 'n' },
    { size: 'pageSize', token: 'pageToken', next: 'a..b' },
    { size: 'pageSize', token: 'pageToken', next: 'n', last: 'never' },
    { size: 'pageSize', token: 'pageToken', next: 'n', last: 'more=no' },
    { size: 'pageSize', token: 'pageToken', next: 'n', more: 1 },
    { size: 1, token: 'pageToken', next: 'n' },
  ];
  for (const value of wrong)
    test(`is not ${JSON.stringify(value)}`, () => {
      assert.equal(parseWrittenPaging(value), undefined);
    });
});

test('a token never takes the place of the query, whatever the service calls it', async () => {
  const sent: Readonly<Record<string, unknown>>[] = [];
  await learnPaging((members) => {
    sent.push(members);
    const others = new Map<string, JsonValue>([['next_query_string', 'DELETE FROM accounts']]);
    return Promise.resolve({ rows: [['1']], others });
  });
  assert.ok(sent.length > 1);
  for (const { query_string: text } of sent) assert.match(String(text), /^SELECT /);
});

/** Pages of two rows under `more`, told by the member `rest`. */
async function rowsWith(paging: ExecutePaging | undefined, kept?: ExecutePaging) {
  let result: readonly unknown[] = [];
  let requests = 0;
  await withService(
    ({ body }, response) => {
      const {
        query_string: text,
        most = 2,
        more = 0,
        ...others
      } = JSON.parse(body) as {
        query_string: string;
        most?: number;
        more?: number;
      };
      if (Object.keys(others).length > 0) {
        sendJson(response, 400, { code: 'BAD_REQUEST', message: 'Unknown member.' });
        return;
      }
      const all = /FROM t/.test(text) ? 5 : 2;
      const end = Math.min(all, more + Math.min(2, most));
      const rows = Array.from({ length: end - more }, (_, at) => [more + at + 1]);
      sendJson(response, 200, { columns: ['n'], rows, rest: end < all ? end : null });
    },
    async ({ queries }, seen) => {
      const rows: unknown[] = [];
      for await (const page of queryPages({ queries }, { query_string: 'SELECT n FROM t' }))
        rows.push(...page.rows);
      result = rows;
      requests = seen().filter(({ path }) => path === '/v1/query/execute').length;
    },
    { executePaging: paging, keptExecutePaging: kept },
  );
  return { rows: result.length, requests };
}

const ofService: ExecutePaging = {
  kind: 'pages',
  size: 'most',
  token: 'more',
  next: ['rest'],
  end: { kind: 'no-token' },
};

suite('paging that is known', () => {
  test('by hand asks nothing else', async () => {
    assert.deepEqual(await rowsWith(ofService), { rows: 5, requests: 3 });
  });

  test('from before asks nothing else', async () => {
    assert.deepEqual(await rowsWith(undefined, ofService), { rows: 5, requests: 3 });
  });
});

test('a count beside the data, which has its own, weighs more than that there is no token', () => {
  const context = { status: 200, requestId: undefined, request: '' };
  const endOf = (rowCount: number) => {
    const data = { rowCount: 2, cost: 2, rows: [[1], [2]], columns: ['n'] };
    const { others = new Map<string, JsonValue>() } = decodeQueryPage({ rowCount, cost: 900, data }, context);
    return pageEnd({ others, rowCount: 2, isFirst: true }, {}, ofService).kind;
  };
  assert.deepEqual([endOf(900), endOf(2)], ['perhaps', 'last']);
});

test('a place on a page behind the first one is where that page starts', () => {
  const endOf = (others: Readonly<Record<string, JsonValue>>, isFirst: boolean) =>
    pageEnd({ others: new Map(Object.entries(others)), rowCount: 2, isFirst }, {}, ofService).kind;
  for (const name of ['offset', 'offset_at', 'offsetRow', 'Offset'])
    for (const value of [200, '200'])
      assert.deepEqual(
        [endOf({ [name]: value }, false), endOf({ [name]: value }, true)],
        ['last', 'perhaps'],
      );
  const others: readonly Readonly<Record<string, JsonValue>>[] = [
    { next_offset: 200 },
    { offset: 'abc' },
    { offset: 2, hasMore: true },
  ];
  for (const other of others) assert.equal(endOf(other, false), 'perhaps');
});

test('a count of all rows is no word against a note that some are missing', () => {
  const endOf = (more: Readonly<Record<string, JsonValue>>) =>
    pageEnd(
      { others: new Map(Object.entries({ rowCount: 2, ...more })), rowCount: 2, isFirst: true },
      {},
      { kind: 'unknown', size: 'pageSize', countsAll: true },
    ).kind;
  assert.deepEqual([endOf({}), endOf({ notice: 'The result was truncated.' })], ['last', 'perhaps']);
});

test('a service with more rows than there are is not understood', async () => {
  const paging = await learnPaging(({ query_string: text }) => {
    const lists = String(text).split('VALUES').slice(1);
    const count = lists.reduce((product, list) => product * (list.match(/\(\d+\)/g) ?? []).length, 1);
    const names = [['n']];
    return Promise.resolve({
      rows: [...names, ...Array.from({ length: count }, (_, at) => [at + 1])],
      others: new Map<string, JsonValue>(),
    });
  });
  assert.deepEqual(paging, { kind: 'unknown', size: 'pageSize' });
});

test('paging from before that no longer fits is learned again', async () => {
  const answers: string[] = [];
  await withService(
    ({ body }, response) => {
      const {
        query_string: text,
        page_size: size = 2,
        page_token: at = 0,
      } = JSON.parse(body) as {
        query_string: string;
        page_size?: number;
        page_token?: number;
      };
      const all = /FROM t/.test(text) ? 5 : 2;
      const end = Math.min(all, at + Math.min(2, size));
      const rows = Array.from({ length: end - at }, (_, place) => [at + place + 1]);
      sendJson(response, 200, { columns: ['n'], rows, ...(end < all ? { next_page_token: end } : {}) });
    },
    async ({ queries }) => {
      let rows = 0;
      for await (const page of queryPages({ queries }, { query_string: 'SELECT n FROM t' }))
        rows += page.rows.length;
      assert.equal(rows, 5);
    },
    { keptExecutePaging: assumedPaging, onExecutePaging: (paging) => answers.push(paging.kind) },
  );
  assert.deepEqual(answers, ['pages']);
});
