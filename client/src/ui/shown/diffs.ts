/** Opens diffs with safe tab titles. */
import * as vscode from 'vscode';
import { forLine } from '#base/shown-text/for-places.ts';

export async function showDiff(
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, forLine(title), options);
}

/** Returns the editor's own command for a row that opens a diff. */
export function diffCommand(left: vscode.Uri, right: vscode.Uri, title: string): vscode.Command {
  return {
    command: 'vscode.diff',
    title: vscode.l10n.t('Compare'),
    arguments: [left, right, forLine(title)],
  };
}
