/** `connections`: shows what a folder's files of connections and receivers ask for, and accepts it. */
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { cutEnd } from '#base/shown-text/cut.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { exactText } from '#base/words/exact-text.ts';
import {
  findConnectionFile,
  findFound,
  ownConnectionFile,
  readConnectionFile,
  readConnectionsNear,
  secretVariables,
} from '#core/connections/connection-files.ts';
import { asUsed, usedAddresses, type ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ConnectionTrust } from '#core/connections/connection-trust.ts';
import { readFolderReceivers, receiversName } from '#core/controls/notify/folder-receivers.ts';
import { ReceiverError } from '#core/controls/notify/receivers.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, write } from '../output.ts';

interface TrustOptions {
  readonly yes?: boolean;
}

export function connectionsCommand(context: CliContext): Command {
  const command = new Command('connections')
    .summary('accept the connections of a folder')
    .description("Shows a folder's connections, and accepts them.");
  command
    .command('trust')
    .summary("show the connections of this folder's file, and accept them")
    .description(
      "Shows the addresses, clients and variables that this folder's .identity-queries/connections.json names, and the receivers of its notify.json, and accepts them if you agree. Until then, no command uses them. A changed entry must be accepted again.",
    )
    .option('--yes', 'accept without a question')
    .action(async (options: TrustOptions) => context.end(await trust(context, options)));
  return command;
}

async function trust(context: CliContext, { yes }: TrustOptions): Promise<number> {
  const { stdout, cwd, environment } = context;
  const own = ownConnectionFile(environment);
  const asked = [await connectionsAsked(cwd, own), await receiversAsked(cwd, own)].filter(
    (each) => each !== undefined,
  );
  if (asked.length === 0)
    throw new CliError('Neither this folder nor one above it has a .identity-queries/connections.json.');
  const say = async (line: string) => await write(stdout, `${forTerminal(line)}\n`);
  const files = asked.map(({ file }) => file);
  const entries = asked.flatMap((each) => each.entries);
  const store = new ConnectionTrust(own);
  const accepted = await store.accepted();
  const isNew = ({ digest }: Entry): boolean => digest !== undefined && !accepted.has(digest);
  const isBroken = ({ digest }: Entry): boolean => digest === undefined;
  const added = entries.filter(isNew);
  // What is wrong comes before what is known.
  const known = entries.filter((entry) => !isNew(entry) && !isBroken(entry));
  const others = [...entries.filter(isBroken), ...known];
  const addedMax = yes === true ? added.length : entriesMax;
  // What is asked about stands right before the question, however many others there are.
  for (const file of files) await say(file);
  await sayFirst(others, entriesMax, 'cannot be accepted, or were before', say);
  await sayFirst(added, addedMax, 'are shown once these are accepted', say);
  if (entries.every(isBroken)) throw new CliError(`${files.join(' and ')}: nothing in it can be accepted.`);
  const isWhole = !entries.some(isBroken);
  const end = isWhole && added.length <= addedMax ? exitCodes.clean : exitCodes.errorsFound;
  if (added.length === 0) {
    await say(isWhole ? 'All of them were accepted before.' : 'All others were accepted before.');
    return end;
  }
  if (yes !== true && !(await isConfirmed(context))) {
    await say('Nothing was accepted.');
    return exitCodes.errorsFound;
  }
  await store.accept(added.slice(0, addedMax).flatMap(({ digest }) => digest ?? []));
  await say(isWhole ? 'Accepted, until an entry changes.' : 'Accepted the others, until an entry changes.');
  return end;
}

/** What is shown at once, and accepted by one answer: more would push the first ones out of the terminal. */
const entriesMax = 8;

async function sayFirst(
  entries: readonly Entry[],
  most: number,
  others: string,
  say: (line: string) => Promise<void>,
): Promise<void> {
  for (const { lines } of entries.slice(0, most)) for (const line of lines) await say(line);
  if (entries.length > most) await say(`  ${entries.length - most} more ${others}.`);
}

interface Entry {
  readonly lines: readonly string[];
  /** Undefined if it cannot be accepted. */
  readonly digest: string | undefined;
}

interface Asked {
  readonly file: string;
  readonly entries: readonly Entry[];
}

async function connectionsAsked(cwd: string, own: string): Promise<Asked | undefined> {
  const source = await findConnectionFile({ folder: cwd, own });
  if (source?.trust !== 'folder') return undefined;
  const { file, connections, broken, digests } = await readConnectionFile(source);
  return {
    file,
    entries: [
      ...connections.map((profile) => askedOf(profile.name, textsOf(profile), digests.get(profile.name))),
      ...broken.map(({ problem }) => ({ lines: [`  ${cutEnd(problem, shownMax)}`], digest: undefined })),
    ],
  };
}

/** Longer texts would fill the terminal, so that the ones before them are not seen. */
const shownMax = 300;

/** Quotes each text exactly, so that none looks like several lines. */
function askedOf(
  name: string,
  texts: readonly (readonly [what: string, text: string | undefined])[],
  digest: string | undefined,
): Entry {
  const lines = texts.map(([what, text]) => `    ${what}: ${text === undefined ? 'none' : exactText(text)}`);
  const title = `  ${exactText(name)}`;
  return [title, ...lines].every((line) => line.length <= shownMax)
    ? { lines: [title, ...lines], digest }
    : {
        lines: [
          `  ${exactText(name.slice(0, 50))} has a text that is too long to be shown, so it cannot be accepted.`,
        ],
        digest: undefined,
      };
}

/** @throws CliError if the file cannot be used. */
async function receiversAsked(cwd: string, own: string): Promise<Asked | undefined> {
  const file = await findFound(cwd, receiversName);
  if (file === undefined) return undefined;
  try {
    const secrets = secretVariables(await readConnectionsNear(cwd, own));
    const { receivers } = await readFolderReceivers(file, secrets);
    const entries = receivers.map(({ name, kind, url, variables, digest }) =>
      askedOf(
        name,
        [
          ['is told the outcomes of controls as', kind],
          ...(url === undefined ? [] : [['address', asUsed(url)] as const]),
          [
            url === undefined ? 'variables, one with its address' : 'variables',
            variables.length === 0 ? undefined : variables.join(', '),
          ],
        ],
        digest,
      ),
    );
    return { file, entries };
  } catch (error) {
    throw error instanceof ReceiverError ? new CliError(error.message) : error;
  }
}

function textsOf(profile: ConnectionProfile): Parameters<typeof askedOf>[1] {
  const { baseUrl, authUrl } = usedAddresses(profile);
  const { clientId, secretSource } = profile;
  return [
    ['service', baseUrl],
    ['tokens', authUrl],
    ['client', clientId],
    ['secret in the variable', secretSource?.kind === 'variable' ? secretSource.name : undefined],
  ];
}

async function isConfirmed({ stdin, stderr, signal }: CliContext): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    lines.setPrompt('Send secrets and outcomes to these addresses? [y/N] ');
    lines.prompt();
    for await (const line of lines) return /^y(?:es)?$/i.test(line.trim()) && !signal.aborted;
    return false;
  } finally {
    lines.close();
  }
}
