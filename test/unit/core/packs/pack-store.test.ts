/** Packs in a folder: installation, lossless three-way updates, removal, and untrusted folders. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { mergePack } from '#core/packs/merge-pack.ts';
import { folderFiles } from '#core/packs/pack-files.ts';
import { parseBase, parseLock, writeBase, writeLock } from '#core/packs/pack-lock.ts';
import { PackStore, PackStoreError } from '#core/packs/pack-store.ts';
import { digestOf, readPack, type Pack } from '#core/packs/read-pack.ts';
import { writePack, type PackShape } from '#test/helpers/packs.ts';

let root: string;
let workspace: string;
let store: PackStore;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-pack-test-'));
  workspace = path.join(root, 'workspace');
  await mkdir(workspace);
  store = new PackStore(workspace);
});
afterEach(() => rm(root, { recursive: true }));

async function packOf(shape: PackShape): Promise<Pack> {
  const folder = await mkdtemp(path.join(root, 'pack-'));
  await writePack(folder, shape);
  const read = await readPack(folderFiles(folder));
  assert.ok('pack' in read, JSON.stringify(read));
  return read.pack;
}

const source = { kind: 'git', address: 'https://git.example.com/a.git', tag: 'v1' } as const;
const install = async (shape: PackShape) => {
  const plan = await store.plan(await packOf(shape), source, 'c0ffee');
  await store.install(plan);
  return Object.fromEntries(plan.changes.map(({ path: file, kind }) => [file.replace('queries/', ''), kind]));
};
const at = (file: string) => path.join(workspace, 'packs/small/queries', file);
const text = (file: string) => readFile(at(file), 'utf8');
const problem = (expected: string) => (error: unknown) =>
  error instanceof PackStoreError && error.problem === expected;

const lines = (...changes: readonly string[]) =>
  ['-- @control P-1 One', 'SELECT alias', 'FROM accounts', 'WHERE enabled', 'ORDER BY alias', '']
    .map((line, index) => changes[index] ?? line)
    .join('\n');

describe('the packs of a folder', () => {
  it('are installed byte for byte, with commit and digests in the lock file', async () => {
    await install({});
    const [locked] = await store.list();
    assert.equal(locked?.commit, 'c0ffee');
    assert.deepEqual(locked.source, source);
    for (const [file, digest] of Object.entries(locked.files))
      assert.equal(digestOf(await readFile(path.join(workspace, 'packs/small', file), 'utf8')), digest, file);
    assert.deepEqual(await store.changedFiles(locked), []);
    await writeFile(at('one.identity.sql'), 'SELECT 2');
    assert.deepEqual(await store.changedFiles(locked), ['queries/one.identity.sql']);
  });

  it('are updated by a three-way merge with local changes', async () => {
    const names = ['same', 'theirs', 'mine', 'both', 'clash', 'gone', 'gone-mine', 'deleted'];
    const all = Object.fromEntries(names.map((name) => [`${name}.identity.sql`, lines()]));
    await install({ queries: all });
    const [mine, theirs] = [lines(undefined as never, 'SELECT alias, email'), 'ORDER BY email'];
    for (const name of ['mine', 'both', 'gone-mine']) await writeFile(at(`${name}.identity.sql`), mine);
    await writeFile(at('clash.identity.sql'), lines().replace('ORDER BY alias', 'ORDER BY type'));
    await rm(at('deleted.identity.sql'));
    const newer = lines().replace('ORDER BY alias', theirs);
    const queries: Record<string, string> = {
      'same.identity.sql': lines(),
      'theirs.identity.sql': newer,
      'mine.identity.sql': lines(),
      'both.identity.sql': newer,
      'clash.identity.sql': newer,
      'deleted.identity.sql': newer,
      'new.identity.sql': lines(),
    };
    const changes = await install({ version: '2.0.0', queries });
    assert.deepEqual(changes, {
      'both.identity.sql': 'merge',
      'clash.identity.sql': 'conflict',
      'deleted.identity.sql': 'stay-deleted',
      'gone-mine.identity.sql': 'keep',
      'gone.identity.sql': 'delete',
      'mine.identity.sql': 'keep',
      'new.identity.sql': 'add',
      'pack.json': 'update',
      'saved-queries.json': 'update',
      'theirs.identity.sql': 'update',
    });
    assert.equal(await text('both.identity.sql'), mine.replace('ORDER BY alias', theirs));
    assert.match(
      await text('clash.identity.sql'),
      /<<<<<<< changed here\nORDER BY type\n=======\nORDER BY email\n>>>>>>> new version/,
    );
    assert.equal(await text('gone-mine.identity.sql'), mine);
    await assert.rejects(text('gone.identity.sql'));
    assert.equal((await store.list())[0]?.version, '2.0.0');
  });

  it('do not change if the same version is installed again', async () => {
    await install({});
    assert.deepEqual(await install({}), {});
  });

  it('are removed with their files, except for locally changed ones', async () => {
    await install({});
    await writeFile(at('one.identity.sql'), 'SELECT 2');
    assert.deepEqual(await store.remove('small'), ['packs/small/queries/one.identity.sql']);
    assert.deepEqual(await readdir(path.join(workspace, 'packs/small/queries')), ['one.identity.sql']);
    assert.deepEqual(await store.list(), []);
    await assert.rejects(store.remove('small'), problem('notInstalled'));
  });

  it('are never written through links in the folder', async () => {
    const outside = path.join(root, 'outside');
    await mkdir(outside);
    await symlink(outside, path.join(workspace, 'packs'));
    await assert.rejects(install({}), problem('link'));
    assert.deepEqual(await readdir(outside), []);
  });

  it('never replace something that is not a pack', async () => {
    await mkdir(path.join(workspace, 'packs/small'), { recursive: true });
    await assert.rejects(install({}), problem('taken'));
  });

  it('are not updated if the installed texts are missing or different', async () => {
    await install({});
    const base = path.join(workspace, '.identity-queries/packs/small.json');
    await writeFile(base, writeBase(new Map([['queries/one.identity.sql', 'other']])));
    await assert.rejects(install({ version: '1.1.0' }), problem('base'));
    await rm(base);
    await assert.rejects(install({ version: '1.1.0' }), problem('base'));
    await writeFile(path.join(workspace, '.identity-queries/packs.json'), '{"format":1,"packs":[{}]}');
    await assert.rejects(store.list(), problem('lock'));
  });

  it('never reach a file outside of the folder, whatever the control files name', async () => {
    await install({});
    const kept = path.join(root, 'kept.json');
    await writeFile(kept, 'kept');
    await writeFile(path.join(workspace, 'mine.sql'), 'kept');
    const lock = path.join(workspace, '.identity-queries/packs.json');
    const base = path.join(workspace, '.identity-queries/packs/small.json');
    const texts = { lock: await readFile(lock, 'utf8'), base: await readFile(base, 'utf8') };
    const bad = [
      '../../../kept.json',
      '../../mine.sql',
      'queries/../../../../kept.json',
      'a/./../../../mine.sql',
      kept,
      '/etc/passwd',
      'C:\\x',
      'a\\..\\..\\x',
      'con',
      'queries/nul.identity.sql',
      '.git/hooks/pre-commit',
      'x:stream',
      'a\u202e',
      '',
      '.',
      '..',
      '...',
      'a//b',
    ];
    for (const file of bad) {
      const locked = JSON.parse(texts.lock) as { packs: { files: Record<string, string> }[] }; // just written
      for (const pack of locked.packs) pack.files[file] = digestOf('kept');
      await writeFile(lock, JSON.stringify(locked));
      await assert.rejects(store.remove('small'), problem('lock'), file);
      await assert.rejects(install({ version: '1.1.0' }), problem('lock'), file);
      await writeFile(lock, texts.lock);
      const held = JSON.parse(texts.base) as { files: Record<string, string> }; // just written
      held.files[file] = 'kept';
      await writeFile(base, JSON.stringify(held));
      await assert.rejects(install({ version: '1.1.0' }), problem('base'), file);
      await writeFile(base, texts.base);
    }
    assert.equal(await readFile(kept, 'utf8'), 'kept');
    assert.equal(await readFile(path.join(workspace, 'mine.sql'), 'utf8'), 'kept');
  });

  it('have addresses in the lock file as if they had been typed', async () => {
    await install({});
    const lock = path.join(workspace, '.identity-queries/packs.json');
    const text = await readFile(lock, 'utf8');
    for (const [address, tag] of [
      ['ext::sh -c touch% /tmp/x', 'v1'],
      ['--upload-pack=x', 'v1'],
      ['https://user:SECRET@git.example.com/a.git', 'v1'],
      ['https://git.example.com/a.git', '--upload-pack=x'],
      ['https://git.example.com/a.git', ''],
      ['https://git.example.com/a.git', undefined],
      ['/srv/a', 'v1'],
    ]) {
      const locked = JSON.parse(text) as { packs: { source: object }[] }; // just written
      for (const pack of locked.packs) pack.source = { kind: 'git', address, tag };
      await writeFile(lock, JSON.stringify(locked));
      await assert.rejects(store.list(), problem('lock'), address);
    }
  });

  it('are not updated by a tag that moved', async () => {
    await install({});
    const pack = await packOf({ version: '1.1.0' });
    await assert.rejects(store.plan(pack, source, 'decade'), (error: unknown) => {
      assert.ok(error instanceof PackStoreError);
      assert.deepEqual([error.problem, error.file], ['moved', 'v1: c0ffee, decade']);
      return true;
    });
    await store.plan(pack, { ...source, tag: 'v2' }, 'decade');
  });

  it('have lock files that survive the round trip', async () => {
    await install({});
    const file = await readFile(path.join(workspace, '.identity-queries/packs.json'), 'utf8');
    const packs = parseLock(file);
    assert.ok(packs !== undefined);
    assert.equal(writeLock(packs), file);
    const twice = file.replace('"version"', '"version": "9.9.9",\n"version"');
    for (const bad of [twice, '', '[]', '{"format":2,"packs":[]}', file.replace('small', '../small')])
      assert.equal(parseLock(bad), undefined, bad);
    assert.equal(parseBase('{"format":1,"files":{"a":1}}'), undefined);
  });
});

describe('a three-way update', () => {
  it('loses no line from either side', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    const text = fc.option(
      fc.array(line, { maxLength: 6 }).map((each) => each.join('\n')),
      { nil: undefined },
    );
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const map = (value: string | undefined) =>
          new Map(value === undefined ? [] : [['x.identity.sql', value] as const]);
        const [change] = mergePack(map(base), map(mine), map(theirs));
        const result = change?.kind === 'delete' ? undefined : (change?.text ?? mine);
        if (mine === undefined || mine === base) return;
        // Local additions are never lost: the result contains each new line.
        assert.ok(result !== undefined);
        const before = new Set((base ?? '').split('\n'));
        for (const each of mine.split('\n'))
          if (!before.has(each)) assert.ok(result.split('\n').includes(each), result);
      }),
      { numRuns: 300 },
    );
  });
});
