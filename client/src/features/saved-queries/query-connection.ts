/** The service that a saved query's document belongs to, which is not always the one that is chosen. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../api/client/client.ts';
import { commands } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../ui/failure.ts';
import { parseSavedQueryUri, type SavedQueryAddress } from './saved-query-uri.ts';

export interface QueryConnection extends SavedQueryAddress {
  readonly client: ServiceClient;
}

/** @throws ExpectedError when the address is none, or its connection is not the one that is up. */
export async function connectionOf(session: Session, uri: vscode.Uri): Promise<QueryConnection> {
  const address = parseSavedQueryUri(uri);
  if (address === undefined)
    throw new ExpectedError(vscode.l10n.t('This is not the address of a saved query.'));
  const state = await session.settled();
  if (state.kind === 'connected' && state.profile.name === address.connection) {
    return { ...address, client: state.client };
  }
  if (state.kind === 'failed' && state.profile.name === address.connection) {
    throw new ExpectedError(vscode.l10n.t('Not connected to {0}: {1}', address.connection, state.reason), [
      { title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry },
    ]);
  }
  throw new ExpectedError(
    vscode.l10n.t('This query belongs to {0}. Connect to it, then try again.', address.connection),
    [
      {
        title: vscode.l10n.t('Connect'),
        command: commands.connectionConnect,
        arguments: [address.connection],
      },
    ],
  );
}
