/** A report that cannot be written costs no other one. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { writeReports } from '#cli/controls/reports.ts';
import { hostileReport } from '#test/helpers/hostile-report.ts';

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
