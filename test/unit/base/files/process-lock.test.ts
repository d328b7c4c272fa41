/** A lock between processes: one holder, released when its process exits. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { diskWords } from '#base/files/disk-messages.ts';
import { ProcessLock } from '#base/files/process-lock.ts';
import { lockInProcess } from '#test/helpers/lock-process.ts';
import { kill } from '#test/helpers/save-export-process.ts';

suite('a lock between processes', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-lock-'));
    file = path.join(folder, 'made', 'one.lock');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('has one owner until it is released, in this process too', async () => {
    const lock = ProcessLock.try(file);
    assert.ok(lock);
    assert.ok(ProcessLock.isHeldHere(file));
    assert.equal(ProcessLock.try(file), undefined);
    assert.equal(await ProcessLock.wait(file, 0), undefined);
    const { child, hasLock } = await lockInProcess(file);
    assert.equal(hasLock, false);
    await kill(child);
    lock.release();
    lock.release();
    assert.ok(!ProcessLock.isHeldHere(file));
    const next = ProcessLock.try(file);
    assert.ok(next);
    next.end();
    assert.deepEqual(await readdir(path.dirname(file)), []);
  });

  test('says that a file cannot be written', async () => {
    await mkdir(file, { recursive: true }); // a folder in its place, which root cannot write, either
    let words: string | undefined;
    try {
      ProcessLock.try(file);
    } catch (error) {
      words = diskWords(error);
    }
    assert.equal(words, 'you have no permission to write there');
  });

  test('replaces a damaged file, and still works', async () => {
    await mkdir(path.dirname(file), { recursive: true });
    for (const bytes of ['no database at all', 'SQLite format 3\0'.padEnd(4_096, 'x')]) {
      await writeFile(file, bytes);
      const lock = ProcessLock.try(file);
      assert.ok(lock);
      const { child, hasLock } = await lockInProcess(file);
      assert.equal(hasLock, false);
      await kill(child);
      lock.release();
    }
  });

  test('is released when its process exits, for any reason', async () => {
    const { child, hasLock } = await lockInProcess(file);
    assert.equal(hasLock, true);
    assert.equal(ProcessLock.try(file), undefined);
    assert.ok(!ProcessLock.isHeldHere(file));
    const waiting = ProcessLock.wait(file, 60_000);
    await kill(child);
    (await waiting)?.release();
    assert.notEqual(await waiting, undefined);
  });

  test('reports an unusable path', () => {
    assert.throws(() => ProcessLock.try(folder), /./);
  });
});
