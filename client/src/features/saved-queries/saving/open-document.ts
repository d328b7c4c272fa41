/** Documents of saved queries that are open, and changing their text as an edit that can be undone. */
import * as vscode from 'vscode';

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === address);
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
