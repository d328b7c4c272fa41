/** Folders are made, or refused at once: never tried without end. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { makeFoldersSync } from '#base/files/make-folders-sync.ts';
import { makeFolders } from '#base/files/make-folders.ts';
import { fromRoot } from '#scripts/lib/paths.js';

const top = mkdtempSync(path.join(tmpdir(), 'iq-make-folders-'));
after(() => rmSync(top, { recursive: true }));

const ways = [
  ['makeFolders', makeFolders],
  [
    'makeFoldersSync',
    async (folder: string, options?: { readonly mode?: number }) => {
      await Promise.resolve();
      makeFoldersSync(folder, options?.mode);
    },
  ],
] as const;

for (const [name, make] of ways)
  describe(name, () => {
    const folder = path.join(top, name);

    it('makes a folder and those above it, with the mode, and leaves one that is there', async () => {
      await make(path.join(folder, 'a/b/c'), { mode: 0o700 });
      await make(path.join(folder, 'a/b/c'), { mode: 0o755 });
      if (process.platform !== 'win32')
        for (const each of ['a', 'a/b', 'a/b/c'])
          assert.equal(statSync(path.join(folder, each)).mode & 0o777, 0o700, each);
      assert.ok(existsSync(path.join(folder, 'a/b/c')));
    });

    it('takes a link to a folder for one, and nothing else', async () => {
      mkdirSync(path.join(folder, 'real'), { recursive: true });
      symlinkSync(path.join(folder, 'real'), path.join(folder, 'link'));
      await make(path.join(folder, 'link/below'));
      assert.ok(existsSync(path.join(folder, 'real/below')));
      writeFileSync(path.join(folder, 'file'), '');
      symlinkSync(path.join(folder, 'nothing'), path.join(folder, 'dead'));
      for (const each of ['file', 'file/below', 'dead', 'dead/below/deeper'])
        await assert.rejects(make(path.join(folder, each)), /ENOTDIR|EEXIST|ENOENT/, each);
    });

    it('makes one at the same time as others', async () => {
      const wanted = path.join(folder, 'x/y/z');
      await Promise.all(Array.from({ length: 20 }, () => make(wanted)));
      assert.ok(existsSync(wanted));
    });

    it(
      'ends where the system has no such file for any name',
      { skip: process.platform !== 'linux' },
      async () => {
        for (const each of ['/proc/none/below', '/proc/self/fd/none/below', '/sys/none/below'])
          await assert.rejects(make(each), /ENOENT|EPERM|EACCES|EROFS/);
      },
    );
  });

it('no code of the product makes folders in another way', () => {
  const found = spawnSync(
    'git',
    [
      'grep',
      '-nE',
      String.raw`mkdir(Sync)?\([^;]*recursive`,
      '--',
      'base',
      'api',
      'core',
      'cli',
      'client/src',
      'server',
      'service/src',
    ],
    { cwd: fromRoot('.'), encoding: 'utf8' },
  );
  assert.equal(found.stdout, '');
});
