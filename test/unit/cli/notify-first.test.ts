/** What is new is told before anything can go wrong with the reports. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '#test/helpers/run-in-process.ts';

test('a receiver is told before the reports are written', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'notify-first-'));
  try {
    await writeFile(
      path.join(cwd, 'one.identity.sql'),
      '-- @control C-1 One\n-- @severity urgent\nSELECT 1\n',
    );
    const address = 'http://127.0.0.1:9';
    const entry = {
      ...{ name: 'One', baseUrl: address, authUrl: address, clientId: 'c' },
      ...{ secretVariable: 'IDENTITY_QUERIES_X', allowPlainHttp: true },
    };
    await writeFile(path.join(cwd, 'c.json'), JSON.stringify([entry]));
    const seen = "require('node:fs').existsSync(process.argv[3])";
    await writeFile(
      path.join(cwd, 'told.cjs'),
      `process.stdin.resume(); require('node:fs').writeFileSync(process.argv[2], String(${seen}));`,
    );
    const told = path.join(cwd, 'told.txt');
    const report = path.join(cwd, 'report.json');
    const program = [process.execPath, path.join(cwd, 'told.cjs'), told, report]
      .map((part) => `"${part}"`)
      .join(' ');
    const args = ['controls', 'run', 'one.identity.sql', '--connections', 'c.json', '--wait', '0'];
    const { code, stderr } = await runInProcess(
      [...args, '--history', 'h', '--notify-program', program, '--report', `json=${report}`],
      { cwd, environment: { IDENTITY_QUERIES_X: 'secret', XDG_DATA_HOME: cwd } },
    );
    assert.equal(code, 2, stderr);
    assert.equal(await readFile(told, 'utf8'), 'false', 'no report was there yet');
    assert.match(await readFile(report, 'utf8'), /C-1/);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
