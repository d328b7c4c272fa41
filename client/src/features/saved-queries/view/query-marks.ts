/**
 * Marks queries with unsaved edits and open queries with a newer version, based on open documents, their base versions
 * and the known records.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { shownUris } from '#client/ui/shown-uris.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import { parseSavedQueryUri } from '../records/saved-query-uri.ts';
import type { OpenQueries } from '../saving/open-queries.ts';

export type QueryMark =
  | { readonly kind: 'unsaved' }
  /** The query has edits, and a newer version exists. */
  | { readonly kind: 'conflict'; readonly base: number; readonly newest: number }
  /** The query is open without edits, and a newer version exists. */
  | { readonly kind: 'outdated'; readonly base: number; readonly newest: number };

export class QueryMarks implements vscode.Disposable {
  readonly #disposables = new DisposableStore();
  readonly #onDidChange = this.#disposables.add(new vscode.EventEmitter<readonly string[]>());
  readonly #store: SavedQueriesStore;
  readonly #queries: OpenQueries;
  readonly #connections: Pick<QueryConnections, 'nameNow'>;
  #marks = new Map<string, QueryMark>();

  /** Fires with the IDs of queries whose mark changed. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(
    store: SavedQueriesStore,
    queries: OpenQueries,
    connections: Pick<QueryConnections, 'nameNow'>,
  ) {
    this.#store = store;
    this.#queries = queries;
    this.#connections = connections;
    const look = () => this.#look();
    const lookAt = (document: vscode.TextDocument) => {
      if (document.uri.scheme === savedQueryScheme) look();
    };
    this.#disposables.add(vscode.workspace.onDidOpenTextDocument(lookAt));
    this.#disposables.add(vscode.workspace.onDidCloseTextDocument(lookAt));
    this.#disposables.add(vscode.workspace.onDidSaveTextDocument(lookAt));
    this.#disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => lookAt(document)));
    this.#disposables.add(vscode.window.tabGroups.onDidChangeTabs(look));
    this.#disposables.add(store.onDidChange(look));
    this.#disposables.add(queries.onDidSettle(look));
    look();
  }

  get(queryId: string): QueryMark | undefined {
    return this.#marks.get(queryId);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #look(): void {
    const { shown: connection } = this.#store;
    const before = this.#marks;
    const after = new Map<string, QueryMark>();
    const shown = shownUris();
    for (const document of vscode.workspace.textDocuments) {
      const address = parseSavedQueryUri(document.uri);
      if (address === undefined || document.isClosed) continue;
      if (connection === undefined || connection.name !== this.#connections.nameNow(document.uri)) continue;
      // The editor keeps documents for a while after their tabs are closed.
      if (!hasEdits(document) && !shown.has(document.uri.toString())) continue;
      // If the query is also open under an older name, the document with edits takes precedence.
      if (!hasEdits(document) && after.has(address.queryId)) continue;
      const mark = this.#markOf(document, address.queryId);
      if (mark !== undefined) after.set(address.queryId, mark);
    }
    this.#marks = after;
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (queryId) => !isSameMark(before.get(queryId), after.get(queryId)),
    );
    if (changed.length > 0) this.#onDidChange.fire(changed);
  }

  #markOf(document: vscode.TextDocument, queryId: string): QueryMark | undefined {
    const query = this.#queries.find(document.uri);
    const base = query?.base?.version;
    // A version that appears during a save may be the one that is being saved; the end of the save decides.
    const newest =
      query?.isInTurn === true ? newestOf(this.#marks.get(queryId)) : this.#store.get(queryId)?.version;
    if (base !== undefined && newest !== undefined && newest > base)
      return { kind: hasEdits(document) ? 'conflict' : 'outdated', base, newest };
    return hasEdits(document) ? { kind: 'unsaved' } : undefined;
  }
}

function newestOf(mark: QueryMark | undefined): number | undefined {
  return mark === undefined || mark.kind === 'unsaved' ? undefined : mark.newest;
}

function isSameMark(a: QueryMark | undefined, b: QueryMark | undefined): boolean {
  if (a === undefined || b === undefined || a.kind === 'unsaved' || b.kind === 'unsaved')
    return a?.kind === b?.kind;
  return a.kind === b.kind && a.base === b.base && a.newest === b.newest;
}
