/** Lets the user revoke the acceptance of unknown functions. */
import * as vscode from 'vscode';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { AcceptedFunctions } from '#core/policy/accepted-functions.ts';

/**
 * @param nameOf returns the display name of a connection key, if known.
 * @param isConfirmed whether to revoke all of them without a question.
 */
export async function forgetAcceptedFunctions(
  accepted: AcceptedFunctions,
  nameOf: (connectionKey: string) => string | undefined,
  isConfirmed: boolean,
): Promise<void> {
  const known = accepted.list();
  if (known.length === 0) {
    void showInformationMessage(
      vscode.l10n.t('No functions are accepted. You are asked before a query calls an unknown function.'),
    );
    return;
  }
  const items = known.map((each) => ({
    label: each.name,
    description: nameOf(each.connectionKey) ?? vscode.l10n.t('a connection that is not known here'),
    picked: true,
    each,
  }));
  const chosen = isConfirmed
    ? items
    : await showQuickPick(items, {
        canPickMany: true,
        title: vscode.l10n.t('Forget Accepted Functions'),
        placeHolder: vscode.l10n.t('You will be asked again before the selected functions run'),
      });
  if (chosen === undefined || chosen.length === 0) return;
  await accepted.forget(chosen.map(({ each }) => each));
  void showInformationMessage(
    chosen.length === 1
      ? vscode.l10n.t('You will be asked about 1 function again.')
      : vscode.l10n.t('You will be asked about {0} functions again.', chosen.length),
  );
}
