/** Adds a waiver for a row of a control: asks for the row, the reason, the owner and the end date. */
import path from 'node:path';
import * as vscode from 'vscode';
import { promptSteps } from '#client/ui/prompt-steps.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { RowWaiver } from '#core/controls/control-result.ts';
import type { NamedRow } from '#core/controls/control-rows.ts';
import { controlFolder } from '#core/controls/files/control-file.ts';
import { addWaiver, isDay, isExpired, utcDay, waiversName } from '#core/controls/files/waivers.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ControlDocument } from './control-document.ts';
import {
  keyText,
  readControlRows,
  requireKeyAndFolder,
  type RowFiles,
  type RowsOfControl,
} from './control-row-list.ts';
import type { ControlsDependencies } from './dependencies.ts';
import { requireDigests } from './digest-key.ts';

const daysUsual = 90;

export async function waiveRow(deps: ControlsDependencies, of: ControlDocument): Promise<void> {
  const { control } = of;
  const root = requireKeyAndFolder(control);
  const digests = await requireDigests(deps);
  const listed = await readControlRows(deps, of, { root, digests });
  const row = await chooseRow(control.id, listed);
  if (row !== undefined) await waiveThis(of, row, { root, digests });
}

/** Asks for the reason, the owner and the last day. */
export async function waiveThis(
  { control }: Pick<ControlDocument, 'control'>,
  row: NamedRow,
  { root, digests }: RowFiles,
): Promise<void> {
  const title = vscode.l10n.t('Waive {0} of {1}', keyText(row), control.id);
  const answers = await askReason(title, control.owner ?? '');
  if (answers === undefined) return;
  const target = path.join(root, controlFolder, waiversName);
  await addWaiver(target, { control: control.id, row: row.digest, ...answers }, digests);
  await told(control.id, answers.expires, target);
}

async function told(control: string, expires: string, target: string): Promise<void> {
  const open = vscode.l10n.t('Open Waivers');
  const chosen = await showInformationMessage(
    vscode.l10n.t('The row of {0} is waived until the end of {1}. Run the control again.', control, expires),
    open,
  );
  if (chosen === open) await vscode.window.showTextDocument(vscode.Uri.file(target));
}

/** Asks only if there are several rows. @throws ExpectedError if there are none. */
async function chooseRow(
  control: string,
  { rows, isAll, nameless }: RowsOfControl,
): Promise<NamedRow | undefined> {
  const [only, ...others] = rows;
  if (only === undefined)
    throw new ExpectedError(
      nameless > 0
        ? vscode.l10n.t('{0} has rows only where @key is NULL. Those cannot be waived.', control)
        : vscode.l10n.t('{0} has no row left to waive.', control),
    );
  if (others.length === 0) return only;
  const items = rows.map((row) => ({
    label: keyText(row),
    description: row.others.map(({ column, text }) => `${column}: ${text}`).join(', '),
    row,
  }));
  const chosen = await showQuickPick(items, {
    title: isAll
      ? vscode.l10n.t('Waive Row of {0}', control)
      : vscode.l10n.t('Waive Row of {0} (not all rows are listed)', control),
    placeHolder: vscode.l10n.t('Which row do you accept for now?'),
    matchOnDescription: true,
  });
  return chosen?.row;
}

async function askReason(title: string, owner: string): Promise<RowWaiver | undefined> {
  const now = new Date();
  const usual = new Date(now.getTime() + daysUsual * 86_400_000);
  const needed = (value: string) =>
    value.trim() === '' ? vscode.l10n.t('This cannot be empty.') : undefined;
  const answers = await promptSteps(
    title,
    [
      {
        prompt: vscode.l10n.t('Why do you accept this row? The reason is kept in the repository.'),
        placeholder: vscode.l10n.t('For example: break-glass account, reviewed in CHG-1204'),
        validate: needed,
      },
      {
        prompt: vscode.l10n.t('Who is responsible for it?'),
        placeholder: vscode.l10n.t('A person or a team'),
        validate: needed,
      },
      {
        prompt: vscode.l10n.t('Last day of the waiver, in UTC'),
        placeholder: utcDay(usual),
        validate: (value) => dayProblem(value.trim(), now),
      },
    ],
    { answers: ['', owner, utcDay(usual)] },
  );
  if (answers === undefined) return undefined;
  const [reason = '', by = '', expires = ''] = answers.map((answer) => answer.trim());
  return { reason, owner: by, expires };
}

function dayProblem(value: string, now: Date): string | undefined {
  if (!isDay(value)) return vscode.l10n.t('Enter a day such as {0}.', utcDay(now));
  return isExpired({ expires: value }, now) ? vscode.l10n.t('This day is in the past.') : undefined;
}
