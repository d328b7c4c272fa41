/** Files of a folder of queries are written where they were looked at, or not at all. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { writeFolder } from '#core/sync/folder/write-folder.ts';
import { SyncError } from '#core/sync/sync-error.ts';

const name = 'a.identity.sql';
let root: string;
let outside: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-write-'));
  outside = await mkdtemp(path.join(tmpdir(), 'identity-queries-outside-'));
});
afterEach(async () => {
  for (const folder of [root, outside]) await rm(folder, { recursive: true });
});

describe('a file of a folder of queries', () => {
  it('is neither written nor removed outside, however often a folder and a link change places', async () => {
    const folder = path.join(root, 'queries');
    await mkdir(folder);
    await writeFile(path.join(outside, name), 'outside');
    symlinkSync(outside, `${folder}-link`);
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch {
        // A writer was there at the same moment: the next turn sees what it left.
      }
    };
    /** A writer may have made or removed the folder meanwhile. */
    const place = (from: string, to: string): void => {
      for (;;)
        try {
          renameSync(from, to);
          return;
        } catch {
          attempt(() => mkdirSync(folder));
          attempt(() => rmSync(to, { recursive: true, force: true }));
        }
    };
    const exchange = () => {
      place(folder, `${folder}-aside`);
      place(`${folder}-link`, folder);
      place(folder, `${folder}-link`);
      place(`${folder}-aside`, folder);
    };
    const file = `queries/${name}`;
    const changes = [
      { writes: new Map([[file, 'SELECT 1\n']]), removes: [] },
      { writes: new Map<string, string>(), removes: [file] },
    ];
    for (let round = 0; round < 60; round++) {
      const ended = new AbortController();
      const asked = [...changes, ...changes, ...changes].map((change) => writeFolder(root, change));
      const all = Promise.allSettled(asked).finally(() => ended.abort());
      while (!ended.signal.aborted) {
        exchange();
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const one of await all)
        if (one.status === 'rejected') assert.ok(one.reason instanceof SyncError, String(one.reason));
    }
    assert.deepEqual(await readdir(outside), [name]);
    assert.equal(await readFile(path.join(outside, name), 'utf8'), 'outside');
    // Temporary files of writers that were kept from their folder may be left there.
    await rm(folder, { recursive: true });
    for (const [change, found] of [[changes[0], [name]] as const, [changes[1], undefined] as const]) {
      await writeFolder(root, change ?? { writes: new Map(), removes: [] });
      assert.deepEqual(await readdir(folder).catch(() => undefined), found);
    }
  });
});
