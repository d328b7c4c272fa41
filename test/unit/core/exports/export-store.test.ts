/** The export store: concurrent windows lose no data, and nothing is written to foreign paths. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { ExportStore, PartInUseError, type KnownExport } from '#core/exports/export-store.ts';
import { Facts } from '#core/memory/facts.ts';
import { memoryAt } from '#test/helpers/memory.ts';

const entry = (id: string, createdAt = 0): KnownExport => ({
  id,
  connectionKey: 'k',
  connection: 'Service',
  context: 'employees',
  fileFormat: 'csv',
  createdAt,
  status: 'completed',
});

suite('the export store', () => {
  let folder: string;
  let store: ExportStore;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-exports-'));
    store = new ExportStore(memoryAt(folder));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const part = (hex: string) => ({ target: path.join(folder, 'a.csv'), name: `.a.csv.${hex}.part` });

  test('two windows that write concurrently lose nothing', async () => {
    const other = new ExportStore(memoryAt(folder));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).put(entry(`e${index}`), () => entry(`e${index}`, index)),
      ),
    );
    assert.equal((await store.list()).length, 20);
  });

  test('a state update does not remove the partial file', async () => {
    await store.put(entry('e'), () => entry('e'));
    await store.keepPart(entry('e'), part('0123456789ab'));
    await store.put(entry('e'), (before) => ({ ...(before ?? entry('e')), savedTo: '/elsewhere' }));
    const known = await store.find(entry('e'));
    assert.deepEqual([known?.savedTo, known?.parts?.length], ['/elsewhere', 1]);
    await assert.rejects(store.keepPart(entry('e'), part('ba9876543210')), PartInUseError);
    await store.dropPart(entry('e'), part('0123456789ab'));
    assert.equal((await store.find(entry('e')))?.parts, undefined);
  });

  test('one of two windows tells the end of an export, whatever is read of it later', async () => {
    await store.put(entry('e'), () => entry('e'));
    const other = new ExportStore(memoryAt(folder));
    const claims = await Promise.all([store, other].map((each) => each.claimEnd(entry('e'))));
    assert.deepEqual(claims.toSorted(), [false, true]);
    await store.put(entry('e'), (before) => ({ ...before, ...entry('e') }));
    assert.equal(await other.claimEnd(entry('e')), false);
    assert.equal(await other.claimEnd(entry('forgotten')), true);
  });

  test('a window that cannot say that it told the end tells it', async () => {
    const file = path.join(folder, 'no-folder');
    await writeFile(file, '');
    assert.equal(await new ExportStore(memoryAt(path.join(file, 'memory'))).claimEnd(entry('e')), true);
  });

  test('an unknown export gets no partial file', async () => {
    await store.keepPart(entry('gone'), part('0123456789ab'));
    assert.deepEqual(await store.list(), []);
  });

  test('the oldest are dropped, but not those with a partial file', async () => {
    for (let index = 0; index < 200; index++)
      await store.put(entry(`e${index}`), () => entry(`e${index}`, 1_000 - index));
    await store.put(entry('last'), () => ({ ...entry('last', 1), parts: [{ ...part('0123456789ab') }] }));
    await store.put(entry('new'), () => entry('new', 2_000));
    const ids = (await store.list()).map(({ id }) => id);
    assert.equal(ids.length, 201);
    assert.deepEqual([ids[0], ids.at(-2), ids.at(-1)], ['new', 'e198', 'last']);
  });

  test('entries from earlier versions are read, and foreign partial files are omitted', async () => {
    const strange = [
      { target: 'relative.csv', name: '.relative.csv.0123456789ab.part' },
      { target: path.join(folder, 'a.csv'), name: '../a.csv' },
      { target: path.join(folder, 'a.csv'), name: '.x/../../a.0123456789ab.part' },
      { target: path.join(folder, 'a.csv'), name: '.a.csv.0123456789ab.part', etag: 1 },
      null,
    ];
    const facts = new Facts(memoryAt(folder), { noun: 'exports', parse: (value) => value });
    const kept = {
      ...{ old: entry('old'), strange: { ...entry('strange'), parts: strange } },
      ...{ none: { ...entry('none'), parts: 'x' }, other: 'x', half: { id: 7 } },
    };
    await facts.change((rows) => {
      for (const [key, value] of Object.entries(kept)) rows.put(key, value);
    });
    assert.deepEqual(await store.list(), [
      ...[
        { ...entry('old'), parts: undefined },
        { ...entry('strange'), parts: undefined },
        { ...entry('none'), parts: undefined },
      ],
    ]);
    await store.put(entry('new'), () => entry('new', 3));
    assert.equal((await facts.all()).get('other'), 'x', 'what cannot be read stays');
  });
});
