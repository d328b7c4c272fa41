/** A model that could not be read is not said to be missing. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { listen, sendJson, type Listener } from '#test/helpers/http.ts';
import { runInProcess } from '#test/helpers/run-in-process.ts';

let folder: string;
let service: Listener;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'unread-models-'));
  service = await listen(({ path: place }, response) => {
    if (place === '/token') sendJson(response, 200, { access_token: 'a', token_type: 'Bearer' });
    else if (place.startsWith('/v1/schema/models'))
      sendJson(response, 200, { models: [{ name: 'good' }, { name: 7 }] });
    else sendJson(response, 404, { code: 'NOT_FOUND', message: 'No.' });
  });
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

suite('models', () => {
  for (const [args, says] of [
    [['good'], ''],
    [['good', '--json'], ''],
    [['other'], 'The service has no model "other" that can be read.'],
    [['other', '--json'], 'The service has no model "other" that can be read.'],
    [[], ''],
  ] as const)
    test(`models ${args.join(' ')}`, async () => {
      const { stderr } = await runInProcess(['models', ...args], {
        cwd: folder,
        environment: {
          ...{ XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
          IDENTITY_QUERIES_BASE_URL: service.url,
          IDENTITY_QUERIES_AUTH_URL: `${service.url}/token`,
          IDENTITY_QUERIES_CLIENT_ID: 'reader',
          IDENTITY_QUERIES_CLIENT_SECRET: 'secret',
        },
      });
      assert.match(stderr, /Not all models could be read/);
      assert.ok(stderr.includes(says), stderr);
      if (says === '') assert.doesNotMatch(stderr, /has no model/);
    });
});
