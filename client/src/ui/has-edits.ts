/** Detects whether a document's text differs from the saved text. */
import type * as vscode from 'vscode';
import { allTabs, uriOfTab } from './shown-uris.ts';

/**
 * Returns whether a document has unsaved edits. If a document is edited during a save, the editor reports it as clean
 * until the next keystroke, but the state of its tab is correct.
 */
export function hasEdits(document: vscode.TextDocument | undefined): boolean {
  if (document === undefined || document.isDirty) return document !== undefined;
  const address = document.uri.toString();
  return allTabs().some((tab) => tab.isDirty && uriOfTab(tab)?.toString() === address);
}
