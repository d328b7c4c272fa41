/** Changes to the service's data: confirmed once, sent at most once, and followed until they finish. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands, contextKeys } from '#client/contributions.ts';
import type { ConnectionNames } from '#client/session/connection-names.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import { commandsIn, presentFailure } from '#client/ui/register-command.ts';
import { createStatusBarItem } from '#client/ui/shown/status-items.ts';
import { idsOf, mayHaveChanged } from '#core/changes/change.ts';
import type { ActivityFeature } from '../activity/index.ts';
import type { RecordsFeature } from '../records/index.ts';
import type { ResultsFeature } from '../results/index.ts';
import { ChangeCommands, type ChangesReferences } from './change-commands.ts';
import { ChangeRuns } from './change-runs.ts';
import { JobsTree } from './jobs-tree.ts';
import { Memberships } from './memberships.ts';

export interface ChangesDependencies extends FeatureDependencies {
  readonly names: ConnectionNames;
  readonly results: ResultsFeature;
  readonly records: RecordsFeature;
  readonly activity: ActivityFeature;
  readonly references: ChangesReferences;
}

export function registerChanges({
  context,
  log,
  session,
  names,
  results,
  records,
  activity,
  references,
}: ChangesDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'changes');
  const runs = disposables.add(new ChangeRuns({ session, log, folder }));
  const memberships = disposables.add(new Memberships(session));
  disposables.add(registerJobsView(runs, activity));
  void runs.read();
  disposables.add(
    runs.onDidEnd((confirmation) => {
      void memberships
        .learn(confirmation)
        .catch((error: unknown) => presentFailure(log, 'look for memberships', error));
      void import('./tell-end.ts').then(({ tellEnd }) => tellEnd(confirmation));
    }),
  );
  // Open records are read again to show the effect of the change. Rows stay as they were read, but say so.
  disposables.add(
    runs.onDidSettle((settled) => {
      for (const { connectionKey, connection, targets } of settled) {
        if (targets.some(mayHaveChanged)) results.markOlderThanChange(connection);
        records.readAgain(connectionKey, new Set(targets.flatMap(({ operation }) => idsOf(operation))));
      }
    }),
  );
  new ChangeCommands({ session, names, results, records, runs, memberships, references }).register(
    commandsIn(disposables, log),
  );
  return { dispose: () => disposables.dispose() };
}

/** Registers the rows, the view's badge, and the status bar item shown while changes run. */
function registerJobsView(runs: ChangeRuns, activity: ActivityFeature): DisposableLike {
  const disposables = new DisposableStore();
  const tree = disposables.add(new JobsTree(runs));
  activity.add(tree);
  const status = disposables.add(
    createStatusBarItem('identityQueries.changes', vscode.StatusBarAlignment.Left, 9),
  );
  status.name = vscode.l10n.t('Identity Queries Changes');
  status.command = commands.changesFocus;
  let hasChanges = false;
  disposables.add(
    runs.onDidChange(() => {
      const { open } = runs;
      if (hasChanges !== runs.confirmations.length > 0) {
        hasChanges = !hasChanges;
        void vscode.commands.executeCommand('setContext', contextKeys.hasChanges, hasChanges);
      }
      activity.setBadge(
        open === 0 ? undefined : { value: open, tooltip: vscode.l10n.t('{0} running', open) },
      );
      status.text = `$(sync~spin) ${open === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', open)}`;
      status.tooltip = vscode.l10n.t('Running changes. Click to see them.');
      if (open === 0) status.hide();
      else status.show();
    }),
  );
  return disposables;
}
