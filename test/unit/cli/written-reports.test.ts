/** A report that cannot be written costs no other one. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { writeReports } from '#cli/controls/reports.ts';
import { hostileReport } from '#test/helpers/hostile-report.ts';
import { listen, sendJson } from '#test/helpers/http.ts';
import { runInProcess } from '#test/helpers/run-in-process.ts';

it('every report is written that can be, and what is wrong with the others is said', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'identity-queries-reports-'));
  const failures = await writeReports(
    { cwd, signal: new AbortController().signal },
    [
      { format: 'html', file: 'gone/controls.html' },
      { format: 'json', file: 'controls.json' },
    ],
    hostileReport(2),
  );
  assert.equal(failures.length, 1);
  assert.match(String(failures[0]), /folder does not exist/);
  assert.ok(JSON.parse(await readFile(path.join(cwd, 'controls.json'), 'utf8')));
  await rm(cwd, { recursive: true });
});

it('each report that cannot be written is told', async (t) => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'identity-queries-reports-'));
  await writeFile(path.join(cwd, 'one.identity.sql'), '-- @control C-1 One\nSELECT 1\n');
  const names = ['a.json', 'b.html', 'c.md'];
  const service = await listen((_, response) => {
    for (const name of names) mkdirSync(path.join(cwd, name), { recursive: true });
    sendJson(response, 400, { code: 'QUERY_FAILED', message: 'No.' });
  });
  t.after(() => service.close());
  const { url } = service;
  const entry = { name: 'One', baseUrl: url, authUrl: url, clientId: 'c', secretVariable: 'X_X' };
  await writeFile(path.join(cwd, 'c.json'), JSON.stringify([{ ...entry, allowPlainHttp: true }]));
  const reports = ['json=a.json', 'html=b.html', 'markdown=c.md', 'junit=d.xml'];
  const { code, stderr } = await runInProcess(
    [
      ...['controls', 'run', 'one.identity.sql', '--connections', 'c.json', '--wait', '0'],
      ...reports.flatMap((report) => ['--report', report]),
    ],
    { cwd, environment: { X_X: 'secret', XDG_DATA_HOME: cwd } },
  );
  assert.equal(code, 2, stderr);
  for (const name of names)
    assert.equal(stderr.split('\n').filter((line) => line.includes(name)).length, 1, stderr);
  assert.match(await readFile(path.join(cwd, 'd.xml'), 'utf8'), /C-1/);
  await rm(cwd, { recursive: true });
});
