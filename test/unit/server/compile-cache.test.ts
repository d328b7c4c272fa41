/** The compile cache speeds up the next start; without a cache, the server and the command line still start. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { compileCacheFolder } from '#server/compile-cache.ts';
import { runCli } from '#test/helpers/command-line.ts';
import { bundledServer, startLanguageClient } from './language-client.ts';

suite('the compile cache of the server', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-compiled-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Starts the server, checks SQL, and stops the server. */
  async function start(
    cache: string,
    environment: Readonly<Record<string, string>> = {},
    ready: () => Promise<void> = () => Promise.resolve(),
  ): Promise<number> {
    const client = await startLanguageClient([process.execPath, bundledServer, '--stdio'], 'identity-sql', {
      environment: { NODE_COMPILE_CACHE: cache, ...environment },
    });
    const checked = client.diagnostics('file:///a.identity.sql', 1);
    await client.open('file:///a.identity.sql', 'SELECT id FROM');
    const { diagnostics } = await checked;
    await ready();
    assert.equal(await client.stop(), 0);
    return diagnostics.length;
  }

  test('is written on the first start and used on the second', async () => {
    const cache = path.join(folder, 'compiled');
    const compiled = async () =>
      (await readdir(path.join(cache, 'server')).catch(() => [])).filter((name) => name.endsWith('.bin'));
    const written = async () => {
      while ((await compiled()).length === 0) await pause(50);
    };
    assert.equal(await start(cache, {}, written), 1);
    const [name = '', ...more] = await compiled();
    assert.match(name, /^language-server\./);
    assert.equal(more.length, 0);
    // Compiled after the start, so that it has its functions.
    const { size, ino } = await stat(path.join(cache, 'server', name));
    assert.ok(size > 600_000, `only ${size} bytes`);
    assert.equal(await start(cache), 1);
    assert.deepEqual(await compiled(), [name]);
    assert.equal((await stat(path.join(cache, 'server', name))).ino, ino);
  });

  test('can be turned off', async () => {
    const cache = path.join(folder, 'off');
    assert.equal(await start(cache, { NODE_DISABLE_COMPILE_CACHE: '1' }), 1);
    await assert.rejects(readdir(cache), { code: 'ENOENT' });
  });

  test('is used by the command line too', async () => {
    const cache = path.join(folder, 'command');
    const run = () => runCli(['--version'], { cwd: folder, env: { NODE_COMPILE_CACHE: cache } });
    const first = await run();
    const files = async () => (await readdir(cache, { recursive: true })).sort();
    const written = await files();
    assert.ok(written.length > 1, 'nothing was written');
    assert.deepEqual(await run(), first);
    assert.deepEqual(await files(), written);
    const file = path.join(folder, 'no-folder');
    await writeFile(file, '');
    const without = await runCli(['--version'], {
      cwd: folder,
      env: { NODE_COMPILE_CACHE: path.join(file, 'c') },
    });
    assert.deepEqual(without, first);
  });

  test('is skipped if its folder cannot be created', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    assert.equal(await start(path.join(file, 'compiled')), 1);
  });

  test("is in the extension's folder, or else in the user's own cache", () => {
    const own = (environment: Record<string, string>, platform: NodeJS.Platform) =>
      compileCacheFolder(environment, platform);
    const end = path.join('identity-queries', 'compiled');
    assert.equal(own({ NODE_COMPILE_CACHE: '/given' }, 'linux'), '/given');
    assert.equal(own({}, 'linux'), path.join(homedir(), '.cache', end));
    assert.equal(own({ XDG_CACHE_HOME: '/caches' }, 'linux'), path.join('/caches', end));
    assert.equal(own({ XDG_CACHE_HOME: 'relative' }, 'linux'), path.join(homedir(), '.cache', end));
    assert.equal(
      own({ XDG_CACHE_HOME: '/caches' }, 'darwin'),
      path.join(homedir(), 'Library', 'Caches', end),
    );
    assert.equal(own({ LOCALAPPDATA: 'C:/local' }, 'win32'), path.join('C:/local', end));
  });
});
