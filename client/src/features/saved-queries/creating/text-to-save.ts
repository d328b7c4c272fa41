/** Returns the text for Save as New: the whole document, or the parts named by a code lens. */
import * as vscode from 'vscode';
import type { QueryArgument } from '../records/query-argument.ts';

export function textToSave({ parts = [] }: QueryArgument, document: vscode.TextDocument): string {
  if (parts.length === 0) return document.getText();
  return parts
    .map(({ start, end }) =>
      document.getText(new vscode.Range(start.line, start.character, end.line, end.character)),
    )
    .join('\n');
}
