/**
 * *Compare with Baseline*: shows which of a control's rows are new since the baseline was created, which are known, and
 * how many are gone.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import { rowWords } from '#client/ui/format-row-count.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { NamedRow } from '#core/controls/control-rows.ts';
import {
  baselineName,
  baselineProblem,
  putBaseline,
  readBaseline,
  type BaselineEntry,
} from '#core/controls/files/baseline.ts';
import { controlFolder, otherKeyWords } from '#core/controls/files/control-file.ts';
import { utcDay } from '#core/controls/files/waivers.ts';
import { takeBaseline } from '#core/controls/take-baseline.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { checkControl, type ControlDocument } from './control-document.ts';
import {
  keyText,
  readControlRows,
  requireKeyAndFolder,
  whileReading,
  type RowFiles,
  type RowsOfControl,
} from './control-row-list.ts';
import type { ControlsDependencies } from './dependencies.ts';
import { requireDigests } from './digest-key.ts';
import { waiveThis } from './waive-row.ts';

export async function compareWithBaseline(deps: ControlsDependencies, of: ControlDocument): Promise<void> {
  const root = requireKeyAndFolder(of.control);
  const digests = await requireDigests(deps);
  const files = { root, digests };
  const entry = await entryOf(of, files);
  if (entry === undefined) {
    await offerBaseline(deps, of, files);
    return;
  }
  const listed = await readControlRows(deps, of, files);
  const chosen = await showRows(of, entry, listed);
  if (chosen === 'take') await takeNow(deps, of, files);
  else if (chosen !== undefined) await waiveThis(of, chosen, files);
}

/** @throws ExpectedError if the baseline is damaged or cannot be compared, for example because its key differs. */
async function entryOf(
  { control }: ControlDocument,
  { root, digests }: RowFiles,
): Promise<BaselineEntry | undefined> {
  const name = `${controlFolder}/${baselineName}`;
  const baseline = await readBaseline(path.join(root, controlFolder, baselineName), name);
  const entry = baseline?.controls.get(control.id);
  if (baseline === undefined || entry === undefined) return undefined;
  const problem =
    baseline.keyId === digests.keyId ? baselineProblem(entry, control, digests) : otherKeyWords();
  if (problem !== undefined) throw new ExpectedError(`${name}:${entry.line}: ${problem}`);
  return entry;
}

async function offerBaseline(
  deps: ControlsDependencies,
  of: ControlDocument,
  files: RowFiles,
): Promise<void> {
  const take = vscode.l10n.t('Take Baseline');
  const chosen = await showInformationMessage(
    vscode.l10n.t('{0} has no baseline yet, so nothing is known about earlier rows.', of.control.id),
    take,
  );
  if (chosen === take) await takeNow(deps, of, files);
}

async function showRows(
  { control }: ControlDocument,
  { rows: before, taken }: BaselineEntry,
  { rows, isAll, facts }: RowsOfControl,
): Promise<NamedRow | 'take' | undefined> {
  const seen = new Set([...rows.map(({ digest }) => digest), ...facts.waivers.keys()]);
  const gone = before.filter((digest) => !seen.has(digest)).length;
  const isNew = ({ state }: NamedRow) => state === 'new';
  const [fresh, known] = [rows.filter(isNew), rows.filter((row) => !isNew(row))];
  const counts = isAll
    ? vscode.l10n.t('{0} new, {1} known, {2} gone', fresh.length, known.length, gone)
    : vscode.l10n.t('at least {0} new and {1} known', fresh.length, known.length);
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const item = (row: NamedRow) => ({
    label: keyText(row),
    description: row.others.map(({ column, text }) => `${column}: ${text}`).join(', '),
    choice: row,
  });
  const items = [
    ...(fresh.length === 0 ? [] : [separator(vscode.l10n.t('New')), ...fresh.map(item)]),
    ...(known.length === 0 ? [] : [separator(vscode.l10n.t('Known')), ...known.map(item)]),
    separator(''),
    { label: vscode.l10n.t('Take the baseline again'), choice: 'take' as const },
  ];
  const chosen = await showQuickPick<vscode.QuickPickItem & { readonly choice?: NamedRow | 'take' }>(items, {
    title: vscode.l10n.t('{0} since {1}: {2}', control.id, taken, counts),
    placeHolder: vscode.l10n.t('Choose a row to waive it'),
    matchOnDescription: true,
  });
  return chosen?.choice;
}

async function takeNow(
  deps: ControlsDependencies,
  { document, control }: ControlDocument,
  { root, digests }: RowFiles,
): Promise<void> {
  const client = deps.session.requireClient();
  const checked = await checkControl(deps, document);
  const place = { name: vscode.workspace.asRelativePath(document.uri) };
  const taken = await whileReading(control.id, (signal) =>
    takeBaseline(
      { control, place, text: document.getText(), checked },
      { client, signal, digests, day: utcDay(new Date()) },
    ),
  );
  if (taken.kind === 'failed')
    throw new ExpectedError(
      vscode.l10n.t('The rows of {0} could not be read: {1}', control.id, taken.message),
    );
  const target = path.join(root, controlFolder, baselineName);
  await putBaseline(target, new Map([[control.id, taken.entry]]), digests);
  void showInformationMessage(
    vscode.l10n.t('The baseline of {0} contains {1}.', control.id, rowWords(taken.entry.rows.length)),
  );
}
