/** A killed process leaves no rows on the disk for good: the next one removes its folder, and nobody else's. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { makeScratchFolder } from '#base/files/scratch-folder.ts';

const source = new URL('../../../../base/files/scratch-folder.ts', import.meta.url).href;

suite('scratch folders', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'identity-queries-left-'));
  });
  afterEach(async () => {
    await rm(parent, { recursive: true, force: true });
  });

  /** @returns the folder of a process that was killed, with rows in it. */
  async function leftBehind(): Promise<string> {
    const text = `import { makeScratchFolder } from ${JSON.stringify(source)};
      process.stdout.write(await makeScratchFolder(process.argv[1]));
      process.stdin.resume();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', text, parent]);
    const [made] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    await once(child, 'exit');
    const folder = made.toString('utf8');
    await mkdir(path.join(folder, 'deep'));
    await writeFile(path.join(folder, 'deep', 'rows'), 'rows');
    return folder;
  }

  test('the folder of a killed process goes with what is in it, that of a running one stays', async () => {
    const running = await makeScratchFolder(parent);
    const left = await leftBehind();
    assert.equal((await readdir(parent)).length, 2);
    const made = await makeScratchFolder(parent);
    const names = await readdir(parent);
    assert.deepEqual(names.toSorted(), [path.basename(running), path.basename(made)].toSorted());
    assert.ok(!names.includes(path.basename(left)));
  });

  test('another machine, a link, and a file of such a name are not ours', async () => {
    const left = path.basename(await leftBehind());
    const pid = left.split('-').at(-2) ?? assert.fail();
    const outside = await mkdtemp(path.join(tmpdir(), 'identity-queries-left-'));
    try {
      await writeFile(path.join(outside, 'kept'), '');
      const elsewhere = `identity-queries-ffffff-${pid}-abcdef`;
      const link = left.replace(/[^-]+$/, 'link');
      const file = left.replace(/[^-]+$/, 'file');
      await mkdir(path.join(parent, elsewhere));
      await symlink(outside, path.join(parent, link), 'junction');
      await writeFile(path.join(parent, file), '');
      const made = await makeScratchFolder(parent);
      const kept = [elsewhere, link, file, path.basename(made)];
      assert.deepEqual((await readdir(parent)).toSorted(), kept.toSorted());
      assert.deepEqual(await readdir(outside), ['kept']);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  test('only this user can read it', async () => {
    const { mode } = await stat(await makeScratchFolder(parent));
    assert.ok(process.platform === 'win32' || (mode & 0o777) === 0o700);
  });
});
