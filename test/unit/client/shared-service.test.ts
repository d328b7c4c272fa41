/** A local service that windows share: who starts it, who joins it, and who ends it. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { SharedService } from '#client/session/local-service/shared-service.ts';
import { ExpectedError } from '#core/failures/failure.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'shared-service-'));
after(() => rmSync(folder, { recursive: true }));

const script = path.join(folder, 'service.cjs');
writeFileSync(
  script,
  `const { writeFileSync } = require('node:fs');
  const [leases, schemas] = process.argv.slice(2);
  writeFileSync(leases + '/started', '');
  const server = require('node:http').createServer((_, response) => response.end('{}'));
  server.listen(0, '127.0.0.1', () => {
    const address = 'http://127.0.0.1:' + server.address().port;
    const record = { pid: process.pid, baseUrl: address, authUrl: address, clientId: 'own', schemas };
    writeFileSync(leases + '/running.json', JSON.stringify(record));
    console.log(JSON.stringify({ event: 'listening', address, authUrl: address, clientId: 'own' }));
  });`,
);

suite('a shared service', () => {
  let count = 0;
  const newFolder = (): string => path.join(folder, String((count += 1)));
  const windowOver = (shared: string, schemas: string): SharedService =>
    new SharedService({
      folder: shared,
      program: (leases) => ({
        script,
        args: [leases, schemas],
        words: {
          didNotStart: (reason) => new ExpectedError(reason),
          tooSlow: String,
          inOtherWindow: 'in another window',
        },
      }),
      onEnd: () => undefined,
      assertWanted: (running) => {
        if (running.schemas !== schemas) throw new ExpectedError(`it has ${running.schemas ?? ''}`);
      },
    });

  test('is joined by a window that wants the same, and refused to one that wants another', async () => {
    const shared = newFolder();
    const first = windowOver(shared, 'hr');
    const { pid } = await first.start();
    assert.equal(first.isStartedHere, true);
    try {
      const same = windowOver(shared, 'hr');
      assert.equal((await same.start()).pid, pid);
      assert.equal(same.isStartedHere, false, 'it never read what this window knows');
      same.dispose();
      const other = windowOver(shared, 'pay');
      await assert.rejects(other.start(), { message: 'it has hr' });
      assert.equal(other.address, undefined);
    } finally {
      await first.stop();
    }
  });

  test('is ended by a window that does not use it, and not started to be ended', async () => {
    const shared = newFolder();
    const first = windowOver(shared, 'hr');
    const { pid } = await first.start();
    await windowOver(shared, 'pay').stop();
    assert.throws(() => process.kill(pid, 0));
    first.dispose();
    rmSync(path.join(shared, 'windows/started'));
    await windowOver(shared, 'hr').stop();
    assert.equal(existsSync(path.join(shared, 'windows/started')), false);
  });
});
