/**
 * Code action that copies a false positive report: the finding's code and the shape of the statement, without names.
 */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { given, text } from '#client/ui/arguments.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';

export function registerReportFalsePositive(log: vscode.LogOutputChannel): vscode.Disposable {
  return registerCommand(log, commands.languageReportFalsePositive, [given(text)], async (report) => {
    if (report === undefined) return;
    await vscode.env.clipboard.writeText(report);
    void showInformationMessage(
      vscode.l10n.t('Report copied, without names or values. Review it before you send it.'),
    );
  });
}
