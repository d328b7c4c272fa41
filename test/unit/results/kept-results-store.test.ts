/** The store of kept results: results are complete or absent, listed, deletable and limited in number. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { compareRequest } from '#client/features/comparisons/compare-request.ts';
import { keptLimits, KeptResultsStore } from '#client/features/comparisons/kept-results-store.ts';
import { unfit } from '#client/ui/arguments.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-kept-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
let stores = 0;
const newStore = () => new KeptResultsStore(path.join(folder, `store-${++stores}`));
const about = (keptAt: number) => ({
  name: 'stale-admins',
  words: { title: 'stale-admins v3', facts: ['Sandbox (prod)', '3 rows'] },
  key: 'identity-query:/Sandbox/1/stale-admins.identity.sql',
  at: keptAt - 5,
  keptAt,
  rowCount: 3,
});
const rows = (file: string) => writeFile(file, 'rows');

await test('kept results are listed, newest first, until they are deleted, in another store as well', async () => {
  const store = newStore();
  assert.deepEqual(await store.list(), []);
  const older = await store.add(about(1), rows);
  const newer = await store.add(about(2), rows);
  assert.equal(newer.sizeBytes, 4);
  assert.deepEqual(await store.list(), [newer, older]);
  assert.equal(await readFile(store.rowsPath(older), 'utf8'), 'rows');
  await store.forget([newer, { id: 'never-there' }]);
  assert.deepEqual(await store.list(), [older]);
  await store.forget([older]);
  assert.deepEqual(await readdir(path.join(folder, `store-${stores}`)), []);
});

await test('a failed write leaves nothing behind', async () => {
  const store = newStore();
  const failing = store.add(about(1), async (file) => {
    await rows(file);
    throw new Error('the disk is full');
  });
  await assert.rejects(failing, /disk is full/);
  assert.deepEqual(await readdir(path.join(folder, `store-${stores}`)), []);
});

await test('damaged results are omitted, and do not affect others', async () => {
  const store = newStore();
  const whole = await store.add(about(1), rows);
  const place = path.join(folder, `store-${stores}`);
  await writeFile(path.join(place, 'half.json'), '{"id": "half"');
  await writeFile(path.join(place, 'other.json'), JSON.stringify({ ...whole, id: '../elsewhere' }));
  assert.deepEqual(await store.list(), [whole]);
});

await test('nothing is stored beyond the limits on number and size', async () => {
  const store = newStore();
  assert.equal(await store.full(), undefined);
  const one = await store.add(about(1), rows);
  const file = path.join(folder, `store-${stores}`, `${one.id}.json`);
  await writeFile(file, JSON.stringify({ ...one, sizeBytes: keptLimits.bytes }));
  assert.equal(await store.full(), 'bytes');
  for (let count = 1; count < keptLimits.results; count += 1) await store.add(about(count), rows);
  assert.equal(await store.full(), 'results');
});

await test('the argument of a comparison is accepted if valid, and refused otherwise', () => {
  const request = { with: { kind: 'version', version: 2 }, keys: ['id'], load: true, kind: 'row' };
  assert.deepEqual(compareRequest(request), {
    of: undefined,
    with: { kind: 'version', version: 2 },
    keys: ['id'],
    ignored: undefined,
    load: true,
  });
  const run = { kind: 'run', uri: 'a:b', values: { x: { text: '1' } } };
  assert.deepEqual(compareRequest({ with: run }), {
    ...{ of: undefined, load: undefined, keys: undefined, ignored: undefined },
    with: { kind: 'run', uri: 'a:b', values: { x: { text: '1', isNull: false, isEmpty: false } } },
  });
  assert.deepEqual(compareRequest({ of: 'a', with: { kind: 'before' } }), {
    ...{ of: 'a', with: { kind: 'before' }, load: undefined, keys: undefined, ignored: undefined },
  });
  for (const nothing of [undefined, null]) assert.equal(compareRequest(nothing), undefined);
  for (const wrong of [
    5,
    'x',
    { with: { kind: 'version', version: '2' } },
    { with: 1 },
    { keys: ['id', 3] },
  ]) {
    assert.equal(compareRequest(wrong), unfit);
  }
});
