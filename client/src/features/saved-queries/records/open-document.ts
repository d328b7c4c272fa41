/** Finds the open documents of saved queries, and applies undoable edits to their text. */
import * as vscode from 'vscode';
import { hasEdits } from '#client/ui/has-edits.ts';
import { shownUris } from '#client/ui/shown-uris.ts';
import type { QueryConnections } from './query-connection.ts';
import { parseSavedQueryUri } from './saved-query-uri.ts';

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === address);
}

/**
 * Returns the open documents of a query under any name of it or its connection: those with edits first, then those with
 * a tab.
 */
export function openDocumentsOf(
  connections: Pick<QueryConnections, 'nameNow'>,
  connection: string,
  queryId: string,
): readonly vscode.TextDocument[] {
  const shown = shownUris();
  const rank = (document: vscode.TextDocument) =>
    (hasEdits(document) ? 2 : 0) + (shown.has(document.uri.toString()) ? 1 : 0);
  return vscode.workspace.textDocuments
    .filter((document) => {
      const address = document.isClosed ? undefined : parseSavedQueryUri(document.uri);
      return address?.queryId === queryId && connections.nameNow(document.uri) === connection;
    })
    .sort((a, b) => rank(b) - rank(a));
}

/** Returns the open document of a query; if it is also open under an older name, the one with edits. */
export function openDocumentOf(
  ...query: Parameters<typeof openDocumentsOf>
): vscode.TextDocument | undefined {
  return openDocumentsOf(...query)[0];
}

/**
 * Returns the entries of a folder that lead to open documents: each query has its own address, so its folders hold
 * nothing else. Breadcrumbs list them.
 */
export function openEntriesOf(folder: vscode.Uri): [string, vscode.FileType][] {
  const path = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  const entries = new Map<string, vscode.FileType>();
  for (const { uri } of vscode.workspace.textDocuments) {
    if (uri.scheme !== folder.scheme || uri.authority !== folder.authority || !uri.path.startsWith(path))
      continue;
    const [name = '', ...below] = uri.path.slice(path.length).split('/');
    entries.set(name, below.length === 0 ? vscode.FileType.File : vscode.FileType.Directory);
  }
  return [...entries];
}

/**
 * Replaces a document's text by editing only the part that differs, so that cursors stay in place.
 * @returns whether the edit was applied; false if the user typed at the same moment.
 */
export async function fillDocument(document: vscode.TextDocument, text: string): Promise<boolean> {
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const wanted = text.replace(/^\uFEFF/, '').replace(/\r\n|\r|\n/g, eol);
  const present = document.getText();
  if (wanted === present) return true;
  const shortest = Math.min(wanted.length, present.length);
  let start = 0;
  while (start < shortest && wanted[start] === present[start]) start += 1;
  let end = 0;
  while (end < shortest - start && wanted.at(-1 - end) === present.at(-1 - end)) end += 1;
  // Don't split a surrogate pair at either end.
  if (/[\uD800-\uDBFF]/.test(present[start - 1] ?? '')) start -= 1;
  if (/[\uDC00-\uDFFF]/.test(present[present.length - end] ?? '')) end -= 1;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(present.length - end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, document.validateRange(range), wanted.slice(start, wanted.length - end));
  return await vscode.workspace.applyEdit(edit);
}
