/**
 * URIs of saved queries in the editor: `identity-query://<connection>.<query_id>/<folder>/<name>.identity.sql`. Only
 * the connection and the ID identify the query; they are in the authority, which tabs and breadcrumbs do not show. The
 * name is only for display.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { authorityOf, partsOfAuthority } from '#base/files/authority.ts';
import { forFileName } from '#base/shown-text/for-places.ts';
import { savedQueryScheme } from '#server/protocol.ts';

const queryFileExtension = '.identity.sql';

export interface SavedQueryAddress {
  readonly connection: string;
  readonly queryId: string;
}

export function savedQueryUri(connection: string, query: Pick<SavedQuery, 'query_id' | 'name'>): vscode.Uri {
  return vscode.Uri.from({
    scheme: savedQueryScheme,
    authority: authorityOf(connection, query.query_id),
    path: `/${pathOf(query.name)}`,
  });
}

/** @returns undefined if the URI has a different scheme or shape. */
export function parseSavedQueryUri(uri: vscode.Uri): SavedQueryAddress | undefined {
  if (uri.scheme !== savedQueryScheme) return undefined;
  if (!uri.path.endsWith(queryFileExtension)) return undefined;
  if (uri.authority === '') return parseEarlier(uri.path);
  const [connection, queryId] = partsOfAuthority(uri.authority, 2) ?? [];
  return connection === undefined || queryId === undefined ? undefined : { connection, queryId };
}

/**
 * Parses `/<connection>/<query_id>/<name>.identity.sql`: an earlier version of the extension used such URIs for tabs
 * and unsaved edits.
 */
function parseEarlier(path: string): SavedQueryAddress | undefined {
  const [, connection, queryId, fileName] = path.split('/');
  if (!connection || !queryId || !fileName) return undefined;
  try {
    return { connection: decodeURIComponent(connection), queryId: decodeURIComponent(queryId) };
  } catch {
    return undefined; // a % without an escape: not one of our URIs
  }
}

/** Returns whether two queries are at the same name of a connection, which may be an earlier one. */
export function isOfSameConnection(one: vscode.Uri, other: vscode.Uri): boolean {
  return parseSavedQueryUri(one)?.connection === parseSavedQueryUri(other)?.connection;
}

/**
 * Returns the key of a buffer, which includes the name: the editor can open a query under two names, with different base
 * versions.
 */
export function savedQueryKey(uri: vscode.Uri): string {
  return `${uri.authority}${uri.path}`;
}

/** Returns the name in the URI, which the query had when it was opened. */
export function nameInUri(uri: vscode.Uri): string {
  const fileName = uri.authority === '' ? (uri.path.split('/').at(-1) ?? '') : uri.path.slice(1);
  return (fileName.endsWith(queryFileExtension) ? fileName.slice(0, -queryFileExtension.length) : fileName)
    .replaceAll('\u2215', '/')
    .replaceAll('\u2216', '\\')
    .replaceAll('\u2236', ':');
}

/**
 * Returns a path of folders and name, using look-alikes for characters that are special in a path. The editor uses the
 * path in its own messages, so it must not contain a link.
 */
function pathOf(name: string): string {
  const parts = name.split('/');
  const isPath = parts.every((part) => /[^\s.]/.test(part));
  const readable = (isPath ? parts : [name]).map((part) =>
    forFileName(part)
      .replaceAll('/', '\u2215')
      .replaceAll('\\', '\u2216')
      // The editor would convert what looks like a drive letter to lower case.
      .replace(/^([A-Za-z]):/, '$1\u2236'),
  );
  return `${readable.join('/')}${queryFileExtension}`;
}
