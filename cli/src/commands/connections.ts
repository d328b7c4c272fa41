/** `connections`: shows what a folder's files of connections and receivers ask for, and accepts it. */
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import {
  findConnectionFile,
  findFound,
  ownConnectionFile,
  readConnectionFile,
  readConnectionsNear,
  secretVariables,
} from '#core/connections/connection-files.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
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
  for (const { lines } of asked) for (const line of lines) await say(line);
  const digests = asked.flatMap((each) => each.digests);
  const [first] = asked;
  if (digests.length === 0) throw new CliError(`${first?.file ?? ''} contains no usable connection.`);
  const store = new ConnectionTrust(own);
  const accepted = await store.accepted();
  const added = digests.filter((digest) => !accepted.has(digest));
  if (added.length === 0) {
    await say('All of them were accepted before.');
    return exitCodes.clean;
  }
  if (yes !== true && !(await isConfirmed(context))) {
    await say('Nothing was accepted.');
    return exitCodes.errorsFound;
  }
  await store.accept(added);
  await say('Accepted, until an entry changes.');
  return exitCodes.clean;
}

interface Asked {
  readonly file: string;
  readonly lines: readonly string[];
  readonly digests: readonly string[];
}

async function connectionsAsked(cwd: string, own: string): Promise<Asked | undefined> {
  const source = await findConnectionFile({ folder: cwd, own });
  if (source?.trust !== 'folder') return undefined;
  const { file, connections, broken, digests } = await readConnectionFile(source);
  return {
    file,
    lines: [file, ...connections.flatMap(linesOf), ...broken.map(({ problem }) => problem)],
    digests: [...digests.values()],
  };
}

/** @throws CliError if the file cannot be used. */
async function receiversAsked(cwd: string, own: string): Promise<Asked | undefined> {
  const file = await findFound(cwd, receiversName);
  if (file === undefined) return undefined;
  try {
    const secrets = secretVariables(await readConnectionsNear(cwd, own));
    const { receivers } = await readFolderReceivers(file, secrets);
    return {
      file,
      lines: [
        file,
        ...receivers.flatMap(({ name, kind, url, variables }) => [
          `  ${name} (${kind}) is told the outcomes of controls`,
          `    address: ${url ?? 'that of a variable'}`,
          `    variables: ${variables.length === 0 ? 'none' : variables.join(', ')}`,
        ]),
      ],
      digests: receivers.map(({ digest }) => digest),
    };
  } catch (error) {
    throw error instanceof ReceiverError ? new CliError(error.message) : error;
  }
}

function linesOf({ name, baseUrl, authUrl, clientId, environment, secretSource }: ConnectionProfile) {
  return [
    `  ${name}`,
    `    service: ${baseUrl}${environment === undefined ? '' : ` (${environment})`}`,
    `    tokens: ${authUrl}`,
    `    client: ${clientId}`,
    `    secret: ${secretSource?.kind === 'variable' ? `the variable ${secretSource.name}` : 'none'}`,
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
