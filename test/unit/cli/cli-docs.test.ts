/** docs/cli.md matches the commands, and shell completion completes them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { completionScript, type Shell } from '#cli/completion-script.ts';
import { createProgram } from '#cli/program.ts';
import { formattedCliDocs } from '#scripts/cli-docs.js';

const program = path.join(import.meta.dirname, '../../../dist/cli.js');

suite('files generated from the commands', () => {
  test('docs/cli.md is up to date (node scripts/cli-docs.js writes it)', async () => {
    const file = path.join(import.meta.dirname, '../../../docs/cli.md');
    assert.equal(await readFile(file, 'utf8'), await formattedCliDocs());
  });

  test('docs/cli.md lists the exit code with which each command refuses an unknown option', async () => {
    const text = await readFile(path.join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
    const rows = text.split('\n').flatMap((line) => {
      const [, code = '', most = '', ofGit = ''] = line.split(/ *\| */);
      return /^\d+$/.test(code) ? [{ code: Number(code), most, ofGit }] : [];
    });
    const [, gitCommands = ''] = /^\| Code \|[^|]+\|([^|]+)\|$/m.exec(text) ?? [];
    const git = [...gitCommands.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    assert.deepEqual(git, ['pull', 'status', 'diff', 'plan', 'push']);
    for (const name of ['run', 'check', 'controls', ...git]) {
      const told = rows.find((row) => row[git.includes(name) ? 'ofGit' : 'most'].includes('invalid usage'));
      const { status } = spawnSync(process.execPath, [program, name, '--unknown'], { encoding: 'utf8' });
      assert.equal(status, told?.code, name);
    }
  });

  test('bash completes commands, options and the values of options', () => {
    assert.deepEqual(completed(['identity-queries', 'r']), ['record', 'records', 'run']);
    assert.ok(completed(['identity-queries', 'run', '--pa']).includes('--param'));
    assert.deepEqual(completed(['identity-queries', 'run', '--format', 'par']), ['parquet']);
    assert.deepEqual(completed(['identity-queries', 'saved', 'v']), ['versions']);
    assert.deepEqual(completed(['identity-queries', 'records', 'accountR']), ['accountRoles']);
    assert.deepEqual(completed(['identity-queries', 'records', 'cli']), [], 'where no file stands');
    assert.deepEqual(completed(['identity-queries', 'run', 'cli-docs']), ['cli-docs.test.ts']);
    assert.deepEqual(completed(['identity-queries', 'records', 'accounts', '--out', 'cli-docs']), [
      'cli-docs.test.ts',
    ]);
  });
});

suite('completion in other shells', () => {
  test('zsh interprets no modifier, and completes at the first Tab', () => {
    const script = scriptOf('zsh');
    assert.match(script, /^#compdef identity-queries\n/);
    // zsh would read `:1:COMP_CWORD` as the modifier C.
    assert.doesNotMatch(script, /:1:[A-Z]/);
    assert.match(script, /"_identity-queries" \]; then\n {2}_bash_complete /);
  });

  test('fish offers the values of arguments instead of files', () => {
    assert.match(
      scriptOf('fish'),
      /^complete -c identity-queries -f -n '__fish_seen_subcommand_from records' -a 'accounts roles /m,
    );
  });
});

function scriptOf(shell: Shell): string {
  const stream = new PassThrough();
  const program = createProgram(
    {
      stdin: stream,
      stdout: stream,
      stderr: stream,
      environment: {},
      cwd: '/',
      signal: new AbortController().signal,
      limitTo: () => undefined,
      end: () => undefined,
    },
    '0',
  );
  return completionScript(program, shell);
}

/** Returns the completions that bash offers after these words. */
function completed(words: readonly string[]): readonly string[] {
  const script = `${scriptOf('bash')}
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
