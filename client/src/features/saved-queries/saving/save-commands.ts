/** Handles Ctrl+S and Save All for saved queries. */
import * as vscode from 'vscode';
import { commands } from '../../../contributions.ts';
import { registerCommand } from '../../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../../core/src/util/logger.ts';
import { queryArgument, savedQueryUriOf } from '../records/query-argument.ts';
import { saveAll } from './save-all.ts';
import { saveOpenQuery, type SaveOpenQueryDependencies } from './save-open-query.ts';

export function registerSaveCommands(
  deps: SaveOpenQueryDependencies & { readonly log: Logger },
): DisposableLike {
  const disposables = new DisposableStore();
  disposables.add(
    registerCommand(deps.log, commands.savedQuerySave, [queryArgument], async (argument) => {
      await saveOpenQuery(await vscode.workspace.openTextDocument(savedQueryUriOf(argument)), deps);
    }),
  );
  disposables.add(registerCommand(deps.log, commands.savedQuerySaveAll, () => saveAll(deps)));
  return disposables;
}
