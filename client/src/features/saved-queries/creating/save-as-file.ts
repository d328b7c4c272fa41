/** Keeps a draft as a file, which then stands in its place. The editor's own Save As drops keys typed meanwhile. */
import * as vscode from 'vscode';
import { writeChosenFile } from '#client/ui/write-target.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { becomeDocument } from '../becoming/become-document.ts';
import { FollowedEdits } from '../becoming/followed-edits.ts';

export async function saveAsFile(document: vscode.TextDocument): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save as File'),
    filters: { 'Identity SQL': ['sql'] },
    ...(folder === undefined
      ? {}
      : { defaultUri: vscode.Uri.joinPath(folder, `${nameOf(document)}.identity.sql`) }),
  });
  if (uri === undefined) return;
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  // A file that appears has its text: another program may read it, or the window may close, before it is saved below.
  if (!isThere) await writeChosenFile(uri, Buffer.from(document.getText()));
  const file = await vscode.workspace.openTextDocument(uri);
  const followed = new FollowedEdits(document);
  try {
    // Saved by the editor, with its encoding, line endings and what the person has it do on save.
    const isSaved = (await replaceText(file, followed.text)) && (await file.save());
    if (!isSaved)
      throw new ExpectedError(vscode.l10n.t('"{0}" was not saved. The draft is kept.', uri.fsPath));
    await becomeDocument(followed, uri);
  } finally {
    followed.dispose();
  }
}

/** Edits a document even if it has this text, since the editor saves what was edited. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(document.getText().length);
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  return await vscode.workspace.applyEdit(edit);
}

function nameOf({ uri }: vscode.TextDocument): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1) || 'query';
}
