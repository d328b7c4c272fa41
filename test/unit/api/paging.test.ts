/** Paging reads to the end with any kind of token, and always terminates. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PageWalk, walkPages, type WalkOptions } from '#api/client/answers/paging.ts';
import { ContractError, UnfinishedListError, UserAbort } from '#api/client/errors.ts';
import type { Page, PageToken } from '#api/contract/lists.ts';
import { readModelTables } from '#core/models/model-schema.ts';
import { failure, withService, type Answer } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';
import { queryPages } from '#test/helpers/query-pages.ts';

const quick = { emptyPageDelayMs: 0 } as const;

/** Walks through the pages that `pageOf` returns; `count` is the number of earlier requests. */
function walkOf(
  pageOf: (token: PageToken | undefined, count: number) => Page<string>,
  options: Omit<WalkOptions, 'signal'> = quick,
) {
  const asked: (PageToken | undefined)[] = [];
  const walk = new PageWalk<Page<string>>(
    {
      read: (token) => Promise.resolve(pageOf(token, asked.push(token) - 1)),
      isEmpty: ({ items }) => items.length === 0,
    },
    options,
  );
  return { asked, walk };
}

async function toTheEnd(walk: PageWalk<Page<string>>, signal?: AbortSignal) {
  const items: string[] = [];
  for (let page = await walk.next(signal); page !== undefined; page = await walk.next(signal))
    items.push(...page.items);
  return items;
}

function assertWhy(why: UnfinishedListError['why']) {
  return (error: unknown) => error instanceof UnfinishedListError && error.why === why;
}

suite('paging stops', () => {
  test('at a page that repeats a token, even from many pages before', async () => {
    const next = new Map<unknown, string>([
      [undefined, 'a'],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ]);
    const { walk, asked } = walkOf((token) => ({ items: ['x'], nextPageToken: next.get(token) ?? '' }));
    await assert.rejects(toTheEnd(walk), assertWhy('repeated'));
    assert.equal(asked.length, 7, 'a page came twice under the same token');
    assert.equal(walk.hasMore, true, 'it is not complete');
  });

  test('after endless empty pages, with new tokens or the same one, and continues when called again', async () => {
    for (const tokenOf of [(count: number) => `t${count}`, () => 'same']) {
      const { walk, asked } = walkOf((_, count) => ({ items: [], nextPageToken: tokenOf(count) }), {
        ...quick,
        emptyPagesMax: 5,
      });
      await assert.rejects(toTheEnd(walk), assertWhy('empty'));
      assert.equal(asked.length, 5);
      await assert.rejects(toTheEnd(walk), assertWhy('empty'));
      assert.equal(asked.length, 10);
      assert.equal(asked[5], tokenOf(4), 'with the page it had come to');
    }
  });

  test('at a maximum number of pages', async () => {
    const { walk, asked } = walkOf((_, count) => ({ items: ['x'], nextPageToken: `t${count}` }), {
      ...quick,
      pagesMax: 7,
    });
    await assert.rejects(toTheEnd(walk), assertWhy('limit'));
    assert.equal(asked.length, 7);
  });

  test('if it is cancelled, even between two empty pages', async () => {
    const controller = new AbortController();
    const { walk } = walkOf((_, count) => ({ items: [], nextPageToken: `t${count}` }), {
      emptyPageDelayMs: 60_000,
      onWaiting: () => controller.abort(),
    });
    await assert.rejects(toTheEnd(walk, controller.signal), UserAbort);
  });
});

suite('paging continues', () => {
  test('over an empty page whose token stays until the rows are prepared', async () => {
    const { walk } = walkOf((_, count) =>
      count < 3 ? { items: [], nextPageToken: 'same' } : { items: ['x'] },
    );
    assert.deepEqual(await toTheEnd(walk), ['x']);
    assert.equal(walk.hasMore, false);
  });

  test('with a token that stays the same for the whole walk, as the id of a scroll does', async () => {
    const { walk } = walkOf((_, count) =>
      count < 5 ? { items: [`item ${count}`], nextPageToken: 'scroll' } : { items: ['last'] },
    );
    assert.deepEqual(await toTheEnd(walk), ['item 0', 'item 1', 'item 2', 'item 3', 'item 4', 'last']);
  });

  test('with the page that failed', async () => {
    let fails = true;
    const { walk, asked } = walkOf((token) => {
      if (token === undefined) return { items: ['x'], nextPageToken: 't' };
      if (fails) throw new Error('away');
      return { items: ['y'] };
    });
    await assert.rejects(toTheEnd(walk), /away/);
    fails = false;
    assert.deepEqual(await toTheEnd(walk), ['y']);
    assert.deepEqual(asked, [undefined, 't', 't']);
  });

  test('with increasing pauses', async () => {
    const pauses: number[] = [];
    const { walk } = walkOf(
      (_, count) => (count < 4 ? { items: [], nextPageToken: `t${count}` } : { items: ['x'] }),
      { emptyPageDelayMs: 1, onWaiting: (ms) => pauses.push(ms) },
    );
    await toTheEnd(walk);
    assert.deepEqual(pauses, [1, 1.5, 2.25, 3.375]);
  });
});

suite('tokens that are not texts', () => {
  const tokens = ['7', '12345678901234567890', '{"after":12345678901234567890,"of":["a"]}', 'true'];
  for (const token of tokens) {
    test(`${token} is returned to a query unchanged`, async () => {
      const answer: Answer = (_, response, count) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(
            count === 1
              ? `{"columns":["n"],"rows":[[1]],"nextPageToken":${token}}`
              : '{"columns":["n"],"rows":[[2]]}',
          );
      await withService(answer, async ({ queries }, seen) => {
        const pages = await Array.fromAsync(queryPages({ queries }, { query_string: 'SELECT 1' }));
        assert.deepEqual(
          pages.flatMap(({ rows }) => rows),
          [[1], [2]],
        );
        assert.ok(seen().at(-1)?.body.includes(`"pageToken":${token}`));
      });
    });
  }

  test('a number goes into the URL of a list', async () => {
    await withService(
      (_, response, count) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(count === 1 ? '{"items":[{}],"nextPageToken":12345678901234567890}' : '{"items":[{}]}'),
      async ({ roles }, seen) => {
        assert.equal((await Array.fromAsync(roles.listAll())).length, 2);
        assert.match(seen().at(-1)?.path ?? '', /pageToken=12345678901234567890/);
      },
    );
  });

  test('an object cannot go into the URL of a list, so the list is reported as incomplete', async () => {
    await withService(
      (_, response) => sendJson(response, 200, { items: ['a'], nextPageToken: { after: 'a' } }),
      async ({ enrollmentViaAuthenticator }) => {
        const links: string[] = [];
        const reading = (async () => {
          for await (const link of enrollmentViaAuthenticator.listAll()) links.push(link);
        })();
        const error = await failure(reading);
        assert.ok(error instanceof ContractError);
        assert.match(error.message, /list is incomplete/);
        assert.deepEqual(links, ['a']);
      },
    );
  });
});

suite('a schema', () => {
  const column = {
    table_name: 't',
    column_name: 'c',
    data_type: 'text',
    udt_name: 'text',
    is_nullable: 'NO',
  };
  const names = Object.keys(column);
  const tables = [{ name: 't', columns: [{ name: 'c', type: 'text', nullable: false }] }];

  test('that repeats its token or never has a row is stopped', async () => {
    for (const [rows, why] of [
      [[Object.values(column)], 'repeated'],
      [[], 'empty'],
    ] as const) {
      await withService(
        (_, response, count) =>
          sendJson(response, 200, {
            columns: names,
            rows,
            nextPageToken: why === 'repeated' ? 'same' : `t${count}`,
          }),
        async (client) => {
          const reading = readModelTables(client, 'm', { emptyPageDelayMs: 0, emptyPagesMax: 5 });
          assert.ok(assertWhy(why)(await failure(reading)));
        },
      );
    }
  });

  test('is read by the names of its columns', async () => {
    await withService(
      (_, response) =>
        sendJson(response, 200, {
          columns: names.toReversed(),
          rows: [Object.values(column).toReversed()],
        }),
      async (client) => {
        const {
          tables: [table],
        } = await readModelTables(client, 'm');
        assert.equal(table?.name, 't');
        assert.deepEqual(
          table.columns?.map(({ name, type, nullable }) => ({ name, type, nullable })),
          tables[0]?.columns,
        );
      },
    );
  });

  test('is partial if the service sends fewer rows than it reports', async () => {
    for (const [rowCount, isPartial] of [
      [1, false],
      [2, true],
    ] as const)
      await withService(
        (_, response) => sendJson(response, 200, { columns: names, rows: [Object.values(column)], rowCount }),
        async (client) => assert.equal((await readModelTables(client, 'm')).isPartial, isPartial),
        { executeValues: 'parameters' },
      );
  });
});

test('walkPages yields what it received before it reports that the list is incomplete', async () => {
  const seen: string[] = [];
  const reading = (async () => {
    const source = {
      read: () => Promise.resolve({ items: ['x'], nextPageToken: 'same' }),
      isEmpty: () => false,
    };
    for await (const { items } of walkPages(source, {})) seen.push(...items);
  })();
  await assert.rejects(reading, assertWhy('repeated'));
  assert.deepEqual(seen, ['x', 'x', 'x']);
});
