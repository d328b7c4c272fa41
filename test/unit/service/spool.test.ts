/** Results that are kept in a file without a name: what stays in memory, and what is read back. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SpoolFile, SpoolMemory } from '#service/own-data/spool.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // exposed by the flag

test('rows beyond the start of a result are in the file, and not in memory', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-'));
  const spool = new SpoolFile(folder);
  try {
    const parts = [1, 2, 3].map((value) => {
      const json = new Uint8Array(700_000).fill(value);
      return { value, rows: new WeakRef(json), read: spool.keep(json) };
    });
    await turn(); // what a weak reference was made of or read as stays until then
    collectGarbage();
    assert.deepEqual(
      parts.map(({ rows }) => rows.deref() !== undefined),
      [true, false, false],
    );
    for (const { value, read } of parts)
      assert.deepEqual(await read(699_998, 700_000), Uint8Array.of(value, value));
  } finally {
    spool.discard();
    rmSync(folder, { recursive: true });
  }
});

test('rows that are given up are read on by those who hold them, and by nobody else', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-'));
  const spool = new SpoolFile(folder, new SpoolMemory(0));
  try {
    const read = spool.keep(Uint8Array.of(1, 2, 3));
    const release = spool.hold();
    spool.discard();
    assert.deepEqual(await read(1, 3), Uint8Array.of(2, 3));
    release();
    await assert.rejects(async () => await read(1, 3), /no longer has this result/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('results share what they hold in memory, and give it back', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-'));
  const memory = new SpoolMemory(3_000_000);
  const spools = Array.from({ length: 20 }, () => new SpoolFile(folder, memory));
  const keep = async (spool: SpoolFile): Promise<void> => {
    const json = new Uint8Array(1_000_000).fill(7);
    const rows = new WeakRef(json);
    const read = spool.keep(json);
    assert.deepEqual(await read(999_999, 1_000_000), Uint8Array.of(7));
    reads.push(read);
    held.push(rows);
  };
  const reads: unknown[] = [];
  const held: WeakRef<Uint8Array>[] = [];
  const count = async (): Promise<number> => {
    await turn();
    collectGarbage();
    return held.filter((rows) => rows.deref() !== undefined).length;
  };
  try {
    for (const spool of spools) await keep(spool);
    assert.equal(await count(), 3);
    for (const spool of spools.splice(0)) spool.discard();
    reads.length = 0;
    spools.push(new SpoolFile(folder, memory));
    for (const spool of spools) await keep(spool);
    assert.equal(await count(), 1);
  } finally {
    for (const spool of spools) spool.discard();
    rmSync(folder, { recursive: true });
  }
});
