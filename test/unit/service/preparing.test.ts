/** With a large company, the sandbox serves other requests while it counts role members. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fastify from 'fastify';
import { memberCountsOf } from '#service/data/company/member-counts.ts';
import { World } from '#service/data/company/world.ts';
import { registerCollectionRoutes } from '#service/routes/collections.ts';
import { PageTokens } from '#service/tokens.ts';
import { useContractValidation } from '#service/validation.ts';

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly nextPageToken?: string;
}

suite('the roles of a million accounts', () => {
  test('are complete, after empty pages if necessary, while accounts can be listed', async () => {
    const world = new World({ seed: 1, accounts: 1_000_000, now: Date.UTC(2026, 5, 30) });
    const app = fastify();
    useContractValidation(app);
    registerCollectionRoutes(app, { world, tokens: new PageTokens(), preparingPages: 0 });
    try {
      const accounts = await app.inject('/v1/accounts?pageSize=1');
      assert.equal(accounts.statusCode, 200);
      assert.ok(memberCountsOf(world).left > 0, 'the accounts waited for the roles');

      let page: Page | undefined;
      do {
        const token = page?.nextPageToken === undefined ? '' : `&pageToken=${page.nextPageToken}`;
        page = (await app.inject(`/v1/roles?pageSize=2${token}`)).json<Page>();
        assert.ok(page.nextPageToken);
      } while (page.items.length === 0);
      assert.equal(memberCountsOf(world).left, 0);
      assert.ok(page.items.every((role) => Number(role['analyticsMemberCount']) > 0));
      const id = String(page.items[1]?.['globalId']);
      assert.deepEqual((await app.inject(`/v1/roles/${id}`)).json(), page.items[1]);
    } finally {
      await app.close();
    }
  });
});
