/**
 * Saved queries as files of the editor, which brings the dirty dot, Ctrl+S, hot exit, diff and search. Every write
 * names the version that the buffer came from; `stat` answers from that same read, so that the editor's own check of
 * times and sizes never decides for us.
 */
import * as vscode from 'vscode';
import { ServerFaultError, TimeoutError, TransportError } from '../../../../../api/client/errors.ts';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import type { Session } from '../../../session/session.ts';
import { hasEdits } from '../../../ui/has-edits.ts';
import { ExpectedError, failureOf } from '../../../../../core/src/util/failure.ts';
import { DisposableStore } from '../../../../../core/src/util/disposables.ts';
import { isSameText } from '../../../../../core/src/saved-queries/same-text.ts';
import type { OpenBuffer } from './open-buffer.ts';
import type { OpenQueries } from './open-queries.ts';
import {
  fileSystemError,
  isFileSystemError,
  noPermissions,
  shownError,
} from '../../../ui/shown/file-system-errors.ts';
import type { DocumentSaves } from './document-saves.ts';
import { inConflict, notSaved } from './save-failures.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import { openDocument } from '../records/open-document.ts';
import { nameInUri, parseSavedQueryUri, savedQueryScheme } from '../records/saved-query-uri.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import { requireSavable, textOf } from './text-limits.ts';
import type { VersionStore } from '../../../../../core/src/saved-queries/version-store.ts';

export interface SavedQueryFileSystemDependencies {
  readonly session: Session;
  readonly connections: QueryConnections;
  readonly store: SavedQueriesStore;
  readonly queries: OpenQueries;
  /** Keeps every version that is read or written here. */
  readonly versions: VersionStore;
  readonly saves: DocumentSaves;
  /** Told when a query is shown as it was kept here, and why: nobody answers, or its connection is not the chosen one. */
  readonly onOffline: (record: SavedQuery, connection: string, error: unknown) => void;
  /** Told when edits could not be taken back, and stay; the editor itself says nothing that helps. */
  readonly onNotReverted: (uri: vscode.Uri, error: unknown) => void;
}

/** A record that `stat` had to fetch is handed to the `readFile` that follows it within this time. */
const statToReadMs = 5_000;

export class SavedQueryFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #deps: SavedQueryFileSystemDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeFile = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());

  readonly onDidChangeFile = this.#onDidChangeFile.event;

  constructor(deps: SavedQueryFileSystemDependencies) {
    this.#deps = deps;
  }

  /** The editor fills a clean buffer with this version; a dirty one stays as it is. */
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
   * Runs a save of the editor whose text is the service's already: nothing is sent, unless somebody typed in between.
   * @param text what was sent, or came.
   */
  async withoutSending<T>(uri: vscode.Uri, text: string, save: () => Thenable<T>): Promise<T> {
    const { buffer } = this.#deps.queries.of(uri);
    buffer.notSending = text;
    try {
      return await save();
    } finally {
      buffer.notSending = undefined;
    }
  }

  /** The editor opens this record next, and need not ask the service for it. */
  prepare(uri: vscode.Uri, record: SavedQuery): void {
    const { buffer } = this.#deps.queries.of(uri);
    buffer.reads.note(record);
    buffer.fetched = { record, at: performance.now() };
  }

  /** Runs a save of the editor whose text another buffer has taken over: nothing is sent. */
  async handingOver<T>(uri: vscode.Uri, save: () => Thenable<T>): Promise<T> {
    const { buffer } = this.#deps.queries.of(uri);
    buffer.isHandedOver = true;
    try {
      return await save();
    } finally {
      buffer.isHandedOver = false;
    }
  }

  /** The buffer is clean; where the service stores its text in another form, that is what is shown from now on. */
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
    if (hasEdits(openDocument(uri))) {
      // What the editor itself last read: the version check is ours, made with the write, and the editor's own check of
      // times and sizes must neither pass for it nor come before it. Unknown after a restart: then older than all.
      if (buffer.told !== undefined) return buffer.told;
      return buffer.filled === undefined
        ? { type: vscode.FileType.File, ctime: 0, mtime: 0, size: 0 }
        : statOf(buffer, buffer.filled);
    }
    const known = buffer.reads.newest();
    if (known !== undefined) return statOf(buffer, known);
    const record = await this.#fetch(uri);
    // It may have been closed and opened again meanwhile.
    const asked = this.#deps.queries.of(uri).buffer;
    // Of several that ask at once, one is followed by the read.
    if (asked.reads.newest() === undefined) asked.fetched = { record, at: performance.now() };
    return statOf(asked, record);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const before = this.#deps.queries.of(uri).buffer;
    const { fetched } = before;
    before.fetched = undefined;
    // Reverting edits shows what is there now, however lately somebody looked.
    const isReverting = hasEdits(openDocument(uri));
    const isFresh = !isReverting && fetched !== undefined && performance.now() - fetched.at < statToReadMs;
    const isKnown = isReverting || before.reads.newest() !== undefined;
    const told = isKnown ? await this.stat(uri) : undefined;
    const record = isFresh ? fetched.record : await this.#fetch(uri, { isReverting });
    const { buffer } = this.#deps.queries.of(uri);
    buffer.reads.note(record);
    const isTold = told === undefined || told.mtime === statOf(buffer, record).mtime;
    buffer.told = isTold ? undefined : told;
    return new TextEncoder().encode(record.query_string);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { base, buffer } = this.#deps.queries.of(uri);
    if (buffer.isHandedOver) return;
    // What was typed since it was sent is in the content too, and not on the service: then it is sent.
    const here = buffer.notSending;
    if (here !== undefined && base !== undefined && isTextOf(content, here)) {
      noteSaved(buffer, here, base);
      return;
    }
    try {
      const { client } = await this.#deps.connections.of(uri);
      const document = openDocument(uri);
      if (base === undefined && document === undefined) {
        throw noPermissions(
          vscode.l10n.t('This query was not opened here, so its version is not known. Open it, then save.'),
        );
      }
      const text = textOf(content, document);
      requireSavable(text);
      const { error, ...effect } = await this.#deps.saves.save({ uri, text, client, isExplicit: false });
      if (effect.kind === 'saved') noteSaved(this.#deps.queries.of(uri).buffer, text, effect.record);
      else if (effect.kind === 'ask') throw inConflict(effect.conflict, uri);
      else if (effect.kind === 'keep') {
        throw notSaved(effect.reason, { name: base?.name ?? nameInUri(uri), uri, error });
      }
    } catch (error) {
      throw asFileSystemError(error);
    }
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): never {
    throw noPermissions(vscode.l10n.t('Saved queries have no folders.'));
  }

  rename(): never {
    throw noPermissions(vscode.l10n.t('Saved queries are not renamed as files.'));
  }

  delete(): never {
    throw noPermissions(vscode.l10n.t('Delete saved queries in their view.'));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #fetch(uri: vscode.Uri, { isReverting } = { isReverting: false }): Promise<SavedQuery> {
    try {
      const { client, connection, queryId } = await this.#deps.connections.of(uri);
      const record = await client.savedQueries.get(queryId);
      this.noteRecord(connection, record);
      return record;
    } catch (error) {
      const kept = isAway(error) ? await this.#kept(uri) : undefined;
      if (kept === undefined) {
        if (isReverting) this.#deps.onNotReverted(uri, error);
        throw asFileSystemError(error);
      }
      this.#deps.onOffline(kept, parseSavedQueryUri(uri)?.connection ?? '', error);
      return kept;
    }
  }

  /** The newest version that was seen here, for when the service cannot be asked. */
  async #kept(uri: vscode.Uri): Promise<SavedQuery | undefined> {
    const address = parseSavedQueryUri(uri);
    if (address === undefined) return undefined;
    return (await this.#deps.versions.get(address.connection, address.queryId))?.record;
  }

  /** The list is that of the chosen connection, which may be another one by the time an answer comes. */
  noteRecord(connection: string, record: SavedQuery): void {
    this.#deps.versions.note(connection, record);
    const { state } = this.#deps.session;
    if (state.kind === 'connected' && state.profile.name === connection) this.#deps.store.put(record);
  }
}

/** The service holds what the editor saves. */
function noteSaved(buffer: OpenBuffer, sent: string, record: SavedQuery): void {
  buffer.told = undefined;
  buffer.noteFilled(record);
  buffer.storedOtherwise = isSameText(sent, record.query_string) ? undefined : { sent, record };
}

/** Time and size of a version; a version never changes, so neither do these. */
function statOf({ reloads }: OpenBuffer, record: SavedQuery): vscode.FileStat {
  const created = Date.parse(record.created_at ?? '');
  return {
    type: vscode.FileType.File,
    ctime: Number.isNaN(created) ? 0 : created,
    mtime: record.version + reloads / 1_000,
    size: new TextEncoder().encode(record.query_string).length,
  };
}

/** Nobody answered, or nobody can be asked; an answer that says no is none of these. */
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
  // The editor puts its own words around the failure and in front of the message its name, which would say "Unknown".
  const said = fileSystemError(message);
  said.name = '';
  return said;
}
