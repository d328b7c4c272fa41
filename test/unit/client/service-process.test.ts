/** A process of the local service that does not start, or does not end: what is said of it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { runService, startServiceProcess } from '#client/session/local-service/service-process.ts';
import { ExpectedError } from '#core/failures/failure.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'service-process-'));
after(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string) {
  const script = path.join(folder, `${name}.js`);
  writeFileSync(script, text);
  const words = {
    didNotStart: (reason: string, code: number | undefined) =>
      new ExpectedError(`${reason} (${String(code)})`),
    tooSlow: (seconds: number) => `not within ${seconds} seconds`,
    inOtherWindow: '',
  };
  return { script, args: [], words };
}

suite('a process of the local service', () => {
  const hangs = program('hangs', 'setInterval(() => undefined, 1_000)');
  const fails = program(
    'fails',
    `console.error('first');
    console.error('The service could not start: no such database.');
    process.exitCode = 4`,
  );

  test('that hangs is too slow, whether it should start or end', async () => {
    for (const run of [startServiceProcess, runService])
      await assert.rejects(run({ ...hangs, limitMs: 50 }), { message: 'not within 0.05 seconds' });
  });

  test('that fails is explained by its last words', async () => {
    await assert.rejects(startServiceProcess(fails), { message: 'no such database. (4)' });
    await assert.rejects(runService(fails), { message: 'no such database.' });
    const crashes = program(
      'crashes',
      `setTimeout(() => { throw Object.assign(new Error('no room'), { code: 'X' }) })`,
    );
    await assert.rejects(startServiceProcess(crashes), { message: 'Error: no room (1)' });
    const missing = { ...crashes, script: path.join(folder, 'gone.js') };
    await assert.rejects(runService(missing), /^ExpectedError: Error: Cannot find module '.*gone\.js'$/);
    const silent = program('silent', 'process.exitCode = 5');
    await assert.rejects(runService(silent), { message: 'exit code 5' });
  });

  test('that serves a folder which is in use says so', async () => {
    assert.equal(await startServiceProcess(program('in-use', 'process.exitCode = 3')), 'in-use');
  });

  test('answers with its address, or the first line that it prints', async () => {
    const listening = { event: 'listening', address: 'http://a', authUrl: 'http://a/t', clientId: 'c' };
    const starts = program(
      'starts',
      `console.log('hello'); console.log(${JSON.stringify(JSON.stringify(listening))})`,
    );
    const { pid, ...address } = (await startServiceProcess(starts)) as Exclude<
      Awaited<ReturnType<typeof startServiceProcess>>,
      'in-use'
    >; // it is not
    assert.ok(pid > 0);
    assert.deepEqual(address, { baseUrl: 'http://a', authUrl: 'http://a/t', clientId: 'c' });
    assert.equal(await runService(program('prints', `process.stdin.pipe(process.stdout)`)), '');
    assert.equal(
      await runService({ ...program('reads', `process.stdin.pipe(process.stdout)`), input: 'one\ntwo\n' }),
      'one',
    );
  });
});
