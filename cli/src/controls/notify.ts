/** `controls run --notify` and `--notify-program`: tells what is new. A message that fails is told, never lost. */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import { createDispatcher } from '#api/client/network/dispatcher.ts';
import { publicLookup } from '#api/client/network/private-address.ts';
import { postMessage, type PostProblem } from '#api/client/post-message.ts';
import { readBoundedText, refusedWords } from '#base/files/bounded-file.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { sayCommandProblem, splitCommand } from '#core/connections/command-line.ts';
import {
  parseReceivers,
  receiverIdOf,
  ReceiverError,
  webhookHeaders,
  type Receiver,
} from '#core/controls/notify/receivers.ts';
import {
  jsonMessage,
  slackMessage,
  teamsMessage,
  type RunMessage,
} from '#core/controls/notify/run-message.ts';
import { tellReceiver } from '#core/controls/notify/tell-receivers.ts';
import { CliError, type CliContext } from '../context.ts';
import { write } from '../output.ts';
import type { KeptRun } from './keep-history.ts';

export interface NotifyOptions {
  readonly history?: string;
  readonly notify?: string;
  readonly notifyProgram?: string;
}

export interface Receivers {
  readonly receivers: readonly Receiver[];
  readonly program: readonly [string, ...string[]] | undefined;
}

const bytesMax = 1_048_576;
const programMs = 30_000;

/** Reads whom to tell, before anything is sent. @throws CliError */
export async function readReceivers(
  { cwd, environment }: CliContext,
  { history, notify, notifyProgram }: NotifyOptions,
): Promise<Receivers> {
  if ((notify ?? notifyProgram) !== undefined && history === undefined)
    throw new CliError('Only what is new is told, so --notify and --notify-program need --history FOLDER.');
  const program = notifyProgram === undefined ? undefined : splitCommand(notifyProgram);
  if (notifyProgram !== undefined && program === undefined)
    throw new CliError(`--notify-program cannot be used: ${sayCommandProblem(notifyProgram)}.`);
  if (notify === undefined) return { receivers: [], program };
  let text: string;
  try {
    text = await readBoundedText(path.resolve(cwd, notify), { maxBytes: bytesMax });
  } catch (error) {
    throw new CliError(`${notify} cannot be read: ${refusedWords(error)}.`, [], { cause: error });
  }
  try {
    return { receivers: parseReceivers(text, { file: notify, environment }), program };
  } catch (error) {
    if (error instanceof ReceiverError) throw new CliError(error.message);
    throw error;
  }
}

/** Returns whether every message arrived. */
export async function notifyAll(
  context: CliContext,
  { folder, news }: KeptRun,
  { receivers, program }: Receivers,
): Promise<boolean> {
  let isEveryOneTold = true;
  const tell = async (
    receiver: { readonly name: string; readonly kind: string },
    send: (message: RunMessage) => Promise<string | undefined>,
  ) => {
    const told = await tellReceiver(folder, {
      receiver: receiverIdOf(receiver),
      run: news.head.id,
      known: news,
      send,
    });
    if (told.problem === undefined) return;
    isEveryOneTold = false;
    const line = `${receiver.name} was not told what is new: ${told.problem} The next run tells it.`;
    await write(context.stderr, `${forTerminal(line)}\n`);
  };
  for (const receiver of receivers) await tell(receiver, (message) => post(context, receiver, message));
  if (program !== undefined)
    await tell({ name: program[0], kind: `program ${program.join(' ')}` }, (message) =>
      start(context, program, message),
    );
  return isEveryOneTold;
}

/** @returns why the message did not arrive. */
async function post(
  { signal }: CliContext,
  { kind, url, secret, isPrivateAllowed }: Receiver,
  message: RunMessage,
): Promise<string | undefined> {
  const dispatcher = await createDispatcher({
    proxy: 'environment',
    useSystemCertificates: true,
    ...(isPrivateAllowed ? {} : { lookup: publicLookup }),
  });
  try {
    const body = JSON.stringify(contentOf(kind, message));
    const outcome = await postMessage(
      {
        url,
        isPrivateAllowed,
        body,
        headers: (now) => webhookHeaders({ id: `msg_${message.head.id}`, body, secret }, now),
      },
      { dispatcher, signal },
    );
    return outcome.kind === 'sent' ? undefined : problemWords(outcome.problem);
  } finally {
    await dispatcher.destroy();
  }
}

function contentOf(kind: Receiver['kind'], message: RunMessage): unknown {
  switch (kind) {
    case 'webhook':
      return jsonMessage(message);
    case 'slack':
      return slackMessage(message);
    case 'teams':
      return teamsMessage(message);
    default:
      return kind satisfies never;
  }
}

/** The address may be a secret, so it is in no message. */
function problemWords(problem: PostProblem): string {
  switch (problem.kind) {
    case 'not-https':
      return 'its address is not https.';
    case 'no-address':
      return 'its address is not one, or holds a password.';
    case 'private':
      return 'its address is private. If that is meant, add "allowPrivateAddress": true.';
    case 'redirect':
      return `it answered with a redirect (${problem.status}), which is not followed.`;
    case 'refused':
      return `it refused the message (${problem.status}).`;
    case 'failing':
      return `it failed (${problem.status}), also when tried again.`;
    case 'unreachable':
      return `it did not answer (${problem.reason}), also when tried again.`;
    default:
      return problem satisfies never;
  }
}

/**
 * Starts a program without a shell, and in the home folder, so that a relative path cannot name a program in the
 * workspace.
 * @returns why it did not take the message.
 */
async function start(
  { environment, signal }: CliContext,
  [name, ...args]: readonly [string, ...string[]],
  message: RunMessage,
): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const child = spawn(name, args, {
      shell: false,
      cwd: homedir(),
      env: environment,
      stdio: ['pipe', 'ignore', 'inherit'],
      windowsHide: true,
      timeout: programMs,
      killSignal: 'SIGKILL',
      signal,
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve(`it could not be started (${error.code ?? error.name}).`);
    });
    child.on('exit', (code, by) => {
      resolve(
        code === 0
          ? undefined
          : code === null
            ? `it was ended (${by ?? '?'}).`
            : `it failed (exit code ${code}).`,
      );
    });
    // A program that does not read its input says by its exit code whether that matters.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(jsonMessage(message))}\n`);
  });
}
