/** Reads the settings of the extension to one frozen object; what does not fit is left out and reported. */
import * as vscode from 'vscode';
import { settings, settingsSection } from '../contributions.ts';
import { addressProblem, type ConnectionProfile } from './connection-profile.ts';

/** One entry of `identityQueries.connections`, as package.json describes it. */
export interface ConnectionSetting {
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly environment?: string;
  readonly clientId: string;
  readonly protected?: boolean;
}

function isConnectionSetting(value: unknown): value is ConnectionSetting {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Readonly<Record<string, unknown>>; // any object has text keys
  const needed = [entry['name'], entry['baseUrl'], entry['authUrl'], entry['clientId']];
  return (
    needed.every((text) => typeof text === 'string' && text !== '') &&
    ['undefined', 'string'].includes(typeof entry['environment']) &&
    ['undefined', 'boolean'].includes(typeof entry['protected'])
  );
}

export interface Settings {
  readonly connections: readonly ConnectionProfile[];
  /** One sentence for each entry of `connections` that cannot be used. */
  readonly problems: readonly string[];
  readonly requestTimeoutMs: number;
  readonly clientAuthentication: 'basic' | 'body';
}

export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const raw = configuration.get<unknown>(settings.connections, []);
  const problems: string[] = [];
  const connections: ConnectionProfile[] = [];
  for (const [index, entry] of (Array.isArray(raw) ? raw : []).entries()) {
    const parsed = parseConnection(entry, index, connections);
    if (typeof parsed === 'string') problems.push(parsed);
    else connections.push(parsed);
  }
  const seconds = configuration.get<unknown>(settings.requestTimeoutSeconds);
  return Object.freeze({
    connections: Object.freeze(connections),
    problems: Object.freeze(problems),
    requestTimeoutMs: (typeof seconds === 'number' && seconds > 0 ? seconds : 30) * 1000,
    clientAuthentication:
      configuration.get<unknown>(settings.clientAuthentication) === 'body' ? 'body' : 'basic',
  });
}

function parseConnection(
  entry: unknown,
  index: number,
  before: readonly ConnectionProfile[],
): ConnectionProfile | string {
  const place = `identityQueries.connections[${index}]`;
  if (hasSecret(entry)) {
    return vscode.l10n.t(
      '{0} holds a secret. Remove it from the settings: secrets are asked for and kept in the secret storage.',
      place,
    );
  }
  if (!isConnectionSetting(entry)) {
    return vscode.l10n.t('{0} needs the texts name, baseUrl, authUrl and clientId.', place);
  }
  for (const address of [entry.baseUrl, entry.authUrl]) {
    if (addressProblem(address) !== undefined) {
      return vscode.l10n.t(
        '{0}: {1} is not an https address (http is for this machine only).',
        place,
        address,
      );
    }
  }
  if (before.some((other) => other.name === entry.name)) {
    return vscode.l10n.t('{0}: the name {1} is used twice.', place, entry.name);
  }
  return {
    name: entry.name,
    baseUrl: entry.baseUrl,
    authUrl: entry.authUrl,
    environment: entry.environment,
    clientId: entry.clientId,
    protected: entry.protected ?? false,
    source: 'settings',
  };
}

function hasSecret(entry: unknown): boolean {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    Object.keys(entry).some((key) => /secret|password/i.test(key))
  );
}

/** Adds a connection to the user's settings, or replaces the one of the same name. */
export async function writeConnection(profile: ConnectionSetting): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const current = configuration.inspect<readonly unknown[]>(settings.connections)?.globalValue ?? [];
  const others = current.filter((entry) => !(isConnectionSetting(entry) && entry.name === profile.name));
  await configuration.update(settings.connections, [...others, profile], vscode.ConfigurationTarget.Global);
}
