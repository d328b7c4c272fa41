/** Shows open versions, and the diffs between them, under the current name of their query. */
import * as vscode from 'vscode';
import { showDiff } from '../../../ui/shown/diffs.ts';
import { allTabs } from '../../../ui/shown-uris.ts';
import {
  parseVersionUri,
  titleOfVersions,
  versionUriUnder,
  type VersionAddress,
} from './version-documents.ts';

/** Reopens the tabs of versions whose query has another name by now; the order of tabs and the focus stay. */
export async function renameVersionTabs(
  nameNow: (address: VersionAddress) => string | undefined,
): Promise<void> {
  for (const tab of allTabs()) {
    const { input } = tab;
    if (input instanceof vscode.TabInputText) {
      const to = renamed(input.uri, nameNow)?.to;
      if (to === undefined) continue;
      await vscode.commands.executeCommand('vscode.open', to, placeOf(tab));
    } else if (input instanceof vscode.TabInputTextDiff) {
      const [left, right] = [renamed(input.original, nameNow), renamed(input.modified, nameNow)];
      if (left === undefined || right === undefined) continue;
      const title = titleOfVersions(right.name, left.version, right.version);
      await showDiff(left.to, right.to, title, placeOf(tab));
    } else continue;
    // A preview tab has been replaced.
    if (allTabs().includes(tab)) await vscode.window.tabGroups.close(tab, true);
  }
}

function renamed(uri: vscode.Uri, nameNow: (address: VersionAddress) => string | undefined) {
  const address = parseVersionUri(uri);
  const name = address && nameNow(address);
  if (address === undefined || name === undefined) return undefined;
  const to = versionUriUnder(name, uri, address);
  return to.toString() === uri.toString() ? undefined : { to, name, version: address.version };
}

function placeOf({ group, isActive, isPreview }: vscode.Tab) {
  return {
    viewColumn: group.viewColumn,
    preview: isPreview,
    preserveFocus: !(group.isActive && isActive),
    background: !isActive,
  };
}
