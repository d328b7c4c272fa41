/** Connection files: selection, parsing and trust. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import {
  ConnectionFileError,
  findConnectionFile,
  ownConnectionFile,
  readConnectionFile,
  type FileTrust,
} from '#core/connections/connection-files.ts';

let root: string;
let own: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-files-'));
  own = ownConnectionFile({ XDG_CONFIG_HOME: path.join(root, 'home') });
});
afterEach(() => rm(root, { recursive: true }));

const entry = { name: 'A', baseUrl: 'https://a.example', authUrl: 'https://a.example/token', clientId: 'c' };

async function put(file: string, content: unknown): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

suite('the connections file', () => {
  test("is that of the nearest folder, or else the person's own", async () => {
    const folder = path.join(root, 'work', 'deep');
    await mkdir(folder, { recursive: true });
    assert.equal(await findConnectionFile({ folder, own }), undefined);
    await put(own, []);
    assert.deepEqual(await findConnectionFile({ folder, own }), { file: own, trust: 'own' });
    const above = await put(path.join(root, 'work', '.identity-queries', 'connections.json'), []);
    assert.deepEqual(await findConnectionFile({ folder, own }), { file: above, trust: 'folder' });
    const here = await put(path.join(folder, '.identity-queries', 'connections.json'), []);
    assert.deepEqual(await findConnectionFile({ folder, own }), { file: here, trust: 'folder' });
  });

  test("can be named explicitly, and then counts as the person's own", async () => {
    const named = await put(path.join(root, 'named.json'), []);
    await put(own, []);
    assert.deepEqual(await findConnectionFile({ named: 'named.json', folder: root, own }), {
      file: named,
      trust: 'named',
    });
    await symlink(own, path.join(root, 'link.json'));
    assert.equal((await findConnectionFile({ named: 'link.json', folder: root, own }))?.trust, 'own');
  });

  test("is in the user's configuration folder of the operating system", () => {
    assert.equal(
      ownConnectionFile({ APPDATA: '/roaming' }, 'win32'),
      path.join('/roaming', 'identity-queries', 'connections.json'),
    );
    assert.match(ownConnectionFile({}, 'linux'), /[\\/]\.config[\\/]identity-queries[\\/]connections\.json$/);
  });
});

suite('its content', () => {
  const read = async (content: unknown, trust: FileTrust = 'named') =>
    await readConnectionFile({ file: await put(path.join(root, 'x', 'c.json'), content), trust });

  test('is read like the setting, and one invalid entry does not affect the others', async () => {
    const { connections, broken } = await read([
      entry,
      { name: 'B' },
      { ...entry, name: 'C', clientSecret: 'x' },
      entry,
    ]);
    assert.deepEqual(
      connections.map(({ name }) => name),
      ['A'],
    );
    assert.deepEqual(
      broken.map(({ name }) => name),
      ['B', 'C', 'A'],
    );
    assert.match(broken[0]?.problem ?? '', /c\.json\[1\] needs "baseUrl", a string/);
    assert.match(broken[1]?.problem ?? '', /contains a secret \(clientSecret\).*secretVariable/);
    assert.match(broken[2]?.problem ?? '', /name "A" is used twice/);
  });

  const refused: readonly (readonly [
    name: string,
    more: object,
    trusts: readonly FileTrust[],
    words: RegExp,
  ])[] = [
    ['a program', { secretCommand: ['pass', 'x'] }, ['named', 'folder'], /secretCommand/],
    ['any variable', { secretVariable: 'AWS_SECRET_ACCESS_KEY' }, ['folder'], /IDENTITY_QUERIES_/],
    ['http://', { baseUrl: 'http://a.example', allowPlainHttp: true }, ['folder'], /allowPlainHttp/],
    ['changes', { allowChanges: true }, ['folder'], /allowChanges/],
  ];
  for (const [name, more, trusts, words] of refused) {
    test(`${name}: not from ${trusts.join(' or ')}`, async () => {
      for (const trust of ['own', 'named', 'folder'] as const) {
        const { connections, broken } = await read([{ ...entry, ...more }], trust);
        const isRefused = trusts.includes(trust);
        assert.deepEqual([connections.length, broken.length], isRefused ? [0, 1] : [1, 0]);
        if (isRefused) assert.match(broken[0]?.problem ?? '', words);
      }
    });
  }

  test('a folder may refer to our own environment variables', async () => {
    const { connections } = await read([{ ...entry, secretVariable: 'IDENTITY_QUERIES_X' }], 'folder');
    assert.deepEqual(connections[0]?.secretSource, { kind: 'variable', name: 'IDENTITY_QUERIES_X' });
  });

  test('content that is not a list is reported without quoting it', async () => {
    for (const content of ['{"a": "hush-hush', '{"a": "hush-hush"}', '']) {
      await assert.rejects(read(content), (error) => {
        assert.ok(error instanceof ConnectionFileError);
        assert.ok(!`${error.stack ?? ''} ${String(error.cause)}`.includes('hush'));
        return true;
      });
    }
    const lines: readonly (readonly [string, number])[] = [
      ['[\n  {"name": "A",}\n]', 2],
      ['[\n  // mine\n]', 2],
      ['[{\n"name": "A"\n', 2],
      ['[\n{"name": hush}]', 2],
      ['', 1],
    ];
    for (const [content, line] of lines)
      await assert.rejects(read(content), new RegExp(`c\\.json is not JSON: see line ${line}\\.$`));
  });

  test('a member that is written twice is refused, of which people may read the other one', async () => {
    const text = JSON.stringify([entry]).replace('}]', ',\n"protected":true,\n"protected":false}]');
    await assert.rejects(read(text), /c\.json:3: The member "protected" is written twice\.$/);
  });

  test('an unknown member is told with the members that there are', async () => {
    const { connections, broken } = await read([{ ...entry, proteced: true }]);
    assert.deepEqual(connections, []);
    assert.match(
      broken[0]?.problem ?? '',
      /c\.json\[0\]: a connection has no "proteced", only: name, .*protected/,
    );
  });

  test('a path that is not a file is reported', async () => {
    const folder = path.join(root, 'folder');
    await mkdir(folder);
    for (const file of [folder, path.join(root, 'none.json')])
      await assert.rejects(readConnectionFile({ file, trust: 'named' }), ConnectionFileError);
  });
});
