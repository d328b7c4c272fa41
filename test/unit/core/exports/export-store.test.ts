/** The export store: concurrent windows lose no data, and nothing is written to foreign paths. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { ExportStore, PartInUseError, type KnownExport } from '#core/exports/export-store.ts';

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
    store = new ExportStore(folder, (message) => assert.fail(message));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const part = (hex: string) => ({ target: path.join(folder, 'a.csv'), name: `.a.csv.${hex}.part` });

  test('two windows that write concurrently lose nothing', async () => {
    const other = new ExportStore(folder, (message) => assert.fail(message));
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

  test('an unknown export gets no partial file', async () => {
    await store.keepPart(entry('gone'), part('0123456789ab'));
    assert.deepEqual(await store.list(), []);
  });

  test('the oldest are dropped, but not those with a partial file', async () => {
    await mkdir(folder, { recursive: true });
    const many = Array.from({ length: 210 }, (_, index) => entry(`e${index}`, 1_000 - index));
    const last = { ...entry('last', 1), parts: [{ ...part('0123456789ab'), etag: '"x"' }] };
    await writeFile(path.join(folder, 'exports.json'), JSON.stringify([...many, last]));
    await store.put(entry('new'), () => entry('new', 2_000));
    const ids = (await store.list()).map(({ id }) => id);
    assert.equal(ids.length, 201);
    assert.deepEqual([ids[0], ids.at(-1)], ['new', 'last']);
  });

  test('entries from earlier versions are read, and foreign partial files are omitted', async () => {
    const strange = [
      { target: 'relative.csv', name: '.relative.csv.0123456789ab.part' },
      { target: path.join(folder, 'a.csv'), name: '../a.csv' },
      { target: path.join(folder, 'a.csv'), name: '.x/../../a.0123456789ab.part' },
      { target: path.join(folder, 'a.csv'), name: '.a.csv.0123456789ab.part', etag: 1 },
      null,
    ];
    await writeFile(
      path.join(folder, 'exports.json'),
      JSON.stringify([
        entry('old'),
        { ...entry('strange'), parts: strange },
        { ...entry('none'), parts: 'x' },
        'x',
      ]),
    );
    assert.deepEqual(await store.list(), [entry('old'), entry('strange'), entry('none')]);
  });
});

suite('a damaged list of exports', () => {
  let folder: string;
  let said: string[];
  let store: ExportStore;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-exports-'));
    said = [];
    store = new ExportStore(folder, (message) => said.push(message));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const kept = async () => {
    const names = (await readdir(folder)).filter((name) => name.startsWith('exports.damaged-'));
    return await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  };

  const whole = JSON.stringify([entry('a', 1), entry('b', 2)]);
  const damages: Readonly<Record<string, readonly [text: string, left: readonly string[]]>> = {
    'cut by a crash': [whole.slice(0, 60), []],
    empty: ['', []],
    'of another shape': ['{"exports":[]}', []],
    'with an entry that cannot be read': [JSON.stringify([entry('a', 1), { id: 7 }]), ['a']],
  };
  for (const [damage, [text, left]] of Object.entries(damages)) {
    test(`${damage}: it is put aside and said before the next export is written`, async () => {
      await writeFile(path.join(folder, 'exports.json'), text);
      await store.put(entry('new'), () => entry('new', 3));
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        ['new', ...left],
      );
      assert.deepEqual(await kept(), [text]);
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', /list of exports could not be read, and is kept in .*exports\.damaged-/);
    });

    test(`${damage}: nothing of it is lost by reading`, async () => {
      await writeFile(path.join(folder, 'exports.json'), text);
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        left,
      );
      await store.put(entry('new'), () => entry('new', 3));
      assert.deepEqual(await kept(), [text]);
      assert.equal(said.length, 1);
    });
  }
});
