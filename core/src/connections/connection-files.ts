/**
 * Reads connections from a file, for programs without an editor. The file contains a list of entries as in
 * `identityQueries.connections`. Trust depends on its origin: the user's own file, a file that the user named, or a
 * file found in a folder.
 */
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { FileRefusal, readBounded } from '#base/files/bounded-file.ts';
import { unreadableWords } from '#base/files/disk-words.ts';
import { t } from '#base/texts.ts';
import type { ConnectionProfile } from './connection-profile.ts';
import { digestOfEntry } from './connection-trust.ts';
import { sayConnectionProblem } from './connection-words.ts';
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
  const windows = platform === 'win32' ? environment['APPDATA'] : undefined;
  const folder = environment['XDG_CONFIG_HOME'] ?? windows ?? path.join(homedir(), '.config');
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
    const file = path.resolve(folder, named);
    return { file, trust: (await isSame(file, own)) ? 'own' : 'named' };
  }
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, '.identity-queries', connectionsName);
    if (await exists(file)) return { file, trust: (await isSame(file, own)) ? 'own' : 'folder' };
    if (path.dirname(at) === at) break;
  }
  return (await exists(own)) ? { file: own, trust: 'own' } : undefined;
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
  return typeof entry.name === 'string' ? entry.name : undefined;
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

/** The secret of the environment's connection, which is sent only to its addresses, and the key of digests of rows. */
const belongElsewhere = new Set(['IDENTITY_QUERIES_CLIENT_SECRET', 'IDENTITY_QUERIES_DIGEST_KEY']);

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
  const isForUs = (name: string) => name.startsWith('IDENTITY_QUERIES_') && !belongElsewhere.has(name);
  if (secretSource?.kind === 'variable' && !isForUs(secretSource.name))
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
    const bytes = await readBounded(file, {
      maxBytes,
      ...(trust === 'folder' ? { within: path.dirname(path.dirname(file)) } : {}),
      examine: ({ uid }) => {
        if (trust === 'folder' && isOfAnother(uid))
          throw new ConnectionFileError(
            t('{0} belongs to another user. If you trust it, name it with --connections.', file),
          );
      },
    });
    return bytes.toString('utf8');
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    const reason =
      error.code === 'unreadable' ? (unreadableWords(error.cause) ?? error.message) : error.message;
    throw new ConnectionFileError(t('{0} cannot be read: {1}.', file, reason), { cause: error });
  }
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
    throw new ConnectionFileError(t('{0} is not JSON.', file), {
      cause: error instanceof Error ? new Error(error.name) : undefined,
    });
  }
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
