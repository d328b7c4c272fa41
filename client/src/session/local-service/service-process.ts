/**
 * Manages a single process of the local service: starts it, reads the address it prints, and stops it. It outlives the
 * window that started it as long as another window holds a lease (leases.ts in the service).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ExpectedError } from '#core/failures/failure.ts';

/** Address of a local service, without any secret. */
export interface ServiceAddress {
  readonly pid: number;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
}

/** The line that the process prints once it accepts requests. */
interface Listening {
  readonly event: 'listening';
  readonly address: string;
  readonly authUrl: string;
  readonly clientId: string;
}

function isListening(value: unknown): value is Listening {
  if (typeof value !== 'object' || value === null) return false;
  const line = value as Readonly<Record<string, unknown>>; // any object has string keys
  const texts = [line['address'], line['authUrl'], line['clientId']];
  return line['event'] === 'listening' && texts.every((text) => typeof text === 'string');
}

const startTimeoutMs = 60_000;
/** Exit code of the process if another one is already serving the folder. */
const folderInUseExitCode = 3;

/**
 * @returns `in-use` if another process is already serving the folder. @throws ExpectedError if the process does not
 * start.
 */
export interface ServiceProgram {
  readonly script: string;
  /** Arguments, without any secret. */
  readonly args: readonly string[];
  /** What the process reads from standard input, such as a password. */
  readonly input?: string | undefined;
  /** Messages for the user. */
  readonly words: {
    /** @param exitCode undefined if the program could not be run */
    readonly didNotStart: (reason: string, exitCode: number | undefined) => ExpectedError;
    readonly tooSlow: (seconds: number) => string;
    readonly inOtherWindow: string;
  };
}

export async function startServiceProcess({
  script,
  args,
  input,
  words,
}: ServiceProgram): Promise<ServiceAddress | 'in-use'> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // Other windows may still be using the service when this one closes.
    detached: true,
  });
  // A process that ended early does not read its input.
  child.stdin?.on('error', () => undefined).end(input);
  const lastWords = collectLastLine(child);
  const timeout = AbortSignal.timeout(startTimeoutMs);
  try {
    const listening = await Promise.race([
      readListening(child),
      endOf(child, lastWords, words),
      failed(timeout, words),
    ]);
    if (listening === 'in-use') return listening;
    child.unref();
    return {
      pid: child.pid ?? 0,
      baseUrl: listening.address,
      authUrl: listening.authUrl,
      clientId: listening.clientId,
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/**
 * Runs the program to its end and returns the first line that it prints.
 * @throws ExpectedError with its last words if it fails
 */
export async function runService({
  script,
  args,
  input,
}: Pick<ServiceProgram, 'script' | 'args' | 'input'>): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
    timeout: startTimeoutMs,
  });
  child.stdin?.on('error', () => undefined).end(input);
  const lastWords = collectLastLine(child);
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return await new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new ExpectedError(error.message)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed.split('\n', 1)[0] ?? '');
      else
        reject(
          new ExpectedError(
            (lastWords() || (signal ?? `exit code ${String(code)}`)).replace(
              /^The service could not start: /,
              '',
            ),
          ),
        );
    });
  });
}

async function endOf(
  child: ChildProcess,
  lastWords: () => string,
  words: ServiceProgram['words'],
): Promise<'in-use'> {
  return await new Promise((resolve, reject) => {
    const fail = (reason: string, code?: number) => reject(words.didNotStart(reason, code));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => {
      if (code === folderInUseExitCode) resolve('in-use');
      else fail(lastWords() || (signal ?? `exit code ${String(code)}`), code ?? undefined);
    });
  });
}

async function failed(timeout: AbortSignal, words: ServiceProgram['words']): Promise<never> {
  return await new Promise((_, reject) => {
    timeout.addEventListener('abort', () => reject(new ExpectedError(words.tooSlow(startTimeoutMs / 1000))));
  });
}

async function readListening(child: ChildProcess): Promise<Listening> {
  if (child.stdout === null) throw new Error('The service has no output');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    if (!line.startsWith('{')) continue;
    const message: unknown = JSON.parse(line);
    if (isListening(message)) {
      child.stdout.resume();
      return message;
    }
  }
  return await new Promise<never>(() => undefined); // the exit handler explains the error
}

/** Keeps the last line of standard error, which gives the reason for an unexpected exit. */
function collectLastLine(child: ChildProcess): () => string {
  let last = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    last = text.trim().split('\n').at(-1)?.slice(0, 900) ?? last;
  });
  return () => last;
}
