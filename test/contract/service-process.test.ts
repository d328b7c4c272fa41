/** The local service of the terminal: how it ends is told, and neither process outlives the other. */
import assert from 'node:assert/strict';
import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isAlive } from '#base/files/left-overs.ts';
import { runCli } from '../helpers/command-line.ts';
import { runOwnService } from '../helpers/own-database.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-process-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts the sandbox of the terminal. `service` is the process that listens. */
async function start() {
  const started = Promise.withResolvers<ChildProcess>();
  const outcome = runCli(['sandbox', '--port', '0', '--accounts', '10', '--json'], {
    cwd: folder,
    onStart: started.resolve,
  });
  const terminal = await started.promise;
  assert.ok(terminal.stdout && terminal.pid);
  await once(createInterface({ input: terminal.stdout }), 'line');
  const children = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  const service = children
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .find(([parent]) => parent === terminal.pid)?.[1];
  assert.ok(service !== undefined);
  return { terminal, service, outcome };
}

describe('the service of the terminal', () => {
  it('is a failure if something else ended it, so that a supervisor starts it again', async () => {
    const { service, outcome } = await start();
    process.kill(service, 'SIGKILL');
    const { code, stderr } = await outcome;
    assert.equal(code, 2);
    assert.match(stderr, /The service was ended by SIGKILL/);
  });

  it('ends with the terminal, however that ends', async () => {
    const { terminal, service, outcome } = await start();
    terminal.kill('SIGKILL');
    await outcome;
    while (isAlive(service)) await new Promise((resolve) => setImmediate(resolve));
  });

  it('ends without an error by Ctrl+C', async () => {
    const { terminal, service, outcome } = await start();
    terminal.kill('SIGINT');
    assert.equal((await outcome).code, 0);
    assert.ok(!isAlive(service));
  });
});

describe('a state that is named wrong', () => {
  it('gets no client', async () => {
    const state = path.join(folder, 'typo');
    const { code, out, complaints } = await runOwnService(['clients', 'add', 'ada', '--state', state]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(complaints, /has no state\. Is its name right\? "serve migrate --state .*" makes one/);
    assert.equal((await runOwnService(['migrate', '--state', state])).code, 0);
    const added = await runOwnService(['clients', 'add', 'ada', '--state', state]);
    assert.equal(added.code, 0);
    assert.match(
      added.complaints,
      /No instance runs that serves a source, so the name default was not checked/,
    );
  });
});
