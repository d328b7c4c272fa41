/**
 * Reads `identityQueries.connections` with clear error messages, and writes entries to the file they came from. The
 * editor would replace the user's list with a folder's; here, a folder's entries are added after the user's.
 */
import * as vscode from 'vscode';
import { sayConnectionProblem } from '#core/connections/connection-messages.ts';
import {
  connectionKeyOf,
  type ConnectionProfile,
  type FolderEntry,
} from '#core/connections/connection-profile.ts';
import { connectionOfFolder, type AnswerOf } from '#core/connections/folder-entry.ts';
import { editedEntry } from '#core/connections/form/answers.ts';
import {
  type ConnectionProblem,
  parseConnection,
  secretFieldsOf,
  type ConnectionSetting,
} from '#core/connections/parse-connection.ts';
import { settings, settingsSection } from '../contributions.ts';

/** An unusable entry and the reason. */
export interface SettingProblem {
  /** Text for display. */
  readonly message: string;
  /** Whether the entry contains a secret, which can be moved to secret storage. */
  readonly holdsSecret: boolean;
}

export interface ConnectionSettings {
  readonly connections: readonly ConnectionProfile[];
  readonly problems: readonly SettingProblem[];
}

/** @param answerOf returns the user's answer for a folder's entry; by default there are none. */
export function readConnections(answerOf: AnswerOf = () => undefined): ConnectionSettings {
  const problems: SettingProblem[] = [];
  const connections: ConnectionProfile[] = [];
  const files = storedEntries();
  const ownNames = new Set(files.filter(isOwn).flatMap(({ entries }) => entries.flatMap(nameOf)));
  for (const { parsed, origin, place } of files.flatMap(parseFile)) {
    const report = (problem: ConnectionProblem) =>
      problems.push({
        message: sayConnectionProblem(problem, place),
        holdsSecret: problem.kind === 'secret',
      });
    if (parsed.kind === 'problem') report(parsed.problem);
    else if (origin === undefined) connections.push(parsed.profile);
    else if (!ownNames.has(parsed.profile.name))
      connections.push(connectionOfFolder(parsed.profile, origin, answerOf));
    else if (!connections.some((own) => isSame(own, parsed.profile)))
      report({ kind: 'taken', name: parsed.profile.name });
  }
  return { connections: Object.freeze(connections), problems: Object.freeze(problems) };
}

/** Parses a file's entries, and describes the location of each. */
function parseFile({ entries, origin }: Stored) {
  const names = new Set<string>();
  return entries.map((entry, index) => {
    const parsed = parseConnection(entry, names);
    if (parsed.kind === 'profile') names.add(parsed.profile.name);
    const field = `${settingsSection}.${settings.connections}[${index}]`;
    const place =
      origin === undefined ? field : vscode.l10n.t('{0} in the folder "{1}"', field, origin.folder);
    return { parsed, origin, place };
  });
}

function isOwn({ origin }: Stored): boolean {
  return origin === undefined;
}

/** Returns whether the user has an identical entry, so that either one works. */
function isSame(own: ConnectionProfile, profile: ConnectionProfile): boolean {
  return own.name === profile.name && connectionKeyOf(own) === connectionKeyOf(profile);
}

function nameOf(entry: unknown): readonly string[] {
  const hasName = typeof entry === 'object' && entry !== null && 'name' in entry;
  // As parsed: blanks around a name are never meant.
  return hasName && typeof entry.name === 'string' ? [entry.name.trim()] : [];
}

interface Stored {
  readonly target: vscode.ConfigurationTarget;
  /** Undefined for the user's own settings. */
  readonly origin: Pick<FolderEntry, 'folder' | 'uri'> | undefined;
  readonly entries: readonly unknown[];
}

/**
 * Returns the content of each settings file, starting with the user's. In a multi-root workspace, the folders' settings
 * are not read, since the workspace file applies to all folders.
 */
function storedEntries(): readonly Stored[] {
  const found = vscode.workspace.getConfiguration(settingsSection).inspect<unknown>(settings.connections);
  const { workspaceFile, workspaceFolders, isTrusted, name = '' } = vscode.workspace;
  const uri = workspaceFile ?? workspaceFolders?.[0]?.uri;
  const own = { target: vscode.ConfigurationTarget.Global, origin: undefined };
  const files: Stored[] = isList(found?.globalValue) ? [{ ...own, entries: found.globalValue }] : [];
  // The editor already withholds settings of untrusted folders, but don't depend on that.
  if (isTrusted && uri !== undefined && isList(found?.workspaceValue))
    files.push({
      target: vscode.ConfigurationTarget.Workspace,
      origin: { folder: name, uri: uri.toString() },
      entries: found.workspaceValue,
    });
  return files;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

async function write({ target, entries }: Stored): Promise<void> {
  const value = entries.length === 0 ? undefined : entries;
  await vscode.workspace.getConfiguration(settingsSection).update(settings.connections, value, target);
}

function isNamed(entry: unknown, name: string): boolean {
  return nameOf(entry).includes(name);
}

/** Returns the file that defines the entry with this name. */
function holderOf(name: string): Stored | undefined {
  return storedEntries().find(({ entries }) => entries.some((entry) => isNamed(entry, name)));
}

/** Adds a connection to the user's settings, or replaces the one named `replaces`. */
export async function writeConnection(setting: ConnectionSetting, replaces?: string): Promise<void> {
  const name = replaces ?? setting.name;
  const holder = holderOf(name);
  if (holder === undefined) {
    const own = storedEntries().find(isOwn);
    const target = vscode.ConfigurationTarget.Global;
    await write({ target, origin: undefined, entries: [...(own?.entries ?? []), setting] });
    return;
  }
  await write({
    ...holder,
    entries: holder.entries.map((entry) => (isNamed(entry, name) ? editedEntry(entry, setting) : entry)),
  });
}

/** Removes a connection from its settings file. A connection with the same name in another file is not affected. */
export async function deleteConnection(name: string): Promise<void> {
  const holder = holderOf(name);
  if (holder === undefined) return;
  await write({ ...holder, entries: holder.entries.filter((entry) => !isNamed(entry, name)) });
}

export interface FoundSecret {
  /** The entry without its secret. */
  readonly entry: unknown;
  readonly secret: string | undefined;
}

/**
 * Removes every secret from every settings file. `keep` stores each secret before its file is written, so that none is
 * lost; entries for which it returns false stay unchanged.
 */
export async function takeSecretsOut(keep: (found: FoundSecret) => Promise<boolean>): Promise<void> {
  for (const file of storedEntries()) {
    const entries: unknown[] = [];
    let hasSecrets = false;
    for (const entry of file.entries) {
      const fields = secretFieldsOf(entry);
      if (fields.length === 0) {
        entries.push(entry);
        continue;
      }
      const all = entry as Readonly<Record<string, unknown>>; // has members, so it is an object
      const rest = Object.fromEntries(Object.entries(all).filter(([key]) => !fields.includes(key)));
      const secret = fields.map((field) => all[field]).find((value) => typeof value === 'string');
      const isKept = await keep({ entry: rest, secret });
      hasSecrets ||= isKept;
      entries.push(isKept ? rest : entry);
    }
    if (hasSecrets) await write({ ...file, entries });
  }
}
