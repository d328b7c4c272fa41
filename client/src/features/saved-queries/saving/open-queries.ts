/** The saved queries that are open, or about to be: one object each, found by the address of its buffer. */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import type { Conflict } from '../../../../../core/src/saved-queries/save-machine.ts';
import { parseSavedQueryUri, savedQueryKey } from '../records/saved-query-uri.ts';
import { OpenQuery } from './open-query.ts';

export class OpenQueries implements vscode.Disposable {
  readonly #onDidChangeConflicts = new vscode.EventEmitter<vscode.Uri>();
  readonly #queries = new Map<string, OpenQuery>();

  /** Fires with the address of a query whose conflict came or went. */
  readonly onDidChangeConflicts = this.#onDidChangeConflicts.event;

  /** Begun with the first thing that is to be known of it. */
  of(uri: vscode.Uri): OpenQuery {
    const known = this.find(uri);
    if (known !== undefined) return known;
    const begun = new OpenQuery({
      uri,
      queryId: parseSavedQueryUri(uri)?.queryId ?? '',
      onConflict: (query) => this.#onDidChangeConflicts.fire(query.uri),
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

  /** The version that the text of a buffer comes from; undefined where that is not known. */
  baseOf(uri: vscode.Uri): SavedQuery | undefined {
    return this.find(uri)?.base;
  }

  conflictOf(uri: vscode.Uri): Conflict | undefined {
    return this.find(uri)?.conflict;
  }

  /** The addresses of those that are in a conflict. */
  conflicts(): readonly vscode.Uri[] {
    return this.all()
      .filter(({ conflict }) => conflict !== undefined)
      .map(({ uri }) => uri);
  }

  /**
   * The text is in the buffer of another address now, and so is all that is known of the query; what the editor was told
   * of each of the two files stays with that file. A new buffer that is or was saved knows more than the one before.
   */
  carry(from: vscode.Uri, to: vscode.Uri): void {
    if (!this.canCarry(from, to)) return;
    const [query, other] = [this.of(from), this.of(to)];
    query.exchangeBuffers(other);
    this.#queries.set(savedQueryKey(to), query);
    this.#queries.set(savedQueryKey(from), other);
    if (query.conflict === undefined) return;
    this.#onDidChangeConflicts.fire(from);
    this.#onDidChangeConflicts.fire(to);
  }

  /** Whether the new buffer is over the same version as the one before, and nothing is being asked about it. */
  canCarry(from: vscode.Uri, to: vscode.Uri): boolean {
    const [query, other] = [this.of(from), this.of(to)];
    return !other.isInTurn && isSameVersion(query.state.base, other.state.base);
  }

  /** Its buffer is closed. What is under way, or has no answer yet, is still known when it is opened again. */
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
  }
}

function isSameVersion(a: SavedQuery, b: SavedQuery): boolean {
  return a.version === b.version && a.query_string === b.query_string;
}
