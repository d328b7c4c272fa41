/** The npm package, installed offline into an empty folder: its sandbox starts, and a query runs against it. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { brokenLinks } from '#test/helpers/markdown-links.ts';

const root = path.join(import.meta.dirname, '../..');

describe('the npm package', () => {
  let folder: string;
  let packed: string;
  let program: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-npm-'));
    packed = path.join(folder, 'packed');
    const made = spawnSync(
      process.execPath,
      [path.join(root, 'scripts/package-cli.js'), '--built', '--out', packed],
      { encoding: 'utf8' },
    );
    assert.equal(made.status, 0, made.stderr);
    const archive = (await readdir(packed)).find((name) => name.endsWith('.tgz')) ?? '';
    const empty = path.join(folder, 'empty');
    await mkdir(empty);
    const installed = spawnSync(
      'npm',
      ['install', '--offline', '--no-audit', '--no-fund', path.join(packed, archive)],
      { cwd: empty, encoding: 'utf8', shell: process.platform === 'win32' },
    );
    assert.equal(installed.status, 0, installed.stderr);
    program = path.join(empty, 'node_modules/identity-queries/identity-queries.cjs');
  });
  after(() => rm(folder, { recursive: true }));

  it('contains the language server in five more languages', async () => {
    const names = await readdir(path.join(path.dirname(program), 'l10n'));
    assert.deepEqual(
      names.sort(),
      ['de', 'es', 'fr', 'ja', 'zh-cn'].map((language) => `bundle.l10n.${language}.json`),
    );
  });

  it('contains the page that findings link to', async () => {
    const page = await readFile(path.join(path.dirname(program), 'docs/diagnostics.md'), 'utf8');
    assert.match(page, /^## INVALID_CONTROL$/m);
  });

  it('contains every page that its pages link to', async () => {
    const installed = path.dirname(program);
    const files = (await readdir(installed, { recursive: true })).map((file) =>
      file.split(path.sep).join('/'),
    );
    const pages = files.filter((file) => file.endsWith('.md'));
    const texts = await Promise.all(
      pages.map(async (file) => [file, await readFile(path.join(installed, file), 'utf8')] as const),
    );
    assert.ok(pages.includes('README.md') && pages.includes('docs/diagnostics.md'), pages.join());
    assert.deepEqual(
      brokenLinks(new Map(texts), (file) => files.includes(file)),
      [],
    );
  });

  it('has no dependencies and runs nothing on installation', async () => {
    const manifest = JSON.parse(await readFile(path.join(packed, 'package.json'), 'utf8')) as object;
    for (const name of ['scripts', 'dependencies', 'optionalDependencies', 'peerDependencies'])
      assert.equal(name in manifest, false, name);
    const names = await readdir(path.join(folder, 'empty/node_modules'));
    assert.deepEqual(
      names.filter((name) => !name.startsWith('.')),
      ['identity-queries'],
    );
    const version = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8' });
    const { version: expected } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal(version.stdout, `${expected}\n`, version.stderr);
  });

  it('starts the sandbox, and runs a query against it in another process', async () => {
    const sandbox = spawn(process.execPath, [program, 'sandbox', '--json', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(sandbox, 'exit');
    try {
      const listening = await new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
        createInterface({ input: sandbox.stdout }).on('line', (line) => {
          if (line.startsWith('{')) resolve(JSON.parse(line) as Record<string, string>); // printed by the sandbox
        });
        void exited.then(() => reject(new Error('the sandbox ended')));
      });
      const run = (args: readonly string[], input: string) =>
        spawnSync(process.execPath, [program, 'run', '-', ...args], {
          input,
          encoding: 'utf8',
          cwd: folder,
          env: {
            ...process.env,
            IDENTITY_QUERIES_BASE_URL: listening['address'],
            IDENTITY_QUERIES_AUTH_URL: listening['authUrl'],
            IDENTITY_QUERIES_CLIENT_ID: listening['clientId'],
            IDENTITY_QUERIES_CLIENT_SECRET: listening['clientSecret'],
          },
        });
      const rows = run(['--format', 'csv', '--param', 'big=9007199254740993'], 'SELECT :big::int8 AS big');
      assert.equal(rows.stdout, 'big\r\n9007199254740993\r\n', rows.stderr);
      for (const ending of ['xlsx', 'parquet']) {
        const file = run(['--out', `rows.${ending}`], 'SELECT 1 AS one');
        assert.equal(file.status, 0, file.stderr);
      }
    } finally {
      sandbox.kill('SIGTERM');
      await exited;
    }
  });

  it('reports the required version on an old Node.js', () => {
    for (const old of ['20.11.1', '22.0.0', '22.18.0']) {
      const pretended = `Object.defineProperty(process.versions, 'node', { value: '${old}' });
        process.argv[1] = ${JSON.stringify(program)};
        require(${JSON.stringify(program)});`;
      const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', pretended], { encoding: 'utf8' });
      assert.deepEqual([status, stdout], [2, '']);
      const needed = `identity-queries: needs Node 22.19 or newer, and this is Node ${old}.`;
      assert.equal(stderr.split('\n')[0], needed);
    }
  });
});
