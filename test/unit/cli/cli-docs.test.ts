/** docs/cli.md matches the commands, and shell completion completes them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import type { Command } from 'commander';
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

  // Typing each would take seconds; documents.test.ts types those of README and the guides.
  test('the examples of docs/cli.md are commands with the options and values that they have', async () => {
    const text = await readFile(path.join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
    const lines = [
      ...text.matchAll(/^ {2}(?:(?:echo .*\| |bash|zsh|fish) *)?(identity-queries [^>\n]*)/gm),
    ].map(([, line = '']) => line);
    assert.ok(lines.length > 15, lines.join('\n'));
    const [, mcp = ''] = /"command": "identity-queries", "args": \[(.*)\]/.exec(text) ?? [];
    const examples = [...argumentsOf(lines), JSON.parse(`[${mcp}]`) as readonly string[]];
    for (const example of examples) {
      let acted = 0;
      const stubbed = stubOf(newProgram(), () => (acted += 1));
      await stubbed.parseAsync(example, { from: 'user' });
      assert.equal(acted, 1, example.join(' '));
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

/** Returns the arguments that a shell makes of the lines. */
function argumentsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', `identity-queries() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${lines.join('\n')}`],
    { encoding: 'utf8', input: '' },
  );
  assert.equal(status, 0, stderr);
  return stdout
    .split('\0\n\0')
    .slice(0, -1)
    .map((each) => each.split('\0'));
}

/** The command and those below it, which do nothing but call `act`, and throw in place of ending the process. */
function stubOf(command: Command, act: () => void): Command {
  for (const each of command.commands) stubOf(each, act);
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  return command.commands.length > 0 ? command : command.action(act);
}

function scriptOf(shell: Shell): string {
  return completionScript(newProgram(), shell);
}

function newProgram(): Command {
  const stream = new PassThrough();
  return createProgram(
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
