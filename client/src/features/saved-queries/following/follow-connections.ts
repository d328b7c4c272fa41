/** Moves open queries to their connection's new name after it was renamed in the settings. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import type { ConnectionNames } from '#client/session/connection-names.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import { nameInUri, parseSavedQueryUri, savedQueryUri } from '../records/saved-query-uri.ts';
import type { QueryTabs } from './query-tabs.ts';

export function followConnections(deps: {
  readonly names: ConnectionNames;
  readonly connections: QueryConnections;
  readonly tabs: QueryTabs;
  readonly log: Logger;
}): DisposableLike {
  const { names, connections, tabs, log } = deps;
  const disposables = new DisposableStore();
  const follow = async () => {
    for (const document of vscode.workspace.textDocuments) {
      const address = parseSavedQueryUri(document.uri);
      const connection = connections.nameNow(document.uri);
      if (address === undefined || connection === undefined || connection === address.connection) continue;
      const query = { query_id: address.queryId, name: nameInUri(document.uri) };
      await tabs.follow(savedQueryUri(connection, query));
    }
  };
  const followInBackground = () => {
    void follow().catch((error: unknown) =>
      // Not critical: saving also finds the connection by the query's URI.
      log.warn(`following a renamed connection failed: ${errorName(error)}`),
    );
  };
  disposables.add(names.onDidChange(followInBackground));
  disposables.add(vscode.workspace.onDidOpenTextDocument(followInBackground));
  disposables.add(vscode.window.onDidChangeActiveTextEditor(followInBackground));
  return disposables;
}
