/** Status bar item for running queries, visible even if their results are not. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands, contextKeys } from '#client/contributions.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { createQuickPick } from '#client/ui/shown/quick-picks.ts';
import { createStatusBarItem } from '#client/ui/shown/status-items.ts';
import type { Result, ResultsFeature } from '../results/index.ts';

export function isBusy(result: Result | undefined): result is Result {
  return result?.tab().status === 'busy';
}

export function registerRunningStatus(results: ResultsFeature, log: Logger): DisposableLike {
  const disposables = new DisposableStore();
  const item = disposables.add(
    createStatusBarItem('identityQueries.running', vscode.StatusBarAlignment.Left, 9),
  );
  item.name = vscode.l10n.t('Running Identity Queries');
  item.command = commands.runsShow;
  let shown = 0;
  disposables.add(
    results.onDidChange(() => {
      const busy = results.results.filter(isBusy);
      if (busy.length === shown) return;
      if (shown === 0 || busy.length === 0)
        void vscode.commands.executeCommand('setContext', contextKeys.isRunning, busy.length > 0);
      shown = busy.length;
      const [only] = busy;
      if (only === undefined) {
        item.hide();
        return;
      }
      const text =
        busy.length === 1
          ? vscode.l10n.t('Running {0}', only.tab().title)
          : vscode.l10n.t('{0} queries are running', busy.length);
      item.text = `$(sync~spin) ${text}`;
      item.tooltip = vscode.l10n.t('Show or cancel running queries');
      item.accessibilityInformation = { label: text, role: 'button' };
      item.show();
    }),
  );
  disposables.add(registerCommand(log, commands.runsShow, () => showRunning(results)));
  return disposables;
}

async function showRunning(results: ResultsFeature): Promise<void> {
  const busy = results.results.filter(isBusy);
  const cancelAll = {
    label: vscode.l10n.t('Cancel All'),
    iconPath: new vscode.ThemeIcon('debug-stop'),
    result: undefined,
  };
  const cancel: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('debug-stop'),
    tooltip: vscode.l10n.t('Cancel'),
  };
  const picker = createQuickPick<vscode.QuickPickItem & { readonly result: Result | undefined }>();
  picker.title = vscode.l10n.t('Running Queries');
  picker.items = [
    ...busy.map((result) => ({
      label: result.tab().title,
      description: result.header.connection ?? '',
      buttons: [cancel],
      result,
    })),
    ...(busy.length > 1 ? [cancelAll] : []),
  ];
  picker.onDidTriggerItemButton(({ item }) => {
    item.result?.actions?.cancel();
    picker.hide();
  });
  picker.onDidAccept(() => {
    const [chosen] = picker.activeItems;
    if (chosen?.result !== undefined) void results.reveal(chosen.result);
    else if (chosen !== undefined) for (const result of busy) result.actions?.cancel();
    picker.hide();
  });
  picker.onDidHide(() => picker.dispose());
  picker.show();
  await Promise.resolve();
}
