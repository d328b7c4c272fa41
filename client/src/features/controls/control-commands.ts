/** What the commands do; it loads with the first of them. */
import * as vscode from 'vscode';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { unfit } from '../../ui/arguments.ts';
import { controlAt, controlTarget, type ControlDocument } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';
import { waiveRow } from './waive-row.ts';

export async function showRows(deps: ControlsDependencies, argument: unknown): Promise<void> {
  const { document } = await controlOf(argument);
  deps.session.requireClient();
  await deps.run(document);
}

export async function waiveRowOf(deps: ControlsDependencies, argument: unknown): Promise<void> {
  await waiveRow(deps, await controlOf(argument));
}

async function controlOf(argument: unknown): Promise<ControlDocument> {
  const target = controlTarget(argument);
  if (target === unfit) throw new ExpectedError(vscode.l10n.t('The command got invalid arguments.'));
  return await controlAt(target);
}
