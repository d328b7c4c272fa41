/** What a plan reads of a repository starts few processes, and never reads more than is allowed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { blobsOf } from '#core/sync/git/batch.ts';
import { findGit } from '#core/sync/git/git-program.ts';
import { GitRepository } from '#core/sync/git/git-repository.ts';
import { git, repositoryAt, type Clone } from '../../../helpers/git-clone.ts';

let folder: string;
let clone: Clone;
const started: string[] = [];

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-git-'));
  git(folder, 'init', '-q', '-b', 'main');
  clone = repositoryAt(folder);
  clone.write('queries/short.sql', 'SELECT 1\n');
  clone.write('queries/long.sql', 'x'.repeat(100));
  clone.commit();
});
after(() => rm(folder, { recursive: true }));

async function open(at = folder): Promise<GitRepository> {
  const program = await findGit(process.env, '/nowhere');
  const run: typeof program.run = async (args, options) => {
    started.push(args.filter((each) => !each.startsWith('-')).join(' '));
    return await program.run(args, options);
  };
  const repository = await GitRepository.open({ run }, at);
  started.length = 0;
  return repository;
}

const textsOf = (read: ReadonlyMap<string, Buffer>) => [...read.values()].map(String);

describe('a repository', () => {
  it('tells its commit and branch at once, also where a tag has the name of the branch', async () => {
    const repository = await open();
    const commit = clone.git('rev-parse', 'HEAD').trim();
    clone.git('tag', 'main');
    assert.deepEqual(await repository.head(), { commit, branch: 'main' });
    clone.git('checkout', '-q', '--detach');
    assert.deepEqual(await repository.head(), { commit, branch: undefined });
    assert.equal(started.length, 2);
    clone.git('checkout', '-q', 'heads/main');
  });

  it('has the same origin in its worktrees and clones, and no token in it', async () => {
    const beside = path.join(folder, 'beside');
    clone.git('worktree', 'add', '-q', '--detach', path.join(beside, 'tree'));
    git(folder, 'clone', '-q', folder, path.join(beside, 'clone'));
    const first = await (await open()).origin();
    for (const name of ['tree', 'clone'])
      assert.equal(await (await open(path.join(beside, name))).origin(), first, name);
    git(
      path.join(beside, 'clone'),
      'remote',
      'set-url',
      'origin',
      'https://ci:TOKEN@git.example.com/a/b.git',
    );
    assert.equal(await (await open(path.join(beside, 'clone'))).origin(), 'https://git.example.com/a/b');
    clone.git('worktree', 'remove', path.join(beside, 'tree'));
    await rm(beside, { recursive: true });
  });

  it('reads an object once, and asks no size that the tree told', async () => {
    const repository = await open();
    const tree = await repository.tree('HEAD', 'queries');
    const ids = tree.map(({ id }) => id);
    assert.deepEqual(
      tree.map(({ path: file, size }) => [file, size]),
      [
        ['queries/long.sql', 100],
        ['queries/short.sql', 9],
      ],
    );
    const first = await repository.blobs(ids, 1_000);
    assert.deepEqual(await repository.blobs(ids, 1_000), first);
    assert.deepEqual(textsOf(first).sort(), ['SELECT 1\n', 'x'.repeat(100)]);
    assert.deepEqual(started, ['ls-tree HEAD queries/', 'cat-file']);
  });

  it('reads nothing larger than is allowed, whether it knew the size or has read it before', async () => {
    const tree = await (await open()).tree('HEAD', 'queries');
    const ids = tree.map(({ id }) => id);
    for (const isKnown of [false, true]) {
      const repository = await open();
      if (isKnown) await repository.tree('HEAD', 'queries');
      assert.deepEqual(textsOf(await repository.blobs(ids, 99)), ['SELECT 1\n']);
      assert.equal((await repository.blobs(ids, 100)).size, 2);
      assert.deepEqual(textsOf(await repository.blobs(ids, 99)), ['SELECT 1\n']);
    }
  });

  it('has no content for what is missing', async () => {
    const repository = await open();
    assert.equal((await repository.blobs(['0'.repeat(40)], 1_000)).size, 0);
  });

  it('reads no file out of a folder that a commit names as a file', async () => {
    const repository = await open();
    const [short] = (await repository.tree('HEAD', 'queries')).filter((entry) =>
      entry.path.endsWith('short.sql'),
    );
    assert.ok(short !== undefined);
    // The name in the folder looks like the header and the content of another file.
    const forged = `x\n${short.id} blob 8\nDROP 1;\n`;
    const write = (type: string, body: Buffer): string =>
      execFileSync('git', ['hash-object', '-w', '--literally', '-t', type, '--stdin'], {
        cwd: folder,
        input: body,
      })
        .toString()
        .trim();
    const tree = write(
      'tree',
      Buffer.concat([Buffer.from(`100644 ${forged}\0`), Buffer.from(short.id, 'hex')]),
    );
    const read = blobsOf(
      execFileSync('git', ['cat-file', '--batch'], { cwd: folder, input: `${short.id}\n${tree}\n` }),
    );
    assert.deepEqual(textsOf(read), ['SELECT 1\n']);
  });
});
