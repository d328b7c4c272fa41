/** Shows open versions, and the diffs between them, under the current name of their query. */
import * as vscode from 'vscode';
import { allTabs } from '#client/ui/shown-uris.ts';
import { showDiff } from '#client/ui/shown/diffs.ts';
import { nameOfVersion, parseVersionUri, titleOfVersions, versionUriUnder } from './version-documents.ts';

/** Reopens the tabs of versions whose query has another name by now; the order of groups stays. */
export async function renameVersionTabs({ keepsFocus = false } = {}): Promise<void> {
  for (const tab of allTabs()) {
    // The user may have closed it in the meantime.
    const isOpen = () => allTabs().filter((other) => isSame(other, tab));
    const reopen = reopening(tab, keepsFocus);
    if (reopen === undefined || isOpen().length === 0) continue;
    await reopen();
    // A preview tab has been replaced.
    await vscode.window.tabGroups.close(isOpen(), true);
  }
}

/** Returns a function that opens a tab's content under the current name; undefined if it has that name. */
function reopening(tab: vscode.Tab, keepsFocus: boolean): (() => Thenable<unknown>) | undefined {
  const { input } = tab;
  if (input instanceof vscode.TabInputText) {
    const to = renamed(input.uri)?.to;
    return to && (() => vscode.commands.executeCommand('vscode.open', to, placeOf(tab, keepsFocus)));
  }
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  const [left, right] = [renamed(input.original), renamed(input.modified)];
  if (left === undefined || right === undefined) return undefined;
  const title = titleOfVersions(right.name, left.version, right.version);
  return () => showDiff(left.to, right.to, title, placeOf(tab, keepsFocus));
}

function isSame(one: vscode.Tab, other: vscode.Tab): boolean {
  return one.group.viewColumn === other.group.viewColumn && addressOf(one) === addressOf(other);
}

function addressOf({ input }: vscode.Tab): string {
  if (input instanceof vscode.TabInputText) return input.uri.toString();
  return input instanceof vscode.TabInputTextDiff
    ? `${String(input.original)} ${String(input.modified)}`
    : '';
}

function renamed(uri: vscode.Uri) {
  const address = parseVersionUri(uri);
  const name = nameOfVersion(uri);
  if (address === undefined || name === undefined) return undefined;
  const to = versionUriUnder(name, uri, address);
  return to.toString() === uri.toString() ? undefined : { to, name, version: address.version };
}

function placeOf({ group, isActive, isPreview }: vscode.Tab, keepsFocus: boolean) {
  return {
    viewColumn: group.viewColumn,
    preview: isPreview,
    preserveFocus: keepsFocus || !(group.isActive && isActive),
    background: !isActive,
  };
}
