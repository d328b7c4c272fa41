/** A client of a connection of the editor, over the editor's settings for the network. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../api/client/client.ts';
import { openClient as openClientOf } from '../../../core/src/connections/open-client.ts';
import type { Logger } from '../../../core/src/util/logger.ts';
import { ConnectionSettingError } from './connection-failure.ts';
import type { ConnectionProfile } from '../../../core/src/connections/connection-profile.ts';
import { sayAddressProblem } from '../../../core/src/connections/connection-words.ts';
import { heldBack } from '../../../core/src/connections/folder-entry.ts';
import { reviewAction } from '../ui/connection-words.ts';
import { openNetwork, readNetworkSettings } from './network.ts';
import { refusedAddress } from '../../../core/src/connections/parse-connection.ts';
import type { SecretStore } from './secrets.ts';
import type { Settings } from './settings.ts';

export interface ClientDependencies {
  readonly log: Logger;
  readonly secrets: SecretStore;
  readonly settings: () => Settings;
  readonly userAgent: string;
}

/**
 * Whoever opens it closes it.
 * @throws ConnectionSettingError when the connection may not be used; CertificateError.
 */
export async function openClient(
  profile: ConnectionProfile,
  deps: ClientDependencies,
  listeners: {
    /** Told when there is no secret any more, or it is not accepted. */
    readonly onAccessLost: (error: Error) => void;
    /** Told when the token endpoint gives fewer scopes than were asked for. */
    readonly onFewerScopes: () => void;
    /** Told after each request whether the service was reached: undefined, or why it was not. */
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
    clientAuthentication: deps.settings().clientAuthentication,
    network,
    timeoutMs: networkSettings.requestTimeoutMs,
    totalTimeoutMs: networkSettings.totalTimeoutMs,
    logger: deps.log,
    userAgent: deps.userAgent,
    onAuthFailure: listeners.onAccessLost,
    onFewerScopes: listeners.onFewerScopes,
    onReach: listeners.onReach,
  });
}

/** Connections of the environment have not been through the settings, so every address is looked at here too. */
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
