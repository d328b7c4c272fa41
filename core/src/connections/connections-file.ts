/**
 * Connections outside the editor: a JSON file of the same entries as the setting `identityQueries.connections`. The
 * person's own file may do all that the setting may. Any other file is a repository's: it cannot run a program, use
 * plain HTTP, or name a variable that was not made for this purpose, since whoever wrote it also names the server that
 * gets the secret.
 */
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { environmentConnection } from './environment-connection.ts';
import type { ConnectionProfile } from './connection-profile.ts';
import { parseConnection, type ConnectionProblem } from './parse-connection.ts';
import { isMissingFile } from '../util/errors.ts';

export interface Surroundings {
  /** Where looking for a repository's file begins. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

export interface FoundConnection {
  readonly profile: ConnectionProfile;
  /** Known already, or undefined: it is read from the profile's `secretSource`. */
  readonly secret: string | undefined;
}

/** Why an entry of a file is not used. */
export type EntryProblem =
  | ConnectionProblem
  /** Only the person's own file may do this. */
  | { readonly kind: 'not-own'; readonly field: 'secretCommand' | 'allowPlainHttp' }
  /** A repository's file may only name variables that begin with this prefix. */
  | { readonly kind: 'foreign-variable'; readonly variable: string; readonly prefix: string }
  /** Without a secret storage something must say where the secret is. */
  | { readonly kind: 'no-secret-source' };

export interface UnusedEntry {
  /** As it is written, where it is. */
  readonly name: string | undefined;
  /** 1-based. */
  readonly position: number;
  readonly problem: EntryProblem;
}

export interface ConnectionsFile {
  /** The file that was read; undefined where there is none. */
  readonly file: string | undefined;
  /** Whether it lies in the person's configuration folder. */
  readonly isOwn: boolean;
  readonly connections: readonly FoundConnection[];
  readonly unused: readonly UnusedEntry[];
}

export type FileProblem = 'missing' | 'unreadable' | 'too-large' | 'not-json' | 'not-a-list';

export class ConnectionsFileError extends Error {
  readonly file: string;
  readonly problem: FileProblem;

  constructor(file: string, problem: FileProblem, cause?: unknown) {
    super(`${problem}: ${file}`, cause === undefined ? undefined : { cause });
    this.name = 'ConnectionsFileError';
    this.file = file;
    this.problem = problem;
  }
}

export const variablePrefix = 'IDENTITY_QUERIES_';
const fileName = 'connections.json';
const repositoryFolder = '.identity-queries';
const sizeMax = 1_048_576;

/** The folder of a person's own settings on this system. */
export function configurationFolder({
  environment,
  platform = process.platform,
  home = homedir(),
}: Omit<Surroundings, 'cwd'>): string {
  const set = environment['XDG_CONFIG_HOME'];
  if (set !== undefined && path.isAbsolute(set)) return path.join(set, 'identity-queries');
  if (platform === 'win32')
    return path.join(environment['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'identity-queries');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'identity-queries');
  return path.join(home, '.config', 'identity-queries');
}

/**
 * Reads the file that was named, else the first there is: `.identity-queries/connections.json` in this folder or one
 * above it, then `connections.json` in the person's configuration folder. A connection of the environment comes first.
 * @throws ConnectionsFileError
 */
export async function readConnections(around: Surroundings, named?: string): Promise<ConnectionsFile> {
  const own = path.join(configurationFolder(around), fileName);
  const file = named === undefined ? await findFile(around.cwd, own) : path.resolve(around.cwd, named);
  const environment = environmentConnection(around.environment);
  const known: FoundConnection[] = environment === undefined ? [] : [environment];
  if (file === undefined) return { file, isOwn: false, connections: known, unused: [] };
  const isOwn = file === own;
  const names = new Set(known.map(({ profile }) => profile.name));
  const connections = [...known];
  const unused: UnusedEntry[] = [];
  for (const [index, entry] of (await readEntries(file)).entries()) {
    const read = readEntry(entry, { names, isOwn });
    if ('profile' in read) {
      names.add(read.profile.name);
      connections.push({ profile: read.profile, secret: undefined });
    } else unused.push({ name: nameOf(entry), position: index + 1, problem: read.problem });
  }
  return { file, isOwn, connections, unused };
}

async function findFile(cwd: string, own: string): Promise<string | undefined> {
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, repositoryFolder, fileName);
    if (await isFile(candidate)) return candidate;
    if (path.dirname(folder) === folder) break;
  }
  return (await isFile(own)) ? own : undefined;
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    // What may not be looked at is said when it is read, not passed over.
    return !isMissingFile(error);
  }
}

async function readEntries(file: string): Promise<readonly unknown[]> {
  let text: string;
  try {
    if ((await stat(file)).size > sizeMax) throw new ConnectionsFileError(file, 'too-large');
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof ConnectionsFileError) throw error;
    throw new ConnectionsFileError(file, isMissingFile(error) ? 'missing' : 'unreadable', error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConnectionsFileError(file, 'not-json', error);
  }
  const entries =
    typeof value === 'object' && value !== null && 'connections' in value ? value.connections : value;
  if (!Array.isArray(entries)) throw new ConnectionsFileError(file, 'not-a-list');
  return entries as readonly unknown[]; // each is looked at when it is read
}

function readEntry(
  entry: unknown,
  { names, isOwn }: { readonly names: ReadonlySet<string>; readonly isOwn: boolean },
): { readonly profile: ConnectionProfile } | { readonly problem: EntryProblem } {
  const parsed = parseConnection(entry, names);
  if (parsed.kind === 'problem') return { problem: parsed.problem };
  const { profile } = parsed;
  const { secretSource } = profile;
  if (secretSource === undefined) return { problem: { kind: 'no-secret-source' } };
  if (isOwn) return { profile };
  if (secretSource.kind === 'command') return { problem: { kind: 'not-own', field: 'secretCommand' } };
  if (profile.allowPlainHttp) return { problem: { kind: 'not-own', field: 'allowPlainHttp' } };
  const variable = secretSource.name;
  // The environment's own connection brings its addresses along: its secret goes nowhere else.
  return variable.startsWith(variablePrefix) && variable !== `${variablePrefix}CLIENT_SECRET`
    ? { profile }
    : { problem: { kind: 'foreign-variable', variable, prefix: variablePrefix } };
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !('name' in entry)) return undefined;
  return typeof entry.name === 'string' ? entry.name : undefined;
}
