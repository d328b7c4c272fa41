/** The notification at the end of a confirmation, with what a person may do if an outcome is unclear. */
import * as vscode from 'vscode';
import { commands, type CommandId } from '#client/contributions.ts';
import { showInformationMessage, showWarningMessage } from '#client/ui/shown/notifications.ts';
import { isUnclear, type Confirmation } from '#core/changes/change.ts';
import { endWords, isAttentionDue } from './change-labels.ts';

export function tellEnd(confirmation: Confirmation): void {
  const { id, targets } = confirmation;
  const isLost = targets.some(({ state }) => isUnclear(state));
  const actions: readonly (readonly [title: string, command: CommandId])[] = [
    ...(isLost ? [[vscode.l10n.t('Check Again'), commands.changesCheckAgain] as const] : []),
    ...(isLost && targets.length === 1
      ? [[vscode.l10n.t('Open Record'), commands.changesOpenRecord] as const]
      : []),
    [vscode.l10n.t('Show Activity'), commands.changesFocus],
  ];
  const isDue = targets.some(({ state }) => isAttentionDue(state));
  const show = isDue ? showWarningMessage : showInformationMessage;
  void show(endWords(confirmation), ...actions.map(([title]) => title)).then((chosen) => {
    const command = actions.find(([title]) => title === chosen)?.[1];
    if (command !== undefined) void vscode.commands.executeCommand(command, id);
  });
}
