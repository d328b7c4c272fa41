/** Documents of saved queries that are open, and changing their text as an edit that can be undone. */
import * as vscode from 'vscode';
import { hasEdits } from '../../../ui/has-edits.ts';
import { shownUris } from '../../../ui/shown-uris.ts';
import { parseSavedQueryUri } from './saved-query-uri.ts';

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === address);
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

/**
 * Puts a text in place of what a document holds, touching only what differs, so that cursors stay where they are.
 * @returns whether it is there; not so where somebody typed at the same moment.
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
  // Neither end may stand inside a pair of surrogates.
  if (/[\uD800-\uDBFF]/.test(present[start - 1] ?? '')) start -= 1;
  if (/[\uDC00-\uDFFF]/.test(present[present.length - end] ?? '')) end -= 1;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(present.length - end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, document.validateRange(range), wanted.slice(start, wanted.length - end));
  return await vscode.workspace.applyEdit(edit);
}
