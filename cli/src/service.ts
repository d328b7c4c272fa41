/** Connects to a command's service and stays connected for as long as the command needs it. */
import type { Command } from 'commander';
import type { ServiceClient } from '#api/client/client.ts';
import { dataFolder } from '#base/files/data-folder.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { openClient } from '#core/connections/open-client.ts';
import type { ConnectionOptions } from './connections/choose-connection.ts';
import type { CliContext } from './context.ts';
import { write } from './output.ts';

export type { ConnectionOptions };

/** Adds the options shared by all commands that use a service. */
export function withConnectionOptions(command: Command): Command {
  return command
    .option('--connection <name>', 'the connection to use; optional if there is only one')
    .option(
      '--connections <file>',
      'the connections file (default: your own, and an accepted .identity-queries/connections.json here or above)',
    );
}

export interface Service {
  readonly profile: ConnectionProfile;
  readonly client: ServiceClient;
}

/** Keeps the connection open while `use` runs. @throws CliError if there is no usable connection. */
export async function withService<Result>(
  { cwd, environment, stderr }: CliContext,
  options: ConnectionOptions,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  // Loaded lazily: help and checks need no network.
  const { chooseConnection, openNetwork, secretOf } = await import('./connections/choose-connection.ts');
  const chosen = await chooseConnection(options, { folder: cwd, environment });
  if (chosen.isOfFolder === true)
    await write(stderr, `${forTerminal(`Using "${chosen.profile.name}" of ${chosen.file}.`)}\n`);
  const dispatcher = await openNetwork();
  const client = await openClient(chosen.profile, {
    clientSecret: () => secretOf(chosen, environment),
    network: { carrier: { dispatcher }, close: () => dispatcher.destroy() },
    userAgent: 'identity-queries-cli',
    dataFolder: dataFolder(environment),
  });
  try {
    return await use({ profile: chosen.profile, client });
  } finally {
    await client.close();
  }
}
