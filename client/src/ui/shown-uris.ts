/** Documents with a tab; the editor keeps others for a while after their tab closes. */
import * as vscode from 'vscode';

/** Addresses of documents with a tab, including the right side of a diff. */
export function shownUris(): ReadonlySet<string> {
  return new Set(allTabs().flatMap((tab) => uriOfTab(tab)?.toString() ?? []));
}

export function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** The document edited in a tab; for a diff, the right one. */
export function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
