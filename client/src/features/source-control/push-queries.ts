/** *Push*: shows what the last commit would send, asks for decisions, and sends the changes. */
import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import { noteAfterPush } from '#core/sync/after-push.ts';
import type { Comparison } from '#core/sync/compare.ts';
import { sayItem } from '#core/sync/plan/format-plan.ts';
import { isWrite, nameOf, type Choices, type PlanItem } from '#core/sync/plan/plan.ts';
import { push, type PushedWrite } from '#core/sync/push.ts';
import { whileLocked } from '#core/sync/sync-lock.ts';
import { groupOf } from './source-control.ts';
import { told, type OpenedSync, type SyncFolder } from './sync-folder.ts';

export async function pushQueries(folder: SyncFolder): Promise<void> {
  const opened = await folder.open();
  await folder.requireWritable();
  const head = await told(opened.workspace.repository.head());
  if (head.branch === undefined)
    throw new ExpectedError(
      vscode.l10n.t(
        'HEAD is detached, so this commit may not be on any branch. Switch to a branch, then push.',
      ),
    );
  const planned = await folder.compare(opened, 'commit');
  const chosen = await choose(planned);
  if (chosen === undefined) return;
  const choices = choicesOf(chosen);
  const { pushed, hasNewIds } = await told(
    whileLocked(opened.store, async () => {
      // Compare again, so that only what was shown and is still current is sent.
      const compared = await folder.compare(opened, 'commit', choices);
      const wanted = new Set(chosen.map((item) => nameKeyOf(nameOf(item))));
      const writes = compared.plan.items.filter(
        (item) => isWrite(item) && wanted.has(nameKeyOf(nameOf(item))),
      );
      const sent = await sendAll(opened, writes);
      return { pushed: sent, hasNewIds: await noteAfterPush(compared, sent, opened) };
    }),
  );
  await folder.changed();
  await tell(pushed, hasNewIds);
}

interface PushPick extends vscode.QuickPickItem {
  readonly item?: PlanItem;
}

/** Returns the items to send, or undefined to send nothing. */
async function choose({ plan }: Comparison): Promise<readonly PlanItem[] | undefined> {
  const writes = plan.items.filter(isWrite);
  const decided = plan.items.filter(
    (item) => item.kind === 'conflict' || item.kind === 'deletedHere' || item.kind === 'deletedThere',
  );
  if (writes.length + decided.length === 0) {
    const more = plan.items.every((item) => groupOf(item) !== 'there')
      ? ''
      : ` ${vscode.l10n.t('Pull first: the service has changes.')}`;
    void showInformationMessage(`${vscode.l10n.t('The last commit has nothing to push.')}${more}`);
    return undefined;
  }
  const picks: PushPick[] = [
    ...writes.map((item) => ({ label: sayItem(item).text, picked: true, item })),
    ...(decided.length === 0
      ? []
      : [{ label: vscode.l10n.t('You decide'), kind: vscode.QuickPickItemKind.Separator }]),
    ...decided.map((item) => ({ label: decisionOf(item), description: sayItem(item).text, item })),
  ];
  const chosen = await showQuickPick(picks, {
    canPickMany: true,
    title: vscode.l10n.t('Push the last commit to saved queries'),
    placeHolder: vscode.l10n.t('Changes to send'),
  });
  const items = (chosen ?? []).flatMap(({ item }) => (item === undefined ? [] : [item]));
  return items.length === 0 ? undefined : items;
}

function decisionOf(item: PlanItem): string {
  const name = nameOf(item);
  if (item.kind === 'conflict')
    return vscode.l10n.t('Replace version {0} of {1} with the file', item.there.version, name);
  return item.kind === 'deletedHere'
    ? vscode.l10n.t('Delete {0} on the service', name)
    : vscode.l10n.t('Create {0} on the service again', name);
}

function choicesOf(items: readonly PlanItem[]): Choices {
  const keyOf = (item: PlanItem) => nameKeyOf(nameOf(item));
  return {
    replaces: new Map(
      items.flatMap((item) => (item.kind === 'conflict' ? [[keyOf(item), item.there.version] as const] : [])),
    ),
    deletes: new Map(
      items.flatMap((item) =>
        item.kind === 'deletedHere' ? [[keyOf(item), item.there.version] as const] : [],
      ),
    ),
    restores: new Set(items.filter(({ kind }) => kind === 'deletedThere').map(keyOf)),
  };
}

async function sendAll({ client }: OpenedSync, writes: readonly PlanItem[]): Promise<readonly PushedWrite[]> {
  const title = vscode.l10n.t('Pushing saved queries');
  return await withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, signal) => {
      return await push(writes, {
        client,
        signal,
        onWritten: ({ item }) => progress.report({ message: nameOf(item), increment: 100 / writes.length }),
      });
    },
  );
}

async function tell(pushed: readonly PushedWrite[], hasNewIds: boolean): Promise<void> {
  const done = pushed.filter(({ result }) => result.kind === 'done');
  const failed = pushed.filter(({ result }) => result.kind !== 'done');
  const commit = hasNewIds ? ` ${vscode.l10n.t('Commit the new IDs in the folder queries.')}` : '';
  const [first] = failed;
  if (first === undefined) {
    const told =
      done.length === 1
        ? vscode.l10n.t('Pushed 1 saved query.')
        : vscode.l10n.t('Pushed {0} saved queries.', done.length);
    void showInformationMessage(`${told}${commit}`);
    return;
  }
  const why =
    'error' in first.result && first.result.error instanceof Error ? ` ${first.result.error.message}` : '';
  await showWarningMessage(
    `${vscode.l10n.t('Pushed {0} of {1} saved queries. Not pushed: {2}.', done.length, pushed.length, failed.map(({ item }) => nameOf(item)).join(', '))}${why}${commit}`,
  );
}
