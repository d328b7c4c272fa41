/** Where local data cannot be written, records are written all the same, without pages to continue from. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { keepingPages } from '#cli/run/keep-pages.ts';

test('records need no folder for local data', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-kept-'));
  try {
    await writeFile(path.join(folder, 'file'), '');
    const stderr = new PassThrough();
    const context = {
      ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr, cwd: folder },
      environment: { XDG_DATA_HOME: path.join(folder, 'file') },
      signal: new AbortController().signal,
      limitTo: () => undefined,
      end: () => undefined,
    };
    const target = path.join(folder, 'a.csv');
    const kept = await keepingPages(context, { target, asked: [], filter: {}, isFresh: false }, (one) =>
      Promise.resolve(one),
    );
    stderr.end();
    assert.equal(kept, undefined);
    assert.match(await text(stderr), /^No pages are kept .*file.* cannot be written: .*XDG_DATA_HOME/);
    assert.deepEqual(await readdir(folder), ['file']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
