/** How results are paged is learned: a page that shows nothing is never taken for the whole result. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

/** The rows of every result of the service, and how it cuts them. */
interface Cut {
  readonly rows: number;
  readonly most: number;
  /** Whether the service pays heed to the page size. */
  readonly isSized: boolean;
  readonly members?: (sent: number) => object;
  readonly failsOnce?: true;
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
      const all = query_string === 'SELECT n FROM t' ? rows : 2;
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
    for (const most of [100, 256, 500, 1_000])
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
