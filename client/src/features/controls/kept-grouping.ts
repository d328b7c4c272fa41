/** How the Testing view arranges controls, as the person chose it for this folder. */
import type * as vscode from 'vscode';
import { controlGroupings, type ControlGrouping } from '#core/controls/control-tree.ts';

const storageKey = 'identityQueries.controls.groupBy';

type Store = Pick<vscode.ExtensionContext, 'workspaceState'>;

export function chosenGrouping({ workspaceState }: Store): ControlGrouping | undefined {
  const value = workspaceState.get<unknown>(storageKey);
  return controlGroupings.find((each) => each === value);
}

export async function chooseGrouping({ workspaceState }: Store, by: ControlGrouping): Promise<void> {
  await workspaceState.update(storageKey, by);
}
