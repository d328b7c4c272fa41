/** A control on a failing service: every fault causes an error, never a pass. Also tested on the second service. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { startSandbox, type FaultAnswer, type RunningSandbox } from '../helpers/sandbox.ts';

let sandbox: RunningSandbox;
let folder: string;

before(async () => {
  sandbox = await startSandbox({ accounts: 100 });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-control-faults-'));
});
afterEach(async () => {
  await sandbox.setFaults([]);
  await rm(folder, { recursive: true });
});
after(() => sandbox.stop());

describe('every fault of a service', () => {
  const answers: readonly FaultAnswer[] = [
    ...[400, 401, 403, 404, 409, 429, 500, 503].map((status): FaultAnswer => ({
      kind: 'status',
      status,
      retryAfter: '0',
    })),
    { kind: 'body', body: {} },
    { kind: 'body', body: { rows: 'none' } },
    { kind: 'body', body: { columns: [], rows: [] } },
    { kind: 'latency', ms: 60_000 },
    { kind: 'drop' },
    { kind: 'drop-after' },
    { kind: 'truncate' },
    { kind: 'invalid-json' },
    { kind: 'html' },
    { kind: 'redirect', location: '/elsewhere' },
  ];
  for (const answer of answers) {
    const detail =
      'status' in answer ? ` ${answer.status}` : 'body' in answer ? ` ${JSON.stringify(answer.body)}` : '';
    it(`is an error: ${answer.kind}${detail}`, async () => {
      await writeFile(
        path.join(folder, 'a.identity.sql'),
        '-- @control AC-1 Fine\n-- @key id\nSELECT id FROM accounts WHERE false',
      );
      await sandbox.setFaults([{ path: '/v1/query/execute', always: answer }]);
      const { code, stdout, stderr } = await runCli(['controls', 'run', '--timeout', '2'], {
        cwd: folder,
        env: sandboxEnvironment(sandbox),
      });
      assert.equal(code, 2, stdout + stderr);
      assert.match(stdout, /^ERROR/m);
    });
  }
});
