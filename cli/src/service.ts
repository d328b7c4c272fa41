/** Connects to a command's service and stays connected for as long as the command needs it. */
import type { Command } from 'commander';
import type { ServiceClient } from '#api/client/client.ts';
import type { RateLimitRule } from '#api/client/requests/limited-call.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { pauseWords } from '#base/words/pause-message.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { openClient } from '#core/connections/open-client.ts';
import type { ChosenConnection, ConnectionOptions } from './connections/choose-connection.ts';
import type { SeveralOptions } from './connections/choose-several.ts';
import type { CliContext } from './context.ts';
import { memoryOf } from './memory-of.ts';
import { isTerminal, write } from './output.ts';
import { seconds } from './run/numbers.ts';

export type { ConnectionOptions };

/** How long a request waits where the service limits requests, in seconds. */
const waitDefault = 120;
/** A log is told of waiting once a minute, and of no shorter waits than this. */
const tellEveryMs = 60_000;
const toldMinMs = 1_000;

/** Adds the options shared by all commands that use a service. */
export function withConnectionOptions(command: Command, wait = waitDefault): Command {
  return command
    .option('--connection <name>', 'the connection to use; optional if there is only one')
    .option(
      '--connections <file>',
      'the connections file (default: your own, and an accepted .identity-queries/connections.json here or above)',
    )
    .option(
      '--wait <seconds>',
      `how long a request waits where the service limits requests; 0 for not at all (default: ${wait})`,
      seconds,
    );
}

export interface Service {
  readonly profile: ConnectionProfile;
  readonly client: ServiceClient;
}

/** Waits as long as the options say, and says so. */
export function rateLimitOf(
  { wait = waitDefault }: Pick<ConnectionOptions, 'wait'>,
  stderr: CliContext['stderr'],
): RateLimitRule {
  return { maxMs: wait * 1_000, onPause: pauseTeller(stderr) };
}

function pauseTeller(stderr: CliContext['stderr']): RateLimitRule['onPause'] {
  let toldAt = -Infinity;
  return (delayMs, isLimited) => {
    const now = performance.now();
    if (delayMs < toldMinMs || now - toldAt < tellEveryMs) return;
    toldAt = now;
    void write(stderr, `${isTerminal(stderr) ? '\r\u001b[2K' : ''}${pauseWords(delayMs, isLimited)}\n`);
  };
}

/** Keeps the connection open while `use` runs. @throws CliError if there is no usable connection. */
export async function withService<Result>(
  context: CliContext,
  options: ConnectionOptions,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  // Loaded lazily: help and checks need no network.
  const { chooseConnection } = await import('./connections/choose-connection.ts');
  const { cwd, environment } = context;
  const chosen = await chooseConnection(options, { folder: cwd, environment });
  const service = await openService(chosen, context, options);
  try {
    return await use(service);
  } finally {
    await service.client.close();
  }
}

/** Keeps several connections open while `use` runs. @throws CliError if one of them cannot be used. */
export async function withSeveral<Result>(
  context: CliContext,
  options: SeveralOptions,
  use: (services: readonly Service[]) => Promise<Result>,
): Promise<Result> {
  const { chooseSeveral } = await import('./connections/choose-several.ts');
  const services: Service[] = [];
  try {
    for (const chosen of await chooseSeveral(context, options))
      services.push(await openService(chosen, context, options));
    return await use(services);
  } finally {
    await Promise.all(services.map(({ client }) => client.close()));
  }
}

/** The caller closes the client. */
async function openService(
  chosen: ChosenConnection,
  { environment, stderr }: CliContext,
  { wait }: Pick<ConnectionOptions, 'wait'>,
): Promise<Service> {
  const { openNetwork, secretOf } = await import('./connections/choose-connection.ts');
  if (chosen.isOfFolder === true)
    await write(stderr, `${forTerminal(`Using "${chosen.profile.name}" of ${chosen.file}.`)}\n`);
  const dispatcher = await openNetwork();
  const client = await openClient(chosen.profile, {
    clientSecret: () => secretOf(chosen, environment),
    network: { carrier: { dispatcher }, close: () => dispatcher.destroy() },
    userAgent: 'identity-queries-cli',
    memory: memoryOf({ environment, stderr }),
    rateLimit: rateLimitOf({ wait }, stderr),
  });
  return { profile: chosen.profile, client };
}
