/** Shows documents in tabs. */
import * as vscode from 'vscode';
import { savedQueryScheme } from '../../../server/src/protocol.ts';
import { uriOfTab } from './shown-uris.ts';

/** Shows a document in its existing tab, or in the active group if it has none. */
export async function showDocument(
  document: vscode.TextDocument,
  selection: vscode.Range | undefined,
): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  await vscode.window.showTextDocument(document, {
    ...(shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn }),
    ...(selection === undefined ? {} : { selection }),
  });
}

/**
 * Shows a document that opens from the rows of a query, in a preview tab. The query keeps its tab: the editor would
 * replace it if it was only previewed, too.
 */
export async function showFromRows(
  document: vscode.TextDocument | vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (tab?.isPreview === true && uriOfTab(tab)?.scheme === savedQueryScheme)
    await vscode.commands.executeCommand('workbench.action.keepEditor');
  const shown = document instanceof vscode.Uri ? await vscode.workspace.openTextDocument(document) : document;
  await vscode.window.showTextDocument(shown, { preview: true, ...options });
}
