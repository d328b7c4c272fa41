/** A write scope that was refused is asked for again before the editor says that nothing can be changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScopeName } from '#api/contract/token.ts';
import { isWriteGranted } from '#client/session/write-scope.ts';
import { token, withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

test('a scope that is granted a minute after it was refused is there without a new connection', async () => {
  let isRefused = true;
  let nowMs = 0;
  const granted: ScopeName[][] = [];
  await withService(
    (_, response) => sendJson(response, 200, { models: [] }),
    async (client) => {
      await client.models.list();
      assert.equal(await isWriteGranted(client, 'refused'), false);
      isRefused = false;
      nowMs += 61_000;
      assert.equal(await isWriteGranted(client, 'refused'), true);
      assert.deepEqual(granted, [['read'], ['read', 'write']]);
      assert.equal(await isWriteGranted(client, undefined), true);
      assert.equal(await isWriteGranted(client, 'not-asked'), false);
    },
    { now: () => nowMs, onGrantedScopes: (scopes) => granted.push([...scopes]) },
    ({ body }, response) =>
      isRefused && decodeURIComponent(body).includes('/write')
        ? sendJson(response, 400, { error: 'access_denied' })
        : sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3_600 }),
  );
});
