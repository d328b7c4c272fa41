/** Writes a file that a person chose, on this machine's disk or anywhere else. */
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { saveFile } from '#base/files/target-file.ts';

export async function writeChosenFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  if (uri.scheme === 'file')
    await saveFile(uri.fsPath, async (draft) => {
      await writeFile(draft, bytes, { flag: 'wx' });
    });
  else await vscode.workspace.fs.writeFile(uri, bytes);
}
