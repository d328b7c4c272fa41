/**
 * Saved queries as files of the editor, which brings the dirty dot, Ctrl+S, hot exit, diff and search. Every write
 * names the version that the buffer came from; `stat` answers from that same read, so that the editor's own check of
 * times and sizes never decides for us.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../api/client/client.ts';
import type { SavedQuery } from '../../../../api/contract/saved-queries.ts';
import { limits } from '../../../../api/contract/limits.ts';
import type { Session } from '../../session/session.ts';
import { failureOf } from '../../ui/failure.ts';
import { DisposableStore } from '../../util/disposables.ts';
import type { Bases } from './bases.ts';
import {
  parseSavedQueryUri,
  savedQueryKey,
  savedQueryScheme,
  type SavedQueryAddress,
} from './saved-query-uri.ts';
import type { SavedQueriesStore } from './saved-queries-store.ts';
import type { VersionStore } from './version-store.ts';

export interface SavedQueryFileSystemDependencies {
  readonly session: Session;
  readonly store: SavedQueriesStore;
  readonly bases: Bases;
  /** Keeps every version that is read or written here. */
  readonly versions: VersionStore;
  /** Writes a text over the version it came from and settles conflicts. @throws when nothing was saved. */
  readonly save: (request: {
    readonly uri: vscode.Uri;
    readonly base: SavedQuery;
    readonly text: string;
    /** The client of the connection that the query belongs to, whatever is chosen meanwhile. */
    readonly client: ServiceClient;
  }) => Promise<SavedQuery>;
}

/** A record that `stat` had to fetch is handed to the `readFile` that follows it within this time. */
const statToReadMs = 5_000;

export class SavedQueryFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #deps: SavedQueryFileSystemDependencies;
  readonly #disposables = new DisposableStore();
  readonly #onDidChangeFile = this.#disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly #fetched = new Map<string, { readonly record: SavedQuery; readonly at: number }>();

  readonly onDidChangeFile = this.#onDidChangeFile.event;

  constructor(deps: SavedQueryFileSystemDependencies) {
    this.#deps = deps;
  }

  /** The editor reads a clean buffer again; a dirty one stays as it is. */
  reload(uri: vscode.Uri): void {
    this.#fetched.delete(savedQueryKey(uri));
    this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  noteDeleted(uri: vscode.Uri): void {
    this.#fetched.delete(savedQueryKey(uri));
    this.#deps.bases.forget(savedQueryKey(uri));
    this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (!isFile(uri)) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const key = savedQueryKey(uri);
    const known = this.#deps.bases.latestRead(key);
    if (known !== undefined) return statOf(known);
    const record = await this.#fetch(uri);
    this.#fetched.set(key, { record, at: performance.now() });
    return statOf(record);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const key = savedQueryKey(uri);
    const fetched = this.#fetched.get(key);
    this.#fetched.delete(key);
    const isFresh = fetched !== undefined && performance.now() - fetched.at < statToReadMs;
    const record = isFresh ? fetched.record : await this.#fetch(uri);
    this.#deps.bases.noteRead(key, record);
    return new TextEncoder().encode(record.query_string);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const key = savedQueryKey(uri);
    const text = textOf(content);
    checkLength(text);
    const { client, connection } = await this.#connectionOf(uri);
    try {
      // A buffer whose base was lost meets whatever is there now, as any other conflict.
      const base = this.#deps.bases.get(key) ?? (await this.#strangerTo(uri, client));
      const saved = await this.#deps.save({ uri, base, text, client });
      this.#deps.bases.set(key, saved);
      this.#noteRecord(connection, saved);
    } catch (error) {
      throw asFileSystemError(error);
    }
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Saved queries have no folders.'));
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Saved queries are not renamed as files.'));
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Delete saved queries in their view.'));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #fetch(uri: vscode.Uri): Promise<SavedQuery> {
    const { client, connection, queryId } = await this.#connectionOf(uri);
    try {
      const record = await client.savedQueries.get(queryId);
      this.#noteRecord(connection, record);
      return record;
    } catch (error) {
      throw asFileSystemError(error);
    }
  }

  /** The list is that of the chosen connection, which may be another one by the time an answer comes. */
  #noteRecord(connection: string, record: SavedQuery): void {
    this.#deps.versions.note(connection, record);
    const { state } = this.#deps.session;
    if (state.kind === 'connected' && state.profile.name === connection) this.#deps.store.put(record);
  }

  /** @throws FileSystemError when the address is none, or another connection than its own is chosen. */
  async #connectionOf(uri: vscode.Uri): Promise<SavedQueryAddress & { readonly client: ServiceClient }> {
    const address = parseSavedQueryUri(uri);
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const state = await this.#deps.session.settled();
    if (state.kind !== 'connected' || state.profile.name !== address.connection) {
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t('This query belongs to {0}. Connect to it, then try again.', address.connection),
      );
    }
    return { ...address, client: state.client };
  }

  /**
   * What stands for the base of a document that is open and whose base is not known: a version before every version,
   * so that the save meets a conflict and is settled with both texts in sight.
   */
  async #strangerTo(uri: vscode.Uri, client: ServiceClient): Promise<SavedQuery> {
    const isOpen = vscode.workspace.textDocuments.some(
      (document) => document.uri.toString() === uri.toString(),
    );
    const address = parseSavedQueryUri(uri);
    if (!isOpen || address === undefined) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t('This query was not opened here, so its version is not known. Open it, then save.'),
      );
    }
    const current = await client.savedQueries.get(address.queryId);
    return { ...current, version: 0, query_string: '' };
  }
}

function isFile(uri: vscode.Uri): boolean {
  return uri.scheme === savedQueryScheme && parseSavedQueryUri(uri) !== undefined;
}

/** Time and size of a version; a version never changes, so neither do these. */
function statOf(record: SavedQuery): vscode.FileStat {
  const created = Date.parse(record.created_at ?? '');
  return {
    type: vscode.FileType.File,
    ctime: Number.isNaN(created) ? 0 : created,
    mtime: record.version,
    size: new TextEncoder().encode(record.query_string).length,
  };
}

/** @throws FileSystemError when the editor encoded the text as something else than UTF-8. */
function textOf(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(content);
  } catch {
    throw new vscode.FileSystemError(
      vscode.l10n.t('Saved queries are UTF-8. Choose "Save with Encoding" and UTF-8, then save again.'),
    );
  }
}

function checkLength(text: string): void {
  if (text.trim() === '') {
    throw new vscode.FileSystemError(
      vscode.l10n.t('A saved query cannot be empty. Delete it in its view instead.'),
    );
  }
  const length = [...text].length;
  if (length > limits.queryStringMax) {
    throw new vscode.FileSystemError(
      vscode.l10n.t(
        'The query has {0} characters; the service takes {1}. Shorten it, or save it as a local file.',
        length.toLocaleString(),
        limits.queryStringMax.toLocaleString(),
      ),
    );
  }
}

function asFileSystemError(error: unknown): Error {
  if (error instanceof vscode.FileSystemError) return error;
  const failure = failureOf(error);
  if (failure.kind === 'unexpected' && error instanceof Error) return error;
  return new vscode.FileSystemError(
    failure.kind === 'cancelled' ? vscode.l10n.t('not saved; your text is kept here') : failure.message,
  );
}
