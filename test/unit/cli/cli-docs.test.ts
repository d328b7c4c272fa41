/** docs/cli.md says what the commands say, and the completion script completes them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { completionScript } from '../../../cli/src/completion-script.ts';
import { createProgram } from '../../../cli/src/program.ts';
import { formattedCliDocs } from '../../../scripts/cli-docs.js';

suite('what is made from the commands', () => {
  test('docs/cli.md is up to date (node scripts/cli-docs.js writes it)', async () => {
    const file = path.join(import.meta.dirname, '../../../docs/cli.md');
    assert.equal(await readFile(file, 'utf8'), await formattedCliDocs());
  });

  test('bash completes commands, options and the values of options', () => {
    assert.deepEqual(completed(['identity-queries', 'r']), ['records', 'run']);
    assert.ok(completed(['identity-queries', 'run', '--pa']).includes('--param'));
    assert.deepEqual(completed(['identity-queries', 'run', '--format', 'par']), ['parquet']);
    assert.deepEqual(completed(['identity-queries', 'saved', 'v']), ['versions']);
  });
});

/** What Tab offers behind these words. */
function completed(words: readonly string[]): readonly string[] {
  const stream = new PassThrough();
  const program = createProgram(
    {
      stdin: stream,
      stdout: stream,
      stderr: stream,
      environment: {},
      cwd: '/',
      signal: new AbortController().signal,
      end: () => undefined,
    },
    '0',
  );
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _identity_queries; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  assert.equal(status, 0, stderr);
  return stdout
    .split('\n')
    .filter((word) => word !== '')
    .sort();
}
