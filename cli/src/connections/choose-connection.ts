/** The connection of a command: by name, or because there is only one, with its secret. */
import {
  ConnectionsFileError,
  readConnections,
  type ConnectionsFile,
  type FoundConnection,
} from '../../../core/src/connections/connections-file.ts';
import { refusedAddress } from '../../../core/src/connections/parse-connection.ts';
import { readSecretSource, SecretSourceFailure } from '../../../core/src/connections/secret-sources.ts';
import { entryProblemWords, fileProblemWords, secretProblemWords } from '../connection-words.ts';
import { CliError, type CliContext } from '../context.ts';

/** What every command that talks to a service takes. */
export interface ConnectionOptions {
  /** --connection */
  readonly connection?: string | undefined;
  /** --connections */
  readonly connections?: string | undefined;
}

export interface ChosenConnection extends FoundConnection {
  /** The file it comes from; undefined where it comes from the environment. */
  readonly file: string | undefined;
}

/** @throws CliError */
export async function chooseConnection(
  { cwd, environment }: Pick<CliContext, 'cwd' | 'environment'>,
  { connection, connections }: ConnectionOptions,
): Promise<ChosenConnection> {
  const known = await readConnections({ cwd, environment }, connections).catch((error: unknown) => {
    if (!(error instanceof ConnectionsFileError)) throw error;
    throw new CliError(fileProblemWords(error), [], { cause: error });
  });
  const found = pick(known, connection);
  const { profile } = found;
  const refused = refusedAddress(profile);
  if (refused !== undefined)
    throw new CliError(`The connection "${profile.name}" cannot be used: ${entryProblemWords(refused)}`);
  return { ...found, file: profile.source === 'environment' ? undefined : known.file };
}

/** @throws CliError where there is none. */
export async function secretOf(
  { profile, secret }: FoundConnection,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  if (secret !== undefined) return secret;
  if (profile.secretSource === undefined)
    throw new CliError(
      `The connection "${profile.name}" cannot be used: ${entryProblemWords({ kind: 'no-secret-source' })}`,
    );
  try {
    return await readSecretSource(profile.secretSource, { environment });
  } catch (error) {
    if (!(error instanceof SecretSourceFailure)) throw error;
    throw new CliError(secretProblemWords(error.problem, profile.name), [], { cause: error });
  }
}

/** @throws CliError */
function pick(known: ConnectionsFile, name: string | undefined): FoundConnection {
  const { connections } = known;
  const [first, ...others] = connections;
  const found =
    name === undefined
      ? others.length === 0
        ? first
        : undefined
      : connections.find(({ profile }) => profile.name === name);
  if (found !== undefined) return found;
  if (first === undefined) throw noConnection(known);
  const names = connections.map(({ profile }) => `  --connection "${profile.name}"`);
  throw name === undefined
    ? new CliError('There are several connections. Say which one:', names)
    : new CliError(`No connection "${name}" can be used. There is:`, [...names, ...unusedWords(known)]);
}

function unusedWords({ unused }: ConnectionsFile): readonly string[] {
  return unused.map(
    ({ name, position, problem }) =>
      `  not used: ${name === undefined ? `entry ${position}` : `"${name}"`}: ${entryProblemWords(problem)}`,
  );
}

/** The two ways on for a person who has set nothing up. */
function noConnection(known: ConnectionsFile): CliError {
  if (known.file !== undefined)
    return new CliError(`No connection in "${known.file}" can be used.`, unusedWords(known));
  return new CliError('No connection is set up. Start the local service with: identity-queries sandbox', [
    'Or describe your service in .identity-queries/connections.json, for example:',
    '  [',
    '    {',
    '      "name": "Production",',
    '      "baseUrl": "https://api.example.com",',
    '      "authUrl": "https://auth.example.com/oauth2/token",',
    '      "clientId": "access-reviews",',
    '      "secretVariable": "IDENTITY_QUERIES_SECRET"',
    '    }',
    '  ]',
  ]);
}
