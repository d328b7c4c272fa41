/**
 * Turns one open document into another, such as a draft into the saved query made of it, while the person goes on
 * typing: the keys since then, wherever they went, are unsaved edits of the new document, and the old one is let go
 * only when it holds nothing more.
 */
import * as vscode from 'vscode';
import { plainText } from '#core/saved-queries/same-text.ts';
import { fillDocument } from '../records/open-document.ts';
import { allTabs } from '#client/ui/shown-uris.ts';
import { editorOf, FollowedEdits } from './followed-edits.ts';
import { continued, offsetOf, placeOf, replayed } from './replayed-edits.ts';

/** A person can type a key at the moment of an edit, which is then tried again. */
const attemptsMax = 100;

/**
 * @param followed the old document, followed since the new document's text was taken from it.
 * @returns whether the new document has everything; otherwise, both stay open.
 */
export async function becomeDocument(followed: FollowedEdits, to: vscode.Uri): Promise<boolean> {
  const from = followed.document;
  const target = await vscode.workspace.openTextDocument(to);
  let count = followed.edits.length;
  let carried = plainText(target.getText());
  if (count > 0) {
    const text = carried === followed.text ? replayed(carried, followed.edits) : plainText(from.getText());
    if (!(await fillDocument(target, text))) return false;
    carried = text;
  }
  const own = new FollowedEdits(target);
  try {
    let cursor = (followed.cursors[0] ?? new vscode.Selection(0, 0, 0, 0)).active;
    await showInPlaceOf(followed, target);
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const late = followed.edits.slice(count);
      const typed = [...own.edits];
      const text = continued(carried, { late, own: typed, cursor });
      if (late.length > 0) {
        const isChanged = text !== plainText(target.getText());
        if (!(await fillDocument(target, text))) continue;
        own.forget(typed.length + (isChanged ? 1 : 0));
        const end = offsetOf(text, editorOf(target)?.selection.active ?? cursor);
        const at = placeOf(text, end);
        [count, carried, cursor] = [count + late.length, text, new vscode.Position(at.line, at.character)];
      }
      if (followed.edits.length === count && (await letGo(followed))) return true;
    }
    return false;
  } finally {
    own.dispose();
  }
}

/**
 * Closes a draft, or returns another document to the text that was taken from it.
 * @returns false if a key came at the same moment.
 */
export async function letGo(followed: FollowedEdits): Promise<boolean> {
  const { document } = followed;
  if (!document.isUntitled)
    return followed.edits.length === 0 || (await fillDocument(document, followed.text));
  // An empty draft has no unsaved changes, so it closes without a question and without the focus.
  if (!(await fillDocument(document, ''))) return false;
  const tabs = textTabsOf(document);
  if (!tabs.some(({ isDirty }) => isDirty)) {
    await vscode.window.tabGroups.close([...tabs], true);
    return true;
  }
  // A draft with a path is never clean.
  const active = vscode.window.activeTextEditor;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  if (active !== undefined && active.document !== document)
    await vscode.window.showTextDocument(active.document, active.viewColumn);
  return true;
}

export function isShownAsText(document: vscode.TextDocument): boolean {
  return textTabsOf(document).length > 0;
}

function textTabsOf(document: vscode.TextDocument): readonly vscode.Tab[] {
  const address = document.uri.toString();
  return allTabs().filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address,
  );
}

/** Shows the target wherever the old document is shown, with its cursors and scrolled as it was. */
async function showInPlaceOf(followed: FollowedEdits, target: vscode.TextDocument): Promise<void> {
  const { document } = followed;
  const active = vscode.window.activeTextEditor;
  for (const { group, isActive } of textTabsOf(document)) {
    const place = { viewColumn: group.viewColumn, preview: false };
    if (!isActive) {
      await vscode.commands.executeCommand('vscode.open', target.uri, { ...place, background: true });
      continue;
    }
    const before = vscode.window.visibleTextEditors.find(
      (editor) => editor.document === document && editor.viewColumn === group.viewColumn,
    );
    const isTypedIn = group.isActive && (active === undefined || active.document === document);
    const cursors = isTypedIn ? followed.cursors : (before?.selections ?? []);
    const top = before?.visibleRanges[0];
    const editor = await vscode.window.showTextDocument(target, {
      ...place,
      preserveFocus: !isTypedIn,
      ...(cursors[0] === undefined ? {} : { selection: cursors[0] }),
    });
    if (cursors.length > 1) editor.selections = cursors;
    if (top !== undefined && top.start.line > 0)
      editor.revealRange(new vscode.Range(top.start, top.start), vscode.TextEditorRevealType.AtTop);
  }
}
