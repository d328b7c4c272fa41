/** A pull writes only files that it can read back, and overwrites no edit. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
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
import { sayItem } from '#core/sync/plan/format-plan.ts';
import { pairQueries, type QueryThere } from '#core/sync/plan/pair.ts';
import { noChoices, planQueries } from '#core/sync/plan/plan.ts';
import { pull } from '#core/sync/pull.ts';
import { whileLocked } from '#core/sync/sync-lock.ts';
import type { Workspace } from '#core/sync/workspace.ts';
import { memoryAt } from '#test/helpers/memory.ts';

const metadata = 'old.identity.json';
let root: string;
let store: AgreedStore;
const history = { name: ['Old'], model: ['m'], description: [''], query_string: ['SELECT 1'] };

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-pull-'));
  store = new AgreedStore(memoryAt(path.join(root, 'data')), root, 's');
  await mkdir(path.join(root, 'queries'));
});
afterEach(() => rm(root, { recursive: true }));

const workspace = () => ({ root: path.join(root, 'queries'), folder: 'queries' }) as Workspace; // without Git
const write = (file: string, text: string) => writeFile(path.join(root, 'queries', file), text);
const inQueries = (file: string) => path.join(root, 'queries', file);
const read = (file: string) => readFile(path.join(root, 'queries', file), 'utf8');

async function compared(there: readonly QueryThere[]): Promise<Comparison> {
  const folder = await readQueryFolder(await diskSource(workspace().root));
  const pairs = pairQueries(folder, there, 's');
  const plan = planQueries({
    ...pairs,
    choices: noChoices,
    historyOf: () => history,
    removedOf: () => undefined,
    agreedOf: () => undefined,
    labels: { mine: 'repository', theirs: 'service' },
  });
  return {
    plan,
    pairs,
    there,
    folder,
    hidden: new Set(),
    filesBefore: new Set(),
    agreed: new Map(),
    head: undefined,
    notes: [],
  };
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

  it('reads back each query that it wrote, whatever its name', async () => {
    const names = [
      ...[1, 19, 20, 21, 40, 79, 99].map((depth) => `${'f/'.repeat(depth)}${depth}`),
      ...[
        'saved-queries',
        'models/models',
        '.git/config',
        'con/aux',
        'a.identity.sql/b',
        'a.identity.json/b',
      ],
      ...[
        '\u202eevil',
        '\u{1f600}/\u{1f600}',
        'x'.repeat(200),
        `${'y'.repeat(99)}/${'z'.repeat(99)}`,
        '%2e%2e/x',
      ],
    ];
    const there = names.map((name, at) => query(`n${at}`, { name }));
    assert.deepEqual((await pulled(await compared(there))).leftOut, []);
    const { queries } = await readQueryFolder(await diskSource(workspace().root));
    assert.deepEqual(queries.map(({ draft }) => draft.name).sort(), [...names].sort());
    assert.deepEqual((await pulled(await compared(there))).written, []);
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

  const bad = { file: 'bad.identity.sql', name: 'Query a', model: 'm', ids: { s: 'a' } };
  const twin = { ...bad, file: 'twin.identity.sql' };
  const file = (at: string, content: string | Buffer) => () => writeFileSync(inQueries(at), content);
  /** Every kind of badness of the file of a query. */
  const badFiles: readonly (readonly [string, (at: string) => void])[] = [
    ['is a link', (at) => symlinkSync('/etc/passwd', inQueries(at))],
    ...(process.platform === 'win32'
      ? []
      : [['is a pipe', (at: string) => execFileSync('mkfifo', [inQueries(at)])] as const]),
    ...(process.getuid?.() === 0
      ? [['is a device', (at: string) => execFileSync('mknod', [inQueries(at), 'c', '1', '5'])] as const]
      : []), // only root may make devices
    ['is a folder', (at) => mkdirSync(inQueries(at))],
    ['is empty', (at) => writeFileSync(inQueries(at), '')],
    ['is not UTF-8', (at) => writeFileSync(inQueries(at), Buffer.from([0x7b, 0xff, 0x7d]))],
    [
      'is huge',
      (at) => {
        writeFileSync(inQueries(at), '');
        truncateSync(inQueries(at), 1e9);
      },
    ],
  ];
  /** Every kind of badness of a line of the old index. */
  const badLines: readonly (readonly [string, readonly unknown[], (() => unknown)?])[] = [
    ['that is no object', [{ ...bad, name: 7 }, 7, null, [], 'x']],
    ['with an unknown member', [{ ...bad, colour: 'red' }]],
    ['without a name', [{ file: bad.file, model: 'm', ids: bad.ids }]],
    ['with a long name', [{ ...bad, name: 'n'.repeat(100_000) }]],
    ['with an odd model', [{ ...bad, model: ['m'] }]],
    ['with an ID that is none beside the right one', [{ ...bad, ids: { ...bad.ids, 'Not a key': 1 } }]],
    ['with a path that leads out', [{ ...bad, file: '../bad.identity.sql' }]],
    ['with an absolute path', [{ ...bad, file: '/etc/bad.identity.sql' }]],
    ['with a reserved name', [{ ...bad, file: 'con.identity.sql' }]],
    ['with a path through .git', [{ ...bad, file: '.git/hooks/bad.identity.sql' }]],
    ['with a file of another kind', [{ ...bad, file: 'bad.sql' }]],
    [
      'whose path differs from another one by case',
      [bad, { ...bad, file: 'BAD.identity.sql', ids: { t: 'b' } }],
    ],
    ['with the ID of another one', [bad, { ...twin, name: 'Twin' }]],
    ['with the name of another one', [bad, { ...twin, name: 'QUERY A ', ids: { t: 'b' } }]],
    ['whose file is missing', [bad]],
    [
      'whose folder is a link',
      [{ ...bad, file: 'sub/bad.identity.sql' }],
      () => symlinkSync('/etc', inQueries('sub')),
    ],
    ['whose folder is a file', [{ ...bad, file: 'sub/bad.identity.sql' }], file('sub', '')],
    ...badFiles.map(
      ([what, make]) =>
        [
          `whose file ${what}`,
          [bad],
          () => {
            make(bad.file);
          },
        ] as const,
    ),
  ];
  const members = JSON.stringify({ name: 'Query a', model: 'm', ids: { s: 'a' } });
  /** Every kind of badness of the file with the metadata, and of the text beside it. */
  const badMetadata: readonly (readonly [string, () => void])[] = [
    ['with an unknown member', file('bad.identity.json', members.replace('{', '{"colour":1,'))],
    ['that is no object', file('bad.identity.json', '[]')],
    ['that is no JSON', file('bad.identity.json', members.slice(1))],
    [
      'that is deep',
      file('bad.identity.json', `{"name":"Query a","model":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
    ],
    [
      'that has conflict markers',
      file('bad.identity.json', `{\n<<<<<<< HEAD\n"name":"Query a"\n=======\n>>>>>>> x\n}`),
    ],
    ['with a reserved name', file('con.identity.json', members)],
    [
      'with the ID of another one',
      () => {
        for (const at of ['bad', 'twin']) {
          writeFileSync(inQueries(`${at}.identity.json`), members.replace('Query a', at));
          writeFileSync(inQueries(`${at}.identity.sql`), 'SELECT 1');
        }
      },
    ],
    [
      'with the name of another one, but for case',
      () => {
        for (const at of ['bad', 'twin']) {
          writeFileSync(
            inQueries(`${at}.identity.json`),
            at === 'bad' ? members : '{"name":"QUERY A","model":"m"}',
          );
          writeFileSync(inQueries(`${at}.identity.sql`), 'SELECT 1');
        }
      },
    ],
    [
      'with the path of another one, but for case',
      () => {
        for (const at of ['bad', 'BAD']) {
          writeFileSync(
            inQueries(`${at}.identity.json`),
            at === 'bad' ? members : '{"name":"Other","model":"m"}',
          );
          writeFileSync(inQueries(`${at}.identity.sql`), 'SELECT 1');
        }
      },
    ],
    ['without a text', file('bad.identity.json', members)],
    ...badFiles.map(
      ([what, make]) =>
        [
          `that ${what}`,
          () => {
            make('bad.identity.json');
          },
        ] as const,
    ),
    ...badFiles.map(
      ([what, make]) =>
        [
          `whose text ${what}`,
          () => {
            writeFileSync(inQueries('bad.identity.json'), members);
            make('bad.identity.sql');
          },
        ] as const,
    ),
    [
      'in a folder that is a link',
      () => {
        symlinkSync('/etc', inQueries('sub'));
        writeFileSync(inQueries('bad.identity.json'), '{}');
      },
    ],
  ];

  async function pullsTheRest(): Promise<void> {
    const there = [query('a'), query('g'), query('n'), query('o', { name: 'Sub/o' })];
    const comparison = await compared(there);
    const kinds = comparison.plan.items.map((item) => [item.kind, 'there' in item ? item.there?.id : '']);
    assert.deepEqual(kinds.filter(([, id]) => id === 'g' || id === 'n').sort(), [
      ['changedThere', 'g'],
      ['newThere', 'n'],
    ]);
    const refused = comparison.plan.items.filter(({ kind }) => kind === 'refused');
    assert.ok(refused.length > 0);
    for (const item of refused) assert.match(sayItem(item).advice ?? '', /queries\/|queries:/);
    await pulled(comparison);
    assert.equal(await read('good.identity.sql'), 'SELECT 2');
    assert.match(await read('query-n.identity.json'), /"name": "Query n"/);
    assert.deepEqual(readdirSync(root).sort(), ['data', 'queries']);
    const again = await compared(there);
    assert.deepEqual((await pulled(again)).written, []);
  }

  for (const [what, lines, make] of badLines) {
    it(`holds back an entry ${what}, and pulls the rest`, async () => {
      const good = { file: 'good.identity.sql', name: 'Query g', model: 'm', ids: { s: 'g' } };
      await write(good.file, 'SELECT 1');
      await write(indexFile, JSON.stringify({ format: 1, queries: [...lines, good] }));
      make?.();
      // The query of the entry is neither fetched as a new one nor deleted.
      const { plan } = await compared([query('a')]);
      assert.deepEqual(
        plan.items.filter((item) => item.kind !== 'refused' && 'there' in item),
        [],
      );
      assert.equal(plan.items.filter(({ kind }) => kind === 'refused').length, lines.length);
      await pullsTheRest();
      const left = JSON.parse(await read(indexFile)) as { readonly queries: readonly unknown[] };
      const sorted = (all: readonly unknown[]) => all.map((line) => JSON.stringify(line)).sort();
      assert.deepEqual(sorted(left.queries), sorted(lines));
    });
  }

  for (const [what, make] of badMetadata) {
    it(`holds back metadata ${what}, and pulls the rest`, async () => {
      await write('good.identity.sql', 'SELECT 1');
      await write('good.identity.json', '{"name":"Query g","model":"m","ids":{"s":"g"}}');
      make();
      const before = new Map(
        readdirSync(inQueries('.')).map((name) => [name, lstatSync(inQueries(name)).ino]),
      );
      await pullsTheRest();
      for (const [name, inode] of before)
        if (!name.startsWith('good'))
          assert.equal(lstatSync(inQueries(name)).ino, inode, `${name} was written`);
    });
  }

  it('keeps its lock file, which another process may have just locked', async () => {
    assert.equal(await whileLocked(store, () => Promise.resolve(existsSync(store.lockFile))), true);
    assert.equal(existsSync(store.lockFile), true);
    assert.equal(await whileLocked(store, () => Promise.resolve('again')), 'again');
  });
});
