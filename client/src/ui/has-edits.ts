/** Whether a document's text differs from the saved one. */
import type * as vscode from 'vscode';
import { allTabs, uriOfTab } from './shown-uris.ts';

/**
 * After a save the editor reports a document as clean even if it was edited in the meantime, until the next key. Its
 * tab state is correct.
 */
export function hasEdits(document: vscode.TextDocument | undefined): boolean {
  if (document === undefined || document.isDirty) return document !== undefined;
  const address = document.uri.toString();
  return allTabs().some((tab) => tab.isDirty && uriOfTab(tab)?.toString() === address);
}
