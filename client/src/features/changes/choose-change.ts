/** Lets a person choose a change for a command that was not started from its row. */
import * as vscode from 'vscode';
import { momentText } from '#base/words/moment-text.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { isOver, type Confirmation } from '#core/changes/change.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { operationWords, summaryOf } from './change-labels.ts';

export async function chooseOpen(confirmations: readonly Confirmation[]): Promise<Confirmation | undefined> {
  const open = confirmations.filter((confirmation) => !isOver(confirmation));
  if (open.length === 0) throw new ExpectedError(vscode.l10n.t('No change is running.'));
  return open.length === 1 ? open[0] : await choose(open, vscode.l10n.t('Stop Following'));
}

export async function chooseConfirmation(
  confirmations: readonly Confirmation[],
): Promise<Confirmation | undefined> {
  if (confirmations.length === 0)
    throw new ExpectedError(vscode.l10n.t('No change has been made from this machine yet.'));
  return await choose(confirmations, vscode.l10n.t('Export Audit Record'));
}

async function choose(
  confirmations: readonly Confirmation[],
  title: string,
): Promise<Confirmation | undefined> {
  const items = confirmations.map((confirmation) => ({
    label: operationWords(confirmation.kind).title,
    description: summaryOf(confirmation),
    detail: `${momentText(confirmation.confirmedAt)}, ${confirmation.connection}`,
    confirmation,
  }));
  return (await showQuickPick(items, { title }))?.confirmation;
}
