/** Registers read-only documents. The editor shows their error messages, so those are made safe. */
import * as vscode from 'vscode';
import { shownError } from './file-system-errors.ts';

export function registerTextDocumentContentProvider(
  scheme: string,
  provider: vscode.TextDocumentContentProvider,
): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    ...(provider.onDidChange === undefined ? {} : { onDidChange: provider.onDidChange }),
    async provideTextDocumentContent(uri, token) {
      try {
        return await provider.provideTextDocumentContent(uri, token);
      } catch (error) {
        throw shownError(error);
      }
    },
  });
}
