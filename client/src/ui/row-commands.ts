/** Registers row menu commands, which have their own titles and run the commands that they replace. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { rowCommands } from '../contributions.ts';

export function registerRowCommands(): DisposableLike {
  const disposables = new DisposableStore();
  for (const [ofRow, command] of Object.entries(rowCommands))
    disposables.add(
      vscode.commands.registerCommand(ofRow, (...args: readonly unknown[]) =>
        vscode.commands.executeCommand(command, ...args),
      ),
    );
  return disposables;
}
