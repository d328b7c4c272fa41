/** Cleanup removes the files of killed processes, but not those of running processes, final files or new files. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, before, beforeEach, suite, test } from 'node:test';
import { draftEnding } from '#base/files/draft-ending.ts';
import {
  leftAfterMs,
  leftUnownedAfterMs,
  removeLeftOvers,
  removeOldFolders,
} from '#base/files/left-overs.ts';

const id = '01234567-89ab-4def-8123-456789abcdef';
const other = '11234567-89ab-4def-8123-456789abcdef';
const minuteMs = 60_000;

/** Returns the ID of a process that has exited. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? assert.fail();
}

suite('left-over files', () => {
  let folder: string;
  let dead: number;
  before(async () => {
    dead = await endedPid();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-left-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function put(name: string, ageMs: number): Promise<void> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'x');
    const at = new Date(Date.now() - ageMs);
    await utimes(file, at, at);
  }
  const left = async () => (await readdir(folder)).sort();

  test('of an exited process are removed after an hour without a write', async () => {
    await put(`history.jsonl.${dead}.${id}.tmp`, leftAfterMs + minuteMs);
    await put(`${dead}.${id}.tmp`, leftAfterMs + minuteMs);
    await put(`.${dead}.${id}.tmp`, leftAfterMs + minuteMs);
    await put(`${other}.rows.${dead}.${id}.tmp`, leftAfterMs + minuteMs);
    await put(`${dead}.${other}.tmp`, leftAfterMs - minuteMs);
    assert.equal(await removeLeftOvers([{ folder }]), 4);
    assert.deepEqual(await left(), [`${dead}.${other}.tmp`]);
  });

  test('of a running process are never touched, however old', async () => {
    const mine = draftEnding();
    const parents = `${process.ppid}.${id}.tmp`;
    for (const name of [mine, parents]) await put(name, 30 * leftUnownedAfterMs);
    assert.equal(await removeLeftOvers([{ folder }]), 0);
    assert.deepEqual(await left(), [mine, parents].sort());
  });

  test('from an earlier version, which did not record the process, are removed after a day', async () => {
    const old = [`${id}.tmp`, `history.jsonl.${dead}.tmp`, `${id}.rows.partial`, `${id}.json.partial`];
    for (const name of old) await put(name, leftUnownedAfterMs + minuteMs);
    await put(`${other}.tmp`, leftUnownedAfterMs - minuteMs);
    assert.equal(await removeLeftOvers([{ folder }]), old.length);
    assert.deepEqual(await left(), [`${other}.tmp`]);
  });

  test('without a reference are removed after a day; kept results and final files stay', async () => {
    const kept = [`${id}.rows`, `${id}.json`, 'history.jsonl', 'exports.json', 'exports.json.lock', 'a.sql'];
    for (const name of kept) await put(name, 30 * leftUnownedAfterMs);
    await put(`${other}.rows`, leftUnownedAfterMs + minuteMs);
    assert.equal(await removeLeftOvers([{ folder }]), 1);
    assert.deepEqual(await left(), kept.sort());
    await put(`${other}.rows`, leftUnownedAfterMs - minuteMs);
    assert.equal(await removeLeftOvers([{ folder }]), 0, 'a window may just be writing its name');
  });

  test('in subfolders are removed if requested; links and folders with such names are neither followed nor removed', async () => {
    const ago = 30 * leftUnownedAfterMs;
    await put(`query/.${dead}.${id}.tmp`, ago);
    await put(`${dead}.${id}.tmp/inner.txt`, ago);
    await symlink(path.join(folder, 'nowhere'), path.join(folder, `${dead}.${other}.tmp`));
    assert.equal(await removeLeftOvers([{ folder }]), 0);
    assert.equal(await removeLeftOvers([{ folder, isDeep: true }]), 1);
    assert.deepEqual(await readdir(path.join(folder, 'query')), []);
    assert.equal((await left()).length, 3);
  });

  test('of a window without a folder are removed with their subfolder, unless one was written lately', async () => {
    await put('old/1.json', 0);
    await put('new/1.json', 0);
    await put('file.json', 60 * leftUnownedAfterMs);
    const ago = new Date(Date.now() - 2 * leftUnownedAfterMs);
    await utimes(path.join(folder, 'old'), ago, ago);
    assert.equal(await removeOldFolders(folder, leftUnownedAfterMs), 1);
    assert.deepEqual(await left(), ['file.json', 'new']);
  });

  test('in a missing folder are no error', async () => {
    assert.equal(await removeOldFolders(path.join(folder, 'no', 'such'), 0), 0);
    assert.equal(await removeLeftOvers([{ folder: path.join(folder, 'no', 'such') }]), 0);
  });
});
