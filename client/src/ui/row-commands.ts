/** Registers row menu commands, which have titles of their own and run the command they stand in for. */
import * as vscode from 'vscode';
import { rowCommands } from '../contributions.ts';
import { DisposableStore, type DisposableLike } from '../../../core/src/util/disposables.ts';

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
