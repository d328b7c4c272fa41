/** Git runs nothing that a repository names, also an older Git that fetches missing objects whatever it is told. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findGit, pathOutside } from '#core/sync/git/git-program.ts';
import { SyncError } from '#core/sync/sync-error.ts';

let root: string;
let repository: string;
let missing: string;
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: repository,
    encoding: 'utf8',
  }).trim();
const mark = () => path.join(root, 'started');

before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-git-'));
  repository = path.join(root, 'repository');
  mkdirSync(repository);
  git('init', '-q');
  writeFileSync(path.join(repository, 'a'), 'text');
  git('add', '.');
  git('commit', '-q', '-m', 'a');
  missing = git('rev-parse', 'HEAD:a');
  rmSync(path.join(repository, '.git/objects', missing.slice(0, 2), missing.slice(2)));
  git('config', 'core.repositoryformatversion', '1');
  git('config', 'extensions.partialClone', 'origin');
  git('config', 'remote.origin.promisor', 'true');
  git('config', 'remote.origin.url', `ext::touch ${mark()}`);
  git('config', 'protocol.ext.allow', 'always');
});
after(() => rm(root, { recursive: true }));

describe('Git', () => {
  it('starts no program to fetch what a repository lacks, however old it is', async () => {
    const older = path.join(root, 'older');
    mkdirSync(older);
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    writeFileSync(path.join(older, 'git'), `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec ${real} "$@"\n`, {
      mode: 0o755,
    });
    const { PATH = '' } = process.env;
    const program = await findGit({ ...process.env, PATH: `${older}:${PATH}` }, repository);
    await program.run(['cat-file', '--batch'], { cwd: repository, input: `${missing}\n` });
    assert.equal(existsSync(mark()), false);
  });

  it('is no program of the repository, in whatever folder of it the person is', async () => {
    const [sub, bin] = ['sub/folder', 'bin'].map((name) => path.join(repository, name)) as [string, string]; // there are two
    mkdirSync(sub, { recursive: true });
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'git'), `#!/bin/sh\ntouch ${mark()}\n`, { mode: 0o755 });
    const { PATH = '' } = process.env;
    const program = await findGit({ ...process.env, PATH: `${bin}:${PATH}` }, sub);
    assert.equal((await program.run(['--version'], { cwd: sub })).code, 0);
    assert.equal(existsSync(mark()), false);
  });

  it('is not behind a link of the repository, which may be changed', async () => {
    const [own, through] = ['own', 'through'].map((name) => path.join(root, name)) as [string, string]; // there are two
    mkdirSync(own);
    symlinkSync(own, path.join(repository, 'outside'));
    symlinkSync(path.join(repository, 'outside'), through);
    assert.deepEqual(await pathOutside({ PATH: `${through}:${own}` }, repository), [own]);
  });

  it('may be a program of a home folder that is a repository', async (context) => {
    const home = path.join(root, 'home');
    const [folder, bin] = ['work/deep', '.profile/bin'].map((name) => path.join(home, name)) as [
      string,
      string,
    ]; // there are two
    for (const made of [folder, bin, path.join(home, '.git')]) mkdirSync(made, { recursive: true });
    context.mock.method(os, 'homedir', () => home);
    syncBuiltinESMExports();
    try {
      assert.deepEqual(await pathOutside({ PATH: bin }, folder), [bin]);
      // A clone in it is a stranger's.
      mkdirSync(path.join(home, 'work/.git'));
      assert.deepEqual(await pathOutside({ PATH: path.join(home, 'work/bin') }, folder), []);
    } finally {
      context.mock.restoreAll();
      syncBuiltinESMExports();
    }
  });

  it(
    'is stopped where it waits for a pipe in place of a file',
    { skip: process.platform === 'win32' },
    async () => {
      const waiting = path.join(root, 'waiting');
      mkdirSync(path.join(waiting, '.git'), { recursive: true });
      execFileSync('mkfifo', [path.join(waiting, '.git/HEAD')]);
      const program = await findGit(process.env, waiting);
      await assert.rejects(
        program.run(['rev-parse', '--show-toplevel'], { cwd: waiting, limitMs: 300 }),
        (error) => {
          assert.ok(error instanceof SyncError);
          assert.match(error.message, /^Git did not end in time, so it was stopped\./);
          return true;
        },
      );
    },
  );
});
