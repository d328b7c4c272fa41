/** Untrusted packs: valid packs load, and every refusal has a reason. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { folderFiles, type PackFiles } from '#core/packs/pack-files.ts';
import { isPackName, parseManifest } from '#core/packs/pack-manifest.ts';
import { sayPackProblem } from '#core/packs/pack-messages.ts';
import { unprovenQuery } from '#core/packs/prove-pack.ts';
import { readPack } from '#core/packs/read-pack.ts';
import { plainQueries, writePack, type PackShape } from '#test/helpers/packs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-pack-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function refusal(files: PackFiles = folderFiles(folder)): Promise<string> {
  const read = await readPack(files);
  assert.ok('problem' in read, 'it is refused');
  return sayPackProblem(read.problem);
}

/** Returns why a pack is refused after a change to its files. */
async function refusedAfter(change: () => Promise<unknown>, shape: PackShape = {}): Promise<string> {
  await writePack(folder, shape);
  await change();
  return await refusal();
}

describe('a pack', () => {
  it('consists of its manifest and the files that its index lists, byte for byte', async () => {
    await writePack(folder);
    await writeFile(path.join(folder, 'README.md'), 'not installed');
    await writeFile(path.join(folder, '.gitattributes'), '* filter=evil merge=evil\n');
    const read = await readPack(folderFiles(folder));
    assert.ok('pack' in read, JSON.stringify(read));
    assert.deepEqual(
      read.pack.queries.map(({ file, text }) => [file, text]),
      Object.entries(plainQueries),
    );
    assert.deepEqual(
      [...read.pack.files.keys()],
      [
        '.gitattributes',
        'pack.json',
        'queries/saved-queries.json',
        'queries/one.identity.sql',
        'queries/two/three.identity.sql',
      ],
    );
  });

  it('is refused for a symbolic link, wherever it leads', async () => {
    const link = () => symlink('/etc/passwd', path.join(folder, 'queries/zz.identity.sql'));
    assert.match(await refusedAfter(link), /"queries\/zz\.identity\.sql" is a symbolic link/);
  });

  it('is refused for a folder that is a link, which is not entered', async () => {
    const link = () => symlink('/', path.join(folder, 'queries/root'));
    assert.match(await refusedAfter(link), /"queries\/root" is a symbolic link/);
  });

  it('is refused for a path that leads out of it', async () => {
    const index = path.join(folder, 'queries/saved-queries.json');
    const entry = '{"file":"../../x.identity.sql","name":"x","model":"m"}';
    const change = () => writeFile(index, `{ "format": 1, "queries": [\n${entry}\n] }\n`);
    assert.match(await refusedAfter(change), /"\.\.\/\.\.\/x\.identity\.sql" is refused: it points outside/);
  });

  it('is refused for a device name, listed or not', async () => {
    const change = () => writeFile(path.join(folder, 'queries/NUL.identity.sql'), 'SELECT 1');
    assert.match(await refusedAfter(change), /NUL\.identity\.sql" is refused: a system or Git reserves/);
  });

  it('is refused for a file of a gigabyte, without reading it', async () => {
    const change = async () => {
      const handle = await open(path.join(folder, 'queries/one.identity.sql'), 'w');
      await handle.truncate(1_000_000_000);
      await handle.close();
    };
    assert.match(await refusedAfter(change), /"queries\/one\.identity\.sql" is longer than 1,000,000 bytes/);
  });

  it('reads no more than the limit if a file grows after it was listed', async () => {
    await writePack(folder);
    const files = folderFiles(folder);
    const listed = await files.list();
    await writeFile(path.join(folder, 'queries/one.identity.sql'), Buffer.alloc(2_000_000, 32));
    assert.match(
      await refusal({ ...files, list: () => Promise.resolve(listed) }),
      /longer than 1,000,000 bytes/,
    );
  });

  it(
    'is refused for a pipe, which would be read forever',
    { skip: process.platform === 'win32' },
    async () => {
      const change = () => {
        spawnSync('mkfifo', [path.join(folder, 'queries/pipe')]);
        return Promise.resolve();
      };
      assert.match(await refusedAfter(change), /"queries\/pipe" is not a regular file/);
    },
  );

  it('is refused for a name or title that is a command link or contains hidden characters', async () => {
    for (const bad of ['[x](command:workbench.action.quit)', 'command:evil', 'safe\u202Egnp']) {
      assert.match(await refusedAfter(() => Promise.resolve(), { title: bad }), /"title" in pack\.json/, bad);
      const names = { 'one.identity.sql': bad };
      const said = await refusedAfter(() => Promise.resolve(), { names });
      assert.match(said, /The name or description of "one\.identity\.sql"/, bad);
    }
  });

  it('is refused for invalid UTF-8 or an empty text', async () => {
    const file = path.join(folder, 'queries/one.identity.sql');
    assert.match(
      await refusedAfter(() => writeFile(file, Buffer.from([0xff, 0x41]))),
      /it is not UTF-8 text/,
    );
    assert.match(await refusedAfter(() => writeFile(file, '')), /it is empty/);
  });

  it('is refused without its manifest, its index, a listed file, or any query', async () => {
    const remove = (file: string) => () => rm(path.join(folder, file));
    assert.match(await refusedAfter(remove('pack.json')), /"pack\.json" is missing/);
    assert.match(
      await refusedAfter(remove('queries/saved-queries.json')),
      /saved-queries\.json" is missing\. .* or a file \*\.identity\.json beside each query\./,
    );
    assert.match(await refusedAfter(remove('queries/one.identity.sql')), /one\.identity\.sql" is missing/);
    assert.match(await refusedAfter(() => Promise.resolve(), { queries: {} }), /no queries/);
    assert.match(await refusal(folderFiles(path.join(folder, 'nowhere'))), /no such folder/);
  });

  it('is refused for endlessly nested folders', async () => {
    const deep = () => mkdir(path.join(folder, ...Array<string>(30).fill('d')), { recursive: true });
    assert.match(await refusedAfter(deep), /nested too deeply/);
  });

  it('is refused for a query that is not a single statement proven read-only', async () => {
    await writePack(folder);
    const read = await readPack(folderFiles(folder));
    assert.ok('pack' in read);
    const statement = { verdict: 'not-read-only' } as const;
    const verdicts = async (statements: readonly object[]) => {
      const problem = await unprovenQuery(read.pack, () => Promise.resolve({ statements: statements as [] }));
      return problem === undefined ? undefined : sayPackProblem(problem);
    };
    assert.match(
      (await verdicts([statement])) ?? '',
      /one\.identity\.sql" is not proven read-only: it changes/,
    );
    assert.match((await verdicts([{ verdict: 'read-only' }, statement])) ?? '', /more than one statement/);
    assert.match((await verdicts([])) ?? '', /no statement/);
    assert.match((await verdicts([{ verdict: 'unknown-function' }])) ?? '', /unknown function/);
    assert.equal(await verdicts([{ verdict: 'read-only' }]), undefined);
  });
});

describe('a manifest', () => {
  const valid = { format: 1, name: 'a-b', title: 'A', version: '1.2.3', license: 'MIT', description: 'D' };
  const problemOf = (change: object): string => {
    const parsed = parseManifest(JSON.stringify({ ...valid, ...change }));
    return 'problem' in parsed ? JSON.stringify(parsed.problem) : 'none';
  };

  it('names the invalid member', () => {
    assert.equal(problemOf({}), 'none');
    assert.equal(problemOf({ format: 2 }), '{"kind":"format"}');
    assert.match(problemOf({ version: 'new' }), /version/);
    assert.match(problemOf({ license: '' }), /license/);
    assert.match(problemOf({ requires: { 'a.identity.sql': ['accounts'] } }), /requires/);
    assert.match(problemOf({ requires: { 'a.identity.sql': 'm.t.c' } }), /requires/);
    assert.match(problemOf({ benchmarks: [{ title: 'x', tag: 'a b' }] }), /benchmarks/);
    assert.match(problemOf({ benchmarks: [{ title: '[x](command:y)' }] }), /link/);
    const twice = JSON.stringify(valid).replace('"license"', '"license":"MIT","license"');
    assert.deepEqual(parseManifest(twice), { problem: { kind: 'member', member: 'license' } });
    assert.ok('problem' in parseManifest('{'));
    assert.ok('problem' in parseManifest('null'));
  });

  it('has a name that is a valid folder name on every system', () => {
    for (const name of ['a', 'a-b', 'soc2']) assert.ok(isPackName(name), name);
    for (const name of ['', '-a', 'a-', 'A', '..', 'a/b', 'a b', 'con', 'lpt1', 'a.b', 'x'.repeat(65)])
      assert.ok(!isPackName(name), name);
  });

  it('does not mistake an inherited member for a file', () => {
    const parsed = parseManifest(
      `{"format":1,"name":"a","title":"A","version":"1.0.0","license":"MIT","description":"D","requires":{"__proto__":["m.t.c"]}}`,
    );
    assert.ok('manifest' in parsed);
    assert.equal(Object.getPrototypeOf(parsed.manifest.requires), Object.prototype);
  });
});
