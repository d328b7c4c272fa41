/** Results that are kept in a file without a name: what stays in memory, and what is read back. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SpoolFile } from '#service/own-data/spool.ts';

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
