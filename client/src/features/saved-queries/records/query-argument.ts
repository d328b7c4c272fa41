/** The saved query of a command: its argument, else the active editor. */
import * as vscode from 'vscode';
import { savedQueryScheme } from '../../../../../server/src/protocol.ts';
import { commands } from '../../../contributions.ts';
import { ExpectedError } from '../../../../../core/src/util/failure.ts';
import {
  index,
  lenient,
  listOf,
  number,
  object,
  oneOf,
  optional,
  text,
  type Parser,
} from '../../../ui/arguments.ts';
import { parseVersionUri } from '../versions/version-documents.ts';
import type { QueryConnections } from './query-connection.ts';
import { parseSavedQueryUri } from './saved-query-uri.ts';

const place = object({ line: index, character: index });

const address: Parser<vscode.Uri | undefined> = (value) =>
  typeof value === 'string' ? vscode.Uri.parse(value, true) : undefined;

const members = object({
  /** The address of a document. */
  uri: address,
  queryId: lenient(text),
  /** The name of the query's connection. */
  connection: optional(String),
  version: lenient(number),
  /** Present for a version that was seen on this machine. */
  kept: lenient(object({ seenAt: lenient(number) })),
  /** New values, so that the person need not be asked. */
  name: lenient(text),
  description: lenient(text),
  model: lenient(text),
  /** The key of a group in the view. */
  key: lenient(text),
  /** Parts of a document, as a lens names them. */
  parts: optional(listOf(object({ start: place, end: place }))),
  /** An overlap in a document: its first line, and what to keep of it. */
  line: lenient(index),
  side: lenient(oneOf(['mine', 'theirs', 'both'])),
});

/** The argument of commands on saved queries: a row of the view, `{ queryId }`, an address, or a lens's argument. */
export type QueryArgument = Partial<Exclude<ReturnType<typeof members>, symbol>>;

/** Every member is optional: the active editor or a prompt supplies the rest. */
export const queryArgument: Parser<QueryArgument> = (value) => {
  if (value instanceof vscode.Uri) return { uri: value };
  return typeof value === 'object' && value !== null ? members(value) : {};
};

/** @throws ExpectedError if neither the argument nor the active editor is a saved query. */
export function savedQueryUriOf({ uri }: QueryArgument): vscode.Uri {
  const named = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (named?.scheme === savedQueryScheme) return named;
  throw new ExpectedError(vscode.l10n.t('Open a saved query first.'));
}

/** The saved query of the active editor, even if the editor shows one of its versions. */
function activeQuery(): { readonly connection: string; readonly queryId: string } | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && (parseSavedQueryUri(uri) ?? parseVersionUri(uri));
}

/**
 * The query of a command: the argument's, else the active editor's, else the picked one. Undefined if the
 * person cancelled.
 * @throws ExpectedError if it belongs to another connection.
 */
export async function targetOf(
  argument: QueryArgument,
  connections: QueryConnections,
  pick: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const given = argument.queryId === undefined ? (activeQuery() ?? argument) : argument;
  requireOwnConnection(given, connections);
  return given.queryId ?? (await pick());
}

/** @throws ExpectedError if the query belongs to another connection. */
export function requireOwnConnection({ connection }: QueryArgument, connections: QueryConnections): void {
  if (connection === undefined || connections.isCurrent(connection)) return;
  throw new ExpectedError(vscode.l10n.t('This query belongs to {0}. Connect to it first.', connection), [
    { title: vscode.l10n.t('Connect...'), command: commands.connectionConnect },
  ]);
}
