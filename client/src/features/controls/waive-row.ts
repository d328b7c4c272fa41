/** Waives a row of a control: which one, why, who answers for it and until when. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { NamedRow } from '../../../../core/src/controls/control-rows.ts';
import { factsFor, readControlFiles } from '../../../../core/src/controls/files/control-facts.ts';
import { controlFolder } from '../../../../core/src/controls/files/control-file.ts';
import { addWaiver, isDay, isExpired, waiversName } from '../../../../core/src/controls/files/waivers.ts';
import { listRows, type ListedRows } from '../../../../core/src/controls/list-rows.ts';
import type { RowDigests } from '../../../../core/src/controls/row-digest.ts';
import { isoDate } from '../../../../core/src/parameters/relative-dates.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { promptSteps } from '../../ui/prompt-steps.ts';
import { showInformationMessage } from '../../ui/shown/notifications.ts';
import { withProgress } from '../../ui/shown/progress.ts';
import { showQuickPick } from '../../ui/shown/quick-picks.ts';
import { checkControl, controlRoot, requireDigests, type ControlDocument } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';

/** Rows to choose from; who has more is better off with another threshold. */
const rowsMax = 1_000;
const daysUsual = 90;

export async function waiveRow(deps: ControlsDependencies, of: ControlDocument): Promise<void> {
  const { control } = of;
  if (control.key.length === 0)
    throw new ExpectedError(
      vscode.l10n.t(
        '{0} has no @key, so nothing tells its rows apart. Add a line such as -- @key account_id below @control.',
        control.id,
      ),
    );
  const root = controlRoot();
  if (root === undefined)
    throw new ExpectedError(vscode.l10n.t('Open a folder first: waivers are kept in a file of it.'));
  const digests = requireDigests();
  const listed = await rowsToWaive(deps, of, { root, digests });
  if (listed.kind === 'failed')
    throw new ExpectedError(vscode.l10n.t('The rows of {0} are not known: {1}', control.id, listed.message));
  const row = await chooseRow(control.id, listed);
  if (row === undefined) return;
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

async function rowsToWaive(
  deps: ControlsDependencies,
  { document, control }: ControlDocument,
  { root, digests }: { readonly root: string; readonly digests: RowDigests },
): Promise<ListedRows> {
  const client = deps.session.requireClient();
  const files = await readControlFiles(root);
  const facts = factsFor(control, files, { isNewOnly: false, now: new Date(), digests });
  const checked = await checkControl(deps, document);
  const place = { name: vscode.workspace.asRelativePath(document.uri) };
  return await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Reading the rows of {0}...', control.id),
      cancellable: true,
    },
    async (_, token) => {
      const controller = new AbortController();
      const cancelled = token.onCancellationRequested(() => controller.abort());
      try {
        return await listRows(
          { control, place, text: document.getText(), checked, facts },
          { client, signal: controller.signal, namedMax: rowsMax },
        );
      } finally {
        cancelled.dispose();
      }
    },
  );
}

/** A single one is not asked for. @throws ExpectedError where there is none. */
async function chooseRow(
  control: string,
  { rows, isAll, nameless }: Extract<ListedRows, { kind: 'listed' }>,
): Promise<NamedRow | undefined> {
  const [only, ...others] = rows;
  if (only === undefined)
    throw new ExpectedError(
      nameless > 0
        ? vscode.l10n.t('{0} has rows only where @key is NULL. Those cannot be waived.', control)
        : vscode.l10n.t('{0} has no row that is not waived.', control),
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
    placeHolder: vscode.l10n.t('Which row is accepted for a time?'),
    matchOnDescription: true,
  });
  return chosen?.row;
}

interface Accepted {
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
}

async function askReason(title: string, owner: string): Promise<Accepted | undefined> {
  const now = new Date();
  const usual = new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysUsual);
  const needed = (value: string) =>
    value.trim() === '' ? vscode.l10n.t('This cannot be empty.') : undefined;
  const answers = await promptSteps(
    title,
    [
      {
        prompt: vscode.l10n.t('Why is this row accepted? The reason is kept in the repository.'),
        placeholder: vscode.l10n.t('For example: break-glass account, reviewed in CHG-1204'),
        validate: needed,
      },
      {
        prompt: vscode.l10n.t('Who answers for it?'),
        placeholder: vscode.l10n.t('A person or a team'),
        validate: needed,
      },
      {
        prompt: vscode.l10n.t('The last day on which it counts'),
        placeholder: isoDate(usual),
        validate: (value) => dayProblem(value.trim(), now),
      },
    ],
    { answers: ['', owner, isoDate(usual)] },
  );
  if (answers === undefined) return undefined;
  const [reason = '', by = '', expires = ''] = answers.map((answer) => answer.trim());
  return { reason, owner: by, expires };
}

function dayProblem(value: string, now: Date): string | undefined {
  if (!isDay(value)) return vscode.l10n.t('Write a day such as {0}.', isoDate(now));
  return isExpired({ expires: value }, now) ? vscode.l10n.t('This day is over.') : undefined;
}

function keyText({ key }: NamedRow): string {
  return key.join(' · ');
}
