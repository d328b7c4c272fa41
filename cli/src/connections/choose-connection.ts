/** The connection of a command: from a file, by name or because there is only one, with its secret and its network. */
import type { Dispatcher } from 'undici';
import { createDispatcher } from '../../../api/client/dispatcher.ts';
import type { ConnectionProfile } from '../../../core/src/connections/connection-profile.ts';
import {
  findConnectionFile,
  ownConnectionFile,
  readConnectionFile,
  type ConnectionsOfFile,
} from '../../../core/src/connections/connection-files.ts';
import {
  readSecretSource,
  SecretSourceFailure,
  type SecretSourceProblem,
} from '../../../core/src/connections/secret-sources.ts';
import { UsageError } from '../usage-error.ts';

/** What every command that talks to a service takes. */
export interface ConnectionOptions {
  /** --connection */
  readonly connection?: string | undefined;
  /** --connections */
  readonly connections?: string | undefined;
}

export interface Surroundings {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface ChosenConnection {
  readonly profile: ConnectionProfile;
  /** The file it comes from. */
  readonly file: string;
}

/** @throws UsageError, ConnectionFileError */
export async function chooseConnection(
  { connection, connections }: ConnectionOptions,
  { folder, environment }: Surroundings,
): Promise<ChosenConnection> {
  const own = ownConnectionFile(environment);
  const source = await findConnectionFile({ named: connections, folder, own });
  if (source === undefined) throw new UsageError(noFile(own));
  const found = await readConnectionFile(source);
  return { profile: pick(found, connection), file: found.file };
}

/** @throws UsageError where there is no secret. */
export async function secretOf(profile: ConnectionProfile, environment: NodeJS.ProcessEnv): Promise<string> {
  if (profile.secretSource === undefined)
    throw new UsageError(
      `The connection "${profile.name}" does not say where its client secret comes from. Add "secretVariable" with the name of an environment variable to it.`,
    );
  try {
    return await readSecretSource(profile.secretSource, { environment });
  } catch (error) {
    if (error instanceof SecretSourceFailure)
      throw new UsageError(saySecretProblem(error.problem, profile.name), { cause: error });
    throw error;
  }
}

/** Through the proxies of the environment, trusting what the system trusts. Whoever asks for it ends it. */
export async function openNetwork(): Promise<Dispatcher> {
  return await createDispatcher({ proxy: 'environment', useSystemCertificates: true });
}

/** @throws UsageError */
function pick(
  { file, connections, problems }: ConnectionsOfFile,
  name: string | undefined,
): ConnectionProfile {
  const [first, ...others] = connections;
  const found =
    name === undefined
      ? others.length === 0
        ? first
        : undefined
      : connections.find((each) => each.name === name);
  if (found !== undefined) return found;
  const said = problems.map((problem) => `\n${problem}`).join('');
  if (first === undefined) throw new UsageError(`${file} holds no connection that can be used.${said}`);
  const names = connections.map((each) => `"${each.name}"`).join(', ');
  throw new UsageError(
    name === undefined
      ? `${file} holds several connections: say which with --connection. They are ${names}.`
      : `${file} holds no connection "${name}" that can be used. It holds ${names}.${said}`,
  );
}

const example = `[
  {
    "name": "Production",
    "baseUrl": "https://api.example.com",
    "authUrl": "https://auth.example.com/oauth2/token",
    "clientId": "my-client",
    "secretVariable": "IDENTITY_QUERIES_SECRET"
  }
]`;

function noFile(own: string): string {
  return `There is no connection. Either start the local service (identity-queries sandbox), or write a file .identity-queries/connections.json here or ${own}, for example:\n\n${example}`;
}

function saySecretProblem(problem: SecretSourceProblem, connection: string): string {
  const of = `The client secret of the connection "${connection}"`;
  switch (problem.kind) {
    case 'variable-not-set':
      return `${of} comes from the environment variable ${problem.name}, which is not set. Set it and try again.`;
    case 'program-not-found':
      return `${of} comes from a program that cannot be started: ${problem.program}. Check secretCommand; it is a list of program and arguments, and no shell is used.`;
    case 'program-too-slow':
      return `${of} comes from a program that did not end within ${problem.seconds} seconds: ${problem.program}. Run it by itself: it may wait for an answer.`;
    case 'program-failed':
      return `${of} comes from a program that failed (exit code ${problem.exitCode ?? '?'}): ${problem.program}. Run it by itself to see why.`;
    case 'program-printed-nothing':
      return `${of} comes from a program that printed nothing on its first line: ${problem.program}.`;
    default:
      return problem satisfies never;
  }
}
