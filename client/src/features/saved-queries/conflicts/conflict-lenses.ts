/** Code lenses with actions for a conflict: above the text, and above each marked overlap. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import { markedRegions, type MarkedRegion } from '#core/saved-queries/merge-drafts.ts';
import { queryArgument, savedQueryUriOf, type QueryArgument } from '../records/query-argument.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import { waysOf, type Way } from './conflict-view.ts';
import { fittingLenses } from './fitting-lenses.ts';
import { LeadingLenses } from './leading-lenses.ts';

type Side = NonNullable<QueryArgument['side']>;

export function registerConflictLenses(deps: {
  readonly queries: OpenQueries;
  readonly log: Logger;
}): DisposableLike {
  const { queries, log } = deps;
  const disposables = new DisposableStore();
  const lenses = disposables.add(
    new LeadingLenses((document) => [...conflictLenses(document, queries), ...markerLenses(document)]),
  );
  disposables.add(queries.onDidChangeConflicts(() => lenses.refresh()));
  disposables.add(
    registerCommand(log, commands.conflictAcceptMarked, [queryArgument], async (argument) => {
      const document = await vscode.workspace.openTextDocument(savedQueryUriOf(argument));
      const region = markedRegions(document.getText()).find(({ mine }) => mine === argument.line);
      if (region !== undefined && argument.side !== undefined) await accept(document, region, argument.side);
    }),
  );
  disposables.add(
    registerCommand(log, commands.conflictNextMarker, [queryArgument], async (argument) => {
      const editor = await vscode.window.showTextDocument(savedQueryUriOf(argument), { preview: false });
      const regions = markedRegions(editor.document.getText());
      const next = regions.find(({ mine }) => mine > editor.selection.active.line) ?? regions[0];
      if (next === undefined) {
        setStatusBarMessage(vscode.l10n.t('No conflict markers are left.'), 5_000);
        return;
      }
      editor.selection = new vscode.Selection(next.mine, 0, next.mine, 0);
      editor.revealRange(
        new vscode.Range(next.mine, 0, next.theirs, 0),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
      );
    }),
  );
  return disposables;
}

const commandOfWay: Readonly<Partial<Record<Way, string>>> = {
  saveMine: commands.conflictSaveMine,
  takeTheirs: commands.conflictTakeTheirs,
  merge: commands.conflictMerge,
  compare: commands.conflictCompare,
};

/** Without icons and with the rest behind More..., the lenses fit beside the side bar of a small window. */
function conflictLenses(document: vscode.TextDocument, queries: OpenQueries): vscode.CodeLens[] {
  const conflict = queries.conflictOf(document.uri);
  if (conflict === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, command: string, tooltip = '') =>
    new vscode.CodeLens(top, { title, tooltip, command, arguments: [{ uri: document.uri.toString() }] });
  const ways = waysOf(conflict).flatMap(({ way, title, detail }) => {
    const command = commandOfWay[way];
    return command === undefined ? [] : [{ title, detail, command }];
  });
  const more = vscode.l10n.t('More...');
  return [
    ...fittingLenses(ways, more).map(({ title, command, detail }) => lens(title, command, detail)),
    lens(more, commands.conflictSettle),
  ];
}

function markerLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  return markedRegions(document.getText()).flatMap(({ mine }) => {
    const at = new vscode.Range(mine, 0, mine, 0);
    const lens = (side: Side, title: string) =>
      new vscode.CodeLens(at, {
        title,
        command: commands.conflictAcceptMarked,
        arguments: [{ uri: document.uri.toString(), line: mine, side }],
      });
    return [
      lens('mine', vscode.l10n.t('Keep Mine')),
      lens('theirs', vscode.l10n.t('Keep Theirs')),
      lens('both', vscode.l10n.t('Keep Both')),
    ];
  });
}

/** Removes the markers and the lines of the rejected side. */
async function accept(document: vscode.TextDocument, region: MarkedRegion, side: Side): Promise<void> {
  const removed: [first: number, last: number][] =
    side === 'mine'
      ? [
          [region.mine, region.mine],
          [region.middle, region.theirs],
        ]
      : side === 'theirs'
        ? [
            [region.mine, region.middle],
            [region.theirs, region.theirs],
          ]
        : [
            [region.mine, region.mine],
            [region.middle, region.middle],
            [region.theirs, region.theirs],
          ];
  const edit = new vscode.WorkspaceEdit();
  for (const [first, last] of removed) edit.delete(document.uri, wholeLines(document, first, last));
  await vscode.workspace.applyEdit(edit);
}

/** Returns a range of whole lines with one adjacent line ending, even at the end of a document. */
function wholeLines(document: vscode.TextDocument, first: number, last: number): vscode.Range {
  if (last + 1 < document.lineCount) return new vscode.Range(first, 0, last + 1, 0);
  const start = first === 0 ? new vscode.Position(0, 0) : document.lineAt(first - 1).range.end;
  return new vscode.Range(start, document.lineAt(last).range.end);
}
