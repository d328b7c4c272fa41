/**
 * Exposes saved queries to the editor as files, for the dirty indicator, Ctrl+S, hot exit, diffs and search. Every
 * write names its base version; `stat` uses the same read, so the editor's own mtime and size check never determines
 * the outcome.
 */
import * as vscode from 'vscode';
import { ServerFaultError, TimeoutError, TransportError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore } from '#base/disposables.ts';
import type { Session } from '#client/session/session.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import {
  fileSystemError,
  isFileSystemError,
  noPermissions,
  shownError,
} from '#client/ui/shown/file-system-errors.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
import { isGone } from '#core/saved-queries/is-gone.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import type { VersionStore } from '#core/saved-queries/version-store.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import { openDocument, openEntriesOf } from '../records/open-document.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import { nameInUri, parseSavedQueryUri, type SavedQueryAddress } from '../records/saved-query-uri.ts';
import type { DocumentSaves } from './document-saves.ts';
import { NewTabs, tabsOfText } from './new-tabs.ts';
import type { LocalSave, OpenBuffer } from './open-buffer.ts';
import type { OpenQueries } from './open-queries.ts';
import { clientToSave, inConflict, notSaved } from './save-failures.ts';
import { whileSaving } from './saving-progress.ts';
import { requireSavable, textOf } from './text-limits.ts';

export interface SavedQueryFileSystemDependencies {
  readonly session: Session;
  readonly connections: QueryConnections;
  readonly store: SavedQueriesStore;
  readonly queries: OpenQueries;
  /** Stores every version that is read or written here. */
  readonly versions: VersionStore;
  readonly saves: DocumentSaves;
  /**
   * Called when a local copy is shown, with the reason: the service is unreachable, or another connection is current.
   */
  readonly onOffline: (record: SavedQuery, connection: string, error: unknown) => void;
  /** Called when the service says that it has no such query. */
  readonly onGone: (address: SavedQueryAddress) => void;
  /** Called when the query of a new tab could not be read. The tab showed nothing and is closed. */
  readonly onNotOpened: (uri: vscode.Uri, error: unknown) => void;
  /** Called when edits could not be reverted and are kept; the editor's own message is not helpful. */
  readonly onNotReverted: (uri: vscode.Uri, error: unknown) => void;
}

/** Time for which a record fetched by `stat` is reused by the next `readFile`. */
const statToReadMs = 5_000;

export class SavedQueryFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #deps: SavedQueryFileSystemDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeFile = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly #newTabs = this.#disposables.add(new NewTabs());
  /** New tabs without a text, by URI, until the editor has read that. */
  readonly #standIns = new Map<string, vscode.Tab>();
  /** URIs whose tab had no text the last time. */
  readonly #emptied = new Set<string>();

  readonly onDidChangeFile = this.#onDidChangeFile.event;

  constructor(deps: SavedQueryFileSystemDependencies) {
    this.#deps = deps;
  }

  /** Reads a query that is opened next. @throws what the editor's own message would wrap, with the URI. */
  async load(uri: vscode.Uri): Promise<void> {
    if (openDocument(uri) !== undefined) return;
    this.prepare(uri, await this.#fetch(uri));
  }

  /** Shows this version in a clean buffer; a dirty buffer stays unchanged. */
  reload(uri: vscode.Uri, record: SavedQuery): void {
    const query = this.#deps.queries.of(uri);
    const document = openDocument(uri);
    const isSame = document !== undefined && isSameText(document.getText(), record.query_string);
    if (isSame && !hasEdits(document)) query.fill(record);
    this.prepare(uri, record);
    query.buffer.reloads += 1;
    this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /**
   * Runs an editor save for text that the service already has; sends nothing unless the text was edited in the
   * meantime.
   * @param text the text that was sent or received.
   */
  async withoutSending<T>(uri: vscode.Uri, text: string, save: () => Thenable<T>): Promise<T> {
    return await this.#saveLocally(uri, { kind: 'there', text }, save);
  }

  /** Sets the record that the editor opens next, so that no other request is needed. */
  prepare(uri: vscode.Uri, record: SavedQuery): void {
    const { buffer } = this.#deps.queries.of(uri);
    buffer.reads.note(record);
    buffer.fetched = { record, at: performance.now() };
  }

  /** Runs an editor save for text that moved to another buffer; sends nothing. */
  async handingOver<T>(uri: vscode.Uri, save: () => Thenable<T>): Promise<T> {
    return await this.#saveLocally(uri, { kind: 'handedOver' }, save);
  }

  async #saveLocally<T>(uri: vscode.Uri, as: LocalSave, save: () => Thenable<T>): Promise<T> {
    const { localSaves } = this.#deps.queries.of(uri).buffer;
    localSaves.add(as);
    try {
      return await save();
    } finally {
      localSaves.delete(as);
    }
  }

  /** Called when the buffer is clean; shows the service's text if the service normalized it. */
  noteClean(document: vscode.TextDocument): void {
    const { buffer } = this.#deps.queries.of(document.uri);
    const stored = buffer.storedOtherwise;
    if (stored === undefined) return;
    buffer.storedOtherwise = undefined;
    if (isSameText(document.getText(), stored.sent)) this.reload(document.uri, stored.record);
  }

  noteDeleted(uri: vscode.Uri): void {
    this.#deps.queries.of(uri).noteDeleted();
    this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (!isFile(uri)) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { buffer } = this.#deps.queries.of(uri);
    // Which version the editor last read is not known for sure: it drops what it reads while the user types. The write
    // checks versions itself, so the editor's own check must never find a newer file.
    if (hasEdits(openDocument(uri))) return olderThanAll;
    const known = buffer.reads.newest();
    if (known !== undefined) return statOf(buffer, known);
    const record = await this.#fetchToOpen(uri);
    if (record === undefined) return standIn;
    // The document may have been closed and reopened in the meantime.
    const asked = this.#deps.queries.of(uri).buffer;
    // Several concurrent calls are followed by a single read, so set the record only once.
    if (asked.reads.newest() === undefined) asked.fetched = { record, at: performance.now() };
    return statOf(asked, record);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const before = this.#deps.queries.of(uri).buffer;
    const { fetched } = before;
    before.fetched = undefined;
    // A revert shows the current version, even after a recent check.
    const isReverting = hasEdits(openDocument(uri));
    const isFresh = !isReverting && fetched !== undefined && performance.now() - fetched.at < statToReadMs;
    if (!isFresh && this.#standIns.delete(uri.toString())) return new Uint8Array();
    const record = isFresh ? fetched.record : await this.#fetchShown(uri, { isReverting });
    this.#deps.queries.of(uri).buffer.reads.note(record);
    return new TextEncoder().encode(record.query_string);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { base, buffer } = this.#deps.queries.of(uri);
    for (const as of buffer.localSaves) {
      if (as.kind === 'handedOver') return;
      // If the content includes edits made since the request, the service lacks them, so it must be sent.
      if (base === undefined || !isTextOf(content, as.text)) continue;
      noteSaved(buffer, as.text, base);
      return;
    }
    try {
      const client = await clientToSave(this.#deps.connections, uri, { name: base?.name, connects: true });
      const document = openDocument(uri);
      if (base === undefined && document === undefined) {
        throw noPermissions(
          vscode.l10n.t('This query was not opened here, so its version is not known. Open it, then save.'),
        );
      }
      const text = textOf(content, document);
      requireSavable(text);
      const name = base?.name ?? nameInUri(uri);
      const { error, ...effect } = await whileSaving(name, () =>
        this.#deps.saves.save({ uri, text, client, isExplicit: false }),
      );
      if (effect.kind === 'saved') noteSaved(this.#deps.queries.of(uri).buffer, text, effect.record);
      else if (effect.kind === 'ask') throw inConflict(effect.conflict, uri);
      else if (effect.kind === 'keep') {
        throw notSaved(effect.reason, { name, uri, error });
      }
    } catch (error) {
      throw asFileSystemError(error);
    }
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    return openEntriesOf(uri);
  }

  createDirectory(): never {
    throw noPermissions(vscode.l10n.t('Saved queries have no folders.'));
  }

  rename(): never {
    throw noPermissions(vscode.l10n.t("Saved queries can't be renamed as files."));
  }

  delete(): never {
    throw noPermissions(vscode.l10n.t('Delete saved queries in the Saved Queries view.'));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /**
   * Reads a query for the editor. If that fails, the editor would show a dialog or a page that quotes the URI, so a new
   * tab gets no text, and it is told by us.
   */
  async #fetchToOpen(uri: vscode.Uri): Promise<SavedQuery | undefined> {
    const key = uri.toString();
    const before = this.#standIns.get(key);
    if (before !== undefined && this.#newTabs.of(uri) === before) return undefined;
    try {
      const record = await this.#fetch(uri);
      // The editor may still have the text of a tab that was just closed.
      if (this.#emptied.delete(key))
        setImmediate(() => this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri }]));
      return record;
    } catch (error) {
      const tab = this.#newTabs.of(uri);
      if (tab === undefined || openDocument(uri) !== undefined) throw this.#told(uri, error);
      this.#standIns.set(key, tab);
      this.#emptied.add(key);
      void this.#closeUnread(uri, error);
      return undefined;
    }
  }

  async #closeUnread(uri: vscode.Uri, error: unknown): Promise<void> {
    await vscode.window.tabGroups.close([...tabsOfText(uri)], true);
    this.#standIns.delete(uri.toString());
    this.#deps.onNotOpened(uri, error);
  }

  async #fetchShown(
    uri: vscode.Uri,
    { isReverting }: { readonly isReverting: boolean },
  ): Promise<SavedQuery> {
    try {
      return await this.#fetch(uri);
    } catch (error) {
      if (isReverting) this.#deps.onNotReverted(uri, error);
      throw this.#told(uri, error);
    }
  }

  /** Returns the failure for the editor, and tells the others if the query is gone. */
  #told(uri: vscode.Uri, error: unknown): Error {
    const address = parseSavedQueryUri(uri);
    if (address !== undefined && isGone(error)) this.#deps.onGone(address);
    return asFileSystemError(error);
  }

  async #fetch(uri: vscode.Uri): Promise<SavedQuery> {
    try {
      const { client, connection, queryId } = await this.#deps.connections.of(uri);
      const record = await client.savedQueries.get(queryId);
      this.noteRecord(connection, record);
      return record;
    } catch (error) {
      const kept = isAway(error) ? await this.#kept(uri) : undefined;
      if (kept === undefined) throw error;
      this.#deps.onOffline(kept, parseSavedQueryUri(uri)?.connection ?? '', error);
      return kept;
    }
  }

  /** Returns the newest version stored on this machine, for use when the service is unreachable. */
  async #kept(uri: vscode.Uri): Promise<SavedQuery | undefined> {
    const address = parseSavedQueryUri(uri);
    if (address === undefined) return undefined;
    return (await this.#deps.versions.get(address.connection, address.queryId))?.record;
  }

  /** Stores a record. The list belongs to the current connection, which may have changed before the response. */
  noteRecord(connection: string, record: SavedQuery): void {
    this.#deps.versions.note(connection, record);
    const { state } = this.#deps.session;
    if (state.kind === 'connected' && state.profile.name === connection) this.#deps.store.put(record);
  }
}

/** Called when the service has the text that the editor is saving. */
function noteSaved(buffer: OpenBuffer, sent: string, record: SavedQuery): void {
  buffer.noteFilled(record);
  buffer.storedOtherwise = isSameText(sent, record.query_string) ? undefined : { sent, record };
}

/** A file of a new tab without a text, which nobody can edit. */
const standIn: vscode.FileStat = {
  type: vscode.FileType.File,
  ctime: 0,
  mtime: 0,
  size: 0,
  permissions: vscode.FilePermission.Readonly,
};

const olderThanAll: vscode.FileStat = { type: vscode.FileType.File, ctime: 0, mtime: 0, size: 0 };

/** Returns the time and size of a version, which are as immutable as the version. */
function statOf({ reloads }: OpenBuffer, record: SavedQuery): vscode.FileStat {
  const created = Date.parse(record.created_at ?? '');
  return {
    type: vscode.FileType.File,
    ctime: Number.isNaN(created) ? 0 : created,
    mtime: record.version + reloads / 1_000,
    size: new TextEncoder().encode(record.query_string).length,
  };
}

/** Returns whether the service is unreachable, rather than refusing the request. */
function isAway(error: unknown): boolean {
  return (
    error instanceof ExpectedError ||
    error instanceof TransportError ||
    error instanceof TimeoutError ||
    error instanceof ServerFaultError
  );
}

function isTextOf(content: Uint8Array, text: string): boolean {
  return isSameText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(content), text);
}

function isFile(uri: vscode.Uri): boolean {
  return uri.scheme === savedQueryScheme && parseSavedQueryUri(uri) !== undefined;
}

function asFileSystemError(error: unknown): Error {
  if (isFileSystemError(error)) return error;
  const failure = failureOf(error);
  if (failure.kind === 'unexpected') return shownError(error);
  const message =
    failure.kind === 'cancelled' ? vscode.l10n.t('Not saved; your text is kept here.') : failure.message;
  // The editor wraps the message and prepends the error's name, which would be "Unknown".
  const said = fileSystemError(message);
  said.name = '';
  return said;
}
