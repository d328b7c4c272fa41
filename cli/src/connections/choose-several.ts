/** `--on`: chooses several connections by names and patterns, each as if it had been named alone. */
import { Option, type Command } from 'commander';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import {
  findConnectionFile,
  ownConnectionFile,
  readConnectionFile,
  type ConnectionsOfFile,
} from '#core/connections/connection-files.ts';
import { environmentConnection } from '#core/connections/environment-connection.ts';
import { meantConnections, splitNames, type NamedConnection } from '#core/connections/name-patterns.ts';
import { CliError, type CliContext } from '../context.ts';
import { write } from '../output.ts';
import { positiveInteger } from '../run/numbers.ts';
import {
  chooseConnection,
  readOwn,
  type ChosenConnection,
  type ConnectionOptions,
  type Surroundings,
} from './choose-connection.ts';

export interface SeveralOptions extends ConnectionOptions {
  /** Names and patterns; undefined for a single connection. */
  readonly on?: readonly string[];
  readonly atATime: number;
  readonly failFast?: boolean;
}

export function withSeveralOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--on <names>',
        'run on several connections: names or patterns such as prod-*, separated by commas; repeat it for more',
      ).argParser((text: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        ...splitNames(text),
      ]),
    )
    .option('--at-a-time <number>', 'how many connections of --on are asked at a time', positiveInteger, 4)
    .option('--fail-fast', 'with --on, stop all connections when one fails');
}

/** @throws CliError, ConnectionFileError */
export async function chooseSeveral(
  context: CliContext,
  { on = [], connection, connections }: SeveralOptions,
): Promise<readonly ChosenConnection[]> {
  if (connection !== undefined)
    throw new CliError('Name one connection with --connection, or several with --on, not both.');
  const surroundings = { folder: context.cwd, environment: context.environment };
  const all = await connectionsToName({ connections }, surroundings);
  const { names, unknown, leftOut } = meantConnections(on, all);
  if (unknown.length > 0)
    throw new CliError(
      `There is no connection ${quoted(unknown)}.`,
      all.length === 0 ? [] : [`There is ${quoted(all.map(({ name }) => name))}.`],
    );
  if (leftOut.length > 0)
    await write(
      context.stderr,
      `${forTerminal(`Left out: ${quoted(leftOut)}. A pattern never includes a protected connection or the one of the environment. Name them to include them.`)}\n`,
    );
  if (names.length === 0) throw new CliError('--on names no connection.');
  const chosen: ChosenConnection[] = [];
  for (const name of names)
    chosen.push(await chooseConnection({ connection: name, connections }, surroundings));
  return chosen;
}

/** Lists what can be named. An entry without a readable name counts under its problem, so that a pattern reaches it. */
async function connectionsToName(
  { connections }: ConnectionOptions,
  { folder, environment }: Surroundings,
): Promise<readonly NamedConnection[]> {
  const own = ownConnectionFile(environment);
  const source = await findConnectionFile({ named: connections, folder, own });
  const files = [
    ...(source === undefined ? [] : [await readConnectionFile(source)]),
    ...(source?.trust === 'folder' ? [await readOwn(own)] : []),
  ].filter((file) => file !== undefined);
  const given = environmentConnection(environment);
  const found = files.flatMap(namedOf);
  return given === undefined ? found : [...found, { name: given.profile.name, profile: given.profile }];
}

function namedOf({ file, connections, broken }: ConnectionsOfFile): readonly NamedConnection[] {
  const nameless = broken.find(({ name }) => name === undefined);
  if (nameless !== undefined)
    throw new CliError(`${file} contains an entry that cannot be used.`, [nameless.problem]);
  return [
    ...connections.map((profile) => ({ name: profile.name, profile })),
    ...broken.flatMap(({ name }) => (name === undefined ? [] : [{ name }])),
  ];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
