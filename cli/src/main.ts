/**
 * The `identity-queries` command: `main` runs it as this process, `run` wherever its streams and signals come from, so
 * that tests call what is shipped without starting a process each time.
 */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { CommanderError } from 'commander';
import { unlessAborted } from '#api/client/abort.ts';
import { Deadline, TimeLimitError } from '#base/async/deadline.ts';
import { diskWords } from '#base/files/disk-messages.ts';
import { cutMiddle } from '#base/shown-text/cut.ts';
import { maxLengths } from '#base/shown-text/for-places.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { countedText } from '#base/words/counted-text.ts';
import { failureOf } from '#core/failures/failure.ts';
import { SyncError } from '#core/sync/sync-error.ts';
import { CliError, InterruptedError, type CliContext } from './context.ts';
import { removeUnset } from './environment-variables.ts';
import { exitCodes, write, type Streams } from './output.ts';
import { createProgram, failureCodeOf, unreadCodeOf } from './program.ts';
import { adviceAbout, choiceOf, examineLine, plainFailureLines } from './run/failure-text.ts';

/** Shell convention: 128 plus the number of the signal, as of a program that it ends. */
const codeAfter = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
/** Time to cancel a query and to remove what was begun. */
const tidyingMs = 4_000;

/** What surrounds the command; in a process of its own, the process. */
export interface Surroundings extends Streams {
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Tells the command of signals from now on, instead of ending it. */
  readonly listen: (stop: (signal: NodeJS.Signals) => void) => void;
  /** Ends the command at once, as the signal does where nobody listens. */
  readonly exit: (signal: NodeJS.Signals) => void;
}

/** @returns the exit code. */
export async function run(
  args: readonly string[],
  { listen, exit, ...surroundings }: Surroundings,
): Promise<number> {
  const controller = new AbortController();
  const finished = new AbortController();
  let exitCode: number = exitCodes.clean;
  let interruptedCode = codeAfter('SIGINT');
  let isListening = false;
  const context: CliContext = {
    ...surroundings,
    // A handler would keep a signal from ending a program that is busy, so there is one only if work can be cancelled.
    get signal() {
      if (!isListening) listen(stop);
      isListening = true;
      return controller.signal;
    },
    limitTo: (seconds) => {
      const waiting = new Deadline(seconds * 1_000).within(finished.signal, aborted);
      waiting.catch((error: unknown) => {
        if (error instanceof TimeLimitError) controller.abort(error);
      });
    },
    end: (code) => (exitCode = Math.max(exitCode, code)),
  };
  // The first Ctrl+C cancels running work, including work on the service; the second one ends the process immediately.
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) exit(signal);
    interruptedCode = codeAfter(signal);
    controller.abort(new DOMException('Interrupted', 'AbortError'));
    // Whatever does not end by itself is ended: a build job waits no longer.
    if (signal === 'SIGTERM') setTimeout(() => exit(signal), tidyingMs).unref();
  };
  try {
    await createProgram(context, version()).parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (controller.signal.aborted) {
      const left = error instanceof InterruptedError ? error.help : [];
      const reason: unknown = controller.signal.reason;
      if (reason instanceof TimeLimitError) {
        const help = [...left, 'Give it more time with --timeout SECONDS, or no limit with --timeout 0.'];
        const message = `stopped: not finished after ${countedText(reason.limitMs / 1_000, 'second')}.`;
        return await tell(context, new CliError(message, help), failureCodeOf(args));
      }
      await write(context.stderr, `${['Interrupted.', ...left].map(forTerminal).join('\n')}\n`);
      return interruptedCode;
    }
    const told =
      args[0] === 'doctor'
        ? linesOf(error).filter((line) => line !== examineLine)
        : adviceAbout(choiceOf(args), linesOf(error));
    return await tell(context, error, failureCodeOf(args), told);
  } finally {
    finished.abort();
  }
}

/** @throws the reason of the signal once it aborts. */
async function aborted(signal: AbortSignal): Promise<never> {
  return await unlessAborted(new Promise<never>(() => undefined), signal);
}

/** @returns the exit code. */
async function tell(
  { stderr }: CliContext,
  error: unknown,
  failureCode: number,
  lines = linesOf(error),
): Promise<number> {
  // Commander has already printed the message or the requested help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.clean : failureCode;
  // A name in a file may be as long as the file.
  const shown = lines.map((line) => forTerminal(cutMiddle(line, maxLengths.details)));
  await write(stderr, `identity-queries: ${shown.join('\n')}\n`);
  return failureCode;
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof CliError || error instanceof SyncError)
    return [...error.message.split('\n'), ...error.help];
  return failureOf(error).kind === 'cancelled' ? ['Cancelled.'] : plainFailureLines(error);
}

/** Returns the version from this program's package.json. */
function version(): string {
  try {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'version' in value) return String(value.version);
    return 'unknown';
  } catch {
    return 'unknown'; // the program also works without its package.json
  }
}

/** What a terminal or a system sends to end a program. Unheard, it would leave half a file behind. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

export async function main(): Promise<void> {
  const args = process.argv.slice(2);
  removeUnset(process.env);
  const fail = (message: string) => {
    process.stderr.write(`identity-queries: ${message}\n`, () => process.exit(failureCodeOf(args)));
  };
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that stops early (`| head`) ends the program quietly.
    if (error.code === 'EPIPE') process.exit(unreadCodeOf(args));
    fail(`Standard output cannot be written: ${diskWords(error) ?? error.message}.`);
  });
  // What is told there may have no reader; the command and its exit code do not depend on it.
  process.stderr.on('error', () => undefined);
  let cwd: string;
  try {
    cwd = process.cwd();
  } catch {
    fail('The current folder no longer exists. Change to another one.');
    return;
  }
  process.exitCode = await run(args, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    cwd,
    listen: (stop) => {
      for (const signal of endingSignals) process.on(signal, stop);
    },
    // `process.exit` waits for threads, and one may wait for a pipe that nobody writes to.
    exit: (signal) => {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    },
  });
}
