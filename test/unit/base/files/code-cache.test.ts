/** The code cache: it never changes what runs, and a damaged one is written anew. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { CodeCache } from '#base/files/code-cache.ts';

/** The modules of this process, which a new window does not have. */
const { cache: loaded } = createRequire(import.meta.url);

test('compiled code is written once, and used by the next start', async (t) => {
  const { file, folder, start } = await program(t, { 'main.cjs': `exports.answer = () => 42;` });
  const first = start();
  assert.equal((first.exports as { answer(): number }).answer(), 42);
  const [name = ''] = await readdir(folder);
  assert.match(name, /^main\.[0-9a-f]+-[0-9a-f]{8}-[0-9a-f]{8}\.bin$/);
  const { ino, size } = await stat(path.join(folder, name));
  assert.ok(size > 100);
  if (process.platform !== 'win32') {
    assert.equal((await stat(path.join(folder, name))).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  }
  const second = start();
  assert.equal((second.exports as { answer(): number }).answer(), 42);
  assert.notEqual(second.exports, first.exports);
  assert.deepEqual(await readdir(folder), [name]);
  assert.equal((await stat(path.join(folder, name))).ino, ino, 'it was not written again');
  assert.equal(file('main.cjs'), second.file);
});

test('files load each other once, as with require', async (t) => {
  const { start } = await program(t, {
    'main.cjs': `const { count } = require('./shared.cjs');
      exports.all = [count(), require('./other.cjs').all, require('node:path').basename(__filename), __dirname];`,
    'other.cjs': `exports.all = require('./shared.cjs').count();`,
    'shared.cjs': `let n = 0; exports.count = () => (n += 1);`,
  });
  const { exports, file } = start();
  const wanted = [1, 2, 'main.cjs', path.dirname(file)];
  assert.deepEqual((exports as { all: unknown }).all, wanted);
  assert.deepEqual((start().exports as { all: unknown }).all, wanted);
});

test('a changed text of the same length is compiled, and two versions can take turns', async (t) => {
  const { file, folder, start } = await program(t, { 'main.cjs': `exports.answer = 1;` });
  start();
  const before = await readdir(folder);
  await writeFile(file('main.cjs'), `exports.answer = 2;`);
  assert.deepEqual(start().exports, { answer: 2 });
  const both = await readdir(folder);
  assert.equal(both.length, 2);
  await writeFile(file('main.cjs'), `exports.answer = 1;`);
  assert.deepEqual(start().exports, { answer: 1 });
  assert.deepEqual(await readdir(folder), both);
  assert.ok(before.every((name) => both.includes(name)));
});

test('code of earlier versions is removed after a week', async (t) => {
  const { folder, start } = await program(t, { 'main.cjs': `exports.answer = 1;` });
  await mkdir(folder, { recursive: true });
  const [old, recent] = ['main.0-0-0.bin', 'main.1-0-0.bin'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  for (const file of [old, recent]) await writeFile(file, '');
  const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60_000);
  await utimes(old, longAgo, longAgo);
  start();
  const names = await readdir(folder);
  assert.equal(names.length, 2);
  assert.ok(names.includes(path.basename(recent)) && !names.includes(path.basename(old)));
});

test('damaged, cut or empty compiled code is compiled and written anew', async (t) => {
  const { folder, start } = await program(t, {
    'main.cjs': `exports.answer = [1, 2, 3].map((n) => n * 2);`,
  });
  start();
  const [name = ''] = await readdir(folder);
  const kept = path.join(folder, name);
  const whole = await readFile(kept);
  for (const damaged of [
    ...[0, 5, 60, whole.length - 1].map((at) => whole.with(at, (whole[at] ?? 0) ^ 0x55)),
    whole.subarray(0, whole.length / 2),
    whole.subarray(0, 4),
    Buffer.alloc(0),
  ]) {
    await writeFile(kept, damaged);
    assert.deepEqual(start().exports, { answer: [2, 4, 6] });
    assert.equal((await readFile(kept)).length > 100, true);
    assert.notDeepEqual(await readFile(kept), Buffer.from(damaged));
  }
});

test('without a folder to write to, files load anyway', async (t) => {
  const { folder, start } = await program(t, { 'main.cjs': `exports.answer = 42;` });
  await mkdir(path.dirname(folder), { recursive: true });
  await writeFile(folder, 'not a folder');
  assert.deepEqual(start().exports, { answer: 42 });
  assert.equal(await readFile(folder, 'utf8'), 'not a folder');
});

test('an error has its place in the file, and the file can be loaded again', async (t) => {
  const { file, start } = await program(t, { 'main.cjs': `  throw new Error('no luck');` });
  for (let n = 0; n < 2; n += 1) {
    let error: unknown;
    try {
      start();
    } catch (reason) {
      error = reason;
    }
    assert.ok(error instanceof Error);
    assert.ok(error.stack?.includes(`${file('main.cjs')}:1:9`), error.stack);
  }
});

async function program(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(path.join(tmpdir(), 'identity-queries-code-'));
  t.after(() => rm(root, { recursive: true }));
  const folder = path.join(root, 'compiled', 'extension');
  const file = (name: string) => path.join(root, name);
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text);
  /** Loads the program as a new window does, and writes its compiled code. */
  const start = () => {
    const cache = new CodeCache(folder);
    try {
      const exports = cache.load(file('main.cjs'));
      cache.save();
      return { exports, file: file('main.cjs') };
    } finally {
      cache.dispose();
      for (const name of Object.keys(files)) Reflect.deleteProperty(loaded, file(name));
    }
  };
  return { file, folder, start };
}
