/** Shows and reruns the query of a remembered result. */
import * as vscode from 'vscode';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import { showDocument } from '#client/ui/show-document.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { KeptResult } from './kept-results.ts';

/** The query of a remembered result, under its current name. */
type KeptQuery = Pick<KeptResult, 'key' | 'header'>;

/** Runs the query of a remembered result as if the user ran it: with its current text, on the same lines. */
export async function runKept(kept: KeptQuery, log: Logger): Promise<void> {
  if (await openKept(kept, log)) await vscode.commands.executeCommand(commands.queryRun);
}

/** Opens the query of a remembered result. @returns whether it still exists. */
export async function openKept({ key, header }: KeptQuery, log: Logger): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(key));
    const { lines } = header;
    const last =
      lines === undefined ? undefined : document.lineAt(Math.min(lines.last, document.lineCount) - 1);
    const selection =
      lines === undefined || last === undefined
        ? undefined
        : new vscode.Range(
            Math.min(lines.first, document.lineCount) - 1,
            0,
            last.lineNumber,
            last.text.length,
          );
    await showDocument(document, selection);
    return true;
  } catch (error) {
    void presentFailure(
      log,
      'open query',
      new ExpectedError(vscode.l10n.t('The query "{0}" can no longer be opened.', header.title), [], {
        cause: error,
      }),
    );
    return false;
  }
}
