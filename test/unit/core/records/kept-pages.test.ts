/** Stored pages: returned exactly, and never from an outdated or foreign file. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { pageTokenKey } from '#api/client/answers/page-token.ts';
import { ServerFaultError } from '#api/client/errors.ts';
import { jsonText, parseJson } from '#api/client/json.ts';
import type { PageToken } from '#api/contract/lists.ts';
import { KeptPages } from '#core/records/kept-pages.ts';

const now = 100 * 86_400_000;
const big = '9007199254740993';
/** Pages by request token, with numbers beyond double precision, and names of inherited members. */
const pages: Readonly<Record<string, string>> = {
  undefined: `{"items":[{"a":${big}},{"__proto__":1}],"nextPageToken":"two"}`,
  two: `{"items":[{"a":"x\\u2028y"}],"nextPageToken":${big}}`,
  [big]: '{"items":[null]}',
};

suite('kept pages', () => {
  let folder: string;
  let file: string;
  let asked: string[];
  let restarts: number;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-kept-'));
    file = path.join(folder, '.a.csv.0123456789ab.part');
    asked = [];
    restarts = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = (options: { readonly at?: number; readonly isAnew?: boolean } = {}) =>
    KeptPages.open(file, {
      filter: { window: { from: 1, to: options.at ?? now } },
      now: options.at ?? now,
      isAnew: options.isAnew ?? false,
      onRestart: () => (restarts += 1),
    });
  const ask = (token: PageToken | undefined) => {
    const key = token === undefined ? 'undefined' : pageTokenKey(token);
    asked.push(key);
    return Promise.resolve(parseJson(pages[key] ?? '{}') as never); // the service sends this shape
  };
  /** Reads `count` pages as text. */
  async function read(kept: KeptPages, count: number): Promise<readonly string[]> {
    const texts: string[] = [];
    let token: PageToken | undefined;
    while (texts.length < count) {
      const page = await kept.read(token, ask);
      token = page.nextPageToken;
      texts.push(jsonText(page));
    }
    return texts;
  }
  async function leave(count: number): Promise<void> {
    const kept = await open();
    await read(kept, count);
    await kept.close();
    asked = [];
  }
  const all = [pages['undefined'], pages['two'], pages[big]].map((text) => jsonText(parseJson(text ?? '')));

  test('continue after the last one, exactly, with the original request', async () => {
    await leave(2);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    const kept = await open({ at: now + 1_000 });
    assert.deepEqual([kept.rowCount, kept.filter.window?.to, kept.startedAt], [3, now, now]);
    assert.deepEqual(await read(kept, 3), all);
    assert.deepEqual(asked, [big]);
    await kept.end();
    assert.deepEqual(await readdir(folder), []);
  });

  test('are read without a request if all of them are stored', async () => {
    await leave(3);
    const kept = await open();
    assert.deepEqual(await read(kept, 3), all);
    assert.deepEqual(asked, []);
    await kept.close();
  });

  test('are requested again after an incomplete line', async () => {
    await leave(2);
    await truncate(file, (await stat(file)).size - 3);
    const kept = await open();
    assert.equal(kept.rowCount, 2);
    assert.deepEqual(await read(kept, 3), all);
    assert.deepEqual(asked, ['two', big]);
    await kept.close();
  });

  test('start over if they are from another day, from another request, or foreign', async () => {
    await leave(2);
    for (const options of [{ at: now + 86_400_001 }, { at: now - 1 }, { isAnew: true }]) {
      const kept = await open(options);
      assert.equal(kept.rowCount, 0);
      await kept.close();
      assert.deepEqual(await readdir(folder), [], 'nothing is kept of nothing');
      await leave(2);
    }
    for (const text of ['', 'PAR1', '{}\n{}\n', '[]\n', '{"startedAt":1}\n{"rowCount":"x"}\n']) {
      await writeFile(file, text);
      const kept = await open();
      assert.equal(kept.rowCount, 0, text);
      assert.deepEqual(await read(kept, 3), all);
      await kept.end();
    }
  });

  test('report a damaged line in the middle', async () => {
    await leave(2);
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, [lines[0], '{"items":', ...lines.slice(2)].join('\n'));
    const kept = await open();
    await assert.rejects(read(kept, 3), /is damaged\. Delete it/);
    await kept.close();
  });

  test('stay unchanged while the service fails', async () => {
    await leave(2);
    const kept = await open();
    const failing = () => Promise.reject(new ServerFaultError('away', { code: 'X', retryable: true }));
    await assert.rejects(kept.read(undefined, failing), /away/);
    await kept.close();
    assert.equal(restarts, 0);
    const again = await open();
    assert.equal(again.rowCount, 3);
    await again.close();
  });

  test('are not written through a foreign link', async () => {
    const other = path.join(folder, 'precious');
    await writeFile(other, 'precious');
    if (process.platform === 'win32') return; // creating links requires administrator rights
    await symlink(other, file);
    await assert.rejects(open(), /it is a link, or lies behind one/);
    await appendFile(other, '!');
    assert.equal(await readFile(other, 'utf8'), 'precious!');
  });

  test('are not read from a pipe, which would be waited for', async () => {
    if (process.platform === 'win32') return; // there are none
    execFileSync('mkfifo', [file]);
    await assert.rejects(open(), /it is a pipe, a device or a socket, not a file/);
  });
});
