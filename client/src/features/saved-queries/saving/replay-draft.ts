/**
 * Opens a new query with the undo history of the draft that it was. The editor cannot move this history to another
 * document, so the new document gets the draft's texts one after the other before it is shown. Nothing is sent.
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { isSameText } from '../../../../../core/src/saved-queries/same-text.ts';
import { openDocument } from '../records/open-document.ts';
import type { DocumentSaves } from './document-saves.ts';
import type { OpenQueries } from './open-queries.ts';
import type { SavedQueryFileSystem } from './saved-query-file-system.ts';

export interface ReplayDependencies {
  readonly queries: OpenQueries;
  readonly saves: DocumentSaves;
  readonly fileSystem: SavedQueryFileSystem;
}

/**
 * @param earlier the draft's earlier texts, oldest first.
 * @returns a function to call once the document is shown, after which the editor counts its text as saved.
 */
export async function replayDraft(
  { queries, saves, fileSystem }: ReplayDependencies,
  uri: vscode.Uri,
  { record, earlier }: { readonly record: SavedQuery; readonly earlier: readonly string[] },
): Promise<() => Promise<void>> {
  const [oldest, ...later] = earlier;
  if (oldest === undefined || openDocument(uri) !== undefined) return () => Promise.resolve();
  fileSystem.prepare(uri, record, oldest);
  const document = await vscode.workspace.openTextDocument(uri);
  queries.of(uri).fill(record);
  await saves.replay(document, [...later, record.query_string]);
  return async () => {
    const isComplete = isSameText(document.getText(), record.query_string);
    // The editor did not accept the last text, or the user has typed since.
    if (!isComplete && !document.isDirty) fileSystem.reload(uri, record);
    if (!isComplete || !document.isDirty) return;
    const isActive = vscode.window.activeTextEditor?.document === document;
    // Formatting would change the text, which is saved already.
    const save = () =>
      isActive
        ? vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting')
        : document.save();
    await fileSystem.withoutSending<unknown>(uri, record.query_string, save);
  };
}
