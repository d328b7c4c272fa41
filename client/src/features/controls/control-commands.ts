/** Implementations of the control commands, loaded on first use. */
import * as vscode from 'vscode';
import { settings, settingsSection } from '#client/contributions.ts';
import { unfit } from '#client/ui/arguments.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { controlGroupings, type ControlGrouping } from '#core/controls/control-tree.ts';
import type { Control } from '#core/controls/control.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { RememberedValue } from '#core/parameters/memory.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { controlAt, controlTarget, type ControlDocument } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';
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

export async function groupControlsBy(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const labels: Readonly<Record<ControlGrouping, string>> = {
    benchmark: vscode.l10n.t('Benchmark'),
    tag: vscode.l10n.t('Tag'),
    folder: vscode.l10n.t('Folder'),
  };
  const now = configuration.get<unknown>(settings.controlsGroupBy);
  const items = controlGroupings.map((by) => ({
    label: labels[by],
    ...(by === now ? { description: vscode.l10n.t('now') } : {}),
    by,
  }));
  const chosen = await showQuickPick(items, { title: vscode.l10n.t('Group controls by') });
  if (chosen !== undefined)
    await configuration.update(settings.controlsGroupBy, chosen.by, vscode.ConfigurationTarget.Global);
}

async function controlOf(argument: unknown): Promise<ControlDocument> {
  const target = controlTarget(argument);
  if (target === unfit) throw new ExpectedError(vscode.l10n.t('The command got invalid arguments.'));
  return await controlAt(target);
}
