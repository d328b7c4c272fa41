/** Which saved query a command is for: what it was called with, else the active editor. */
import * as vscode from 'vscode';
import { commands } from '../../../contributions.ts';
import { ExpectedError } from '../../../../../core/src/util/failure.ts';
import { parseVersionUri } from '../versions/version-documents.ts';
import type { QueryConnections } from './query-connection.ts';
import { parseSavedQueryUri, savedQueryScheme } from './saved-query-uri.ts';

/** @throws ExpectedError when neither the argument nor the active editor is a saved query. */
export function savedQueryUriOf(argument: unknown): vscode.Uri {
  const isNamed = typeof argument === 'object' && argument !== null && 'uri' in argument;
  const named =
    argument instanceof vscode.Uri
      ? argument
      : isNamed && typeof argument.uri === 'string'
        ? vscode.Uri.parse(argument.uri, true)
        : vscode.window.activeTextEditor?.document.uri;
  if (named?.scheme === savedQueryScheme) return named;
  throw new ExpectedError(vscode.l10n.t('Open a saved query first.'));
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
  connections: QueryConnections,
  pick: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const given = queryIdOf(argument) === undefined ? activeQuery() : argument;
  requireOwnConnection(given, connections);
  return queryIdOf(given) ?? (await pick());
}

/** @throws ExpectedError when the query is of another connection than the chosen one. */
export function requireOwnConnection(argument: unknown, connections: QueryConnections): void {
  if (typeof argument !== 'object' || argument === null || !('connection' in argument)) return;
  const name = String(argument.connection);
  if (connections.isCurrent(name)) return;
  throw new ExpectedError(vscode.l10n.t('This query belongs to {0}. Connect to it first.', name), [
    { title: vscode.l10n.t('Connect...'), command: commands.connectionConnect },
  ]);
}
