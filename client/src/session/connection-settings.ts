/** `identityQueries.connections`: read in words that people understand, and written where an entry already lives. */
import * as vscode from 'vscode';
import { settings, settingsSection } from '../contributions.ts';
import type { ConnectionProfile } from '../../../core/src/connections/connection-profile.ts';
import { sayConnectionProblem } from '../../../core/src/connections/connection-words.ts';
import {
  parseConnection,
  secretFieldsOf,
  type ConnectionSetting,
} from '../../../core/src/connections/parse-connection.ts';

/** An entry that cannot be used, and why. */
export interface SettingProblem {
  /** For people. */
  readonly message: string;
  /** The entry holds a secret, which can be moved to the secret storage. */
  readonly holdsSecret: boolean;
}

export interface ConnectionSettings {
  readonly connections: readonly ConnectionProfile[];
  readonly problems: readonly SettingProblem[];
}

export function readConnections(): ConnectionSettings {
  const raw = vscode.workspace.getConfiguration(settingsSection).get<unknown>(settings.connections, []);
  const problems: SettingProblem[] = [];
  const connections: ConnectionProfile[] = [];
  const names = new Set<string>();
  for (const [index, entry] of (Array.isArray(raw) ? raw : []).entries()) {
    const parsed = parseConnection(entry, names);
    if (parsed.kind === 'profile') {
      names.add(parsed.profile.name);
      connections.push(parsed.profile);
    } else {
      problems.push({
        message: sayConnectionProblem(parsed.problem, `${settingsSection}.${settings.connections}[${index}]`),
        holdsSecret: parsed.problem.kind === 'secret',
      });
    }
  }
  return { connections: Object.freeze(connections), problems: Object.freeze(problems) };
}

interface Stored {
  readonly target: vscode.ConfigurationTarget;
  readonly entries: readonly unknown[];
}

/** What each settings file holds, the one that counts first. */
function storedEntries(): readonly Stored[] {
  const found = vscode.workspace.getConfiguration(settingsSection).inspect<unknown>(settings.connections);
  const all: readonly (readonly [vscode.ConfigurationTarget, unknown])[] = [
    [vscode.ConfigurationTarget.WorkspaceFolder, found?.workspaceFolderValue],
    [vscode.ConfigurationTarget.Workspace, found?.workspaceValue],
    [vscode.ConfigurationTarget.Global, found?.globalValue],
  ];
  return all.flatMap(([target, value]) =>
    Array.isArray(value) ? [{ target, entries: value as readonly unknown[] }] : [],
  );
}

async function write({ target, entries }: Stored): Promise<void> {
  const value = entries.length === 0 ? undefined : entries;
  await vscode.workspace.getConfiguration(settingsSection).update(settings.connections, value, target);
}

function isNamed(entry: unknown, name: string): boolean {
  return typeof entry === 'object' && entry !== null && 'name' in entry && entry.name === name;
}

/**
 * Adds a connection to the settings that count, or puts it in the place of the one named `replaces`.
 */
export async function writeConnection(setting: ConnectionSetting, replaces?: string): Promise<void> {
  const files = storedEntries();
  const name = replaces ?? setting.name;
  const holder = files.find(({ entries }) => entries.some((entry) => isNamed(entry, name)));
  if (holder === undefined) {
    const first = files[0] ?? { target: vscode.ConfigurationTarget.Global, entries: [] };
    await write({ ...first, entries: [...first.entries, setting] });
    return;
  }
  await write({
    ...holder,
    entries: holder.entries.map((entry) => (isNamed(entry, name) ? setting : entry)),
  });
}

/** Takes a connection out of every settings file that has it. */
export async function deleteConnection(name: string): Promise<void> {
  for (const file of storedEntries()) {
    const entries = file.entries.filter((entry) => !isNamed(entry, name));
    if (entries.length < file.entries.length) await write({ ...file, entries });
  }
}

export interface FoundSecret {
  /** The entry without its secret. */
  readonly entry: unknown;
  readonly secret: string | undefined;
}

/**
 * Takes every secret out of every settings file. `keep` is asked to store each before its file is written, so that
 * none is lost; an entry for which it answers false stays as it is.
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
      const all = entry as Readonly<Record<string, unknown>>; // it has fields, so it is an object
      const rest = Object.fromEntries(Object.entries(all).filter(([key]) => !fields.includes(key)));
      const secret = fields.map((field) => all[field]).find((value) => typeof value === 'string');
      const isKept = await keep({ entry: rest, secret });
      hasSecrets ||= isKept;
      entries.push(isKept ? rest : entry);
    }
    if (hasSecrets) await write({ ...file, entries });
  }
}
