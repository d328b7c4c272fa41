/** The saved queries that are open, or about to be: one object each, found by the address of its buffer. */
import type * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { savedQueryKey } from '../records/saved-query-uri.ts';
import { OpenQuery } from './open-query.ts';

export class OpenQueries {
  readonly #queries = new Map<string, OpenQuery>();

  /** Begun with the first thing that is to be known of it. */
  of(uri: vscode.Uri): OpenQuery {
    const key = savedQueryKey(uri);
    const query = this.#queries.get(key) ?? new OpenQuery();
    this.#queries.set(key, query);
    return query;
  }

  find(uri: vscode.Uri): OpenQuery | undefined {
    return this.#queries.get(savedQueryKey(uri));
  }

  /** The version that the text of a buffer comes from; undefined where that is not known. */
  baseOf(uri: vscode.Uri): SavedQuery | undefined {
    return this.find(uri)?.base;
  }
}
