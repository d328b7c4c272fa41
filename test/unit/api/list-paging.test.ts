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
