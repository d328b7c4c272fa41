/** A pull writes only files that it can read back, and overwrites no edit. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AgreedStore } from '#core/sync/agreed-store.ts';
import type { Comparison } from '#core/sync/compare.ts';
import { readQueryFolder } from '#core/sync/folder/read-folder.ts';
import { diskSource } from '#core/sync/folder/sources.ts';
import { indexFile } from '#core/sync/format/layout.ts';
import { writeIndex, writeMetadata } from '#core/sync/format/query-index.ts';
import { pairQueries, type QueryThere } from '#core/sync/plan/pair.ts';
import { noChoices, planQueries } from '#core/sync/plan/plan.ts';
import { pull } from '#core/sync/pull.ts';
import { whileLocked } from '#core/sync/sync-lock.ts';
import type { Workspace } from '#core/sync/workspace.ts';

const metadata = 'old.identity.json';
let root: string;
let store: AgreedStore;
const history = { name: ['Old'], model: ['m'], description: [''], query_string: ['SELECT 1'] };

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-pull-'));
  store = new AgreedStore(path.join(root, 'data'), root, 's');
  await mkdir(path.join(root, 'queries'));
});
afterEach(() => rm(root, { recursive: true }));

const workspace = () => ({ root: path.join(root, 'queries'), folder: 'queries' }) as Workspace; // without Git
const write = (file: string, text: string) => writeFile(path.join(root, 'queries', file), text);
const read = (file: string) => readFile(path.join(root, 'queries', file), 'utf8');

async function compared(there: readonly QueryThere[]): Promise<Comparison> {
  const folder = await readQueryFolder(await diskSource(workspace().root));
  const pairs = pairQueries(folder.queries, there, 's');
  const plan = planQueries({
    ...pairs,
    choices: noChoices,
    historyOf: () => history,
    removedOf: () => undefined,
    agreedOf: () => undefined,
    labels: { mine: 'repository', theirs: 'service' },
  });
  return { plan, pairs, there, folder, filesBefore: new Set(), agreed: new Map(), head: undefined };
}

const pulled = async (comparison: Comparison) =>
  await pull(comparison, { workspace: workspace(), service: 's', store });

const query = (id: string, more: Partial<QueryThere['draft']> = {}): QueryThere => ({
  id,
  version: 2,
  draft: { name: `Query ${id}`, model: 'm', description: '', query_string: 'SELECT 2', ...more },
});

describe('a pull', () => {
  it('omits queries that cannot be stored in the folder, and pulls the rest', async () => {
    const odd = [
      query('a', { name: 'n'.repeat(201) }),
      query('b', { name: '  ' }),
      query('c', { description: 'd'.repeat(2_001) }),
      query('d', { model: '' }),
      query('i'.repeat(201)),
    ];
    const twins = [query('e', { name: 'Report' }), query('f', { name: 'report ' })];
    const { leftOut } = await pulled(await compared([...odd, ...twins, query('g')]));
    assert.deepEqual(leftOut.map(({ problem }) => problem).sort(), [...odd.map(() => 'fields'), 'sameName']);
    const { queries } = await readQueryFolder(await diskSource(workspace().root));
    assert.deepEqual(queries.map(({ draft }) => draft.name).sort(), ['Query g', 'Report']);
  });

  for (const [what, edit] of [
    ['a text', () => write('old.identity.sql', 'SELECT 1 -- typed')],
    ['a name', async () => await write(metadata, (await read(metadata)).replace('Old', 'Typed'))],
  ] as const) {
    it(`never replaces ${what} that was edited after the comparison`, async () => {
      const entry = { file: 'old.identity.sql', name: 'Old', model: 'm', description: '', ids: { s: 'a' } };
      await write(metadata, writeMetadata(entry));
      await write(entry.file, 'SELECT 1');
      const comparison = await compared([query('a', { name: 'New' })]);
      await edit();
      const before = [await read(metadata), await read(entry.file)];
      await assert.rejects(pulled(comparison), /changed/);
      assert.deepEqual([await read(metadata), await read(entry.file)], before);
      await pulled(await compared([query('a', { name: 'Old' })]));
      assert.match(before.join(''), /typed/i);
    });
  }

  it('reads the index of earlier versions once, and replaces it by a file for each query', async () => {
    const entries = ['a', 'b'].map((id) => ({
      file: `${id}.identity.sql`,
      name: `Query ${id}`,
      model: 'm',
      description: '',
      ids: { s: id },
    }));
    await write(indexFile, writeIndex(entries));
    for (const { file } of entries) await write(file, 'SELECT 2');
    const before = (await readQueryFolder(await diskSource(workspace().root))).queries;
    await pulled(await compared([query('a'), query('b')]));
    await assert.rejects(read(indexFile));
    assert.equal(
      await read('a.identity.json'),
      '{\n  "name": "Query a",\n  "model": "m",\n  "ids": {\n    "s": "a"\n  }\n}\n',
    );
    const { queries, oldIndex } = await readQueryFolder(await diskSource(workspace().root));
    assert.deepEqual([queries, oldIndex], [before, undefined]);
    const { written } = await pulled(await compared([query('a'), query('b')]));
    assert.deepEqual(written, []);
  });

  it('keeps its lock file, which another process may have just locked', async () => {
    assert.equal(await whileLocked(store, () => Promise.resolve(existsSync(store.lockFile))), true);
    assert.equal(existsSync(store.lockFile), true);
    assert.equal(await whileLocked(store, () => Promise.resolve('again')), 'again');
  });
});
