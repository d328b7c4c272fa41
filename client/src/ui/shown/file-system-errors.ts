/** Makes failures safe for display by the editor: in notifications with links, or in place of a document. */
import * as vscode from 'vscode';
import { forMessage } from '#base/shown-text/for-places.ts';

/** @param message text for display, which the editor wraps in its own message. */
export function fileSystemError(message: string): vscode.FileSystemError {
  return new vscode.FileSystemError(forMessage(message));
}

export function noPermissions(message: string): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions(forMessage(message));
}

export function isFileSystemError(error: unknown): error is vscode.FileSystemError {
  return error instanceof vscode.FileSystemError;
}

/** Returns the same failure with a safe message. */
export function shownError(error: unknown): Error {
  if (isFileSystemError(error)) return error;
  const shown = new Error(forMessage(error instanceof Error ? error.message : String(error)), {
    cause: error,
  });
  if (error instanceof Error) shown.name = error.name;
  return shown;
}
