/** Closes the diff of a conflict or a merge once it is settled. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { forLine } from '#base/shown-text/for-places.ts';
import { allTabs } from '#client/ui/shown-uris.ts';
import { parseVersionUri } from '../versions/version-documents.ts';

/**
 * Closes nothing if no other tab shows the query, since the diff may then hold the only view of unsaved edits.
 * @param title as the diff was opened with.
 */
export async function closeSettled(uri: vscode.Uri, theirs: SavedQuery, title: string): Promise<void> {
  const address = uri.toString();
  const tabs = allTabs();
  const isShown = tabs.some(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address,
  );
  if (!isShown) return;
  const { query_id: queryId, version } = theirs;
  // The query may have had another name when the diff was opened.
  const isTheirs = (original: vscode.Uri) => {
    const shown = parseVersionUri(original);
    return shown?.queryId === queryId && shown.version === version;
  };
  // A comparison with another title was opened by the user.
  const shownTitle = forLine(title);
  const diffs = tabs.filter(
    ({ input, label }) =>
      input instanceof vscode.TabInputTextDiff &&
      isTheirs(input.original) &&
      input.modified.toString() === address &&
      label === shownTitle,
  );
  if (diffs.length > 0) await vscode.window.tabGroups.close(diffs);
}
