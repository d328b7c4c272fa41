/** Returns the client of the current connection, waiting for a connection attempt in progress. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { Session } from './session.ts';

export interface ConnectedClient {
  readonly client: ServiceClient;
  readonly profile: ConnectionProfile;
}

/** @throws ExpectedError if not connected. */
export async function connectedClient(session: Session): Promise<ConnectedClient> {
  await session.settled();
  const client = session.requireClient();
  const { state } = session;
  if (state.kind !== 'connected') throw new ExpectedError(vscode.l10n.t('Not connected.'));
  return { client, profile: state.profile };
}
