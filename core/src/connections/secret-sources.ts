/**
 * Reads client secrets from outside the editor: from an environment variable, or from a program that prints one. Does
 * not depend on the editor.
 */
import { execFile } from 'node:child_process';
import { homeFolder } from '#base/files/own-folders.ts';
import type { SecretSource } from './connection-profile.ts';
import { secretText } from './environment-connection.ts';

export type SecretSourceProblem =
  | { readonly kind: 'variable-not-set'; readonly name: string }
  | { readonly kind: 'program-not-found'; readonly program: string }
  | { readonly kind: 'program-too-slow'; readonly program: string; readonly seconds: number }
  | { readonly kind: 'program-failed'; readonly program: string; readonly exitCode: number | undefined }
  | { readonly kind: 'program-printed-nothing'; readonly program: string };

/** An error that omits the program's output, since it may include the secret. */
export class SecretSourceFailure extends Error {
  readonly problem: SecretSourceProblem;

  constructor(problem: SecretSourceProblem) {
    super(problem.kind);
    this.name = 'SecretSourceFailure';
    this.problem = problem;
  }
}

const programTimeoutMs = 30_000;

/** @throws SecretSourceFailure */
export async function readSecretSource(
  source: SecretSource,
  {
    environment = process.env,
    timeoutMs = programTimeoutMs,
  }: {
    readonly environment?: NodeJS.ProcessEnv;
    readonly timeoutMs?: number;
  } = {},
): Promise<string> {
  switch (source.kind) {
    case 'variable': {
      // `process.env` also has members that are not variables, such as `constructor`.
      const value = secretText(
        (Object.hasOwn(environment, source.name) ? environment[source.name] : undefined) ?? '',
      );
      if (value.trim() === '') throw new SecretSourceFailure({ kind: 'variable-not-set', name: source.name });
      return value;
    }
    case 'command':
      return await firstLineOf(source.command, { environment, timeoutMs });
    default:
      return source satisfies never;
  }
}

/**
 * Runs a program and returns its first line of output. It runs without a shell, so that no argument is expanded, and in
 * the home folder, so that a relative path cannot name a program in the workspace.
 */
async function firstLineOf(
  [program, ...args]: readonly [string, ...string[]],
  { environment, timeoutMs }: { readonly environment: NodeJS.ProcessEnv; readonly timeoutMs: number },
): Promise<string> {
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      program,
      args,
      {
        shell: false,
        cwd: homeFolder(),
        env: environment,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: 65_536,
        windowsHide: true,
        encoding: 'utf8',
      },
      (error, stdout) => {
        if (error === null) resolve(stdout);
        else if (error.code === 'ENOENT' || error.code === 'EACCES')
          reject(new SecretSourceFailure({ kind: 'program-not-found', program }));
        else if (error.killed === true && error.code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
          reject(new SecretSourceFailure({ kind: 'program-too-slow', program, seconds: timeoutMs / 1000 }));
        else {
          const exitCode = typeof error.code === 'number' ? error.code : undefined;
          reject(new SecretSourceFailure({ kind: 'program-failed', program, exitCode }));
        }
      },
    );
    // Close stdin, so that a program that prompts does not wait for input.
    child.stdin?.end();
  });
  const [line = ''] = secretText(output).split(/\r?\n/, 1);
  if (line === '') throw new SecretSourceFailure({ kind: 'program-printed-nothing', program });
  return line;
}
