/** `--wait`: one rule for every command where the service limits requests. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { listen, sendJson, type Listener } from '#test/helpers/http.ts';
import { runInProcess } from '#test/helpers/run-in-process.ts';

let folder: string;
let service: Listener;
/** Number of requests that are limited before one is answered. */
let limited: number;
let retryAfter: string;
let asked: number;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'wait-'));
  await writeFile(
    path.join(folder, 'one.identity.sql'),
    '-- @control C-1 One\n-- @error_if rows > 1\nSELECT n FROM t\n',
  );
  asked = 0;
  service = await listen(({ path: place }, response) => {
    if (place === '/token') {
      sendJson(response, 200, { access_token: 'a', token_type: 'Bearer' });
      return;
    }
    asked += 1;
    if (asked <= limited) {
      response.setHeader('retry-after', retryAfter);
      sendJson(response, 429, { code: 'TOO_MANY_REQUESTS', message: 'Slow down.' });
    } else if (place.startsWith('/v1/query/execute'))
      sendJson(response, 200, { columns: [{ name: 'n', type: 'int4' }], rows: [[1]], nextPageToken: null });
    else sendJson(response, 200, { items: [{ globalId: 'g', id: 'i' }] });
  });
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: readonly string[]) {
  return await runInProcess(args, {
    cwd: folder,
    environment: {
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      IDENTITY_QUERIES_BASE_URL: service.url,
      IDENTITY_QUERIES_AUTH_URL: `${service.url}/token`,
      IDENTITY_QUERIES_CLIENT_ID: 'reader',
      IDENTITY_QUERIES_CLIENT_SECRET: 'secret',
    },
  });
}

const commands: Readonly<Record<string, readonly string[]>> = {
  records: ['records', 'roles', '--json'],
  run: ['run', 'one.identity.sql', '--json'],
  'controls run': ['controls', 'run', 'one.identity.sql'],
};

for (const [name, args] of Object.entries(commands))
  suite(name, () => {
    test('waits more often than other failures are repeated', async () => {
      limited = 6;
      retryAfter = '0.02';
      const { code, stderr } = await run(...args);
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, /limits requests/, 'so short a wait is not worth a line');
    });

    test('is not hurried by a service that always says "at once"', async () => {
      limited = Infinity;
      retryAfter = '0';
      const { code } = await run(...args, '--wait', '1');
      assert.notEqual(code, 0);
      assert.ok(asked < 200, `${asked} requests in a second`);
    });

    test('says that it waits, in a log', async () => {
      limited = 1;
      retryAfter = '1';
      const { code, stderr } = await run(...args);
      assert.equal(code, 0, stderr);
      assert.equal(stderr.match(/The service limits requests\. Retrying at/g)?.length, 1);
    });

    test('ends at once if it may not wait so long, and names the option', async () => {
      limited = 1;
      for (const [wait, after] of [
        ['0', '0.01'],
        ['5', '6'],
      ] as const) {
        retryAfter = after;
        asked = 0;
        const { code, stderr, stdout } = await run(...args, '--wait', wait);
        assert.notEqual(code, 0);
        assert.equal(asked, 1);
        assert.match(stderr + stdout, /limits requests/);
        if (name !== 'controls run') assert.match(stderr, /--wait SECONDS/);
      }
    });
  });

suite('doctor', () => {
  test('waits for what a service limits, and says so', async () => {
    limited = 1;
    retryAfter = '1';
    const { code, stdout, stderr } = await run('doctor', '--json');
    assert.equal(code, 1, stderr);
    assert.match(stdout, /"verdict": "holds"/);
    assert.equal(stderr.match(/The service limits requests\. Retrying at/g)?.length, 1);
  });

  test('ends at once if it may not wait so long, and names the option', async () => {
    limited = 1;
    retryAfter = '6';
    const { code, stdout, stderr } = await run('doctor', '--wait', '5');
    assert.deepEqual([code, stdout, asked], [2, '', 1]);
    assert.match(stderr, /limits requests[^]*--wait SECONDS/);
  });
});
