/** `connections`: shows what a folder's connections file asks for, and accepts it. */
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import {
  findConnectionFile,
  ownConnectionFile,
  readConnectionFile,
} from '#core/connections/connection-files.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ConnectionTrust } from '#core/connections/connection-trust.ts';
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
      "Shows the addresses, clients and variables that this folder's .identity-queries/connections.json names, and accepts them if you agree. Until then, no command uses them. A changed entry must be accepted again.",
    )
    .option('--yes', 'accept without a question')
    .action(async (options: TrustOptions) => context.end(await trust(context, options)));
  return command;
}

async function trust(context: CliContext, { yes }: TrustOptions): Promise<number> {
  const { stdout, cwd, environment } = context;
  const own = ownConnectionFile(environment);
  const source = await findConnectionFile({ folder: cwd, own });
  if (source?.trust !== 'folder')
    throw new CliError('Neither this folder nor one above it has a .identity-queries/connections.json.');
  const { file, connections, broken, digests } = await readConnectionFile(source);
  const say = async (line: string) => await write(stdout, `${forTerminal(line)}\n`);
  await say(file);
  for (const profile of connections) for (const line of linesOf(profile)) await say(line);
  for (const { problem } of broken) await say(problem);
  if (connections.length === 0) throw new CliError(`${file} contains no usable connection.`);
  const store = new ConnectionTrust(own);
  const accepted = await store.accepted();
  const added = [...digests.values()].filter((digest) => !accepted.has(digest));
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
    lines.setPrompt('Send the secrets to these addresses? [y/N] ');
    lines.prompt();
    for await (const line of lines) return /^y(?:es)?$/i.test(line.trim()) && !signal.aborted;
    return false;
  } finally {
    lines.close();
  }
}
