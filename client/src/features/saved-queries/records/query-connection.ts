/** Finds the connection of each saved query document, which is not always the current one. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { commands } from '#client/contributions.ts';
import { notConnected } from '#client/session/connection-failure.ts';
import { homeOf, type ConnectionNames } from '#client/session/connection-names.ts';
import type { Session } from '#client/session/session.ts';
import type { Home } from '#core/connections/renamed-connections.ts';
import { ExpectedError, type FailureAction, type Recover } from '#core/failures/failure.ts';
import { parseSavedQueryUri, savedQueryKey, type SavedQueryAddress } from './saved-query-uri.ts';

/** Contains the connection's current name, which may differ from the name in the URI. */
export interface QueryConnection extends SavedQueryAddress {
  readonly client: ServiceClient;
}

export class QueryConnections {
  readonly #session: Session;
  readonly #names: ConnectionNames;
  /** The target of each document's connection, since the name in the URI may be reused. */
  readonly #homes = new Map<string, Home>();

  constructor(session: Session, names: ConnectionNames) {
    this.#session = session;
    this.#names = names;
  }

  /** As in Session. */
  get recover(): Recover | undefined {
    return this.#session.recover;
  }

  /** As in Session. */
  async ready(): Promise<void> {
    await this.#session.ready();
  }

  /**
   * @param options.connects whether to try to connect again
   * @throws ExpectedError if the URI is invalid or its connection is not connected.
   */
  async of(uri: vscode.Uri, { connects } = { connects: false }): Promise<QueryConnection> {
    const address = parseSavedQueryUri(uri);
    if (address === undefined)
      throw new ExpectedError(vscode.l10n.t('This is not the address of a saved query.'));
    const state = await (connects && this.isAway(uri) ? this.#session.ready() : this.#session.settled());
    const name = this.nameNow(uri);
    if (state.kind === 'connected' && state.profile.name === name) {
      this.#homes.set(savedQueryKey(uri), homeOf(state.profile));
      return { ...address, connection: name, client: state.client };
    }
    if (name === undefined) throw this.#gone(uri, address.connection);
    if (state.kind === 'failed' && state.profile.name === name)
      throw notConnected(state, connects ? undefined : this.recover);
    throw new ExpectedError(
      vscode.l10n.t('This query belongs to {0}. Connect to it, then try again.', name),
      [{ title: vscode.l10n.t('Connect'), command: commands.connectionConnect, arguments: [name] }],
    );
  }

  /** Whether the last attempt to connect failed because the query's service could not be reached. */
  isAway(uri: vscode.Uri): boolean {
    const { state } = this.#session;
    return state.kind === 'failed' && state.mayPass && state.profile.name === this.nameNow(uri);
  }

  /** Returns the current name of a document's connection, or undefined if it no longer exists. */
  nameNow(uri: vscode.Uri): string | undefined {
    const address = parseSavedQueryUri(uri);
    return address && this.#names.nameNow(address.connection, this.#homes.get(savedQueryKey(uri)));
  }

  /** Returns whether the connection with this current or former name is connected. */
  isCurrent(name: string): boolean {
    const { state } = this.#session;
    return state.kind === 'connected' && this.#names.nameNow(name) === state.profile.name;
  }

  /** Records that a document moved to another URI. */
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
