import type * as vscode from 'vscode';

/** Returns a finding's code, with or without a documentation link; empty if there is none. */
export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : (code ?? ''));
}
