/** Commands that stand for several others: they ask which one is meant, and hand on their arguments. */
import * as vscode from 'vscode';
import type { CommandId } from '../contributions.ts';
import { showQuickPick } from './shown/quick-picks.ts';

export interface CommandChoice extends vscode.QuickPickItem {
  readonly command: CommandId;
}

/** Runs the command that the user chooses, or the only one. */
export async function chooseCommand(
  title: string,
  choices: readonly CommandChoice[],
  args: readonly unknown[] = [],
): Promise<unknown> {
  const [first, ...others] = choices;
  const chosen = others.length === 0 ? first : await showQuickPick(choices, { title });
  return chosen && (await vscode.commands.executeCommand(chosen.command, ...args));
}
