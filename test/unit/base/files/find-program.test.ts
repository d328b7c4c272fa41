import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { programProblem } from '#base/files/find-program.ts';

test('a program is found where starting it would find it', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'find-program-'));
  try {
    const [full, empty] = [path.join(root, 'full'), path.join(root, 'empty')];
    await mkdir(full);
    await mkdir(empty);
    const ending = process.platform === 'win32' ? '.exe' : '';
    await writeFile(path.join(full, `tool${ending}`), '', { mode: 0o755 });
    await writeFile(path.join(empty, 'text.txt'), '', { mode: 0o644 });
    const environment = { PATH: [empty, full].join(path.delimiter) };
    const problem = async (name: string) => await programProblem(name, environment, root);
    assert.equal(await problem('tool'), undefined);
    assert.equal(await problem(path.join(full, 'tool')), undefined);
    assert.equal(await problem('other'), 'missing');
    assert.equal(await problem(path.join(full, `tool${ending}`, 'inside')), 'missing');
    assert.equal(await problem(full), 'not-executable');
    if (process.platform !== 'win32') assert.equal(await problem('text.txt'), 'not-executable');
    assert.equal(await programProblem('tool', {}, root), 'missing');
    assert.equal(
      await programProblem('tool', { PATH: 'full' }, root),
      undefined,
      'relative to where it runs',
    );
  } finally {
    await rm(root, { recursive: true });
  }
});
