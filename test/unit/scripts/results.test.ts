/** The lines of failures at the end of a run. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { failureLine, reportResults } from '#scripts/lib/results.js';

suite('the line of a failure', () => {
  test('has the message without its stack, and the load of the machine when it failed', () => {
    const error = 'Error: no row\n  was found\n    at Context.<anonymous> (tests.cjs:1:1)';
    assert.equal(failureLine('a title', error, 12.34), 'a title: Error: no row was found (load 12.3)');
    assert.equal(failureLine('a title', error), 'a title: Error: no row was found');
  });

  test('is counted for its stage with the load', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-results-'));
    const file = path.join(folder, 'counts.jsonl');
    const before = process.env['IDENTITY_QUERIES_TEST_COUNTS'];
    process.env['IDENTITY_QUERIES_TEST_COUNTS'] = file;
    try {
      const result = { title: 'a title', again: 'a title', outcome: 'failed', ms: 1, error: 'no', load: 3 };
      assert.ok(reportResults('host', JSON.stringify(result), ''));
      const counts = { stage: 'host', passed: 0, failures: ['a title: no (load 3.0)'], flaky: [] };
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), counts);
    } finally {
      if (before === undefined) delete process.env['IDENTITY_QUERIES_TEST_COUNTS'];
      else process.env['IDENTITY_QUERIES_TEST_COUNTS'] = before;
      await rm(folder, { recursive: true, force: true });
    }
  });
});
