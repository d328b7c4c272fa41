/** Opens a client for a connection, with the editor's network settings. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { ScopeName } from '#api/contract/token.ts';
import type { Logger } from '#base/logger.ts';
import { sayAddressProblem } from '#core/connections/connection-messages.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { heldBack } from '#core/connections/folder-entry.ts';
import { openClient as openClientOf } from '#core/connections/open-client.ts';
import { refusedAddress } from '#core/connections/parse-connection.ts';
import type { Memory } from '#core/memory/memory.ts';
import { reviewAction } from '../ui/connection-labels.ts';
import { ConnectionSettingError } from './connection-failure.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { openNetwork, readNetworkSettings } from './network.ts';
import type { SecretStore } from './secrets.ts';

export interface ClientDependencies {
  readonly log: Logger;
  readonly secrets: SecretStore;
  readonly settings: () => ConnectionSettings;
  readonly userAgent: string;
  readonly memory: Memory;
}

/**
 * Opens a client, which the caller must close.
 * @throws ConnectionSettingError if the connection may not be used
 * @throws CertificateError if a configured certificate file cannot be used
 */
export async function openClient(
  profile: ConnectionProfile,
  deps: ClientDependencies,
  listeners: {
    /** Called when the secret is missing or no longer accepted. */
    readonly onAccessLost: (error: Error) => void;
    /** Called when the token endpoint grants fewer scopes than requested, and when it grants other ones later. */
    readonly onGrantedScopes: (scopes: readonly ScopeName[]) => void;
    /** Called after each request: with the error if the service was unreachable, otherwise with undefined. */
    readonly onReach: (failure: Error | undefined) => void;
  },
): Promise<ServiceClient> {
  requireUsable(profile);
  const networkSettings = readNetworkSettings();
  const { certificateFile } = networkSettings.dispatcher;
  const network = await openNetwork(
    networkSettings,
    certificateFile === undefined ? undefined : await deps.secrets.passphrase(certificateFile),
  );
  return await openClientOf(profile, {
    clientSecret: () => deps.secrets.require(profile),
    network,
    timeoutMs: networkSettings.requestTimeoutMs,
    totalTimeoutMs: networkSettings.totalTimeoutMs,
    logger: deps.log,
    userAgent: deps.userAgent,
    memory: deps.memory,
    onAuthFailure: listeners.onAccessLost,
    onGrantedScopes: listeners.onGrantedScopes,
    onReach: listeners.onReach,
  });
}

/** Environment connections bypass the settings, so every URL is validated here too. */
export function requireUsable(profile: ConnectionProfile): void {
  const refused = refusedAddress(profile);
  if (refused === undefined) return;
  if (refused.problem === 'plain-http' && heldBack(profile)?.allowPlainHttp === true)
    throw new ConnectionSettingError(
      vscode.l10n.t(
        `The connection "{0}" can't be used: {1} is not encrypted, and the folder is not allowed to use http://.`,
        profile.name,
        refused.field,
      ),
      [reviewAction(profile)],
    );
  throw new ConnectionSettingError(
    vscode.l10n.t(
      `The connection "{0}" can't be used: {1} ({2})`,
      profile.name,
      sayAddressProblem(refused.problem),
      refused.field,
    ),
  );
}
