/** One sandbox process: start, the address it prints, its end. It ends with us: it watches this process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { ExpectedError } from '../../ui/failure.ts';

/** The line that the process prints when it answers requests. */
interface Listening {
  readonly event: 'listening';
  readonly address: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

function isListening(value: unknown): value is Listening {
  if (typeof value !== 'object' || value === null) return false;
  const line = value as Readonly<Record<string, unknown>>; // any object has text keys
  const texts = [line['address'], line['authUrl'], line['clientId'], line['clientSecret']];
  return line['event'] === 'listening' && texts.every((text) => typeof text === 'string');
}

export interface SandboxProcess {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Resolves when the process has ended, with why. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
const stopTimeoutMs = 3_000;

/** @throws ExpectedError when it does not come up. */
export async function startSandboxProcess(options: {
  readonly script: string;
  readonly dataFolder: string;
}): Promise<SandboxProcess> {
  await mkdir(options.dataFolder, { recursive: true });
  const child = spawn(
    process.execPath,
    [
      options.script,
      '--json',
      '--port',
      '0',
      '--data',
      options.dataFolder,
      '--parent-pid',
      String(process.pid),
    ],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    },
  );
  const lastWords = collectLastLine(child);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(lastWords() || (signal ?? `exit code ${String(code)}`)));
  });
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), startTimeoutMs);
  try {
    const listening = await Promise.race([
      readListening(child),
      ended.then((reason): never => {
        throw new ExpectedError(vscode.l10n.t('The sandbox did not start: {0}', reason));
      }),
      new Promise<never>((_, reject) =>
        timeout.signal.addEventListener('abort', () =>
          reject(
            new ExpectedError(
              vscode.l10n.t('The sandbox did not start within {0} seconds.', startTimeoutMs / 1000),
            ),
          ),
        ),
      ),
    ]);
    return {
      baseUrl: listening.address,
      authUrl: listening.authUrl,
      clientId: listening.clientId,
      clientSecret: listening.clientSecret,
      ended,
      stop: () => stop(child, ended),
    };
  } catch (error) {
    await stop(child, ended);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function readListening(child: ChildProcess) {
  if (child.stdout === null) throw new Error('The sandbox has no output');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    if (!line.startsWith('{')) continue;
    const message: unknown = JSON.parse(line);
    if (isListening(message)) {
      child.stdout.resume();
      return message;
    }
  }
  return await new Promise<never>(() => undefined);
}

/** Keeps the last line of standard error: the reason, when the process ends by itself. */
function collectLastLine(child: ChildProcess): () => string {
  let last = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    last = text.trim().split('\n').at(-1)?.slice(0, 300) ?? last;
  });
  return () => last;
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}
