/** Handles Ctrl+S and Save All for saved queries. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import { lenient, oneOf } from '#client/ui/arguments.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { registerCommand, withFollowUp } from '#client/ui/register-command.ts';
import { hideNotifications, setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import { queryArgument, savedQueryUriOf } from '../records/query-argument.ts';
import { nameInUri } from '../records/saved-query-uri.ts';
import type { OpenQueries } from './open-queries.ts';
import { saveAll } from './save-all.ts';
import { saveOpenQuery, type SaveOpenQueryDependencies } from './save-open-query.ts';

/** Marks a save that was chosen in the notification about a failed one. */
const again = lenient(oneOf(['again']));

export function registerSaveCommands(
  deps: SaveOpenQueryDependencies & { readonly log: Logger },
): DisposableLike {
  const disposables = new DisposableStore();
  disposables.add(
    registerCommand(deps.log, commands.savedQuerySave, [queryArgument, again], async (argument, isAgain) => {
      const document = await vscode.workspace.openTextDocument(savedQueryUriOf(argument));
      if (isAgain !== undefined && !hasEdits(document)) sayUnchanged(document, deps.queries);
      else await saveReporting(document, deps);
    }),
  );
  disposables.add(
    registerCommand(deps.log, commands.querySave, async () => {
      const isDraft = vscode.window.activeTextEditor?.document.isUntitled === true;
      await vscode.commands.executeCommand(isDraft ? commands.querySaveDraft : commands.savedQuerySave);
    }),
  );
  disposables.add(registerCommand(deps.log, commands.savedQuerySaveAll, () => saveAll(deps)));
  return disposables;
}

/** Saves, and names the query in the notification about a failure: another editor may be active by then. */
async function saveReporting(document: vscode.TextDocument, deps: SaveOpenQueryDependencies): Promise<void> {
  const query = deps.queries.of(document.uri);
  const onShown = (shown: Promise<void>) => {
    query.failureNotice = shown;
    void shown.finally(() => {
      if (query.failureNotice === shown) query.failureNotice = undefined;
    });
  };
  const args = [{ uri: document.uri.toString() }, 'again'];
  const isSaved = await withFollowUp({ args, onShown }, () => saveOpenQuery(document, deps));
  if (isSaved && query.failureNotice !== undefined) await hideNotifications();
}

function sayUnchanged({ uri }: vscode.TextDocument, queries: OpenQueries): void {
  const name = queries.baseOf(uri)?.name ?? nameInUri(uri);
  setStatusBarMessage(`$(check) ${vscode.l10n.t('"{0}" has no unsaved changes.', name)}`, 5_000);
}
