/** A query that the service refuses does not keep the others from being sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { push } from '#core/sync/push.ts';
import { withService } from '#test/helpers/client-service.ts';
import { sendJson } from '#test/helpers/http.ts';

interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

/** Returns what became of new queries, of which the service refuses those that are named here. */
async function pushedTo(refusals: Readonly<Record<string, Refusal>>): Promise<readonly string[]> {
  const results: string[] = [];
  await withService(
    ({ method, body }, response) => {
      if (method === 'GET') {
        sendJson(response, 200, { items: [] });
        return;
      }
      const query = JSON.parse(body) as { readonly name: string };
      const refusal = refusals[query.name];
      if (refusal === undefined) sendJson(response, 201, { ...query, query_id: query.name, version: 1 });
      else sendJson(response, refusal.status, refusal.body);
    },
    async (client) => {
      const items = ['a', 'b', 'c'].map((name) => ({
        kind: 'create' as const,
        isRestored: false,
        here: {
          file: `queries/${name}.identity.sql`,
          draft: { name, query_string: 'SELECT 1', model: 'platform_identity', description: '' },
          ids: {},
        },
      }));
      for (const { result } of await push(items, { client })) results.push(result.kind);
    },
  );
  return results;
}

const refused = (status: number, code: string): Refusal => ({ status, body: { code, message: 'No.' } });

for (const [what, refusal] of [
  ['another right', refused(403, 'FOLDER_PROTECTED')],
  ['a gateway', { status: 403, body: 'Blocked' }],
  ['its text', refused(400, 'BAD_REQUEST')],
  ['its model', refused(422, 'UNKNOWN_MODEL')],
] as const)
  test(`a refusal for ${what} is about one query`, async () => {
    assert.deepEqual(await pushedTo({ a: refusal }), ['failed', 'done', 'done']);
    assert.deepEqual(await pushedTo({ a: refusal, b: refusal }), ['failed', 'failed', 'done']);
  });

test('a missing scope ends the push, unless something could be written', async () => {
  const refusal = refused(403, 'FORBIDDEN');
  assert.deepEqual(await pushedTo({ a: refusal }), ['failed', 'notTried', 'notTried']);
  assert.deepEqual(await pushedTo({ b: refusal }), ['done', 'failed', 'done']);
});

test('what no sign-in allows ends the push', async () => {
  assert.deepEqual(await pushedTo({ a: refused(401, 'UNAUTHORIZED') }), ['failed', 'notTried', 'notTried']);
});
