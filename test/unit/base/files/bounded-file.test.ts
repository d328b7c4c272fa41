/** Every kind of thing that a path of a folder may be, read and written. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FileRefusal, readBounded, readBoundedText, writeWithin } from '#base/files/bounded-file.ts';

let root: string;
let within: string;
let outside: string;
let file: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-bounded-'));
  within = path.join(root, 'clone');
  outside = path.join(root, 'outside');
  file = path.join(within, '.identity-queries', 'waivers.json');
  await mkdir(path.dirname(file), { recursive: true });
  await mkdir(outside);
  await writeFile(path.join(outside, 'kept'), 'kept');
});
afterEach(() => rm(root, { recursive: true }));

const maxBytes = 1_000;
const isWindows = process.platform === 'win32';

/** Each makes something at `file`. */
const things: readonly (readonly [
  name: string,
  code: FileRefusal['code'],
  make: () => Promise<unknown> | undefined,
])[] = [
  ['nothing', 'missing', () => undefined],
  ['a link to a file', 'link', () => symlink(path.join(outside, 'kept'), file)],
  ['a link to nothing', 'link', () => symlink(path.join(outside, 'made'), file)],
  ['a link to a device', 'link', () => symlink('/dev/zero', file)],
  ['a link to itself', 'link', () => symlink(file, file)],
  ['a folder', 'folder', () => mkdir(file)],
  ...(isWindows
    ? []
    : ([
        ['a pipe', 'no-file', () => Promise.resolve(execFileSync('mkfifo', [file]))],
        ['a socket', 'no-file', () => listening(file)],
        ['a file behind a linked folder', 'link', () => linkFolder()],
      ] as const)),
];

async function listening(at: string): Promise<void> {
  const server = createServer();
  // The path of a socket may have about a hundred bytes.
  await new Promise<void>((resolve) => server.listen(path.relative(process.cwd(), at), resolve));
  server.unref();
}

async function linkFolder(): Promise<void> {
  await rm(path.dirname(file), { recursive: true });
  await symlink(outside, path.dirname(file));
  await writeFile(path.join(outside, 'waivers.json'), '{}');
}

const refusal = (code: FileRefusal['code']) => (error: unknown) => {
  assert.ok(error instanceof FileRefusal, String(error));
  assert.equal(error.code, code);
  return true;
};

describe('a file of a folder', () => {
  for (const [name, code, make] of things) {
    it(`is not read if it is ${name}`, async () => {
      await make();
      await assert.rejects(readBounded(file, { maxBytes, within }), refusal(code));
    });

    if (code !== 'missing')
      it(`is not written if it is ${name}`, async () => {
        await make();
        const before = await readFile(path.join(outside, 'waivers.json'), 'utf8').catch(() => undefined);
        await assert.rejects(writeWithin(within, file, 'new'), refusal(code));
        assert.equal(await readFile(path.join(outside, 'kept'), 'utf8'), 'kept');
        assert.equal(
          await readFile(path.join(outside, 'waivers.json'), 'utf8').catch(() => undefined),
          before,
        );
        await assert.rejects(stat(path.join(outside, 'made')));
      });
  }

  it('is not read beyond its limit, whatever size it reports', async () => {
    await writeFile(file, 'x'.repeat(maxBytes));
    assert.equal((await readBounded(file, { maxBytes, within })).length, maxBytes);
    await writeFile(file, 'x'.repeat(maxBytes + 1));
    await assert.rejects(readBounded(file, { maxBytes, within }), refusal('too-large'));
    const sparse = await open(file, 'w');
    await sparse.truncate(2 ** 40);
    await sparse.close();
    await assert.rejects(readBounded(file, { maxBytes, within }), refusal('too-large'));
    // These report a size of 0.
    if (process.platform === 'linux') {
      await assert.rejects(readBounded('/proc/self/smaps', { maxBytes }), refusal('too-large'));
      assert.match(await readBoundedText('/proc/self/comm', { maxBytes }), /\S/);
    }
  });

  it('outside of it is neither read nor written', async () => {
    for (const each of [
      path.join(within, '..', 'outside', 'kept'),
      path.join(outside, 'kept'),
      path.join(within, '.identity-queries', '..', '..', 'outside', 'kept'),
    ]) {
      await assert.rejects(readBounded(each, { maxBytes, within }), refusal('link'));
      await assert.rejects(writeWithin(within, each, 'new'), refusal('link'));
    }
    assert.equal(await readFile(path.join(outside, 'kept'), 'utf8'), 'kept');
  });

  it('is not read behind a link that came after it was looked at', async () => {
    await writeFile(file, 'own');
    const swapped = `${path.dirname(file)}-swapped`;
    const swap = () => {
      renameSync(path.dirname(file), swapped);
      symlinkSync(outside, path.dirname(file));
    };
    await assert.rejects(readBounded(file, { maxBytes, within, examine: swap }), refusal('link'));
  });

  it('is read as it is after it was replaced', async () => {
    await writeFile(file, 'old');
    let isReplaced = false;
    const replace = () => {
      if (!isReplaced) writeFileSync(`${file}.new`, 'new');
      if (!isReplaced) renameSync(`${file}.new`, file);
      isReplaced = true;
    };
    assert.equal((await readBounded(file, { maxBytes, within, examine: replace })).toString(), 'new');
  });

  it('is never one outside, however often a folder and a link change places', async () => {
    const folder = path.dirname(file);
    await writeFile(file, 'own');
    await writeFile(path.join(outside, 'waivers.json'), 'outside');
    const aside = `${folder}-aside`;
    symlinkSync(outside, `${folder}-link`);
    const exchange = () => {
      renameSync(folder, aside);
      renameSync(`${folder}-link`, folder);
      renameSync(folder, `${folder}-link`);
      renameSync(aside, folder);
    };
    const seen = new Set<string>();
    for (let round = 0; round < 200; round++) {
      const asked = Array.from({ length: 8 }, () => readBoundedText(file, { maxBytes, within }));
      const ended = new AbortController();
      const all = Promise.allSettled(asked).finally(() => ended.abort());
      while (!ended.signal.aborted) {
        exchange();
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const one of await all) if (one.status === 'fulfilled') seen.add(one.value);
    }
    assert.ok(!seen.has('outside'), [...seen].join());
    assert.ok(seen.has('own'));
  });

  it('that is no UTF-8 is no text', async () => {
    await writeFile(file, Buffer.from([0xff, 0xfe]));
    await assert.rejects(readBoundedText(file, { maxBytes, within }), TypeError);
  });

  it('is written with its folders, keeps its mode, and leaves nothing beside it', async () => {
    const deep = path.join(within, 'a', 'b', 'c.json');
    await writeWithin(within, deep, 'one');
    assert.equal(await readFile(deep, 'utf8'), 'one');
    if (!isWindows) {
      await writeFile(file, 'old', { mode: 0o640 });
      await writeWithin(within, file, 'new');
      assert.equal((await stat(file)).mode & 0o777, 0o640);
    }
    const { readdir } = await import('node:fs/promises');
    assert.deepEqual(await readdir(path.dirname(deep)), ['c.json']);
  });
});
