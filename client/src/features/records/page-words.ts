/** What is said while pages are read. */
import * as vscode from 'vscode';

export function preparingWords(): string {
  return vscode.l10n.t('The service is still preparing these rows.');
}
