/** Runs a command of the command line in this process, as `main.ts` does, with its output as text. */
import { Readable, Writable } from 'node:stream';
import { CommanderError } from 'commander';
import { CliError, InterruptedError } from '#cli/context.ts';
import { createProgram, failureCodeOf } from '#cli/program.ts';
import { plainFailureLines } from '#cli/run/failure-text.ts';
import { SyncError } from '#core/sync/sync-error.ts';
import type { CliOutcome } from './command-line.ts';

export interface InProcessOptions {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

export async function runInProcess(
  args: readonly string[],
  { cwd, environment, signal = new AbortController().signal }: InProcessOptions,
): Promise<CliOutcome> {
  const stdout = new Collected();
  const stderr = new Collected();
  let code = 0;
  const context = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    environment,
    cwd,
    signal,
    limitTo: () => undefined,
    end: (next: number) => (code = Math.max(code, next)),
  };
  try {
    await createProgram(context, 'test').parseAsync([...args], { from: 'user' });
  } catch (error) {
    code = failureCodeOf(args);
    if (error instanceof CliError || error instanceof SyncError)
      stderr.write([error.message, ...error.help].join('\n'));
    else if (error instanceof InterruptedError) stderr.write('Interrupted.');
    else if (!(error instanceof CommanderError)) stderr.write(plainFailureLines(error).join('\n'));
  }
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
