/** A client of a configured connection: its secret, its rights and the network's ways, put together in one place. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../api/client/client.ts';
import type { Logger } from '../../../core/src/util/logger.ts';
import { ConnectionSettingError } from './connection-failure.ts';
import type { ConnectionProfile } from '../../../core/src/connections/connection-profile.ts';
import { sayAddressProblem } from './connection-settings.ts';
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
 * The client and what it is made of are loaded when first needed, not when a window opens. Whoever opens it closes it.
 * @throws ConnectionSettingError when the connection may not be used; CertificateError.
 */
export async function openClient(
  profile: ConnectionProfile,
  deps: ClientDependencies,
  /** Told when there is no secret any more, or it is not accepted. */
  onAccessLost: (error: Error) => void,
): Promise<ServiceClient> {
  requireUsable(profile);
  const { createClient } = await import('../../../api/client/client.ts');
  const networkSettings = readNetworkSettings();
  const { certificateFile } = networkSettings.dispatcher;
  const network = await openNetwork(
    networkSettings,
    certificateFile === undefined ? undefined : await deps.secrets.passphrase(certificateFile),
  );
  const client = createClient({
    baseUrl: profile.baseUrl,
    authUrl: profile.authUrl,
    environment: profile.environment,
    clientId: profile.clientId,
    clientSecret: () => deps.secrets.require(profile),
    clientAuthentication: deps.settings().clientAuthentication,
    ...network.carrier,
    timeoutMs: networkSettings.requestTimeoutMs,
    totalTimeoutMs: networkSettings.totalTimeoutMs,
    logger: deps.log,
    userAgent: deps.userAgent,
    onAuthFailure: onAccessLost,
  });
  return {
    ...client,
    async close() {
      await client.close();
      await network.close();
    },
  };
}

/** Connections of the environment have not been through the settings, so every address is looked at here too. */
export function requireUsable(profile: ConnectionProfile): void {
  const refused = refusedAddress(profile);
  if (refused === undefined) return;
  throw new ConnectionSettingError(
    vscode.l10n.t(
      'The connection {0} cannot be used: {1} ({2})',
      profile.name,
      sayAddressProblem(refused.problem),
      refused.field,
    ),
  );
}
