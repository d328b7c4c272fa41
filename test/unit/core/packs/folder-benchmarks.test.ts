/** A folder's benchmarks: its own if there are any, otherwise those of its packs. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { controlTree } from '#core/controls/control-tree.ts';
import { readControl } from '#core/controls/control.ts';
import { ControlFileError } from '#core/controls/files/control-file.ts';
import { readFolderBenchmarks } from '#core/packs/folder-benchmarks.ts';
import { folderFiles } from '#core/packs/pack-files.ts';
import { PackStore } from '#core/packs/pack-store.ts';
import { readPack, type Pack } from '#core/packs/read-pack.ts';

const library = path.resolve(import.meta.dirname, '../../../../library/identity-review-essentials');
let root: string;
let folder: string;
let pack: Pack;
before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-benchmarks-'));
  const read = await readPack(folderFiles(library));
  assert.ok('pack' in read);
  pack = read.pack;
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'folder-'));
});
after(() => rm(root, { recursive: true, force: true }));

async function addLibrary(): Promise<void> {
  const store = new PackStore(folder);
  await store.install(await store.plan(pack, { kind: 'shipped', address: pack.manifest.name }));
}

async function put(file: string, text: string): Promise<void> {
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}

const titles = async () => (await readFolderBenchmarks(folder)).map(({ title }) => title);

describe('the benchmarks of a folder', () => {
  it('are empty if there is neither a file nor a pack', async () => {
    assert.deepEqual(await titles(), []);
  });

  it('are those of the packs, which include every control of the library', async () => {
    await addLibrary();
    const benchmarks = await readFolderBenchmarks(folder);
    assert.deepEqual(
      benchmarks.map(({ title }) => title),
      ['SOC 2', 'ISO/IEC 27001:2022'],
    );
    const controls = pack.queries.flatMap(({ text }) => readControl(text) ?? []);
    const tree = controlTree(
      controls.map((control) => ({ control, folder: '' })),
      { by: 'benchmark', benchmarks },
    );
    assert.equal(controls.length, 58);
    assert.deepEqual(
      tree.map(({ label }) => label),
      ['SOC 2', 'ISO/IEC 27001:2022'],
      'none is left over',
    );
  });

  it('are its own if it has a file', async () => {
    await addLibrary();
    await put('.identity-queries/benchmarks.json', '{"benchmarks":[{"title":"Ours","tag":"soc2=CC6"}]}');
    assert.deepEqual(await titles(), ['Ours']);
    await put('.identity-queries/benchmarks.json', '{"benchmarks":');
    await assert.rejects(readFolderBenchmarks(folder), ControlFileError);
  });

  it('exclude a damaged pack, and one that is not in the lock file', async () => {
    await addLibrary();
    await put('packs/identity-review-essentials/pack.json', '{');
    assert.deepEqual(await titles(), []);
    await addLibrary().catch(() => undefined); // fails, because the damaged pack counts as changed
    await put('.identity-queries/packs.json', '{');
    assert.deepEqual(await titles(), []);
  });
});
