/** Saved queries as files of a Git repository: a source control, and the link from file to query. */
import * as vscode from 'vscode';
import type { KnownQuery } from '../../../../core/src/saved-queries/known-query.ts';
import { nameOf, type PlanItem } from '../../../../core/src/sync/plan/plan.ts';
import { pull } from '../../../../core/src/sync/pull.ts';
import { whileLocked } from '../../../../core/src/sync/sync-lock.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import { errorName } from '../../../../core/src/util/errors.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { commands } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { showDiff } from '../../ui/shown/diffs.ts';
import { showInformationMessage, showWarningMessage } from '../../ui/shown/notifications.ts';
import { withProgress } from '../../ui/shown/progress.ts';
import { commandsIn } from '../../ui/register-command.ts';
import { registerFileLens } from './file-lens.ts';
import { pushQueries } from './push-queries.ts';
import { newQueryUri, registerServiceTexts, sideUri } from './service-texts.ts';
import { groupOf, QuerySourceControl } from './source-control.ts';
import { SyncFolder, told, type QueryFile } from './sync-folder.ts';

export interface SourceControlDependencies {
  readonly log: Logger;
  readonly session: Session;
  readonly uriOf: (query: Pick<KnownQuery, 'query_id' | 'name'>) => vscode.Uri | undefined;
  /** Fires when a saved query was read or saved in this window. */
  readonly onDidChangeQuery: vscode.Event<string | undefined>;
}

export interface SourceControlFeature extends DisposableLike {
  /** The model of a file's query; undefined for other documents. */
  readonly recordOf: (uri: vscode.Uri) => { readonly model: string } | undefined;
  /** The file that belongs to a saved query of the connection. */
  readonly fileOfQuery: (queryId: string) => vscode.Uri | undefined;
  /** Fires when files belong to other queries, or their fields changed. */
  readonly onDidChange: vscode.Event<void>;
}

export function registerSourceControl(deps: SourceControlDependencies): SourceControlFeature {
  const { log, session } = deps;
  const disposables = new DisposableStore();
  const folder = disposables.add(new SyncFolder({ session, log }));
  let control: QuerySourceControl | undefined;
  disposables.add(registerServiceTexts(folder));
  disposables.add(
    folder.onDidFind((root) => {
      control = disposables.add(new QuerySourceControl(folder, root));
      disposables.add(registerFileLens(folder));
    }),
  );
  disposables.add(deps.onDidChangeQuery((id) => followSaved(folder, id, log)));
  const register = commandsIn(disposables, log);
  register(commands.gitRefresh, () => folder.refresh());
  register(commands.gitPull, () => pullQueries(folder));
  register(commands.gitPush, () => pushQueries(folder));
  register(commands.gitCompare, (argument) => compareFile(folder, argument));
  register(commands.gitResolve, (argument) => resolve(folder, argument));
  register(commands.gitOpenFile, (argument) => openFile(folder, argument));
  register(commands.gitOpenSaved, (argument) => openSaved(folder, deps, argument));
  register(commands.gitState, () => control?.state());
  void folder.find();
  return {
    recordOf: (uri) => {
      const file = folder.fileOf(uri);
      return file && { model: file.here.draft.model };
    },
    fileOfQuery: (queryId) => folder.fileOfQuery(queryId),
    onDidChange: folder.onDidChange,
    dispose: () => disposables.dispose(),
  };
}

/** A query saved in this window is compared again; list reads are not. */
function followSaved(folder: SyncFolder, id: string | undefined, log: Logger): void {
  const known = folder.comparison?.there.some((query) => query.id === id) ?? false;
  if (id === undefined || !known) return;
  folder
    .changed(id)
    .catch((error: unknown) => log.debug(`following a saved query failed: ${errorName(error)}`));
}

async function pullQueries(folder: SyncFolder): Promise<void> {
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
  const count = outcome.written.length + outcome.removed.length;
  const left = items.filter((item) => groupOf(item) === 'conflicts');
  if (left.length === 0) {
    const done = vscode.l10n.t('Pulled: {0} files changed. Commit them before you edit.', count);
    void showInformationMessage(count === 0 ? vscode.l10n.t('The files are up to date.') : done);
    return;
  }
  const show = vscode.l10n.t('Show');
  const names = left.map(nameOf).slice(0, 3).join(', ');
  const said = vscode.l10n.t('Pulled: {0} files changed. Decide about {1}: {2}.', count, left.length, names);
  if ((await showWarningMessage(said, show)) === show)
    await vscode.commands.executeCommand('workbench.view.scm');
}

async function compareFile(folder: SyncFolder, argument: unknown): Promise<void> {
  const item = itemOf(argument);
  if (item !== undefined && !('here' in item)) {
    await vscode.commands.executeCommand('vscode.open', newQueryUri(item.there.id));
    return;
  }
  const { uri, file } = fileOf(folder, argument);
  if (file.there === undefined) await vscode.commands.executeCommand('vscode.open', uri);
  else {
    const title = vscode.l10n.t('{0} (service ↔ file)', file.here.draft.name);
    await showDiff(sideUri(uri, 'service'), uri, title);
  }
}

/** The result is the file itself; the person saves, commits and pushes it over the shown version. */
async function resolve(folder: SyncFolder, argument: unknown): Promise<void> {
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

async function openFile(folder: SyncFolder, argument: unknown): Promise<void> {
  await vscode.window.showTextDocument(fileOf(folder, argument).uri);
}

async function openSaved(
  folder: SyncFolder,
  { uriOf }: SourceControlDependencies,
  argument: unknown,
): Promise<void> {
  const item = itemOf(argument);
  const there = item !== undefined && 'there' in item ? item.there : fileOf(folder, argument).file.there;
  const uri = there && uriOf({ query_id: there.id, name: there.draft.name });
  if (uri === undefined)
    throw new ExpectedError(vscode.l10n.t('The service has no saved query for this file.'));
  await vscode.window.showTextDocument(uri);
}

/** The plan item of a source control row. */
function itemOf(argument: unknown): PlanItem | undefined {
  const isRow =
    typeof argument === 'object' && argument !== null && 'item' in argument && 'resourceUri' in argument;
  return isRow ? (argument.item as PlanItem) : undefined; // the rows come from this source control
}

/** @throws ExpectedError if it is not the file of a saved query. */
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
