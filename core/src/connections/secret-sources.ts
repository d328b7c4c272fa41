/**
 * Client secrets from outside the editor: an environment variable, or a program that prints one. Independent of the
 * editor.
 */
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import type { SecretSource } from './connection-profile.ts';

export type SecretSourceProblem =
  | { readonly kind: 'variable-not-set'; readonly name: string }
  | { readonly kind: 'program-not-found'; readonly program: string }
  | { readonly kind: 'program-too-slow'; readonly program: string; readonly seconds: number }
  | { readonly kind: 'program-failed'; readonly program: string; readonly exitCode: number | undefined }
  | { readonly kind: 'program-printed-nothing'; readonly program: string };

/** Contains no output of a program: it may include the secret. */
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
      // `process.env` has members that are not variables: `constructor`.
      const value = Object.hasOwn(environment, source.name) ? environment[source.name] : undefined;
      if (value === undefined || value === '')
        throw new SecretSourceFailure({ kind: 'variable-not-set', name: source.name });
      return value;
    }
    case 'command':
      return await firstLineOf(source.command, { environment, timeoutMs });
    default:
      return source satisfies never;
  }
}

/**
 * Runs without a shell, so no argument is expanded, and in the home folder, so a relative path cannot name a program of
 * the workspace.
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
        cwd: homedir(),
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
    // A program that prompts gets no response instead of waiting for one.
    child.stdin?.end();
  });
  const [line = ''] = output.split(/\r?\n/, 1);
  if (line === '') throw new SecretSourceFailure({ kind: 'program-printed-nothing', program });
  return line;
}
