/** The model cache across restarts: complete or absent, and never altered. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { parseCache, SchemaCache, type CachedModels } from '#core/models/schema-cache.ts';

const models: CachedModels = {
  readAt: 1_790_000_000_000,
  models: [{ name: 'platform_identity', description: 'Accounts, roles, é 👩‍💻' }],
  schemas: {
    platform_identity: {
      readAt: 1_790_000_000_001,
      tables: [
        {
          name: 'accounts',
          description: 'Who can sign in.',
          columns: [
            { name: 'email', type: 'text', nullable: false, description: 'Address' },
            {
              name: 'roles',
              type: 'text[]',
              refersTo: [{ model: 'hr', table: 'roles', column: 'id', rank: 0 }],
            },
          ],
        },
        { name: 'empty', columns: [] },
      ],
    },
  },
};

suite('the cache of models', () => {
  let folder: string;
  before(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'identity-queries-cache-')), 'made', 'when-needed');
  });
  after(() => rm(path.dirname(path.dirname(folder)), { recursive: true, force: true }));

  test('returns what was stored, separately for each connection', async () => {
    const cache = new SchemaCache(folder);
    assert.equal(await cache.load('a'), undefined);
    await cache.save('a', models);
    await cache.save('b', { ...models, readAt: 1 });
    assert.deepEqual(await new SchemaCache(folder).load('a'), models);
    assert.equal((await cache.load('b'))?.readAt, 1);
  });

  test('keeps the last of many concurrent saves, and no temporary file', async () => {
    const cache = new SchemaCache(folder);
    await Promise.all([1, 2, 3, 4, 5].map((readAt) => cache.save('busy', { ...models, readAt })));
    assert.equal((await cache.load('busy'))?.readAt, 5);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => !name.endsWith('.json')),
      [],
    );
  });

  test('treats a truncated file, or one with another format, as missing', async () => {
    const cache = new SchemaCache(folder);
    await writeFile(path.join(folder, 'cut.json'), '{"format":1,"readAt":1,"mod');
    await writeFile(path.join(folder, 'later.json'), JSON.stringify({ format: 2, ...models }));
    assert.equal(await cache.load('cut'), undefined);
    assert.equal(await cache.load('later'), undefined);
  });

  test('keeps the twenty most recently used connections', async () => {
    const own = path.join(folder, 'bounded');
    const cache = new SchemaCache(own);
    for (let index = 0; index < 23; index += 1) await cache.save(`c${index}`, models);
    assert.equal((await readdir(own)).length, 20);
    assert.notEqual(await cache.load('c22'), undefined);
  });

  test('omits entries with another shape, and keeps the rest', () => {
    const parsed = parseCache({
      format: 1,
      readAt: 5,
      models: [{ name: 'a' }, { name: 7 }, null],
      schemas: {
        a: { readAt: 6, tables: [{ name: 't', columns: [{ name: 'c' }, { name: 'd', type: 'text' }] }, 3] },
        b: { tables: [] },
      },
    });
    assert.deepEqual(parsed, {
      readAt: 5,
      models: [{ name: 'a', description: '' }],
      schemas: { a: { readAt: 6, tables: [{ name: 't', columns: [{ name: 'd', type: 'text' }] }] } },
    });
    for (const value of [undefined, null, 1, [], {}, { format: 1 }])
      assert.equal(parseCache(value), undefined);
  });
});
