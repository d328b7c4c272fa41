/** Which saved query a command is for: what it was called with, else the active editor. */
import * as vscode from 'vscode';
import { ExpectedError } from '../../../../../core/src/util/failure.ts';
import { savedQueryScheme } from './saved-query-uri.ts';

/** @throws ExpectedError when neither the argument nor the active editor is a saved query. */
export function savedQueryUriOf(argument: unknown): vscode.Uri {
  const isNamed = typeof argument === 'object' && argument !== null && 'uri' in argument;
  const named =
    argument instanceof vscode.Uri
      ? argument
      : isNamed && typeof argument.uri === 'string'
        ? vscode.Uri.parse(argument.uri, true)
        : vscode.window.activeTextEditor?.document.uri;
  if (named?.scheme === savedQueryScheme) return named;
  throw new ExpectedError(vscode.l10n.t('Open a saved query first.'));
}
