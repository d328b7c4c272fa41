/** Commands for saved query files: pull, compare, resolve, open. */
import * as vscode from 'vscode';
import { isSingular } from '#base/translate.ts';
import { firstNames } from '#client/ui/first-names.ts';
import { locale } from '#client/ui/locale.ts';
import { showDiff } from '#client/ui/shown/diffs.ts';
import { showInformationMessage, showWarningMessage } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { KnownQuery } from '#core/saved-queries/known-query.ts';
import { sayLeftOut } from '#core/sync/format/problem-messages.ts';
import { nameOf, type PlanItem } from '#core/sync/plan/plan.ts';
import { pull, type PullOutcome } from '#core/sync/pull.ts';
import { whileLocked } from '#core/sync/sync-lock.ts';
import { newQueryUri, sideUri } from './service-texts.ts';
import { groupOf } from './source-control.ts';
import { titleOfComparison, told, type QueryFile, type SyncFolder } from './sync-folder.ts';

/** Maximum number of names in a message. */
const namedMax = 3;

export async function pullQueries(folder: SyncFolder): Promise<void> {
  const opened = await folder.open();
  const title = vscode.l10n.t('Pulling saved queries');
  const { outcome, items } = await withProgress(
    { location: vscode.ProgressLocation.Notification, title },
    () =>
      told(
        whileLocked(opened.store, async () => {
          const compared = await folder.compare(opened, 'files');
          return { outcome: await pull(compared, opened), items: compared.plan.items };
        }),
      ),
  );
  await folder.changed();
  await sayPulled(outcome, items);
}

async function sayPulled(
  { written, removed, leftOut }: PullOutcome,
  items: readonly PlanItem[],
): Promise<void> {
  const count = written.length + removed.length;
  const left = items.filter((item) => groupOf(item) === 'conflicts');
  const show = vscode.l10n.t('Show');
  const parts = [
    left.length > 0
      ? vscode.l10n.t(
          isSingular(count, locale())
            ? 'Pulled: {0} file changed. Decide about {1}: {2}.'
            : 'Pulled: {0} files changed. Decide about {1}: {2}.',
          count,
          left.length,
          firstNames(left.map(nameOf), namedMax),
        )
      : count === 0
        ? vscode.l10n.t('The files are up to date.')
        : count === 1
          ? vscode.l10n.t('Pulled: 1 file changed. Commit it before you edit.')
          : vscode.l10n.t('Pulled: {0} files changed. Commit them before you edit.', count),
  ];
  if (leftOut.length > 0) {
    const reasons = leftOut.map(({ name, problem }) => `${name} (${sayLeftOut(problem)})`);
    parts.push(vscode.l10n.t('Not pulled: {0}.', firstNames(reasons, namedMax)));
  }
  const said = parts.join(' ');
  if (left.length === 0) {
    void (leftOut.length > 0 ? showWarningMessage(said) : showInformationMessage(said));
    return;
  }
  if ((await showWarningMessage(said, show)) === show)
    await vscode.commands.executeCommand('workbench.view.scm');
}

export async function compareFile(folder: SyncFolder, argument: unknown): Promise<void> {
  const item = itemOf(argument);
  if (item !== undefined && !('here' in item)) {
    await vscode.commands.executeCommand('vscode.open', newQueryUri(item.there.id));
    return;
  }
  const { uri, file } = fileOf(folder, argument);
  if (file.there === undefined) await vscode.commands.executeCommand('vscode.open', uri);
  else {
    await showDiff(sideUri(uri, 'service'), uri, titleOfComparison(file));
  }
}

/** Resolves a conflict in the file itself; the user saves, commits and pushes it over the version shown. */
export async function resolveFile(folder: SyncFolder, argument: unknown): Promise<void> {
  const { uri, file } = fileOf(folder, argument);
  if (file.item?.kind !== 'conflict' || !file.item.members.includes('query_string'))
    throw new ExpectedError(vscode.l10n.t('The texts of {0} do not conflict.', file.here.draft.name));
  await vscode.commands.executeCommand('_open.mergeEditor', {
    base: sideUri(uri, 'base'),
    input1: {
      uri: sideUri(uri, 'service'),
      title: vscode.l10n.t('Service'),
      description: vscode.l10n.t('version {0}', file.item.there.version),
    },
    input2: { uri: sideUri(uri, 'repository'), title: vscode.l10n.t('File') },
    output: uri,
  });
}

export async function openFileOf(folder: SyncFolder, argument: unknown): Promise<void> {
  await vscode.window.showTextDocument(fileOf(folder, argument).uri);
}

export async function openSaved(
  folder: SyncFolder,
  uriOf: (query: Pick<KnownQuery, 'query_id' | 'name'>) => vscode.Uri | undefined,
  argument: unknown,
): Promise<void> {
  const item = itemOf(argument);
  const there = item !== undefined && 'there' in item ? item.there : fileOf(folder, argument).file.there;
  const uri = there && uriOf({ query_id: there.id, name: there.draft.name });
  if (uri === undefined)
    throw new ExpectedError(vscode.l10n.t('The service has no saved query for this file.'));
  await vscode.window.showTextDocument(uri);
}

function itemOf(argument: unknown): PlanItem | undefined {
  const isRow =
    typeof argument === 'object' && argument !== null && 'item' in argument && 'resourceUri' in argument;
  return isRow ? (argument.item as PlanItem) : undefined; // rows are created only by this source control
}

/** @throws ExpectedError if the argument is not a saved query's file. */
function fileOf(
  folder: SyncFolder,
  argument: unknown,
): { readonly uri: vscode.Uri; readonly file: QueryFile } {
  const item = itemOf(argument);
  const named = item !== undefined && 'here' in item ? folder.uriOf(item.here.file) : undefined;
  const given = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const uri = named ?? given;
  const file = uri && folder.fileOf(uri);
  if (uri === undefined || file === undefined)
    throw new ExpectedError(vscode.l10n.t('Open the file of a saved query first.'));
  return { uri, file };
}
