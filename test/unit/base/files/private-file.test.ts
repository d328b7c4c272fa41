/** Private files are readable by one user only, and complete under their final name. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { makePrivateFolder, putInPlace, writePrivateFile } from '#base/files/private-file.ts';
import { ChangeStore } from '#core/changes/change-store.ts';
import type { Confirmation } from '#core/changes/change.ts';
import { ExportStore, type KnownExport } from '#core/exports/export-store.ts';
import { HistoryStore } from '#core/history/history-store.ts';
import type { RunRecord } from '#core/history/run-record.ts';
import { memoryAt } from '#test/helpers/memory.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-private-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const isPosix = process.platform !== 'win32';
const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

/** Returns all files and folders in a folder, with their modes. */
async function modesBelow(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true });
  return new Map(
    await Promise.all(names.map(async (name) => [name, await modeOf(path.join(folder, name))] as const)),
  );
}

const run: RunRecord = {
  ...{ id: 'a', startedAt: Date.now(), ms: 12, title: 'admins', documentUri: 'file:///a.identity.sql' },
  ...{ connection: 'Sandbox', connectionKey: 'sandbox', model: 'platform_identity', sha256: '' },
  ...{ sql: 'SELECT 1', parameters: [], outcome: 'rows', rowCount: 1, hasMore: false },
};
const confirmation: Confirmation = {
  ...{ id: 'c', kind: 'disable-account', connectionKey: 'sandbox', connection: 'Sandbox' },
  ...{ environment: undefined, clientId: 'me', confirmedAt: 0, targets: [] },
};
const known: KnownExport = {
  ...{ id: 'e', connectionKey: 'sandbox', connection: 'Sandbox', context: 'employees' },
  ...{ fileFormat: 'csv', createdAt: 0, status: 'accepted' },
};

suite('private files', () => {
  test('are complete, and readable only by their owner', async () => {
    const folder = path.join(root, 'a', 'b');
    await makePrivateFolder(folder);
    const draft = path.join(folder, 'draft');
    await writePrivateFile(draft, 'text');
    const target = path.join(folder, 'file');
    await writeFile(target, 'before');
    await putInPlace(draft, target);
    assert.equal(await readFile(target, 'utf8'), 'text');
    assert.deepEqual(await readdir(folder), ['file']);
    if (isPosix) assert.deepEqual([await modeOf(target), await modeOf(folder)], ['600', '700']);
  });

  test('are unchanged, with nothing beside them, where they cannot be written or are not wanted any more', async () => {
    const folder = path.join(root, 'folder');
    await makePrivateFolder(folder);
    await assert.rejects(writePrivateFile(folder, 'text'), /EISDIR|EPERM|ENOTEMPTY|EEXIST/);
    const file = path.join(root, 'file');
    await writePrivateFile(file, 'before');
    const own = new Error('own');
    const unwanted = writePrivateFile(file, 'after', () => {
      throw own;
    });
    await assert.rejects(unwanted, own);
    assert.equal(await readFile(file, 'utf8'), 'before');
    assert.deepEqual((await readdir(root)).toSorted(), ['file', 'folder']);
  });

  test('must exist to be moved into place', async () => {
    await assert.rejects(putInPlace(path.join(root, 'none'), path.join(root, 'file')), /ENOENT/);
    assert.deepEqual(await readdir(root), []);
  });

  test('histories, changes and exports are readable only by their owner', async () => {
    const history = new HistoryStore({
      memory: memoryAt(path.join(root, 'history')),
      retentionDays: () => 90,
    });
    await history.add(run);
    const changes = new ChangeStore(path.join(root, 'changes'));
    await changes.save(confirmation);
    const exports = new ExportStore(memoryAt(path.join(root, 'exports')));
    await exports.put(known, () => known);
    const modes = await modesBelow(root);
    assert.ok(modes.size >= 6, [...modes.keys()].join());
    if (!isPosix) return;
    for (const [name, mode] of modes)
      if (!/\.lock(-journal)?$/.test(name))
        assert.match(mode, name.includes(path.sep) ? /^600$/ : /^700$/, name);
  });
});
