/** Finds documents with a tab. The editor keeps other documents for a while after their tabs are closed. */
import * as vscode from 'vscode';

/** Returns the URIs of documents with a tab, including the right side of a diff. */
export function shownUris(): ReadonlySet<string> {
  return new Set(allTabs().flatMap((tab) => uriOfTab(tab)?.toString() ?? []));
}

export function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** Returns the URI of the document edited in a tab; for a diff, the one on the right. */
export function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** Returns the URIs of what a tab shows, alone or in a comparison. */
export function urisOfTab({ input }: vscode.Tab): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}
