/** Failures shown by the editor: in notifications with links, and in place of a document. */
import * as vscode from 'vscode';
import { forMessage } from '../../../../core/src/shown-text/for-places.ts';

/** @param message for people; the editor wraps it in its own words. */
export function fileSystemError(message: string): vscode.FileSystemError {
  return new vscode.FileSystemError(forMessage(message));
}

export function noPermissions(message: string): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions(forMessage(message));
}

export function isFileSystemError(error: unknown): error is vscode.FileSystemError {
  return error instanceof vscode.FileSystemError;
}

/** The same failure with a safe message. */
export function shownError(error: unknown): Error {
  if (isFileSystemError(error)) return error;
  const shown = new Error(forMessage(error instanceof Error ? error.message : String(error)), {
    cause: error,
  });
  if (error instanceof Error) shown.name = error.name;
  return shown;
}
