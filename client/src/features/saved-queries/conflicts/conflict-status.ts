/**
 * Status bar item for a conflict, shown until the conflict is resolved; its notification may be closed long before
 * that.
 */
import * as vscode from 'vscode';
import { commands } from '../../../contributions.ts';
import { DisposableStore, type DisposableLike } from '../../../../../core/src/util/disposables.ts';
import { createStatusBarItem } from '../../../ui/shown/status-items.ts';
import { describeConflict } from '../saving/save-failures.ts';
import type { OpenQueries } from '../saving/open-queries.ts';

export function showConflictStatus(queries: OpenQueries): DisposableLike {
  const disposables = new DisposableStore();
  let item: vscode.StatusBarItem | undefined;
  const draw = () => {
    const conflicts = queries.conflicts();
    const active = vscode.window.activeTextEditor?.document.uri.toString();
    const uri = conflicts.find((each) => each.toString() === active) ?? conflicts[0];
    const conflict = uri && queries.conflictOf(uri);
    if (conflict === undefined) {
      item?.hide();
      return;
    }
    item ??= createConflictItem(disposables);
    item.text = `$(git-merge) ${wordsOf(conflicts.length, conflict.theirs.version)}`;
    item.tooltip = `${describeConflict(conflict)} ${vscode.l10n.t('Click to resolve it.')}`;
    item.command = {
      command: commands.conflictSettle,
      title: vscode.l10n.t('Resolve Save Conflict...'),
      arguments: [{ uri: uri?.toString() }],
    };
    item.show();
  };
  disposables.add(queries.onDidChangeConflicts(draw));
  disposables.add(vscode.window.onDidChangeActiveTextEditor(draw));
  return disposables;
}

function wordsOf(count: number, version: number): string {
  return count === 1
    ? vscode.l10n.t('Conflict with version {0}', version)
    : vscode.l10n.t('{0} conflicts', count);
}

/** Created on first use, since most windows never have a conflict. */
function createConflictItem(disposables: DisposableStore): vscode.StatusBarItem {
  const item = disposables.add(
    createStatusBarItem('identityQueries.conflict', vscode.StatusBarAlignment.Left, 9),
  );
  item.name = vscode.l10n.t('Conflict of a Saved Query');
  item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  return item;
}
