/** Which documents have a tab; the editor keeps others for a while after their tab was closed. */
import * as vscode from 'vscode';

/** Addresses of the documents that have a tab, also as the right side of a diff. */
export function shownUris(): ReadonlySet<string> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return new Set(
    tabs.flatMap(({ input }) => {
      if (input instanceof vscode.TabInputText) return [input.uri.toString()];
      return input instanceof vscode.TabInputTextDiff ? [input.modified.toString()] : [];
    }),
  );
}
