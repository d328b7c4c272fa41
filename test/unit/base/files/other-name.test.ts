/** Another name for a file, also where nobody may make links. */
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { giveOtherName } from '#base/files/other-name.ts';

let folder: string;
let file: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-names-'));
  file = path.join(folder, 'export[1] #%20é.csv');
  await writeFile(file, 'id\n');
});
after(() => rm(folder, { recursive: true }));

const refused = () => Promise.reject(Object.assign(new Error('EPERM: not permitted'), { code: 'EPERM' }));

test('a file is read under its other name', async () => {
  const name = path.join(folder, 'one.csv');
  await giveOtherName(file, name);
  assert.equal(await readFile(name, 'utf8'), 'id\n');
});

test('where links are refused, it is a copy', async () => {
  const name = path.join(folder, 'two.csv');
  await giveOtherName(file, name, [refused, refused, copyFile]);
  assert.equal(await readFile(name, 'utf8'), 'id\n');
});

test('if no way works, the last one says why', async () => {
  const missing = (): Promise<void> => copyFile(path.join(folder, 'none'), path.join(folder, 'three.csv'));
  await assert.rejects(giveOtherName(file, '', [refused, missing]), { code: 'ENOENT' });
});
