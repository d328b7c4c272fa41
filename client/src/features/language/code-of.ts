import type * as vscode from 'vscode';

/** A finding's code, with or without a documentation link; empty for none. */
export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : (code ?? ''));
}
