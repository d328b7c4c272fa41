/** Selection of the export that a repeated command resumes. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { ExportStore, type KnownExport } from '#core/exports/export-store.ts';
import { findUnfinished, keepAsSaved, leaveUnfinished } from '#core/exports/unfinished-exports.ts';
import { memoryAt } from '#test/helpers/memory.ts';

const now = 100 * 86_400_000;

suite('unfinished exports', () => {
  let folder: string;
  let store: ExportStore;
  let target: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-unfinished-'));
    store = new ExportStore(memoryAt(path.join(folder, 'store')));
    target = path.join(folder, 'a.csv');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const wanted = () => ({ connectionKey: 'k', context: 'employees', fileFormat: 'csv', target });
  async function keep(id: string, other: Partial<KnownExport> = {}): Promise<KnownExport> {
    const known = { id, connection: 'S', createdAt: now - 1_000, status: 'accepted', ...wanted(), ...other };
    return await store.put(known, () => known);
  }
  const found = async () => (await findUnfinished(store, wanted(), now))?.id;

  test('the newest one for the same target is found until it is saved', async () => {
    await keep('older', { createdAt: now - 5_000 });
    const newer = await keep('newer', { status: 'completed' });
    assert.equal(await found(), 'newer');
    await keepAsSaved(store, newer, target);
    assert.equal(await found(), 'older');
  });

  test('one for something else, a failed one, and one older than a day are not found', async () => {
    await keep('another connection', { connectionKey: 'other' });
    await keep('another data set', { context: 'risks' });
    await keep('another format', { fileFormat: 'jsonl' });
    await keep('another place', { target: path.join(folder, 'b.csv') });
    await keep('no place', { target: undefined });
    await keep('failed', { status: 'failed' });
    await keep('old', { createdAt: now - 86_400_000 });
    assert.equal(await found(), undefined);
  });

  test('discarding one removes its partial file, and other targets keep theirs', async () => {
    const known = await keep('a');
    const other = await keep('b', { target: path.join(folder, 'b.csv') });
    for (const [of, hex] of [
      [known, '0123456789ab'],
      [other, 'ba9876543210'],
    ] as const) {
      const name = `.x.${hex}.part`;
      await writeFile(path.join(folder, name), 'some');
      await store.keepPart(of, { target: of.target ?? '', name, etag: '"x"' });
    }
    await leaveUnfinished(store, wanted());
    assert.equal(await found(), undefined);
    assert.deepEqual((await readdir(folder)).sort(), ['.x.ba9876543210.part', 'store']);
    assert.equal((await store.find(other))?.parts?.length, 1);
  });
});
