/** Secrets from environment variables and programs. Programs run without a shell; errors contain no output. */
import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { suite, test } from 'node:test';
import {
  readSecretSource,
  SecretSourceFailure,
  type SecretSourceProblem,
} from '#core/connections/secret-sources.ts';

const print = (script: string) =>
  ({ kind: 'command', command: [process.execPath, '--eval', script] }) as const;

async function problemOf(work: Promise<string>): Promise<SecretSourceProblem> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof SecretSourceFailure);
    assert.ok(!(error.stack ?? '').includes('hush'), 'the error holds output of the program');
    return error.problem;
  }
  throw new assert.AssertionError({ message: 'there was a secret' });
}

suite('readSecretSource', () => {
  test('reads an environment variable', async () => {
    const source = { kind: 'variable', name: 'IDENTITY_SECRET' } as const;
    assert.equal(await readSecretSource(source, { environment: { IDENTITY_SECRET: 'hush' } }), 'hush');
    for (const environment of [{}, { IDENTITY_SECRET: '' }]) {
      const problem = await problemOf(readSecretSource(source, { environment }));
      assert.deepEqual(problem, { kind: 'variable-not-set', name: 'IDENTITY_SECRET' });
    }
  });

  test("reads the first line of a program's output, with its spaces", async () => {
    assert.equal(await readSecretSource(print('console.log("\\uFEFF hu sh \\r\\nmore")')), ' hu sh ');
  });

  test('reads the source each time, so that a new secret takes effect', async () => {
    const source = print('console.log(process.hrtime.bigint())');
    assert.notEqual(await readSecretSource(source), await readSecretSource(source));
  });

  test('runs the program without a shell', async () => {
    const text = '$HOME `id` $(id) ; echo x > /tmp/never & "';
    const source = {
      kind: 'command',
      command: [process.execPath, '--eval', 'console.log(process.argv[1])', text],
    } as const;
    assert.equal(await readSecretSource(source), text);
  });

  test('runs the program in the home folder, not in the workspace', async () => {
    assert.equal(await readSecretSource(print('console.log(process.cwd())')), realpathSync(homedir()));
  });

  const program = process.execPath;
  const failures: readonly (readonly [string, string, SecretSourceProblem])[] = [
    ['fails', 'console.log("hush"); console.error("hush"); process.exit(3)', { kind: 'program-failed', program, exitCode: 3 }],
    ['prints nothing', '', { kind: 'program-printed-nothing', program }],
    ['prints an empty first line', 'console.log("\\nhush")', { kind: 'program-printed-nothing', program }],
    ['prints without end', 'for (;;) process.stdout.write("hush".repeat(9999))', { kind: 'program-failed', program, exitCode: undefined }],
  ]; // oxfmt-ignore
  for (const [name, script, problem] of failures) {
    test(`a program that ${name}`, async () => {
      assert.deepEqual(await problemOf(readSecretSource(print(script))), problem);
    });
  }

  test('terminates a program that does not end', async () => {
    const source = print('console.log("hush"); setInterval(() => undefined, 1000)');
    const problem = await problemOf(readSecretSource(source, { timeoutMs: 300 }));
    assert.deepEqual(problem, { kind: 'program-too-slow', program, seconds: 0.3 });
  });

  test('reports a missing program', async () => {
    const command = ['no-such-program-anywhere', 'x'] as const;
    const problem = await problemOf(readSecretSource({ kind: 'command', command }));
    assert.deepEqual(problem, { kind: 'program-not-found', program: 'no-such-program-anywhere' });
  });
});
