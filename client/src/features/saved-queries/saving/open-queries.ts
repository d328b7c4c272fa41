/** The open saved queries, one object per buffer URI. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import type { Conflict } from '#core/saved-queries/save-machine.ts';
import { parseSavedQueryUri, savedQueryKey } from '../records/saved-query-uri.ts';
import { OpenQuery } from './open-query.ts';

export class OpenQueries implements vscode.Disposable {
  readonly #onDidChangeConflicts = new vscode.EventEmitter<vscode.Uri>();
  readonly #onDidSettle = new vscode.EventEmitter<void>();
  readonly #queries = new Map<string, OpenQuery>();

  /** Fires with the URI of a query whose conflict changed. */
  readonly onDidChangeConflicts = this.#onDidChangeConflicts.event;
  /** Fires when the base version of a query has changed, or its last turn has ended. */
  readonly onDidSettle = this.#onDidSettle.event;

  /** Returns the query with this URI, creating it on first use. */
  of(uri: vscode.Uri): OpenQuery {
    const known = this.find(uri);
    if (known !== undefined) return known;
    const begun = new OpenQuery({
      uri,
      queryId: parseSavedQueryUri(uri)?.queryId ?? '',
      onConflict: (query) => this.#onDidChangeConflicts.fire(query.uri),
      onSettled: () => this.#onDidSettle.fire(),
    });
    this.#queries.set(savedQueryKey(uri), begun);
    return begun;
  }

  find(uri: vscode.Uri): OpenQuery | undefined {
    return this.#queries.get(savedQueryKey(uri));
  }

  all(): readonly OpenQuery[] {
    return [...this.#queries.values()];
  }

  /** Returns the base version of a buffer's text, or undefined if unknown. */
  baseOf(uri: vscode.Uri): SavedQuery | undefined {
    return this.find(uri)?.base;
  }

  conflictOf(uri: vscode.Uri): Conflict | undefined {
    return this.find(uri)?.conflict;
  }

  conflicts(): readonly vscode.Uri[] {
    return this.all()
      .filter(({ conflict }) => conflict !== undefined)
      .map(({ uri }) => uri);
  }

  /** Called before the text is shown at another address, which takes over what the person knows of it. */
  carry(from: vscode.Uri, to: vscode.Uri): void {
    const query = this.find(from);
    if (query === undefined) return;
    const moved = this.of(to);
    moved.told = { ...query.told };
    moved.looks = query.looks;
  }

  /** Called when the buffer is closed. A query with pending operations is kept until it is reopened. */
  close(uri: vscode.Uri): void {
    const query = this.find(uri);
    if (query === undefined) return;
    if (query.isInTurn || query.state.unanswered.length > 0) {
      query.buffer.noteClosed();
      return;
    }
    this.#queries.delete(savedQueryKey(uri));
    if (query.conflict !== undefined) this.#onDidChangeConflicts.fire(uri);
  }

  dispose(): void {
    this.#onDidChangeConflicts.dispose();
    this.#onDidSettle.dispose();
  }
}
