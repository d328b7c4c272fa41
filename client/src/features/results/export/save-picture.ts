/** Saves a chart to a file. */
import path from 'node:path';
import * as vscode from 'vscode';
import { fileNameOf } from '#base/files/file-name.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { writeChosenFile } from '#client/ui/write-target.ts';

/** @param picture.content a PNG file in Base64, or the text of an SVG file. */
export async function savePicture(
  name: string,
  { format, content }: { readonly format: 'png' | 'svg'; readonly content: string },
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = `${fileNameOf(name)}.${format}`;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Chart'),
    filters: { [format.toUpperCase()]: [format] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
  });
  if (uri === undefined) return;
  await writeChosenFile(uri, Buffer.from(content, format === 'png' ? 'base64' : 'utf8'));
  const open = vscode.l10n.t('Open');
  const message = vscode.l10n.t('The chart is in {0}.', path.posix.basename(uri.path));
  // Not awaited: the file is complete whether or not the user dismisses the message.
  void showInformationMessage(message, open).then(async (chosen) => {
    if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
  });
}
