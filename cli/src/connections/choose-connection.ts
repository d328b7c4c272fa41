/** Chooses a command's connection, by name or as the only one in a file, with its secret and network. */
import type { Dispatcher } from 'undici';
import { createDispatcher } from '#api/client/network/dispatcher.ts';
import { typedText } from '#base/advice.ts';
import { FileRefusal } from '#base/files/bounded-file.ts';
import {
  ConnectionFileError,
  findConnectionFile,
  ownConnectionFile,
  readConnectionFile,
  type ConnectionFile,
  type ConnectionsOfFile,
} from '#core/connections/connection-files.ts';
import { sayConnectionProblem } from '#core/connections/connection-messages.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ConnectionTrust } from '#core/connections/connection-trust.ts';
import {
  absentVariables,
  allowPlainHttpVariable,
  addressVariables,
  environmentConnection,
  missingVariables,
} from '#core/connections/environment-connection.ts';
import { refusedAddress } from '#core/connections/parse-connection.ts';
import { readSecretSource, SecretSourceFailure } from '#core/connections/secret-sources.ts';
import { advice } from '../advice.ts';
import { CliError } from '../context.ts';
import { saySecretProblem } from './secret-problem.ts';

/** Options for all commands that use a service. */
export interface ConnectionOptions {
  readonly connection?: string | undefined;
  readonly connections?: string | undefined;
  /** Value of --wait, in seconds. */
  readonly wait?: number | undefined;
}

export interface Surroundings {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface ChosenConnection {
  readonly profile: ConnectionProfile;
  /** Origin of the connection: a file, or the environment. */
  readonly file: string;
  /** Whether a folder's file was found and accepted, rather than named. */
  readonly isOfFolder?: boolean;
  /** The secret, if already known; otherwise, it is read from the source that the profile names. */
  readonly secret?: string;
}

/**
 * Uses the environment's connection if the command names it, or names neither a connection nor a file; otherwise reads
 * a file.
 * @throws CliError, ConnectionFileError
 */
export async function chooseConnection(
  { connection, connections }: ConnectionOptions,
  { folder, environment }: Surroundings,
): Promise<ChosenConnection> {
  const given = environmentConnection(environment);
  const isMeant = connection === undefined ? connections === undefined : connection === given?.profile.name;
  if (given !== undefined && isMeant) {
    const refused = refusedAddress(given.profile);
    if (refused !== undefined) {
      const words = sayConnectionProblem(
        { ...refused, field: addressVariables[refused.field] },
        'The environment',
      );
      // What is a member of a connection in a file is a variable here.
      throw new CliError(words.replace('"allowPlainHttp"', `${allowPlainHttpVariable}=1`));
    }
    return { profile: given.profile, file: 'the environment', secret: given.secret };
  }
  const missing = connection === undefined && connections === undefined ? missingVariables(environment) : [];
  // Another connection would be used in place of the one that the environment names.
  if (missing.length > 0) throw partlyNamed(missing);
  const own = ownConnectionFile(environment);
  const source = await findConnectionFile({ named: connections, folder, own });
  if (source?.trust === 'folder') return await chooseOfFolder(source, { connection, own });
  if (source === undefined && given !== undefined && connection !== undefined)
    throw new CliError(
      `There is no connection "${connection}": no connections file was found, and the environment holds "${given.profile.name}".`,
    );
  if (source === undefined) {
    const absent = absentVariables(environment);
    throw absent.length > 0 ? partlyNamed(absent) : noFile(own, environment);
  }
  const found = await readConnectionFile(source);
  return { profile: pick(found, connection), file: found.file };
}

/**
 * Chooses among the connections of a folder's file and the person's own. A folder may come from a stranger: it never
 * replaces an own connection, and nothing of it is used before the person accepted exactly this entry.
 */
async function chooseOfFolder(
  source: ConnectionFile,
  { connection, own }: { readonly connection: string | undefined; readonly own: string },
): Promise<ChosenConnection> {
  const theirs = await readConnectionFile(source);
  const mine = await readOwn(own);
  // An own entry that cannot be used keeps its name: the folder's would get what was meant for it.
  const isMine = (name: string) =>
    [...(mine?.connections ?? []), ...(mine?.broken ?? [])].some((each) => each.name === name);
  const wanted = theirs.connections.find(({ name }) => name === connection);
  const both = connection === undefined ? theirs.connections.find(({ name }) => isMine(name)) : wanted;
  if (both !== undefined && isMine(both.name))
    throw new CliError(
      `The connection "${both.name}" is in two files: your own, ${own}, and this folder's, ${theirs.file}. Nothing was sent.`,
      ['Rename one of them, or name the file with --connections.'],
    );
  if (connection !== undefined && isMine(connection) && mine !== undefined)
    return { profile: pick(mine, connection), file: mine.file };
  if (connection === undefined && mine !== undefined && mine.connections.length + mine.broken.length > 0) {
    const names = [...theirs.connections, ...mine.connections].map(({ name }) => `"${name}"`).join(', ');
    throw new CliError(
      `There are connections in ${theirs.file} and in your own ${own}: choose one with --connection. They are ${names}.`,
    );
  }
  const profile = pick(theirs, connection);
  const digest = theirs.digests.get(profile.name);
  if (digest === undefined || !(await new ConnectionTrust(own).accepted()).has(digest))
    throw new CliError(
      `The connection "${profile.name}" comes from this folder's ${theirs.file}, which you have not accepted. Nothing was sent.`,
      [
        `See its addresses and variables, and accept them, with: ${typedText(advice.trustConnections())}`,
        'Or name the file, also in CI: --connections ' + theirs.file,
      ],
    );
  return { profile, file: theirs.file, isOfFolder: true };
}

/** Returns the person's own connections; undefined if there is no file. @throws ConnectionFileError */
export async function readOwn(own: string): Promise<ConnectionsOfFile | undefined> {
  try {
    return await readConnectionFile({ file: own, trust: 'own' });
  } catch (error) {
    const { cause } = error instanceof ConnectionFileError ? error : { cause: undefined };
    if (cause instanceof FileRefusal && cause.code === 'missing') return undefined;
    throw error;
  }
}

/** @throws CliError if there is no secret. */
export async function secretOf(
  { profile, secret }: ChosenConnection,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  if (secret !== undefined) return secret;
  if (profile.secretSource === undefined)
    throw new CliError(
      `The connection "${profile.name}" has no source for its client secret. Add "secretVariable" with the name of an environment variable.`,
    );
  try {
    return await readSecretSource(profile.secretSource, { environment });
  } catch (error) {
    if (error instanceof SecretSourceFailure)
      throw new CliError(
        saySecretProblem(error.problem, `The client secret of the connection "${profile.name}"`),
        [],
        { cause: error },
      );
    throw error;
  }
}

/** Uses the environment's proxies and the system's trusted certificates. The caller ends the dispatcher. */
export async function openNetwork(): Promise<Dispatcher> {
  return await createDispatcher({ proxy: 'environment', useSystemCertificates: true });
}

/**
 * An entry that cannot be used counts as one of the connections: otherwise, a mistake in one would silently send every
 * command to another.
 * @throws CliError
 */
function pick({ file, connections, broken }: ConnectionsOfFile, name: string | undefined): ConnectionProfile {
  const isMeant = (each: { readonly name: string | undefined }) => name === undefined || each.name === name;
  const [found, ...others] = connections.filter(isMeant);
  const meantBroken = broken.filter(isMeant);
  if (found !== undefined && others.length === 0 && meantBroken.length === 0) return found;
  const problems = broken.map(({ problem }) => problem);
  const names = connections.map((each) => `"${each.name}"`).join(', ');
  if (connections.length === 0) throw new CliError(`${file} contains no usable connection.`, problems);
  if (name === undefined && broken.length === 0)
    throw new CliError(
      `${file} contains several connections: choose one with --connection. They are ${names}.`,
    );
  if (name === undefined)
    throw new CliError(`${file} contains an entry that cannot be used.`, [
      ...problems,
      `Correct it, or choose a connection with --connection. There is ${names}.`,
    ]);
  throw new CliError(`${file} contains no usable connection "${name}". It contains ${names}.`, problems);
}

function partlyNamed(missing: readonly string[]): CliError {
  return new CliError(
    `The environment names a service, but ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set. Set the rest, or choose a connection of a file with --connection.`,
  );
}

/** Explains the two ways to get a connection. */
function noFile(own: string, environment: NodeJS.ProcessEnv): CliError {
  // npx does not put the command on the shell's path.
  const isByNpx = environment['npm_command'] === 'exec';
  return new CliError('No connection is set up yet. You can do one of two things:', [
    ...(isByNpx
      ? ['(In place of identity-queries, type the npx with its package that you just typed.)']
      : []),
    '',
    '1. Try it with sample data; no account is needed. In another terminal:',
    `     ${typedText(advice.startSandbox(8080))}`,
    '   Copy the variables that it prints into this terminal. Then:',
    `     ${typedText(advice.firstQuery())}`,
    '',
    `2. Use your service. Create ${own},`,
    `   or .identity-queries/connections.json here, to accept with "${typedText(advice.trustConnections())}":`,
    '     [',
    '       {',
    '         "name": "Production",',
    '         "baseUrl": "https://api.example.com",',
    '         "authUrl": "https://auth.example.com/oauth2/token",',
    '         "clientId": "access-reviews",',
    '         "secretVariable": "IDENTITY_QUERIES_SECRET"',
    '       }',
    '     ]',
    '   Put the client secret into the variable IDENTITY_QUERIES_SECRET, then run the command again.',
  ]);
}
