/** A file of receivers that cannot be read is told before anything is sent. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '#test/helpers/run-in-process.ts';

for (const [name, content, words] of [
  ['is not UTF-8', Buffer.from([0x5b, 0xff, 0x5d]), /^notify\.json cannot be read: it is not UTF-8 text\./],
  [
    'has an address without https',
    receiverAt('http://x.example'),
    /cannot be told: its address is not https\.$/,
  ],
  ['has a private address', receiverAt('https://10.0.0.1/'), /^notify\.json: a cannot be told: .* private/],
  ['has no address', receiverAt('x.example'), /cannot be told: its address is not one/],
  ['has a mistake', '[{"name":"a"}]', /^notify\.json\[0\] needs a "name" and a "kind"/],
] as const)
  test(`a file of receivers that ${name} is refused in words before anything runs`, async () => {
    await refuses(content, words);
  });

function receiverAt(url: string): string {
  return JSON.stringify([{ name: 'a', kind: 'webhook', url }]);
}

async function refuses(content: string | Buffer, words: RegExp): Promise<void> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'notify-file-'));
  try {
    await writeFile(path.join(cwd, 'one.identity.sql'), '-- @control C-1 One\nSELECT 1\n');
    await writeFile(path.join(cwd, 'notify.json'), content);
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
    assert.match(stderr, words);
  } finally {
    await rm(cwd, { recursive: true });
  }
}
