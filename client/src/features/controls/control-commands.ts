/** Implementations of the control commands, loaded on first use. */
import * as vscode from 'vscode';
import { unfit } from '#client/ui/arguments.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { controlGroupings, type ControlGrouping } from '#core/controls/control-tree.ts';
import type { Control } from '#core/controls/control.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { RememberedValue } from '#core/parameters/memory.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { controlAt, controlTarget, type ControlDocument } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';
import { chooseGrouping, chosenGrouping } from './kept-grouping.ts';
import { waiveRow } from './waive-row.ts';

export async function showRows(deps: ControlsDependencies, argument: unknown): Promise<void> {
  const { document, control } = await controlOf(argument);
  deps.session.requireClient();
  // Show the rows behind the outcome: run with the control's own values, not the last ones used.
  await deps.run(document, { values: defaultsOf(control) });
}

function defaultsOf({ parameters }: Control): Readonly<Record<string, RememberedValue>> {
  return Object.fromEntries(
    parameters.flatMap(({ name, defaultText }) =>
      defaultText === undefined ? [] : [[name, { text: defaultText, isNull: false }] as const],
    ),
  );
}

export async function waiveRowOf(deps: ControlsDependencies, argument: unknown): Promise<void> {
  await waiveRow(deps, await controlOf(argument));
}

export async function compareBaselineOf(deps: ControlsDependencies, argument: unknown): Promise<void> {
  await compareWithBaseline(deps, await controlOf(argument));
}

export async function uriOfControl(argument: unknown): Promise<vscode.Uri> {
  return (await controlOf(argument)).document.uri;
}

/** @param given a choice, for tests. */
export async function groupControlsBy({ context }: ControlsDependencies, given: unknown): Promise<void> {
  const labels: Readonly<Record<ControlGrouping, string>> = {
    benchmark: vscode.l10n.t('Benchmark'),
    tag: vscode.l10n.t('Tag'),
    folder: vscode.l10n.t('Folder'),
  };
  const now = chosenGrouping(context) ?? 'benchmark';
  const items = controlGroupings.map((by) => ({
    label: labels[by],
    ...(by === now ? { description: vscode.l10n.t('now') } : {}),
    by,
  }));
  const chosen =
    items.find(({ by }) => by === given) ??
    (await showQuickPick(items, { title: vscode.l10n.t('Group controls by') }));
  if (chosen !== undefined) await chooseGrouping(context, chosen.by);
}

async function controlOf(argument: unknown): Promise<ControlDocument> {
  const target = controlTarget(argument);
  if (target === unfit) throw new ExpectedError(vscode.l10n.t('The command got invalid arguments.'));
  return await controlAt(target);
}
