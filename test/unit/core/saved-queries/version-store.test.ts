/** The store of seen versions, in a real folder: persistent, shared between windows, bounded and deletable. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import {
  defaultLimits,
  mergeVersions,
  VersionStore,
  type VersionStoreLimits,
} from '#core/saved-queries/version-store.ts';

const record = (version: number, id = 'q', query_string = `SELECT ${version}`): SavedQuery => ({
  query_id: id,
  name: 'Orphans',
  model: 'platform_identity',
  version,
  query_string,
  last_modified_by: { type: 'user', id: 'anna' },
});
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

suite('mergeVersions', () => {
  test('names each version once, newest first, and keeps other records of the same number', () => {
    const restored = { record: record(2, 'q', 'SELECT 22'), seenAt: 7 };
    const kept = [{ record: record(3), seenAt: 9 }, restored, { record: record(1), seenAt: 1 }];
    assert.deepEqual(mergeVersions([record(4), record(3), record(2), record(1)], kept), [
      { record: record(4), seenAt: undefined },
      { record: record(3), seenAt: 9 },
      { record: record(2), seenAt: undefined },
      restored,
      { record: record(1), seenAt: 1 },
    ]);
    assert.deepEqual(mergeVersions([], kept), kept);
  });
});

suite('VersionStore', () => {
  let folder: string;
  let clock = 0;
  const open = (limits: Partial<VersionStoreLimits> = {}) =>
    new VersionStore({ folder, log, limits: { ...defaultLimits, ...limits }, now: () => (clock += 1) });
  const numbers = async (store: VersionStore, id = 'q', connection = 'Prod') =>
    (await store.versions(connection, id)).map(({ record: { version } }) => version);

  beforeEach(async () => {
    clock = 0;
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'identity-queries-versions-')), 'made', 'later');
  });
  afterEach(() => rm(path.dirname(path.dirname(folder)), { recursive: true, force: true }));

  test('another window finds stored versions, newest first', async () => {
    const first = open();
    for (const version of [1, 3, 2]) first.note('Prod', record(version));
    await first.flush();
    const second = open();
    assert.deepEqual(await numbers(second), [3, 2, 1]);
    assert.deepEqual((await second.get('Prod', 'q', 2))?.record, record(2));
    assert.equal((await second.get('Prod', 'q'))?.record.version, 3);
  });

  test('a version is found again even if the service exceeds its own limits', async () => {
    const odd: readonly Partial<SavedQuery>[] = [
      { name: 'n'.repeat(300) },
      { query_string: `SELECT '${'x'.repeat(100_000)}'` },
      { created_at: '2026-11-23 10:00' },
      { version: 0 },
    ];
    const store = open();
    for (const [index, more] of odd.entries()) store.note('Prod', { ...record(1, `q${index}`), ...more });
    await store.flush();
    for (const [index, more] of odd.entries())
      assert.deepEqual((await open().get('Prod', `q${index}`))?.record, {
        ...record(1, `q${index}`),
        ...more,
      });
  });

  test('a window sees what another one stored after it opened', async () => {
    const [first, second] = [open(), open()];
    assert.deepEqual(await numbers(second), []);
    first.note('Prod', record(1));
    await first.flush();
    assert.deepEqual(await numbers(second), [1]);
  });

  test('a version seen by two windows is stored once, whether in sequence or concurrently', async () => {
    const [first, second] = [open(), open()];
    for (const store of [first, second]) await store.versions('Prod', 'q');
    first.note('Prod', record(1));
    await first.flush();
    second.note('Prod', record(1));
    await second.flush();
    assert.equal(
      (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.json')).length,
      1,
    );
    for (const store of [first, second]) store.note('Prod', record(2));
    await Promise.all([first.flush(), second.flush()]);
    assert.deepEqual(await numbers(first), [2, 1]);
    assert.deepEqual(await numbers(open()), [2, 1]);
  });

  test('versions belong to the service, whatever the name of its connection', async () => {
    const keys = new Map([
      ['Prod', 'key-1'],
      ['Production', 'key-1'],
      ['Elsewhere', 'key-2'],
    ]);
    const store = new VersionStore({ folder, log, keyOf: (connection) => keys.get(connection) });
    store.note('Prod', record(1));
    await store.flush();
    assert.deepEqual(await numbers(store, 'q', 'Production'), [1]);
    assert.deepEqual(await numbers(store, 'q', 'Elsewhere'), []);
    keys.set('Prod', 'key-2');
    assert.deepEqual(await numbers(store, 'q', 'Prod'), [], 'the name is that of another service now');
  });

  test("versions stored under a connection's name move to its service once it is known", async () => {
    const before = open();
    for (const version of [1, 2]) before.note('Prod', record(version));
    before.note('Staging', record(3));
    await before.flush();
    const [first, second] = [0, 1].map(
      () => new VersionStore({ folder, log, keyOf: (name) => (name === 'Prod' ? 'key-1' : undefined) }),
    );
    assert.ok(first && second);
    // Two windows run at the same time.
    const found = await Promise.all([numbers(first), numbers(second)]);
    assert.ok(found.some((versions) => versions.length === 2));
    assert.deepEqual(await numbers(second), [2, 1]);
    assert.deepEqual(await numbers(first, 'q', 'Staging'), [3]);
    assert.equal((await readdir(folder)).length, 2, 'the folder of the name is gone');
    first.note('Prod', record(4));
    await first.flush();
    assert.deepEqual(await numbers(second), [4, 2, 1]);
  });

  test('connections and queries are kept separate', async () => {
    const store = open();
    store.note('Prod', record(1));
    store.note('Staging', record(2));
    store.note('Prod', record(7, 'other'));
    assert.deepEqual(await numbers(store), [1]);
    assert.deepEqual(await numbers(store, 'q', 'Staging'), [2]);
    assert.equal(await store.get('Staging', 'other'), undefined);
  });

  test('a version is stored once, and a different one with the same number is stored too', async () => {
    const store = open();
    store.note('Prod', record(1));
    store.note('Prod', record(1));
    store.note('Prod', record(1, 'q', 'SELECT restored'));
    const kept = await store.versions('Prod', 'q');
    assert.deepEqual(
      kept.map(({ record: each }) => each.query_string),
      ['SELECT restored', 'SELECT 1'],
    );
  });

  test('the oldest versions of a query are dropped first', async () => {
    const store = open({ versionsOfQuery: 3 });
    for (const version of [1, 2, 3, 4, 5]) store.note('Prod', record(version));
    store.note('Prod', record(1, 'other'));
    assert.deepEqual(await numbers(store), [5, 4, 3]);
    assert.deepEqual(await numbers(store, 'other'), [1]);
  });

  test('bytes are limited per connection', async () => {
    const store = open({ bytes: 1_000 });
    for (const version of [1, 2, 3]) store.note('Prod', record(version, `q${version}`, 'x'.repeat(300)));
    store.note('Staging', record(9));
    await store.flush();
    assert.deepEqual(await numbers(store, 'q1'), []);
    assert.deepEqual(await numbers(store, 'q3'), [3]);
    assert.deepEqual(await numbers(store, 'q', 'Staging'), [9]);
  });

  test('versions from a list use only free space, and are dropped before opened ones', async () => {
    const store = open({ versions: 3 });
    store.noteListed('Prod', [record(1, 'a'), record(1, 'b'), record(1, 'c'), record(1, 'd')]);
    assert.deepEqual(await numbers(store, 'd'), [], 'no room without giving up another');
    store.note('Prod', record(1, 'b'));
    store.note('Prod', record(1, 'e'));
    store.note('Prod', record(1, 'f'));
    assert.deepEqual([...(await numbers(store, 'a')), ...(await numbers(store, 'c'))], []);
    for (const id of ['b', 'e', 'f']) assert.deepEqual(await numbers(store, id), [1]);
  });

  test('a list stores new versions of queries that were opened here', async () => {
    const store = open({ versions: 2 });
    store.note('Prod', record(1));
    store.note('Prod', record(2));
    store.noteListed('Prod', [record(3), record(1, 'stranger')]);
    assert.deepEqual(await numbers(store), [3, 2]);
    assert.deepEqual(await numbers(store, 'stranger'), []);
  });

  test('history is cleared for a query, a connection, or everything, and returns the number of versions', async () => {
    const store = open();
    const changes: unknown[] = [];
    for (const version of [1, 2]) store.note('Prod', record(version));
    store.note('Prod', record(1, 'other'));
    store.note('Staging', record(1));
    await store.flush();
    store.onDidChange((change) => changes.push(change));
    assert.equal(await store.clear('Prod', 'q'), 2);
    assert.deepEqual(await numbers(store), []);
    assert.deepEqual(await numbers(store, 'other'), [1]);
    assert.equal(await open().clear(), 2);
    assert.deepEqual(await numbers(open(), 'q', 'Staging'), []);
    assert.deepEqual(changes, [{ connection: 'Prod', queryId: 'q' }]);
  });

  test('a damaged or foreign file is skipped', async () => {
    const store = open();
    store.note('Prod', record(1));
    await store.flush();
    const [connection = ''] = await readdir(folder);
    const [file = ''] = await readdir(path.join(folder, connection));
    await writeFile(path.join(folder, connection, file.replace('-1-', '-2-')), '{"query_id": "q", "na');
    await writeFile(path.join(folder, connection, 'notes.txt'), 'mine');
    assert.deepEqual(await numbers(open()), [1]);
    assert.equal(await open().clear('Prod'), 2);
    assert.deepEqual(await readdir(path.join(folder, connection)), ['notes.txt']);
  });

  test('an unwritable folder is logged, and nothing else fails', async () => {
    const warnings: string[] = [];
    await writeFile(path.dirname(path.dirname(folder)) + '/made', 'a file in the way');
    const store = new VersionStore({
      folder,
      log: { ...log, warn: (line) => void warnings.push(line) },
    });
    store.note('Prod', record(1));
    await store.flush();
    assert.equal(warnings.length, 1);
    assert.doesNotMatch(warnings[0] ?? '', /SELECT/);
  });

  test('a thousand listed queries are stored in one go', async () => {
    const store = open();
    store.noteListed(
      'Prod',
      Array.from({ length: 1_000 }, (_, index) => record(1, `q${index}`)),
    );
    assert.deepEqual(await numbers(store, 'q999'), [1]);
    store.noteListed('Prod', [record(2, 'q999')]);
    assert.deepEqual(await numbers(store, 'q999'), [2, 1]);
  });
});
