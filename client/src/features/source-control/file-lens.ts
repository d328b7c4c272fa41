/**
 * Code lens above a saved query's file: names the query and its state, and points out that saving only saves the file.
 */
import * as vscode from 'vscode';
import { forLabel, forLine } from '#base/shown-text/for-places.ts';
import { commands } from '#client/contributions.ts';
import { createLanguageStatusItem } from '#client/ui/shown/status-items.ts';
import { sayItem } from '#core/sync/plan/format-plan.ts';
import { languageId } from '#server/protocol.ts';
import type { QueryFile, SyncFolder } from './sync-folder.ts';

export function registerFileLens(folder: SyncFolder): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const lenses = vscode.languages.registerCodeLensProvider(
    { language: languageId, scheme: 'file' },
    {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: (document) => lensesOf(folder.fileOf(document.uri), document.uri),
    },
  );
  const status = createLanguageStatusItem('identityQueries.fileOfQuery', {
    language: languageId,
    scheme: 'file',
  });
  status.name = vscode.l10n.t('Saved Query of the File');
  const draw = () => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const file = uri && folder.fileOf(uri);
    status.text =
      file === undefined
        ? vscode.l10n.t('A file without a saved query')
        : vscode.l10n.t('File of saved query {0}', file.here.draft.name);
    status.detail = file === undefined ? '' : stateOf(file);
  };
  const drawn = folder.onDidChange(() => {
    changed.fire();
    draw();
  });
  draw();
  return vscode.Disposable.from(
    lenses,
    status,
    drawn,
    changed,
    vscode.window.onDidChangeActiveTextEditor(draw),
  );
}

function lensesOf(file: QueryFile | undefined, uri: vscode.Uri): vscode.CodeLens[] {
  if (file === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, tooltip: string, command: string) =>
    new vscode.CodeLens(top, { title, tooltip, command, arguments: [uri] });
  const lenses = [
    lens(
      vscode.l10n.t('$(repo) File of {0}: {1}', forLabel(file.here.draft.name), stateOf(file)),
      forLine(vscode.l10n.t('Saving saves the file. Commit and push it to change the saved query.')),
      commands.gitCompare,
    ),
  ];
  if (file.item?.kind === 'conflict')
    lenses.push(
      lens(
        vscode.l10n.t('Resolve'),
        vscode.l10n.t('Resolve the conflict in the merge editor'),
        commands.gitResolve,
      ),
    );
  if (file.there !== undefined)
    lenses.push(
      lens(
        vscode.l10n.t('Open Saved Query'),
        vscode.l10n.t("Open the service's saved query"),
        commands.gitOpenSaved,
      ),
    );
  return lenses;
}

/** Returns short text to follow a colon. */
function stateOf({ item, there }: QueryFile): string {
  if (item === undefined)
    return there === undefined
      ? vscode.l10n.t('not on the service')
      : vscode.l10n.t('same as version {0}', there.version);
  switch (item.kind) {
    case 'create':
      return vscode.l10n.t('new here');
    case 'update':
      return vscode.l10n.t('changed here');
    case 'changedThere':
      return vscode.l10n.t('changed on the service');
    case 'merge':
      return vscode.l10n.t('changed on both sides');
    case 'conflict':
      return vscode.l10n.t('conflict');
    case 'deletedThere':
      return vscode.l10n.t('deleted on the service');
    case 'linked':
      return vscode.l10n.t('same as version {0}', item.there.version);
    case 'refused':
    case 'remove':
    case 'newThere':
    case 'delete':
    case 'deletedHere':
      return forLabel(sayItem(item).text);
    default:
      return item satisfies never;
  }
}
