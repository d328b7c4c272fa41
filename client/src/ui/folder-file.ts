/** Reads files of a workspace, which a stranger may have made. */
import path from 'node:path';
import * as vscode from 'vscode';
import { readBounded } from '#base/files/bounded-file.ts';

/**
 * Reads a file through the bounded reader, which neither follows a link in a workspace nor waits for a pipe. Files that
 * are not on disk are read by the editor. @throws FileRefusal, or an error of the file system
 */
export async function readFolderFile(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array> {
  if (uri.scheme !== 'file') return await vscode.workspace.fs.readFile(uri);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return await readBounded(path.normalize(uri.fsPath), {
    maxBytes,
    ...(folder === undefined ? {} : { within: folder.uri.fsPath }),
  });
}
