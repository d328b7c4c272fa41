/** The service that a command talks to, open for as long as the command needs it. */
import type { Command } from 'commander';
import type { ServiceClient } from '../../api/client/client.ts';
import type { ConnectionProfile } from '../../core/src/connections/connection-profile.ts';
import { openClient } from '../../core/src/connections/open-client.ts';
import type { ConnectionOptions } from './connections/choose-connection.ts';
import type { CliContext } from './context.ts';

export type { ConnectionOptions };

/** Adds the options that every command with a service has. */
export function withConnectionOptions(command: Command): Command {
  return command
    .option('--connection <name>', 'the connection to use; may be left out where there is only one')
    .option(
      '--connections <file>',
      'the file with connections (default: .identity-queries/connections.json here or above, then your own)',
    );
}

export interface Service {
  readonly profile: ConnectionProfile;
  readonly client: ServiceClient;
}

/** Opens the connection for as long as `use` takes. @throws CliError when there is none to use. */
export async function withService<Result>(
  { cwd, environment }: CliContext,
  options: ConnectionOptions,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  // Loaded when it is needed: help and checks need nothing of the network.
  const { chooseConnection, openNetwork, secretOf } = await import('./connections/choose-connection.ts');
  const chosen = await chooseConnection(options, { folder: cwd, environment });
  const dispatcher = await openNetwork();
  const client = await openClient(chosen.profile, {
    clientSecret: () => secretOf(chosen, environment),
    network: { carrier: { dispatcher }, close: () => dispatcher.destroy() },
    userAgent: 'identity-queries-cli',
  });
  try {
    return await use({ profile: chosen.profile, client });
  } finally {
    await client.close();
  }
}
