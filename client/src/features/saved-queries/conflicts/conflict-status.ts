/**
 * Status bar item for a conflict, shown until the conflict is resolved; its notification may be closed long before
 * that. A text with conflict markers is still in conflict, even though its base is the newest version.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { createStatusBarItem } from '#client/ui/shown/status-items.ts';
import { markedRegions } from '#core/saved-queries/merge-drafts.ts';
import { savedQueryScheme } from '#server/protocol.ts';
import { nameInUri } from '../records/saved-query-uri.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import { describeConflict } from '../saving/save-failures.ts';

interface Waiting {
  readonly uri: vscode.Uri;
  /** The newer version; undefined if unknown. */
  readonly version: number | undefined;
  readonly tooltip: string;
  readonly command: string;
}

export function showConflictStatus(queries: OpenQueries): DisposableLike {
  const disposables = new DisposableStore();
  let item: vscode.StatusBarItem | undefined;
  const marked = new Set(vscode.workspace.textDocuments.filter(isMarked));
  const draw = () => {
    const waiting = [
      ...queries.conflicts().flatMap((uri) => inConflict(uri, queries)),
      ...[...marked].flatMap((document) => withMarkers(document, queries)),
    ];
    const active = vscode.window.activeTextEditor?.document.uri.toString();
    const shown = waiting.find(({ uri }) => uri.toString() === active) ?? waiting[0];
    if (shown === undefined) {
      item?.hide();
      return;
    }
    item ??= createConflictItem(disposables);
    item.text = `$(git-merge) ${wordsOf(waiting.length, shown.version)}`;
    item.tooltip = shown.tooltip;
    item.command = {
      command: shown.command,
      title: vscode.l10n.t('Resolve Save Conflict...'),
      arguments: [{ uri: shown.uri.toString() }],
    };
    item.show();
  };
  // Undo can restore a marker by a change of one character.
  const onceMarked = new WeakSet(marked);
  const note = (document: vscode.TextDocument) => {
    const wasMarked = marked.delete(document);
    if (isMarked(document)) {
      marked.add(document);
      onceMarked.add(document);
    }
    if (marked.has(document) || wasMarked) draw();
  };
  disposables.add(vscode.workspace.onDidOpenTextDocument(note));
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // Large texts are searched for markers only if some may have appeared or disappeared.
      if (onceMarked.has(document) || contentChanges.some(({ text }) => text.includes('<<<<<<<')))
        note(document);
    }),
  );
  disposables.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (marked.delete(document)) draw();
    }),
  );
  disposables.add(queries.onDidChangeConflicts(draw));
  disposables.add(vscode.window.onDidChangeActiveTextEditor(draw));
  draw();
  return disposables;
}

function isMarked(document: vscode.TextDocument): boolean {
  return document.uri.scheme === savedQueryScheme && markedRegions(document.getText()).length > 0;
}

function inConflict(uri: vscode.Uri, queries: OpenQueries): readonly Waiting[] {
  const conflict = queries.conflictOf(uri);
  if (conflict === undefined) return [];
  const tooltip = `${describeConflict(conflict)} ${vscode.l10n.t('Click to resolve it.')}`;
  return [{ uri, version: conflict.theirs.version, tooltip, command: commands.conflictSettle }];
}

function withMarkers({ uri }: vscode.TextDocument, queries: OpenQueries): readonly Waiting[] {
  const base = queries.baseOf(uri);
  // A further version can be in conflict with a text that still has markers. Those of a saved version are its text.
  if (queries.conflictOf(uri) !== undefined || markedRegions(base?.query_string ?? '').length > 0) return [];
  const tooltip = vscode.l10n.t(
    '"{0}" still contains conflict markers (<<<<<<<). Resolve each conflict, then save.',
    nameInUri(uri),
  );
  return [{ uri, version: base?.version, tooltip, command: commands.conflictNextMarker }];
}

function wordsOf(count: number, version: number | undefined): string {
  if (count > 1) return vscode.l10n.t('{0} conflicts', count);
  return version === undefined
    ? vscode.l10n.t('1 conflict')
    : vscode.l10n.t('Conflict with version {0}', version);
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
