/** Closes the diff of a conflict once the conflict is resolved. */
import * as vscode from 'vscode';
import type { Conflict } from '../../../../../core/src/saved-queries/save-machine.ts';
import { forLine } from '../../../../../core/src/shown-text/for-places.ts';
import { allTabs } from '../../../ui/shown-uris.ts';
import { parseVersionUri } from '../versions/version-documents.ts';
import { conflictTitle } from './conflict-view.ts';

/** Closes nothing if no other tab shows the query, since the diff may then hold the only view of unsaved edits. */
export async function closeConflict(uri: vscode.Uri, conflict: Conflict): Promise<void> {
  const address = uri.toString();
  const tabs = allTabs();
  const isShown = tabs.some(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address,
  );
  if (!isShown) return;
  const { query_id: queryId, version } = conflict.theirs;
  // The query may have had another name when the diff was opened.
  const isTheirs = (original: vscode.Uri) => {
    const shown = parseVersionUri(original);
    return shown?.queryId === queryId && shown.version === version;
  };
  // A comparison with another title was opened by the user.
  const title = forLine(conflictTitle(conflict));
  const diffs = tabs.filter(
    ({ input, label }) =>
      input instanceof vscode.TabInputTextDiff &&
      isTheirs(input.original) &&
      input.modified.toString() === address &&
      label === title,
  );
  if (diffs.length > 0) await vscode.window.tabGroups.close(diffs);
}
