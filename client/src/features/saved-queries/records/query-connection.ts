/** The services that documents of saved queries belong to, which are not always the one that is chosen. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../../api/client/client.ts';
import { commands } from '../../../contributions.ts';
import { homeOf, type ConnectionNames } from '../../../session/connection-names.ts';
import type { Home } from '../../../../../core/src/connections/renamed-connections.ts';
import type { Session } from '../../../session/session.ts';
import { ExpectedError, type FailureAction } from '../../../../../core/src/util/failure.ts';
import { parseSavedQueryUri, savedQueryKey, type SavedQueryAddress } from './saved-query-uri.ts';

/** The connection is named as it is now, which the address may not know. */
export interface QueryConnection extends SavedQueryAddress {
  readonly client: ServiceClient;
}

export class QueryConnections {
  readonly #session: Session;
  readonly #names: ConnectionNames;
  /** What each query was read from, by document: the name in its address may be given to another connection. */
  readonly #homes = new Map<string, Home>();

  constructor(session: Session, names: ConnectionNames) {
    this.#session = session;
    this.#names = names;
  }

  /** @throws ExpectedError when the address is none, or its connection is not the one that is up. */
  async of(uri: vscode.Uri): Promise<QueryConnection> {
    const address = parseSavedQueryUri(uri);
    if (address === undefined)
      throw new ExpectedError(vscode.l10n.t('This is not the address of a saved query.'));
    const state = await this.#session.settled();
    const name = this.nameNow(uri);
    if (state.kind === 'connected' && state.profile.name === name) {
      this.#homes.set(savedQueryKey(uri), homeOf(state.profile));
      return { ...address, connection: name, client: state.client };
    }
    if (name === undefined) throw this.#gone(uri, address.connection);
    if (state.kind === 'failed' && state.profile.name === name) {
      throw new ExpectedError(vscode.l10n.t('Not connected to {0}: {1}', name, state.reason), [
        { title: vscode.l10n.t('Connect Again'), command: commands.connectionRetry },
      ]);
    }
    throw new ExpectedError(
      vscode.l10n.t('This query belongs to {0}. Connect to it, then try again.', name),
      [{ title: vscode.l10n.t('Connect'), command: commands.connectionConnect, arguments: [name] }],
    );
  }

  /** What the connection of a document is called now; undefined when there is none any more. */
  nameNow(uri: vscode.Uri): string | undefined {
    const address = parseSavedQueryUri(uri);
    return address && this.#names.nameNow(address.connection, this.#homes.get(savedQueryKey(uri)));
  }

  /** Whether the connection that has, or had, this name is the one that is up. */
  isCurrent(name: string): boolean {
    const { state } = this.#session;
    return state.kind === 'connected' && this.#names.nameNow(name) === state.profile.name;
  }

  /** A document is shown under another address. */
  noteMoved(from: vscode.Uri, to: vscode.Uri): void {
    const home = this.#homes.get(savedQueryKey(from));
    if (home !== undefined) this.#homes.set(savedQueryKey(to), home);
  }

  #gone(uri: vscode.Uri, connection: string): ExpectedError {
    if (this.#names.keyOf(connection) === 'sandbox') {
      return new ExpectedError(
        vscode.l10n.t(
          'This query belongs to {0}, which is not running. Start it, then try again.',
          connection,
        ),
        [{ title: vscode.l10n.t('Start Sandbox'), command: commands.sandboxStart }],
      );
    }
    const isOther = this.#names.nameNow(connection) === connection;
    const message = isOther
      ? vscode.l10n.t(
          "{0} now connects to a different service than this query's. Your text stays here: save it as a new query, or add the other connection again.",
          connection,
        )
      : vscode.l10n.t(
          'The connection "{0}" of this query no longer exists. Your text stays here: save it as a new query, or add the connection again.',
          connection,
        );
    const { state } = this.#session;
    const saveElsewhere: FailureAction =
      state.kind === 'connected'
        ? {
            title: vscode.l10n.t('Save as New Query on {0}', state.profile.name),
            command: commands.savedQuerySaveAsNew,
            arguments: [{ uri: uri.toString() }],
          }
        : { title: vscode.l10n.t('Connect...'), command: commands.connectionConnect };
    return new ExpectedError(message, [
      saveElsewhere,
      { title: vscode.l10n.t('Add Connection'), command: commands.connectionAdd },
    ]);
  }
}
