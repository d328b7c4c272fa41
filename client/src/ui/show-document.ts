/** Shows a document in its existing tab, or in the active group if it has none. */
import * as vscode from 'vscode';

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
