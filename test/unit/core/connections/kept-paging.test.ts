/** What was learned of paging is kept for a day, for services that last, and settled by hand before anything else. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { assumedPaging, type ExecutePaging } from '#api/client/execute-paging.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { KeptPaging } from '#core/connections/kept-paging.ts';
import { openClient } from '#core/connections/open-client.ts';
import { parseConnection, profileOf, type ConnectionSetting } from '#core/connections/parse-connection.ts';
import { Facts } from '#core/memory/facts.ts';
import { memoryAt } from '#test/helpers/memory.ts';
import { queryPages } from '#test/helpers/query-pages.ts';

const snake: ExecutePaging = {
  kind: 'pages',
  size: 'page_size',
  token: 'page_token',
  next: ['next_page_token'],
  end: { kind: 'no-token' },
};
const hour = 3_600_000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kept-paging-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

suite('what was learned of paging', () => {
  test('is kept for a day', async () => {
    await new KeptPaging(memoryAt(folder), () => 0).save('key', snake);
    assert.deepEqual(await new KeptPaging(memoryAt(folder), () => 23 * hour).load('key'), snake);
    assert.equal(await new KeptPaging(memoryAt(folder), () => 25 * hour).load('key'), undefined);
    assert.equal(
      await new KeptPaging(memoryAt(folder), () => -hour).load('key'),
      undefined,
      'the clock was set back',
    );
    assert.equal(await new KeptPaging(memoryAt(folder)).load('another'), undefined);
  });

  test('is not kept if it is unknown', async () => {
    await new KeptPaging(memoryAt(folder)).save('key', { kind: 'unknown', size: 'pageSize' });
    assert.deepEqual(await readdir(folder), []);
  });

  test('is learned again where it is damaged, of another version, or cannot be written', async () => {
    const kept = new KeptPaging(memoryAt(folder));
    await kept.save('key', assumedPaging);
    assert.deepEqual(await kept.load('key'), assumedPaging);
    const facts = new Facts(memoryAt(folder), { noun: 'paging', parse: (value) => value });
    const whole = Object((await facts.all()).get('key')) as object;
    for (const value of [
      { ...whole, version: 0 },
      { ...whole, paging: 7 },
      { ...whole, learnedAt: '' },
      [1],
      1,
    ]) {
      await facts.change((rows) => rows.put('key', value));
      assert.equal(await kept.load('key'), undefined, JSON.stringify(value));
    }
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await new KeptPaging(memoryAt(file)).save('key', assumedPaging); // a file in place of a folder
    assert.equal(await new KeptPaging(memoryAt(file)).load('key'), undefined);
  });
});

/** Counts requests of a service with pages of one row under `next_page_token`. */
async function requestsTo(setting: ConnectionSetting): Promise<number> {
  let count = 0;
  const answer = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { url } = new Request(input, { ...init, dispatcher: undefined } as RequestInit); // only the address is read
    if (url.includes('/token'))
      return Promise.resolve(Response.json({ access_token: 'a', token_type: 'Bearer' }));
    count += 1;
    const body = JSON.parse(typeof init.body === 'string' ? init.body : '') as {
      query_string: string;
      page_token?: string;
    };
    const isLast = body.page_token === '1';
    const rows = [[isLast ? 2 : 1]];
    return Promise.resolve(
      Response.json({ columns: ['n'], rows, ...(isLast ? {} : { next_page_token: '1' }) }),
    );
  };
  const client = await openClient(profileOf(setting), {
    clientSecret: 'secret',
    network: { carrier: { fetch: answer }, close: () => Promise.resolve() },
    memory: memoryAt(folder),
  });
  const pages = await Array.fromAsync(queryPages(client, { query_string: 'SELECT n FROM t' }));
  await client.close();
  assert.equal(pages.flatMap(({ rows }) => rows).length, 2);
  return count;
}

suite('a client', () => {
  const setting = {
    name: 'Production',
    baseUrl: 'https://identity.example.com',
    authUrl: 'https://sign-in.example.com/token',
    clientId: 'reader',
  };

  test('learns paging once for several processes', async () => {
    assert.ok((await requestsTo(setting)) > 2);
    assert.equal(await requestsTo(setting), 2);
    assert.equal((await requestsTo({ ...setting, clientId: 'another' })) > 2, true);
  });

  test('learns it each time from a service on this machine, which may be another one', async () => {
    const local = { ...setting, baseUrl: 'http://127.0.0.1:8080' };
    await requestsTo(local);
    assert.ok((await requestsTo(local)) > 2);
    assert.deepEqual(await readdir(folder), []);
  });

  test('uses what a person wrote, and keeps nothing', async () => {
    const paging = {
      size: 'page_size',
      token: 'page_token',
      next: 'next_page_token',
      last: 'no-token',
    } as const;
    assert.equal(await requestsTo({ ...setting, execute: { paging } }), 2);
    assert.deepEqual(await readdir(folder), []);
    const parsed = parseConnection({ ...setting, execute: { paging: { size: 'a' } } }, new Set());
    assert.ok(parsed.kind === 'problem' && parsed.problem.kind === 'type');
    assert.equal(parsed.problem.field, 'execute.paging');
    const written = profileOf({ ...setting, execute: { paging } });
    assert.equal(connectionKeyOf(written), connectionKeyOf(profileOf(setting)), 'local data stays');
  });
});
