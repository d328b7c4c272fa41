/** The folder with the remembered results of the windows that have the same folder open. */
import path from 'node:path';
import type * as vscode from 'vscode';

const windowKey = 'results.window';

/** Windows without a folder have only the editor's own storage to recognize each other by. */
export function keptFolderOf({
  storageUri,
  globalStorageUri,
  workspaceState,
}: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri' | 'workspaceState'>): () => string {
  if (storageUri !== undefined) return () => path.join(storageUri.fsPath, 'window-results');
  let own = workspaceState.get<unknown>(windowKey);
  return () => {
    if (typeof own !== 'string') {
      own = crypto.randomUUID();
      void workspaceState.update(windowKey, own);
    }
    return path.join(globalStorageUri.fsPath, 'window-results', String(own));
  };
}
