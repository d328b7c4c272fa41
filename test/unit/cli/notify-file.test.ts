/** A file of receivers that cannot be read is told before anything is sent. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '#test/helpers/run-in-process.ts';

test('a file of receivers that is not UTF-8 is refused in words', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'notify-file-'));
  try {
    await writeFile(path.join(cwd, 'one.identity.sql'), '-- @control C-1 One\nSELECT 1\n');
    await writeFile(path.join(cwd, 'notify.json'), Buffer.from([0x5b, 0xff, 0x5d]));
    const address = 'http://127.0.0.1:9';
    const entry = {
      name: 'One',
      baseUrl: address,
      authUrl: address,
      clientId: 'c',
      secretVariable: 'IDENTITY_QUERIES_X',
    };
    await writeFile(path.join(cwd, 'c.json'), JSON.stringify([entry]));
    const args = ['controls', 'run', 'one.identity.sql', '--connections', 'c.json'];
    const { code, stderr } = await runInProcess([...args, '--history', 'h', '--notify', 'notify.json'], {
      cwd,
      environment: { IDENTITY_QUERIES_X: 'secret' },
    });
    assert.equal(code, 2);
    assert.match(stderr, /^notify\.json cannot be read: it is not UTF-8 text\./);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
