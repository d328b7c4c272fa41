/**
 * Broadcasts changes to saved queries to everything that stores them: view, local versions, editors, remembered
 * queries.
 */
import type * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { isHere } from '#client/session/is-here.ts';
import type { Session } from '#client/session/session.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import type { VersionStore } from '#core/saved-queries/version-store.ts';
import type { NewerVersions } from '../following/newer-versions.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import type { SavedQueryFileSystem } from '../saving/saved-query-file-system.ts';
import { openDocumentsOf } from './open-document.ts';
import type { QueryConnections } from './query-connection.ts';
import type { RememberedQueries } from './remembered-queries.ts';
import type { SavedQueriesStore } from './saved-queries-store.ts';

export interface QueryNewsDependencies {
  readonly session: Session;
  readonly connections: QueryConnections;
  readonly store: SavedQueriesStore;
  readonly remembered: RememberedQueries;
  readonly versions: VersionStore;
  readonly queries: OpenQueries;
  readonly fileSystem: SavedQueryFileSystem;
  readonly newerVersions: Pick<NewerVersions, 'lookNow'>;
}

export class QueryNews {
  readonly #deps: QueryNewsDependencies;

  constructor(deps: QueryNewsDependencies) {
    this.#deps = deps;
  }

  /** Reports that a query's newest version was read. Updates the list only if it belongs to the same connection. */
  noteRead(connection: string, newest: SavedQuery): void {
    this.#deps.versions.note(connection, newest);
    if (isHere(this.#deps.session, connection)) this.#deps.store.put(newest);
  }

  /** Reports the newest version of a query that was saved elsewhere, so that its open editors learn of it at once. */
  noteHeard(connection: string, newest: SavedQuery): void {
    this.noteRead(connection, newest);
    for (const document of openDocumentsOf(this.#deps.connections, connection, newest.query_id))
      this.#deps.newerVersions.lookNow(document);
  }

  /** Reports a query that was created here. */
  noteCreated(connection: string, created: SavedQuery): void {
    this.noteRead(connection, created);
    if (isHere(this.#deps.session, connection)) this.#deps.remembered.noteCreated(created.query_id);
  }

  /**
   * Reports a query that was written here, other than from its editor. Unsaved edits are kept; if only other fields
   * changed, the edits are now based on the new version.
   */
  noteWritten(connection: string, saved: SavedQuery): void {
    this.noteRead(connection, saved);
    for (const document of openDocumentsOf(this.#deps.connections, connection, saved.query_id)) {
      const query = this.#deps.queries.find(document.uri);
      if (query?.base !== undefined && isSameText(query.base.query_string, saved.query_string))
        query.rebase(saved);
      this.showIfClean(document, saved);
    }
  }

  /** Reports a query that was deleted here. */
  noteDeleted(connection: string, deleted: SavedQuery): void {
    const { session, store, remembered, versions } = this.#deps;
    versions.note(connection, deleted);
    if (isHere(session, connection)) {
      store.remove(deleted.query_id);
      remembered.forget(deleted.query_id);
    }
    for (const open of openDocumentsOf(this.#deps.connections, connection, deleted.query_id))
      this.#deps.fileSystem.noteDeleted(open.uri);
  }

  /** Reports that the service has no such query. If it was listed, the list is out of date, so it is read again. */
  noteGone(connection: string, queryId: string): void {
    const { session, store, remembered } = this.#deps;
    if (!isHere(session, connection)) return;
    const wasListed = store.get(queryId) !== undefined;
    store.remove(queryId);
    remembered.forget(queryId);
    if (wasListed) void store.refresh();
  }

  /** Shows the newest version in an editor without edits. */
  showIfClean(document: vscode.TextDocument, newest: SavedQuery): void {
    if (!hasEdits(document)) this.#deps.fileSystem.reload(document.uri, newest);
  }

  nameOf(queryId: string): string | undefined {
    return this.#deps.store.get(queryId)?.name;
  }
}
