/** `controls run --notify` and `--notify-program`: tells what is new. A message that fails is told, never lost. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createDispatcher } from '#api/client/network/dispatcher.ts';
import { publicLookup } from '#api/client/network/private-address.ts';
import { postMessage, refusalOf, type PostProblem } from '#api/client/post-message.ts';
import { typedLine } from '#base/advice.ts';
import { errorName } from '#base/errors.ts';
import { readBoundedText, refusedWords } from '#base/files/bounded-file.ts';
import { programProblem } from '#base/files/find-program.ts';
import { homeFolder } from '#base/files/own-folders.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { sayCommandProblem, splitCommand } from '#core/connections/command-line.ts';
import {
  ConnectionFileError,
  findFound,
  ownConnectionFile,
  readConnectionsNear,
  secretVariables,
} from '#core/connections/connection-files.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ConnectionTrust } from '#core/connections/connection-trust.ts';
import { readFolderReceivers, receiversName } from '#core/controls/notify/folder-receivers.ts';
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
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { write } from '../output.ts';
import type { KeptRun } from './keep-history.ts';

export interface NotifyOptions {
  /** A folder with the outcomes of earlier runs. */
  readonly history?: string;
  /** True for the file that is found in the folder. */
  readonly notify?: string | true;
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
  context: CliContext,
  profiles: readonly ConnectionProfile[],
  { history, notify, notifyProgram }: NotifyOptions,
): Promise<Receivers> {
  const { cwd, environment } = context;
  if ((notify ?? notifyProgram) !== undefined && history === undefined)
    throw new CliError('Only what is new is told, so --notify and --notify-program need --history FOLDER.');
  const program = notifyProgram === undefined ? undefined : splitCommand(notifyProgram);
  if (notifyProgram !== undefined && program === undefined)
    throw new CliError(`--notify-program cannot be used: ${sayCommandProblem(notifyProgram)}.`);
  // Relative to the home folder, it would be another program or none, which would be found out only after the run.
  if (program !== undefined && path.basename(program[0]) !== program[0] && !path.isAbsolute(program[0]))
    throw new CliError(
      `--notify-program cannot be used: ${program[0]} runs in your home folder, so name it by its whole path.`,
    );
  if (program !== undefined) await requireProgram(program[0], environment);
  if (notify === undefined) return { receivers: [], program };
  try {
    const near = await readConnectionsNear(cwd, ownConnectionFile(environment));
    const secrets = secretVariables([...profiles, ...near]);
    const { file, text } =
      notify === true ? await acceptedFile(context, secrets) : await namedFile(cwd, notify);
    const receivers = parseReceivers(text, { file, environment, secrets });
    requireAddresses(receivers, { file, isNamed: notify !== true });
    return { receivers, program };
  } catch (error) {
    if (error instanceof ReceiverError || error instanceof ConnectionFileError)
      throw new CliError(error.message);
    throw error;
  }
}

/** One that is never tried would be found out only when there is something to tell. @throws CliError */
function requireAddresses(
  receivers: readonly Receiver[],
  { file, isNamed }: { readonly file: string; readonly isNamed: boolean },
): void {
  for (const receiver of receivers) {
    const refused = refusalOf(receiver);
    if (refused === undefined) continue;
    const words =
      refused.kind === 'private' && !isNamed
        ? "its address is private, which a folder's file cannot allow. If you trust the file, name it: --notify FILE"
        : problemWords(refused);
    throw new CliError(`${file}: ${receiver.name} cannot be told: ${words}`);
  }
}

/** A misspelled one would be found out only when there is something to tell. @throws CliError */
async function requireProgram(name: string, environment: NodeJS.ProcessEnv): Promise<void> {
  switch (await programProblem(name, environment)) {
    case 'missing':
      throw new CliError(
        path.isAbsolute(name)
          ? `--notify-program cannot be used: there is no program ${name}.`
          : `--notify-program cannot be used: the folders of the PATH hold no program ${name}. Name it by its whole path.`,
      );
    case 'not-executable':
      throw new CliError(`--notify-program cannot be used: ${name} is no program that you may start.`);
    case undefined:
      return;
  }
}

async function namedFile(cwd: string, file: string) {
  try {
    return { file, text: await readBoundedText(path.resolve(cwd, file), { maxBytes: bytesMax }) };
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${refusedWords(error)}.`, [], { cause: error });
  }
}

/** A file that merely lies in a folder counts only as the person accepted it. */
async function acceptedFile({ cwd, environment }: CliContext, secrets: ReadonlySet<string>) {
  const file = await findFound(cwd, receiversName);
  if (file === undefined)
    throw new CliError(
      `Neither this folder nor one above it has a .identity-queries/${receiversName}. Name a file: --notify FILE`,
    );
  const { text, receivers } = await readFolderReceivers(file, secrets);
  const accepted = await new ConnectionTrust(ownConnectionFile(environment)).accepted();
  const others = receivers.filter(({ digest }) => !accepted.has(digest));
  if (others.length > 0)
    throw new CliError(
      `${file} names receivers that you did not accept: ${others.map(({ name }) => name).join(', ')}. Nobody was told anything.`,
      [typedLine(advice.trustConnections())],
    );
  return { file, text };
}

/** Returns whether every message arrived. */
export async function notifyAll(
  context: CliContext,
  { folder, news }: KeptRun,
  { receivers, program }: Receivers,
): Promise<boolean> {
  const tell = async (
    receiver: { readonly name: string; readonly kind: string },
    send: (message: RunMessage) => Promise<string | undefined>,
  ): Promise<boolean> => {
    const { problem } = await tellReceiver(folder, {
      receiver: receiverIdOf(receiver),
      run: news.head.id,
      known: news,
      send,
    }).catch((error: unknown) => {
      // What one receiver does must not cost the others theirs.
      if (context.signal.aborted) throw error;
      return { problem: `${codeOf(error)}.` };
    });
    if (problem === undefined) return true;
    const line = `${receiver.name} was not told what is new: ${problem} The next run tells it.`;
    await write(context.stderr, `${forTerminal(line)}\n`);
    return false;
  };
  // At once: one that hangs keeps no other one waiting.
  const told = await Promise.all([
    ...receivers.map((receiver) => tell(receiver, (message) => post(context, receiver, message))),
    ...(program === undefined
      ? []
      : [
          tell({ name: program[0], kind: `program ${program.join(' ')}` }, (message) =>
            start(context, program, message),
          ),
        ]),
  ]);
  return !told.includes(false);
}

/** A message may hold an address. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : errorName(error);
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
    case 'says-error':
      return `it answered that it failed${problem.code === undefined ? '' : ` (${problem.code})`}.`;
    case 'web-page':
      return 'it answered with a web page, perhaps one to sign in.';
    case 'later':
      return `it asks to wait longer than this run does (${problem.status}).`;
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
      cwd: homeFolder(),
      env: environment,
      stdio: ['pipe', 'ignore', 'inherit'],
      windowsHide: true,
      timeout: programMs,
      killSignal: 'SIGKILL',
      signal,
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve(
        error.code === 'ENOENT'
          ? 'there is no such program. Name it by its whole path.'
          : `it could not be started (${error.code ?? error.name}).`,
      );
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
