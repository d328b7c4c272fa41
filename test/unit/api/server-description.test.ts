/** What the database behind a service is: asked once for each list of models, and sent again only if it changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

const description = {
  engine: 'PostgreSQL',
  version: '18.4',
  extensions: [],
  types: [],
  functions: [],
  settings: {},
  collections: ['accounts'],
  warnings: [],
};

test('callers share one request, a failure is asked again, and an unchanged answer is not sent twice', async () => {
  let fails = true;
  await withService(
    ({ path, headers }, response) => {
      if (path === '/v1/schema/models')
        sendJson(response, 200, { models: [{ name: 'm', description: '', listsTables: true }] });
      else if (fails) sendJson(response, 404, { code: 'NOT_FOUND', message: 'no' });
      else if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else {
        response.setHeader('etag', '"one"');
        sendJson(response, 200, description);
      }
    },
    async ({ models }, seen) => {
      const asked = () => seen().filter(({ path }) => path === '/v1/schema/server').length;
      assert.equal(await models.server(), undefined);
      assert.equal(asked(), 0);
      await models.list();
      await failure(models.server());
      fails = false;
      const [one, other] = await Promise.all([models.server(), models.server()]);
      assert.deepEqual(one, description);
      assert.equal(other, one);
      assert.equal(await models.server(), one);
      assert.equal(asked(), 2);
      await models.list();
      assert.equal(await models.server(), one);
      assert.equal(asked(), 3);
    },
  );
});
