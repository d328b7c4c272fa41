/** After a rename: the editors of a query are opened again under its new name, in their places, with their unsaved edits. */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { isSameText } from '../bases.ts';
import { fillDocument } from '../open-document.ts';
import { openDocumentsOf, type QueryContext } from '../query-context.ts';
import { savedQueryKey, savedQueryUri } from '../saved-query-uri.ts';

/** @param saved the query under its new name, after the bases of its buffers were told of it. */
export async function showUnderNewName(
  context: QueryContext,
  connection: string,
  saved: SavedQuery,
): Promise<void> {
  const to = savedQueryUri(connection, saved);
  const isElsewhere = ({ uri }: vscode.TextDocument) => uri.toString() !== to.toString();
  for (const document of openDocumentsOf(connection, saved.query_id).filter(isElsewhere)) {
    // Shown in a comparison as well, it is not taken out of it.
    const shown = tabsOf(document.uri);
    if (shown.length === 0 || shown.some(({ input }) => !(input instanceof vscode.TabInputText))) continue;
    context.fileSystem.prepare(to, saved);
    if (!document.isDirty) await moveTabs(document, to);
    else if (comesFrom(saved, document, context)) await moveEdits(context, document, to);
  }
}

/** Whether the edits go on from this very version; others have a newer text to be settled with first, where they are. */
function comesFrom(saved: SavedQuery, { uri }: vscode.TextDocument, { bases }: QueryContext): boolean {
  const base = bases.get(savedQueryKey(uri));
  return base?.version === saved.version && base.query_string === saved.query_string;
}

/** The edits go into a buffer of the new name first; only then the old one lets them go. */
async function moveEdits(
  { fileSystem, bases }: QueryContext,
  document: vscode.TextDocument,
  to: vscode.Uri,
): Promise<void> {
  const moved = await vscode.workspace.openTextDocument(to);
  const read = bases.get(savedQueryKey(to));
  if (moved.isDirty || read === undefined || !isSameText(moved.getText(), read.query_string)) return;
  const text = document.getText();
  await fillDocument(moved, text);
  if (moved.getText() !== text) return;
  const old = document.uri;
  await moveTabs(document, to, async () => {
    await fileSystem.handingOver(old, () => document.save());
    // Typed into meanwhile, or put in order by the editor as it saved.
    if (document.getText() !== text && moved.getText() === text)
      await fillDocument(moved, document.getText());
  });
}

/** @param letGo makes the document one that can be closed without a question. */
async function moveTabs(
  document: vscode.TextDocument,
  to: vscode.Uri,
  letGo?: () => Promise<void>,
): Promise<void> {
  for (const { group, isActive, isPreview } of tabsOf(document.uri)) {
    const at = vscode.window.visibleTextEditors.find(
      (editor) => editor.document === document && editor.viewColumn === group.viewColumn,
    );
    const place = { viewColumn: group.viewColumn, preview: isPreview && letGo === undefined };
    if (!isActive) {
      // A tab behind another one stays behind it.
      await vscode.commands.executeCommand('vscode.open', to, { ...place, background: true });
      continue;
    }
    await vscode.window.showTextDocument(to, {
      ...place,
      preserveFocus: !group.isActive,
      ...(at === undefined ? {} : { selection: at.selection }),
    });
  }
  await letGo?.();
  // Looked up again: typed into meanwhile, a tab stays as it is.
  const left = tabsOf(document.uri).filter(({ isDirty }) => !isDirty);
  if (left.length > 0) await vscode.window.tabGroups.close(left, true);
}

/** Every tab that shows a document, alone or as a side of a comparison. */
function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const address = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => {
      if (input instanceof vscode.TabInputText) return input.uri.toString() === address;
      if (!(input instanceof vscode.TabInputTextDiff)) return false;
      return input.original.toString() === address || input.modified.toString() === address;
    });
}
