/** Changes of the service: confirmed once, sent at most once, followed to their end. */
import * as vscode from 'vscode';
import { commands, views, type CommandId } from '../../contributions.ts';
import {
  connectionKeyOf,
  type ConnectionProfile,
} from '../../../../core/src/connections/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { heldBack } from '../../../../core/src/connections/folder-entry.ts';
import { reviewAction } from '../../ui/connection-words.ts';
import { presentFailure, registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { showInformationMessage } from '../../ui/shown/notifications.ts';
import { withProgress } from '../../ui/shown/progress.ts';
import { showQuickPick } from '../../ui/shown/quick-picks.ts';
import { createStatusBarItem } from '../../ui/shown/status-items.ts';
import { createTreeView } from '../../ui/shown/tree-views.ts';
import type { RecordsFeature } from '../records/index.ts';
import type { ResultsFeature } from '../results/index.ts';
import {
  idsOf,
  isOver,
  type Confirmation,
  type Operation,
  type OperationKind,
} from '../../../../core/src/changes/change.ts';
import { ChangeRuns } from './change-runs.ts';
import { operationWords, summaryOf } from './change-words.ts';
import { JobsTree } from './jobs-tree.ts';
import { Memberships } from './memberships.ts';

export interface ChangesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  readonly results: ResultsFeature;
  readonly records: RecordsFeature;
}

const operationCommands: readonly (readonly [CommandId, OperationKind])[] = [
  [commands.changesDisableAccount, 'disable-account'],
  [commands.changesRemoveAccountAccess, 'remove-account-access'],
  [commands.changesRemoveGroupAccess, 'remove-group-access'],
  [commands.changesAddMember, 'add-member'],
  [commands.changesRemoveMember, 'remove-member'],
];

/** At once; more is a job for a migration tool. */
const targetsMax = 1_000;

export function registerChanges({
  context,
  log,
  session,
  results,
  records,
}: ChangesDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'changes');
  const runs = disposables.add(new ChangeRuns({ session, log, folder }));
  const tree = disposables.add(new JobsTree(runs));
  const memberships = disposables.add(new Memberships(session));
  const view = disposables.add(createTreeView(views.jobs, { treeDataProvider: tree }));
  void runs.read();

  const status = disposables.add(
    createStatusBarItem('identityQueries.changes', vscode.StatusBarAlignment.Left, 9),
  );
  status.name = vscode.l10n.t('Identity Queries Changes');
  status.command = commands.changesFocus;
  disposables.add(
    runs.onDidChange(() => {
      const { open } = runs;
      view.badge = open === 0 ? undefined : { value: open, tooltip: vscode.l10n.t('{0} under way', open) };
      status.text = `$(sync~spin) ${open === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', open)}`;
      status.tooltip = vscode.l10n.t('Changes that are under way. Click to see them.');
      if (open === 0) status.hide();
      else status.show();
    }),
  );
  disposables.add(
    runs.onDidEnd((confirmation) => {
      void memberships
        .learn(confirmation)
        .catch((error: unknown) => presentFailure(log, 'look for memberships', error));
      const text = `${operationWords(confirmation.kind).title}: ${summaryOf(confirmation)}`;
      const showJobs = vscode.l10n.t('Show Jobs');
      void showInformationMessage(text, showJobs).then((chosen) => {
        if (chosen === showJobs) void vscode.commands.executeCommand(commands.changesFocus);
      });
    }),
  );
  // A record that is open shows what the change has made of it.
  disposables.add(
    runs.onDidSettle((settled) => {
      for (const { connectionKey, targets } of settled) {
        records.readAgain(connectionKey, new Set(targets.flatMap(({ operation }) => idsOf(operation))));
      }
    }),
  );

  const connected = async () => {
    await session.settled();
    const client = session.requireClient();
    const { state } = session;
    if (state.kind !== 'connected') throw new ExpectedError(vscode.l10n.t('Not connected.'));
    return { client, profile: state.profile };
  };

  for (const [id, kind] of operationCommands) {
    disposables.add(
      registerCommand(log, id, async (argument) => {
        const { client, profile } = await connected();
        requireChanges(profile);
        const { askOperations, parseOperations } = await import('./ask-operations.ts');
        const operations = parseOperations(kind, argument) ?? (await askOperations(kind));
        if (operations === undefined || operations.length === 0) return;
        if (operations.length > targetsMax) {
          throw new ExpectedError(
            vscode.l10n.t(
              '{0} targets are too many for one confirmation; at most {1}.',
              operations.length,
              targetsMax,
            ),
          );
        }
        const { previewTargets } = await import('../../../../core/src/changes/preview.ts');
        const previewed = await withProgress(
          { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking up what would change') },
          () => previewTargets(client, operations),
        );
        const { confirmChange } = await import('./confirm.ts');
        const confirmed = await confirmChange(kind, previewed, profile);
        if (confirmed === undefined) return;
        if (session.state.kind !== 'connected' || session.state.client !== client) {
          throw new ExpectedError(
            vscode.l10n.t('The connection changed while you decided. Nothing was sent.'),
          );
        }
        const confirmation: Confirmation = {
          id: crypto.randomUUID(),
          kind,
          connectionKey: connectionKeyOf(profile),
          connection: profile.name,
          environment: profile.environment,
          clientId: profile.clientId,
          confirmedAt: Date.now(),
          targets: confirmed.map(({ operation, label }) => ({
            operation,
            label,
            state: { kind: 'waiting' },
          })),
        };
        runs.start(confirmation);
        await vscode.commands.executeCommand(`${views.jobs}.focus`);
        return confirmation.id;
      }),
    );
  }
  disposables.add(
    registerCommand(log, commands.changesOfSelection, async () => {
      const rows = await results.selectedRows();
      if (rows === undefined) {
        throw new ExpectedError(vscode.l10n.t('Select rows in the result panel first.'));
      }
      const { changeOfRows } = await import('./from-rows.ts');
      const change = await changeOfRows(rows, {
        identify: (globalId) => records.identify(globalId),
        hasMemberships: memberships.areOffered,
      });
      return change === undefined
        ? undefined
        : await vscode.commands.executeCommand(commandOf(change.kind), change.operations);
    }),
  );
  disposables.add(
    registerCommand(log, commands.changesOfRecord, async () => {
      const connection = await connected();
      requireChanges(connection.profile);
      const record = records.shown;
      if (record === undefined) {
        throw new ExpectedError(vscode.l10n.t('Open a record first.'), [
          { title: vscode.l10n.t('Open Record by Global Id...'), command: commands.recordOpenById },
        ]);
      }
      if (record.connectionKey !== connectionKeyOf(connection.profile)) {
        throw new ExpectedError(
          vscode.l10n.t('This record belongs to another connection. Switch to that first.'),
        );
      }
      const { changeOfRecord } = await import('./of-record.ts');
      const change = await changeOfRecord(connection.client, record, {
        hasMemberships: memberships.areOffered,
      });
      return change === undefined
        ? undefined
        : await vscode.commands.executeCommand(commandOf(change.kind), change.operations);
    }),
  );
  disposables.add(
    registerCommand(log, commands.changesStop, (argument) => {
      const confirmation = confirmationOf(runs, argument) ?? runs.confirmations.find((one) => !isOver(one));
      if (confirmation === undefined) return;
      if (!runs.stop(confirmation.id)) {
        throw new ExpectedError(vscode.l10n.t('Another window looks after this change. Stop it there.'));
      }
    }),
  );
  disposables.add(
    registerCommand(log, commands.changesStopFollowing, async (argument) => {
      const confirmation = confirmationOf(runs, argument) ?? (await chooseOpen(runs));
      if (confirmation === undefined) return;
      if (!runs.stopFollowing(confirmation.id)) {
        throw new ExpectedError(vscode.l10n.t('Another window looks after this change. Stop it there.'));
      }
    }),
  );
  disposables.add(
    registerCommand(log, commands.changesCopyJobId, async (argument) => {
      const ids = jobIdsOf(runs, argument);
      if (ids.length === 0) throw new ExpectedError(vscode.l10n.t('The service has given no job for this.'));
      await vscode.env.clipboard.writeText(ids.join('\n'));
    }),
  );
  disposables.add(
    registerCommand(log, commands.changesOpenJobById, async (argument) => {
      const { client } = await connected();
      const { openJobById } = await import('./job-by-id.ts');
      return await openJobById(client, argument);
    }),
  );
  disposables.add(
    registerCommand(log, commands.changesExport, async (argument) => {
      const confirmation = confirmationOf(runs, argument) ?? (await chooseConfirmation(runs));
      if (confirmation === undefined) return;
      const { exportAudit } = await import('./export-audit.ts');
      return await exportAudit(confirmation, argument);
    }),
  );
  disposables.add(registerCommand(log, commands.changesClear, () => runs.clear()));
  disposables.add(
    registerCommand(log, commands.changesFocus, () => vscode.commands.executeCommand(`${views.jobs}.focus`)),
  );
  disposables.add(registerCommand(log, commands.changesCurrent, () => runs.confirmations));
  return { dispose: () => disposables.dispose() };
}

function commandOf(kind: OperationKind): CommandId {
  const [id] = operationCommands.find((one) => one[1] === kind) ?? [];
  if (id === undefined) throw new RangeError(`no command for ${kind}`);
  return id;
}

/** @throws ExpectedError where changes are off, with the way to switch them on. */
function requireChanges(profile: ConnectionProfile): void {
  if (profile.allowChanges) return;
  if (heldBack(profile)?.allowChanges === true)
    throw new ExpectedError(
      vscode.l10n.t(
        'Changes are off for {0}: nobody has allowed the folder to switch them on.',
        profile.name,
      ),
      [reviewAction(profile)],
    );
  throw new ExpectedError(
    vscode.l10n.t(
      'Changes are off for {0}, so that nothing is changed by accident. Switch them on with "allowChanges" in the settings of the connection.',
      profile.name,
    ),
    profile.source === 'settings'
      ? [
          {
            title: vscode.l10n.t('Open Settings'),
            command: 'workbench.action.openSettings',
            arguments: ['identityQueries.connections'],
          },
        ]
      : [],
  );
}

function confirmationOf(runs: ChangeRuns, argument: unknown): Confirmation | undefined {
  const id: unknown =
    typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'id') : argument;
  return runs.confirmations.find((confirmation) => confirmation.id === id);
}

/** Of one target of a confirmation, or of all. */
function jobIdsOf(runs: ChangeRuns, argument: unknown): readonly string[] {
  const index: unknown =
    typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'index') : undefined;
  const targets = confirmationOf(runs, argument)?.targets ?? [];
  return targets.flatMap(({ state }, at) =>
    'jobId' in state && (index === undefined || index === at) ? [state.jobId] : [],
  );
}

async function chooseOpen(runs: ChangeRuns): Promise<Confirmation | undefined> {
  const open = runs.confirmations.filter((confirmation) => !isOver(confirmation));
  if (open.length === 0) throw new ExpectedError(vscode.l10n.t('No change is under way.'));
  return open.length === 1 ? open[0] : await choose(open, vscode.l10n.t('Stop Following'));
}

async function chooseConfirmation(runs: ChangeRuns): Promise<Confirmation | undefined> {
  if (runs.confirmations.length === 0)
    throw new ExpectedError(vscode.l10n.t('No change has been made from this machine yet.'));
  return await choose(runs.confirmations, vscode.l10n.t('Export Audit Record'));
}

async function choose(
  confirmations: readonly Confirmation[],
  title: string,
): Promise<Confirmation | undefined> {
  const items = confirmations.map((confirmation) => ({
    label: operationWords(confirmation.kind).title,
    description: summaryOf(confirmation),
    detail: `${new Date(confirmation.confirmedAt).toLocaleString()}, ${confirmation.connection}`,
    confirmation,
  }));
  return (await showQuickPick(items, { title }))?.confirmation;
}

export type { Operation };
