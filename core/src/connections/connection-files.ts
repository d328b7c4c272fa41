/**
 * Reads connections from a file, for programs without an editor. The file contains a list of entries as in
 * `identityQueries.connections`. Trust depends on its origin: the user's own file, a file that the user named, or a
 * file found in a folder.
 */
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { unreadableWords } from '#base/files/disk-messages.ts';
import { folderOf, homeFolder } from '#base/files/own-folders.ts';
import { lineOfSyntaxError, repeatedWords } from '#base/json-places.ts';
import { t } from '#base/texts.ts';
import { sayConnectionProblem } from './connection-messages.ts';
import type { ConnectionProfile } from './connection-profile.ts';
import { digestOfEntry } from './connection-trust.ts';
import { withoutAgents } from './folder-entry.ts';
import { parseConnection, type ConnectionProblem } from './parse-connection.ts';

/** An error whose `message` is safe to show. */
export class ConnectionFileError extends Error {}

/** `own`: in the user's configuration folder. `named`: named by the user. `folder`: found in a folder. */
export type FileTrust = 'own' | 'named' | 'folder';

export interface ConnectionFile {
  readonly file: string;
  readonly trust: FileTrust;
}

export interface ConnectionsOfFile extends ConnectionFile {
  readonly connections: readonly ConnectionProfile[];
  readonly broken: readonly BrokenEntry[];
  /** For a folder's file: the digest of each usable entry, by name. An answer of the person belongs to a digest. */
  readonly digests: ReadonlyMap<string, string>;
}

/** An entry that cannot be used. It counts as a connection, so that no other is used in its place. */
export interface BrokenEntry {
  /** Its name, if that can be read. */
  readonly name: string | undefined;
  readonly problem: string;
}

/** Returns the path of `connections.json` in the user's configuration folder. */
export function ownConnectionFile(environment: NodeJS.ProcessEnv, platform = process.platform): string {
  const windows = platform === 'win32' ? folderOf(environment, 'APPDATA', platform) : undefined;
  const folder = folderOf(environment, 'XDG_CONFIG_HOME') ?? windows ?? path.join(homeFolder(), '.config');
  return path.join(folder, 'identity-queries', connectionsName);
}

/**
 * Finds the file to use: the named one; otherwise, `.identity-queries/connections.json` in the folder or its nearest
 * parent; otherwise, the user's own file. Undefined if there is none.
 */
export async function findConnectionFile({
  named,
  folder,
  own,
}: {
  readonly named?: string | undefined;
  readonly folder: string;
  readonly own: string;
}): Promise<ConnectionFile | undefined> {
  if (named !== undefined) {
    const given = path.resolve(folder, named);
    return { file: given, trust: (await isSame(given, own)) ? 'own' : 'named' };
  }
  const file = await findFound(folder, connectionsName);
  if (file !== undefined) return { file, trust: (await isSame(file, own)) ? 'own' : 'folder' };
  return (await exists(own)) ? { file: own, trust: 'own' } : undefined;
}

/** Finds a file of `.identity-queries` in the folder or its nearest parent; undefined if there is none. */
export async function findFound(folder: string, name: string): Promise<string | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, '.identity-queries', name);
    if (await exists(file)) return file;
    if (path.dirname(at) === at) return undefined;
  }
}

/** The name of a person's or a folder's file of connections. */
export const connectionsName = 'connections.json';

const maxBytes = 1_048_576;

/** @throws ConnectionFileError if the file cannot be read or is not a list. */
export async function readConnectionFile(source: ConnectionFile): Promise<ConnectionsOfFile> {
  const { file, trust } = source;
  const raw = parsed(await textOf(source), file);
  const broken: BrokenEntry[] = [];
  const connections: ConnectionProfile[] = [];
  const names = new Set<string>();
  const digests = new Map<string, string>();
  const realFile = trust === 'folder' ? await real(file) : file;
  for (const [index, entry] of raw.entries()) {
    const place = `${file}[${index}]`;
    const found = parseConnection(entry, names);
    const problem =
      found.kind === 'problem' ? sayProblem(found.problem, place) : refusalOf(found.profile, trust, place);
    if (found.kind === 'profile' && problem === undefined) {
      names.add(found.profile.name);
      if (trust === 'folder') digests.set(found.profile.name, digestOfEntry(realFile, entry));
      connections.push(trust === 'folder' ? withoutAgents(found.profile) : found.profile);
    } else if (problem !== undefined) broken.push({ name: nameOf(entry), problem });
  }
  return { file, trust, connections, broken, digests };
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !('name' in entry)) return undefined;
  // As of an entry that can be used: blanks around a name are never meant.
  const name = typeof entry.name === 'string' ? entry.name.trim() : '';
  return name === '' ? undefined : name;
}

function sayProblem(problem: ConnectionProblem, place: string): string {
  return problem.kind === 'secret'
    ? t(
        '{0} contains a secret ({1}), so it is not used. Name an environment variable in "secretVariable" instead.',
        place,
        problem.field,
      )
    : sayConnectionProblem(problem, place);
}

/** The secret of the environment's connection, which is sent only to its addresses, and keys of what is kept. */
const belongElsewhere: ReadonlySet<string> = new Set([
  'IDENTITY_QUERIES_CLIENT_SECRET',
  'IDENTITY_QUERIES_DIGEST_KEY',
  'IDENTITY_QUERIES_COMMENT_TOKEN',
  'IDENTITY_QUERIES_STATE_PASSWORD',
  'IDENTITY_QUERIES_RELAY_WORD',
]);

/** Whether a file that was found in a folder may name this variable, whose value is sent. */
export function mayFolderName(variable: string): boolean {
  return variable.startsWith('IDENTITY_QUERIES_') && !belongElsewhere.has(variable.toUpperCase());
}

/** The variable that the documents and the first steps recommend for the secret of a connection. */
const recommended = 'IDENTITY_QUERIES_SECRET';

/**
 * Whether the value of a variable is a secret of a connection or another credential, so that only what it belongs to
 * may get it.
 * @param secrets of `secretVariables`.
 */
export function isCredential(variable: string, secrets: ReadonlySet<string>): boolean {
  const name = variable.toUpperCase(); // Windows does not tell case apart
  return name === recommended || belongElsewhere.has(name) || secrets.has(name);
}

/** Returns the variables with the secrets of these connections, for `isCredential`. */
export function secretVariables(connections: readonly ConnectionProfile[]): ReadonlySet<string> {
  return new Set(
    connections.flatMap(({ secretSource }) =>
      secretSource?.kind === 'variable' ? [secretSource.name.toUpperCase()] : [],
    ),
  );
}

/** Returns the person's own connections and those of the folder. @throws ConnectionFileError */
export async function readConnectionsNear(
  folder: string,
  own: string,
): Promise<readonly ConnectionProfile[]> {
  const found = await findConnectionFile({ folder, own });
  const files = [found, ...((await exists(own)) ? [{ file: own, trust: 'own' } as const] : [])];
  const read = files.map(async (file) =>
    file === undefined ? [] : (await readConnectionFile(file)).connections,
  );
  return (await Promise.all(read)).flat();
}

/**
 * Returns the reason to refuse an entry; undefined if it is allowed. A file found in a folder may come from a stranger,
 * so it must not send arbitrary variables or start programs.
 */
function refusalOf(
  { secretSource, allowPlainHttp, allowChanges }: ConnectionProfile,
  trust: FileTrust,
  place: string,
): string | undefined {
  if (secretSource?.kind === 'command' && trust !== 'own')
    return t('{0}: "secretCommand" works only in your own connections file.', place);
  if (trust !== 'folder') return undefined;
  if (secretSource?.kind === 'variable' && !mayFolderName(secretSource.name))
    return t(
      "{0}: a folder's connections file can only name variables that start with IDENTITY_QUERIES_, except IDENTITY_QUERIES_CLIENT_SECRET and IDENTITY_QUERIES_DIGEST_KEY. If you trust the file, name it with --connections.",
      place,
    );
  if (allowPlainHttp || allowChanges)
    return t(
      '{0}: "allowPlainHttp" and "allowChanges" are ignored in a folder\'s connections file. If you trust the file, name it with --connections.',
      place,
    );
  return undefined;
}

async function textOf({ file, trust }: ConnectionFile): Promise<string> {
  try {
    const bytes = await (trust === 'folder' ? readFound(file) : readBounded(file, { maxBytes }));
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof OtherOwnerError)
      throw new ConnectionFileError(
        t('{0} belongs to another user. If you trust it, name it with --connections.', file),
      );
    if (!(error instanceof FileRefusal)) throw error;
    const reason =
      error.code === 'unreadable' ? (unreadableWords(error.cause) ?? error.message) : error.message;
    throw new ConnectionFileError(t('{0} cannot be read: {1}.', file, reason), { cause: error });
  }
}

/** A file that was found belongs to another user. */
export class OtherOwnerError extends Error {}

/**
 * Reads a file of `.identity-queries` that was found in a folder, which may be a stranger's.
 * @throws FileRefusal, OtherOwnerError
 */
export async function readFound(file: string): Promise<Buffer> {
  return await readBounded(file, {
    maxBytes,
    within: path.dirname(path.dirname(file)),
    examine: ({ uid }) => {
      if (isOfAnother(uid)) throw new OtherOwnerError();
    },
  });
}

function isOfAnother(owner: number): boolean {
  const me = process.getuid?.();
  return me !== undefined && owner !== me && owner !== 0;
}

function parsed(text: string, file: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The parser's message quotes the text, which may contain a secret.
    throw new ConnectionFileError(t('{0} is not JSON: see line {1}.', file, lineOfSyntaxError(error, text)), {
      cause: error instanceof Error ? new Error(error.name) : undefined,
    });
  }
  const repeated = repeatedWords(text, file);
  if (repeated !== undefined) throw new ConnectionFileError(repeated);
  if (Array.isArray(value)) return value;
  throw new ConnectionFileError(
    t('{0} must contain a list of connections, like the setting identityQueries.connections.', file),
  );
}

async function exists(file: string): Promise<boolean> {
  // A link that leads nowhere is there, and is refused when it is read.
  return await lstat(file).then(
    () => true,
    () => false, // missing or not accessible: ignored
  );
}

async function isSame(file: string, other: string): Promise<boolean> {
  return (await real(file)) === (await real(other));
}

/** Returns the path after links. A missing path is returned as it is. */
const real = async (name: string): Promise<string> => await realpath(name).catch(() => path.resolve(name)); // the path does not exist
