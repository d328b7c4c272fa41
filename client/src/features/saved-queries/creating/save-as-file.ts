/** Keeps a draft as a file, which then stands in its place. The editor's own Save As drops keys typed meanwhile. */
import * as vscode from 'vscode';
import { ExpectedError } from '#core/failures/failure.ts';
import { becomeDocument } from '../becoming/become-document.ts';
import { FollowedEdits } from '../becoming/followed-edits.ts';
import { fillDocument } from '../records/open-document.ts';

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
  if (!isThere) await vscode.workspace.fs.writeFile(uri, new Uint8Array());
  const file = await vscode.workspace.openTextDocument(uri);
  const followed = new FollowedEdits(document);
  try {
    // Saved by the editor, with its encoding, line endings and what the person has it do on save.
    const isSaved = (await fillDocument(file, followed.text)) && (await file.save());
    if (!isSaved)
      throw new ExpectedError(vscode.l10n.t('"{0}" was not saved. The draft is kept.', uri.fsPath));
    await becomeDocument(followed, uri);
  } finally {
    followed.dispose();
  }
}

function nameOf({ uri }: vscode.TextDocument): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1) || 'query';
}
