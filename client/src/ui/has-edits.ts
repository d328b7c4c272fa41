/** Whether the text of a document differs from what is saved. */
import type * as vscode from 'vscode';
import { allTabs, uriOfTab } from './shown-uris.ts';

/**
 * After a save the editor tells extensions that a document is clean, also one that was typed into meanwhile, and does
 * not correct that before the next key. What it tells of tabs is right.
 */
export function hasEdits(document: vscode.TextDocument | undefined): boolean {
  if (document === undefined || document.isDirty) return document !== undefined;
  const address = document.uri.toString();
  return allTabs().some((tab) => tab.isDirty && uriOfTab(tab)?.toString() === address);
}
