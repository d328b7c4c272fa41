/** Shows a document in its existing tab, or else in the active group. */
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
