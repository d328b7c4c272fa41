/** What the commands of saved queries share: the stores they work on, and which query a command is for. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../../api/client/client.ts';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { commands } from '../../../contributions.ts';
import type { Session } from '../../../session/session.ts';
import { hasEdits } from '../../../ui/has-edits.ts';
import { ExpectedError } from '../../../../../core/src/util/failure.ts';
import { shownUris } from '../../../ui/shown-uris.ts';
import type { Logger } from '../../../../../core/src/util/logger.ts';
import type { ArrangementStore } from '../view/arrangement-store.ts';
import { isSameText } from '../../../../../core/src/saved-queries/same-text.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { QueryTabs } from '../following/query-tabs.ts';
import type { RememberedQueries } from '../records/remembered-queries.ts';
import { parseSavedQueryUri, savedQueryUri } from '../records/saved-query-uri.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import type { SavedQueryFileSystem } from '../saving/saved-query-file-system.ts';
import { parseVersionUri } from '../versions/version-documents.ts';
import type { VersionStore } from '../../../../../core/src/saved-queries/version-store.ts';

export interface QueryContext {
  readonly log: Logger;
  readonly session: Session;
  readonly store: SavedQueriesStore;
  readonly remembered: RememberedQueries;
  readonly arrangement: ArrangementStore;
  readonly queries: OpenQueries;
  readonly versions: VersionStore;
  readonly fileSystem: SavedQueryFileSystem;
  readonly connections: QueryConnections;
  readonly tabs: QueryTabs;
}

/** A connection as it was when a command began: what is chosen meanwhile does not change where it writes. */
export interface Connected {
  readonly client: ServiceClient;
  readonly connection: string;
}

/** @throws ExpectedError when not connected. */
export function requireConnected(session: Session): Connected {
  const client = session.requireClient();
  return { client, connection: session.state.kind === 'connected' ? session.state.profile.name : '' };
}

/** The id that an argument names: a row of the view, `{ queryId }`, or undefined. */
export function queryIdOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('queryId' in argument)) return undefined;
  return typeof argument.queryId === 'string' ? argument.queryId : undefined;
}

/** The saved query of the active editor, also where a version of it is shown. */
export function activeQuery(): { readonly connection: string; readonly queryId: string } | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && (parseSavedQueryUri(uri) ?? parseVersionUri(uri));
}

/**
 * The query that a command is for: the argument's, else the active editor's, else the one chosen in `pick`. Undefined when the
 * person left.
 * @throws ExpectedError when it is of another connection than the chosen one.
 */
export async function targetOf(
  argument: unknown,
  context: QueryContext,
  pick: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const given = queryIdOf(argument) === undefined ? activeQuery() : argument;
  requireOwnConnection(given, context);
  return queryIdOf(given) ?? (await pick());
}

/** @throws ExpectedError when the query is of another connection than the chosen one. */
export function requireOwnConnection(argument: unknown, { connections }: QueryContext): void {
  if (typeof argument !== 'object' || argument === null || !('connection' in argument)) return;
  const name = String(argument.connection);
  if (connections.isCurrent(name)) return;
  throw new ExpectedError(vscode.l10n.t('This query belongs to {0}. Connect to it first.', name), [
    { title: vscode.l10n.t('Connect...'), command: commands.connectionConnect },
  ]);
}

/** The open documents of a query, whatever names their addresses have: those with edits first, then those with a tab. */
export function openDocumentsOf(connection: string, queryId: string): readonly vscode.TextDocument[] {
  const shown = shownUris();
  const rank = (document: vscode.TextDocument) =>
    (hasEdits(document) ? 2 : 0) + (shown.has(document.uri.toString()) ? 1 : 0);
  return vscode.workspace.textDocuments
    .filter((document) => {
      const address = document.isClosed ? undefined : parseSavedQueryUri(document.uri);
      return address?.connection === connection && address.queryId === queryId;
    })
    .sort((a, b) => rank(b) - rank(a));
}

/** The open document of a query; where it is open under an older name too, the one with edits. */
export function openDocumentOf(connection: string, queryId: string): vscode.TextDocument | undefined {
  return openDocumentsOf(connection, queryId)[0];
}

/** Opens a query, in the editor that holds it already where there is one. */
export async function openQuery(
  context: QueryContext,
  connection: string,
  query: Pick<SavedQuery, 'query_id' | 'name'>,
): Promise<void> {
  const known = openDocumentOf(connection, query.query_id);
  const isShown = hasEdits(known) || shownUris().has(known?.uri.toString() ?? '');
  const to = savedQueryUri(connection, query);
  const shown = isShown && known !== undefined ? (await context.tabs.move(known, to)).uri : to;
  await vscode.window.showTextDocument(shown, { preview: true });
  if (isHere(context, connection)) context.remembered.noteOpened(query.query_id);
}

/** A query was created from here. */
export function noteCreated(context: QueryContext, connection: string, created: SavedQuery): void {
  context.versions.note(connection, created);
  if (!isHere(context, connection)) return;
  context.store.put(created);
  context.remembered.noteCreated(created.query_id);
}

/**
 * A query was written from here, and not by saving its editor: the view, the versions seen and an open editor learn of
 * it. Unsaved edits stay; where only other fields than the text were written, they go on from the new version.
 */
export function noteWritten(context: QueryContext, connection: string, saved: SavedQuery): void {
  const { store, versions, queries } = context;
  versions.note(connection, saved);
  if (isHere(context, connection)) store.put(saved);
  for (const document of openDocumentsOf(connection, saved.query_id)) {
    const query = queries.find(document.uri);
    if (query?.base !== undefined && isSameText(query.base.query_string, saved.query_string))
      query.rebase(saved);
    followIfClean(context, document, saved);
  }
}

/** An editor without unsaved edits shows the newest version from now on. */
export function followIfClean(
  { fileSystem }: QueryContext,
  document: vscode.TextDocument,
  newest: SavedQuery,
): void {
  if (hasEdits(document)) return;
  fileSystem.reload(document.uri, newest);
}

export function isHere({ session }: QueryContext, connection: string): boolean {
  return session.state.kind === 'connected' && session.state.profile.name === connection;
}
