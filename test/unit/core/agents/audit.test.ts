/** The agent log: its hash chain, concurrent writers and tamper detection. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FileRefusal } from '#base/files/bounded-file.ts';
import type { AuditEntry } from '#core/agents/audit/audit-chain.ts';
import { AuditFailure, AuditLog } from '#core/agents/audit/audit-log.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-audit-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const entry = (subject: string): AuditEntry => ({
  at: '2026-11-22T10:00:00.000Z',
  client: 'test',
  tool: 'run_query',
  connection: 'Production',
  sql: 'SELECT 1',
  subject,
  status: 'complete',
  rows: 1,
});

async function written(name: string, count = 4): Promise<AuditLog> {
  const log = new AuditLog(path.join(folder, name));
  for (let nth = 0; nth < count; nth++) await log.add(entry(String(nth)));
  return log;
}

async function changed(name: string, change: (lines: string[]) => string[]) {
  const log = await written(name);
  const lines = (await readFile(log.file, 'utf8')).trimEnd().split('\n');
  await writeFile(log.file, `${change(lines).join('\n')}\n`);
  return (await log.check()).broken;
}

describe('the agent log', () => {
  it('is readable only by this person, and verifies', async () => {
    const log = await written('plain');
    if (process.platform !== 'win32') assert.equal((await stat(log.file)).mode & 0o777, 0o600);
    const { lines, broken, lastHash } = await log.check();
    assert.deepEqual([lines, broken], [4, undefined]);
    const [newest] = await log.newest(2);
    assert.equal(newest?.subject, '3');
    assert.equal(newest.hash, lastHash);
    assert.deepEqual(await new AuditLog(path.join(folder, 'none')).check(), {
      lines: 0,
      lastHash: undefined,
    });
  });

  it('is no pipe, which would be waited for and keeps nothing', async () => {
    if (process.platform === 'win32') return; // there are none
    const log = new AuditLog(path.join(folder, 'pipe'));
    execFileSync('mkfifo', [log.file]);
    await assert.rejects(log.check(), FileRefusal);
    await assert.rejects(log.newest(1), FileRefusal);
    await assert.rejects(log.add(entry('1')), AuditFailure);
  });

  it('keeps one chain with several concurrent writers', async () => {
    const file = path.join(folder, 'shared');
    const [one, other] = [new AuditLog(file), new AuditLog(file)];
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? one : other).add(entry(String(nth)))),
    );
    assert.deepEqual(await one.check().then(({ lines, broken }) => [lines, broken]), [20, undefined]);
  });

  it('reports where it was modified', async () => {
    assert.deepEqual(
      await changed('edited', ([a = '', b = '', ...rest]) => [a, b.replace('SELECT 1', 'SELECT 2'), ...rest]),
      {
        line: 2,
        why: 'changed',
      },
    );
    assert.deepEqual(await changed('removed', ([a = '', , ...rest]) => [a, ...rest]), {
      line: 2,
      why: 'not-following',
    });
    assert.deepEqual(await changed('swapped', ([a = '', b = '', ...rest]) => [b, a, ...rest]), {
      line: 1,
      why: 'not-following',
    });
    assert.deepEqual(await changed('first', (lines) => lines.slice(1)), { line: 1, why: 'not-following' });
    assert.deepEqual(await changed('garbage', (lines) => [...lines, '{"at":']), {
      line: 5,
      why: 'unreadable',
    });
  });

  it('continues after a line that a crash left incomplete', async () => {
    const log = await written('half', 2);
    await appendFile(log.file, '{"at":"2026');
    await log.add(entry('after'));
    assert.deepEqual((await log.check()).broken, { line: 3, why: 'unreadable' });
    assert.equal((await log.newest(1))[0]?.subject, 'after');
  });

  it('reports a failed write', async () => {
    await writeFile(path.join(folder, 'file'), '');
    await assert.rejects(new AuditLog(path.join(folder, 'file', 'log')).add(entry('x')), AuditFailure);
  });
});
