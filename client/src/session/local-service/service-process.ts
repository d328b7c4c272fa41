/**
 * Manages a single process of the local service: starts it, reads the address it prints, and stops it. It outlives the
 * window that started it as long as another window holds a lease (leases.ts in the service).
 */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isText, oneOf, shapeOf } from '#base/values/shapes.ts';
import { ExpectedError } from '#core/failures/failure.ts';

/** Address of a local service, without any secret. */
export interface ServiceAddress {
  readonly pid: number;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  /** What a service over a database was started with, as on its command line. */
  readonly schemas?: string;
  readonly preset?: string;
}

/** The line that the process prints once it accepts requests. */
interface Listening {
  readonly event: 'listening';
  readonly address: string;
  readonly authUrl: string;
  readonly clientId: string;
}

const isListening = shapeOf<Listening>({
  event: oneOf(['listening']),
  ...{ address: isText, authUrl: isText, clientId: isText },
});

const startTimeoutMs = 60_000;
/** Exit code of the process if another one is already serving the folder. */
const folderInUseExitCode = 3;

export interface ServiceProgram {
  readonly script: string;
  /** Arguments, without any secret. */
  readonly args: readonly string[];
  /** What the process reads from standard input, such as a password. */
  readonly input?: string | undefined;
  /** How long it may take; by default a minute. */
  readonly limitMs?: number;
  /** Messages for the user. */
  readonly words: {
    /** @param exitCode undefined if the program could not be run */
    readonly didNotStart: (reason: string, exitCode: number | undefined) => ExpectedError;
    readonly tooSlow: (seconds: number) => string;
    readonly inOtherWindow: string;
  };
}

type ProgramToRun = Omit<ServiceProgram, 'words'> & {
  readonly words: Pick<ServiceProgram['words'], 'tooSlow'>;
};

/**
 * @returns `in-use` if another process is already serving the folder. @throws ExpectedError if the process does not
 * start.
 */
export async function startServiceProcess(program: ServiceProgram): Promise<ServiceAddress | 'in-use'> {
  // Other windows may still be using the service when this one closes.
  return await spawned(program, { detached: true }, async (child, ended) => {
    const listening = await Promise.race([readListening(child), ended]);
    if ('reason' in listening) {
      if (listening.code === folderInUseExitCode) return 'in-use';
      throw program.words.didNotStart(listening.reason, listening.code);
    }
    child.unref();
    return {
      pid: child.pid ?? 0,
      baseUrl: listening.address,
      authUrl: listening.authUrl,
      clientId: listening.clientId,
    };
  });
}

/**
 * Runs the program to its end and returns the first line that it prints.
 * @throws ExpectedError with its last words if it fails
 */
export async function runService(program: ProgramToRun): Promise<string> {
  return await spawned(program, {}, async (child, ended) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const { code, reason } = await ended;
    if (code !== 0) throw new ExpectedError(reason);
    return printed.split('\n', 1)[0] ?? '';
  });
}

interface Ended {
  /** Undefined if the program could not be run, or a signal ended it. */
  readonly code: number | undefined;
  /** Its last words, if any. */
  readonly reason: string;
}

/** Starts a process, which is killed if `work` fails or takes too long. */
async function spawned<Result>(
  { script, args, input, limitMs = startTimeoutMs, words }: ProgramToRun,
  options: Pick<SpawnOptions, 'detached'>,
  work: (child: ChildProcess, ended: Promise<Ended>) => Promise<Result>,
): Promise<Result> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
    ...options,
  });
  // A process that ended early does not read its input.
  child.stdin?.on('error', () => undefined).end(input);
  const timeout = AbortSignal.timeout(limitMs);
  const tooLate = new Promise<never>((_, reject) => {
    timeout.addEventListener('abort', () => reject(new ExpectedError(words.tooSlow(limitMs / 1000))));
  });
  try {
    return await Promise.race([work(child, endOf(child)), tooLate]);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const lastWords = collectLastLine(child);
  return await new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: undefined, reason: error.message }));
    child.once('close', (code, signal) =>
      resolve({
        code: code ?? undefined,
        reason: lastWords() || (signal ?? `exit code ${String(code)}`),
      }),
    );
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
  return await new Promise<never>(() => undefined); // its end explains the error
}

/** Keeps the end of standard error, whose last line gives the reason for an unexpected exit. */
function collectLastLine(child: ChildProcess): () => string {
  let end = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (end = `${end}${text}`.slice(-mostLastWords)));
  return () => {
    const lines = end.split('\n').filter((line) => line.trim() !== '' && !aroundCrash.test(line));
    return (lines.at(-1) ?? '').replace(/^The service could not start: /, '').slice(0, 900);
  };
}

const mostLastWords = 10_000;
/** What Node.js prints around the line with the error that a program did not handle. */
const aroundCrash = /^(?:\s|node:|file:|Node\.js v|\}\s*$)/;
