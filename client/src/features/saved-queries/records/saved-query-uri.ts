/**
 * Addresses of saved queries in the editor: `identity-query:/<connection>/<query_id>/<name>.identity.sql`. Only the
 * connection and the id say which query it is; the name is there to be read, so a rename does not lose an open editor.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { forFileName } from '../../../../../core/src/shown-text/for-places.ts';
import { pathSegment } from '../../../../../core/src/util/path-segment.ts';

export const savedQueryScheme = 'identity-query';
export const queryFileExtension = '.identity.sql';

export interface SavedQueryAddress {
  readonly connection: string;
  readonly queryId: string;
}

export function savedQueryUri(connection: string, query: Pick<SavedQuery, 'query_id' | 'name'>): vscode.Uri {
  return vscode.Uri.from({
    scheme: savedQueryScheme,
    path: `/${pathSegment(connection)}/${pathSegment(query.query_id)}/${fileNameOf(query.name)}`,
  });
}

/** @returns undefined for another scheme or shape. */
export function parseSavedQueryUri(uri: vscode.Uri): SavedQueryAddress | undefined {
  if (uri.scheme !== savedQueryScheme) return undefined;
  const [, connection, queryId, fileName] = uri.path.split('/');
  if (!connection || !queryId || !fileName) return undefined;
  try {
    return { connection: decodeURIComponent(connection), queryId: decodeURIComponent(queryId) };
  } catch {
    return undefined; // a % that encodes nothing: not an address of ours
  }
}

/**
 * What identifies a buffer. The name is part of it: after a rename a query can be open under both names, and the
 * versions that the two buffers come from must not be mixed up.
 */
export function savedQueryKey(uri: vscode.Uri): string {
  return uri.path;
}

/** The name as the address has it, which is that of the time when it was opened. */
export function nameInUri(uri: vscode.Uri): string {
  const fileName = uri.path.split('/').at(-1) ?? '';
  return (fileName.endsWith(queryFileExtension) ? fileName.slice(0, -queryFileExtension.length) : fileName)
    .replaceAll('\u2215', '/')
    .replaceAll('\u2216', '\\');
}

/**
 * The name with characters that mean something in a path replaced by look-alikes that do not. The editor puts it into
 * messages of its own, so no link may be in it.
 */
function fileNameOf(name: string): string {
  const readable = forFileName(name).replaceAll('/', '\u2215').replaceAll('\\', '\u2216');
  return `${readable}${queryFileExtension}`;
}
