/** Determines the saved query that a command applies to: its argument, the active editor's query, or a row of the view. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import {
  index,
  isLostRow,
  lenient,
  listOf,
  number,
  object,
  oneOf,
  optional,
  text,
  type Parser,
} from '#client/ui/arguments.ts';
import { uriOfTab } from '#client/ui/shown-uris.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import { parseVersionUri } from '../versions/version-documents.ts';
import type { QueryConnections } from './query-connection.ts';
import { parseSavedQueryUri } from './saved-query-uri.ts';

const place = object({ line: index, character: index });

const address: Parser<vscode.Uri | undefined> = (value) =>
  typeof value === 'string' ? vscode.Uri.parse(value, true) : undefined;

const members = object({
  /** URI of a document. */
  uri: address,
  queryId: lenient(text),
  /** Stands for the row with the keyboard focus in the view. */
  row: lenient(oneOf(['focused'])),
  /** Name of the query's connection. */
  connection: optional(String),
  version: lenient(number),
  /** What to compare a version with. */
  with: lenient(oneOf(['previous', 'newest', 'editor'])),
  /** Present for a version that is stored on this machine. */
  kept: lenient(object({ seenAt: lenient(number) })),
  /** New values, so that the user need not be asked. */
  name: lenient(text),
  description: lenient(text),
  model: lenient(text),
  /** Key of a group in the view. */
  key: lenient(text),
  /** Ranges of a document, as named by a code lens. */
  parts: optional(listOf(object({ start: place, end: place }))),
  /** A marked overlap in a document: its first line, and which side to keep. */
  line: lenient(index),
  side: lenient(oneOf(['mine', 'theirs', 'both'])),
  /** What to do with an unsaved merge. */
  does: lenient(oneOf(['save', 'undo', 'compare'])),
});

/**
 * The argument of saved query commands: a row of the view, `{ queryId }`, `{ row: 'focused' }`, a URI, or a code lens's
 * argument.
 */
export type QueryArgument = Partial<Exclude<ReturnType<typeof members>, symbol>>;

/** All members are optional: the active editor or a prompt supplies missing ones. */
export const queryArgument: Parser<QueryArgument> = (value) => {
  if (value instanceof vscode.Uri) return { uri: value };
  return typeof value === 'object' && value !== null ? members(value) : {};
};

/**
 * Returns the arguments of a command; where the editor has lost the row in whose menu the command stands, because it is
 * drawing the rows again, those that stand for the row with the focus, which is the same.
 */
export function withFocusedRow(args: readonly unknown[]): readonly unknown[] {
  return isLostRow(args) ? [{ row: 'focused' }] : args;
}

/**
 * Returns the query of the argument or of the active editor, also if the cursor is in the other side of its diff.
 * @throws ExpectedError if neither is a saved query.
 */
export function savedQueryUriOf({ uri }: QueryArgument): vscode.Uri {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const edited = activeTab === undefined ? undefined : uriOfTab(activeTab);
  const candidates = uri === undefined ? [vscode.window.activeTextEditor?.document.uri, edited] : [uri];
  const named = candidates.find((each) => each?.scheme === savedQueryScheme);
  if (named !== undefined) return named;
  throw new ExpectedError(vscode.l10n.t('Open a saved query first.'));
}

/** Returns the saved query in the active editor, even if the editor shows one of its versions. */
function activeQuery(): { readonly connection: string; readonly queryId: string } | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && (parseSavedQueryUri(uri) ?? parseVersionUri(uri));
}

/** Rows of the view. Undefined if the row is neither a query nor a version. */
export interface QueryRows {
  /** The row with the keyboard focus. Call only if the view has it, or had it last. */
  readonly focused: () => Promise<QueryArgument | undefined>;
  /** The query of the selected row of the open view. */
  readonly selected: () => string | undefined;
}

/**
 * Returns the query that a command applies to: from the argument, then the active editor, then the selected row if no
 * editor is open, then a prompt. Undefined if the user cancels or the focused row is not a query.
 * @throws ExpectedError if the query belongs to another connection.
 */
export async function targetOf(
  argument: QueryArgument,
  { connections, rows }: { readonly connections: QueryConnections; readonly rows: QueryRows },
  pick: () => Promise<string | undefined>,
): Promise<string | undefined> {
  if (argument.row === 'focused') {
    const row = await rows.focused();
    return row?.version === undefined ? row?.queryId : undefined;
  }
  const given = argument.queryId === undefined ? (activeQuery() ?? argument) : argument;
  requireOwnConnection(given, connections);
  const isNoneActive = vscode.window.tabGroups.activeTabGroup.activeTab === undefined;
  return given.queryId ?? (isNoneActive ? rows.selected() : undefined) ?? (await pick());
}

/** @throws ExpectedError if the query belongs to another connection. */
export function requireOwnConnection({ connection }: QueryArgument, connections: QueryConnections): void {
  if (connection === undefined || connections.isCurrent(connection)) return;
  throw new ExpectedError(
    vscode.l10n.t('This query belongs to {0}. Connect to it first.', connection),
    [{ title: vscode.l10n.t('Connect...'), command: commands.connectionConnect }],
    { recover: connections.recover },
  );
}
