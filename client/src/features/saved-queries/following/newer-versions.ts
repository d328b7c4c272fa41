/**
 * Detects newer versions early: checks when an open saved query gets the focus and before its first edit, at a limited
 * rate. Failed checks are not reported, since the next save reports them. Checks, list reads and saves also show the
 * editor of a renamed query under its new name.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { shownUris, urisOfTab } from '#client/ui/shown-uris.ts';
import { setStatusBarMessage, showInformationMessage } from '#client/ui/shown/notifications.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import { shortName, versionAndAuthor } from '../conflicts/conflict-view.ts';
import { openDocument, openDocumentOf } from '../records/open-document.ts';
import { queryArgument, savedQueryUriOf } from '../records/query-argument.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import {
  isOfSameConnection,
  nameInUri,
  parseSavedQueryUri,
  savedQueryUri,
} from '../records/saved-query-uri.ts';
import type { DocumentSaves } from '../saving/document-saves.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import type { SavedQueryFileSystem } from '../saving/saved-query-file-system.ts';
import { showDifference } from '../versions/version-documents.ts';
import type { QueryTabs } from './query-tabs.ts';

export interface NewerVersionsDependencies {
  readonly session: Session;
  readonly connections: QueryConnections;
  readonly store: SavedQueriesStore;
  readonly queries: OpenQueries;
  readonly saves: DocumentSaves;
  readonly fileSystem: SavedQueryFileSystem;
  readonly tabs: QueryTabs;
  readonly log: Logger;
  /** Returns whether a buffer without edits adopts newer versions automatically. */
  readonly follows: () => boolean;
}

export class NewerVersions implements vscode.Disposable {
  readonly #deps: NewerVersionsDependencies;
  readonly #disposables = new DisposableStore();

  constructor(deps: NewerVersionsDependencies) {
    this.#deps = deps;
    const lookAtActive = () => this.#lookAtActive();
    this.#disposables.add(vscode.window.onDidChangeActiveTextEditor(lookAtActive));
    this.#disposables.add(
      vscode.window.onDidChangeWindowState((state) => {
        if (state.focused) lookAtActive();
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        // Saved, or without its edits: the next event of its tab tries again.
        if (contentChanges.length === 0 && !document.isDirty) this.#mayMoveAgain(document.uri);
        if (contentChanges.length === 0 || document.uri.scheme !== savedQueryScheme) return;
        deps.queries.of(document.uri).buffer.isUndone = reason === vscode.TextDocumentChangeReason.Undo;
        this.#inBackground(this.#look(document));
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        const query = deps.queries.find(uri);
        if (query !== undefined) query.buffer.isUndone = false;
      }),
    );
    // Tab events follow document events, and show whether the document is really clean.
    this.#disposables.add(
      vscode.window.tabGroups.onDidChangeTabs(({ changed, closed }) => {
        for (const uri of closed.flatMap(urisOfTab)) this.#mayMoveAgain(uri);
        if (closed.length > 0 || changed.some(({ isDirty }) => !isDirty)) this.#followNames();
      }),
    );
    // Defer to a microtask, since the code that stores a record also notes which version the editors show.
    this.#disposables.add(deps.store.onDidChange(() => queueMicrotask(() => this.#followNames())));
    this.#disposables.add(
      registerCommand(deps.log, commands.savedQueryReload, [queryArgument], (argument) =>
        this.#reloadNewest(savedQueryUriOf(argument)),
      ),
    );
    this.#disposables.add(
      registerCommand(deps.log, commands.savedQueryCompareWithNewest, [queryArgument], (argument) =>
        this.#compareWithNewest(savedQueryUriOf(argument)),
      ),
    );
  }

  /** Called when a newer version is known to exist. Tells the user of it if the document is shown. */
  lookNow(document: vscode.TextDocument): void {
    if (!document.isClosed && shownUris().has(document.uri.toString()))
      this.#inBackground(this.#look(document, { isDue: true }));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #lookAtActive(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined) this.#inBackground(this.#look(document));
    this.#followNames();
  }

  async #look(document: vscode.TextDocument, { isDue = false } = {}): Promise<void> {
    const { session, queries, fileSystem } = this.#deps;
    const { uri } = document;
    if (uri.scheme !== savedQueryScheme || session.state.kind !== 'connected') return;
    const query = queries.of(uri);
    if (query.base === undefined || query.isLooking || !(query.looks.take() || isDue)) return;
    query.isLooking = true;
    const { record, to } = await this.#readNewest(uri).finally(() => {
      query.isLooking = false;
    });
    // A save that is under way finds the newer version, too, and asks about it.
    while (queries.find(uri)?.isInTurn === true) await queries.find(uri)?.idle();
    const base = queries.baseOf(uri);
    if (document.isClosed || base === undefined || queries.conflictOf(uri) !== undefined) return;
    const isNewer = record.version > base.version;
    const isOnlyBeside = isSameText(record.query_string, base.query_string);
    const isFollowing = isNewer && !hasEdits(document) && (isOnlyBeside || this.#deps.follows());
    // Only the name, model or description has changed, so the edits can be based on the new version.
    if (isNewer && isOnlyBeside && hasEdits(document)) queries.of(uri).rebase(record);
    const shown = await this.#showUnderName(document, to, isFollowing ? record : undefined);
    if (isFollowing && !hasEdits(shown)) {
      fileSystem.reload(shown.uri, record);
      sayShown(record);
    } else if (isNewer && !isOnlyBeside) await this.#tell(shown, record);
  }

  /** Notifies the user of each version once. */
  async #tell(document: vscode.TextDocument, record: SavedQuery): Promise<void> {
    const query = this.#deps.queries.of(document.uri);
    if (query.told.version >= record.version) return;
    query.told.version = record.version;
    const reload = hasEdits(document) ? vscode.l10n.t('Merge...') : vscode.l10n.t('Reload');
    const compare = vscode.l10n.t('Compare');
    const message = vscode.l10n.t('"{0}" has a newer version: {1}.', record.name, versionAndAuthor(record));
    query.isNoticeOpen = true;
    const chosen = await showInformationMessage(message, reload, compare);
    query.isNoticeOpen = false;
    if (chosen === compare) await this.#compareWithNewest(document.uri);
    if (chosen === reload) await this.#reloadNewest(document.uri);
  }

  /** Shows a document under the query's current name; if it has edits, only says what that is, once. */
  async #showUnderName(
    document: vscode.TextDocument,
    to: vscode.Uri,
    newest?: SavedQuery,
  ): Promise<vscode.TextDocument> {
    const { queries, tabs } = this.#deps;
    const from = document.uri;
    if (from.toString() === to.toString()) return document;
    // Moving the document activates it, which would trigger another check.
    queries.find(to)?.looks.take();
    queries.find(from)?.looks.take();
    const shown = openDocument(await tabs.follow(to, { newest })) ?? document;
    const query = queries.of(shown.uri);
    const [before, name] = [nameInUri(from), nameInUri(to)];
    if (before === name || query.told.name === name) return shown;
    const isKept = shown === document;
    // What is clean, but can be done again, tells it once it has edits.
    if (isKept && !hasEdits(document)) return shown;
    query.told.name = name;
    say(
      isKept
        ? vscode.l10n.t('"{0}" is now named "{1}". The tab has the old name until you save.', before, name)
        : vscode.l10n.t('"{0}" is now named "{1}".', before, name),
    );
    return shown;
  }

  /** Called when what kept a query from its new name may be over. */
  #mayMoveAgain(uri: vscode.Uri): void {
    const queryId = parseSavedQueryUri(uri)?.queryId;
    if (queryId === undefined) return;
    for (const query of this.#deps.queries.all())
      if (parseSavedQueryUri(query.uri)?.queryId === queryId) query.stuckVersion = undefined;
  }

  #followNames(): void {
    const shown = shownUris();
    for (const document of vscode.workspace.textDocuments)
      if (!document.isClosed && shown.has(document.uri.toString())) this.#followName(document);
    this.#inBackground(this.#deps.tabs.renameVersions());
  }

  /**
   * Shows a document under the query's new name, unless it has edits. A document without edits gives way to one with
   * edits.
   */
  #followName(document: vscode.TextDocument): void {
    const { connections, store, queries } = this.#deps;
    const { uri } = document;
    const address = parseSavedQueryUri(uri);
    if (address === undefined || !connections.isCurrent(address.connection)) return;
    const known = store.get(address.queryId);
    const query = queries.find(uri);
    if (known === undefined || query?.base === undefined || query.isLooking || query.isInTurn) return;
    const connection = connections.nameNow(uri) ?? address.connection;
    const to = savedQueryUri(connection, known);
    const first = openDocumentOf(connections, connection, address.queryId);
    // What is at an earlier name of the connection waits for the person, so nothing joins it.
    const canJoin = first !== undefined && first !== document && isOfSameConnection(first.uri, to);
    if (canJoin && hasEdits(first) && !hasEdits(document)) this.#inBackground(this.#deps.tabs.follow(to));
    if (to.toString() === uri.toString()) return;
    // No request is needed if the newest version is known, and one is enough for each.
    if (query.base.version === known.version) {
      if (query.stuckVersion === known.version) return;
      const shown = this.#showUnderName(document, to).then((there) => {
        const mayMove = document.isClosed || hasEdits(document) || query.buffer.isUndone;
        if (there === document && !mayMove) query.stuckVersion = known.version;
      });
      this.#inBackground(shown);
    } else if (query.followedVersion !== known.version) {
      query.followedVersion = known.version;
      this.#inBackground(this.#look(document, { isDue: true }));
    }
  }

  async #reloadNewest(uri: vscode.Uri): Promise<void> {
    const { connections, queries, saves, fileSystem } = this.#deps;
    const document = await vscode.workspace.openTextDocument(uri);
    if (hasEdits(document)) {
      // Edits are kept: newer versions are merged, or the user is asked.
      const { client } = await connections.of(uri);
      const effect = await saves.check({ uri, text: document.getText(), client, isExplicit: true });
      if (effect.kind === 'clear') sayNewest(queries.baseOf(uri));
      return;
    }
    const { record, to } = await this.#readNewest(uri);
    const base = queries.baseOf(uri);
    const shown = await this.#showUnderName(document, to, record);
    // Keys that came meanwhile are edits, which the next save merges.
    if (hasEdits(shown)) return;
    if (base !== undefined && record.version > base.version) sayShown(record);
    else sayNewest(record);
    fileSystem.reload(shown.uri, record);
  }

  async #compareWithNewest(uri: vscode.Uri): Promise<void> {
    const { record } = await this.#readNewest(uri);
    const mine = hasEdits(openDocument(uri)) ? vscode.l10n.t('yours') : vscode.l10n.t('in the editor');
    await showDifference(
      record,
      uri,
      `${shortName({ name: nameInUri(uri) })}: ${versionAndAuthor(record)} ↔ ${mine}`,
    );
  }

  /** Returns the newest record and its current URI. */
  async #readNewest(uri: vscode.Uri): Promise<{ readonly record: SavedQuery; readonly to: vscode.Uri }> {
    const { client, connection, queryId } = await this.#deps.connections.of(uri);
    const record = await client.savedQueries.get(queryId);
    this.#deps.fileSystem.noteRecord(connection, record);
    return { record, to: savedQueryUri(connection, record) };
  }

  #inBackground(work: Promise<unknown>): void {
    void work.catch((error: unknown) => {
      // The query's connection is not the current one or is unreachable; the next save reports it.
      if (!(error instanceof ExpectedError))
        this.#deps.log.debug(`looking for a newer version failed: ${errorName(error)}`);
    });
  }
}

function say(message: string): void {
  setStatusBarMessage(`$(sync) ${message}`, 5_000);
}

function sayShown(record: SavedQuery): void {
  say(vscode.l10n.t('"{0}" now shows {1}.', record.name, versionAndAuthor(record)));
}

function sayNewest(record: SavedQuery | undefined): void {
  if (record === undefined) return;
  const message = vscode.l10n.t('"{0}" is up to date at version {1}.', record.name, record.version);
  setStatusBarMessage(`$(check) ${message}`, 5_000);
}
