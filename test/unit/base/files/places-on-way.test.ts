/** Whatever a path is called, the places that it leads through are found under their own names. */
import assert from 'node:assert/strict';
import files, { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock, suite, test } from 'node:test';
import { placesOnWay } from '#base/files/places-on-way.ts';

suite('the places on the way of a path', () => {
  test('have the names that the system gives them, also of what is not there yet', async () => {
    const scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'identity-queries-')));
    const [project, short] = [path.join(scratch, 'project'), path.join(scratch, 'PROJEC~1')];
    await mkdir(project);
    await mkdir(short);
    await symlink('/bin/true', path.join(short, 'link'));
    const before = files.realpath;
    // As Windows names what is found by a short name.
    mock.method(files, 'realpath', async (file: string) => (await before(file)).replace(short, project));
    syncBuiltinESMExports();
    try {
      for (const [name, found] of [
        ['.', project],
        ['missing/x', path.join(project, 'missing/x')],
        ['link', path.join(project, 'link')],
      ] as const)
        assert.ok((await placesOnWay(path.join(short, name))).includes(found), name);
      assert.deepEqual(await placesOnWay(path.join(project, 'x')), [path.join(project, 'x')]);
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
      await rm(scratch, { recursive: true });
    }
  });
});
