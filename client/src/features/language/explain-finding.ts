/** Explains a finding's code with a link next to the message, and with a command for the finding at the cursor. */
import * as vscode from 'vscode';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import { given, text } from '#client/ui/arguments.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { codeOf } from './code-of.ts';

export function registerExplainFinding(deps: {
  readonly extensionUri: vscode.Uri;
  readonly log: Logger;
}): vscode.Disposable {
  return registerCommand(deps.log, commands.languageExplainFinding, [given(text)], async (named) => {
    const code = named ?? codeAtCursor(vscode.window.activeTextEditor);
    const page = vscode.Uri.joinPath(deps.extensionUri, 'docs', 'diagnostics.md');
    // Without a code, open the page at the top.
    await vscode.commands.executeCommand(
      'markdown.showPreview',
      code === undefined ? page : page.with({ fragment: code.toLowerCase() }),
    );
  });
}

/** Returns the code of the narrowest finding at the cursor; if there is none, that of the first finding on its line. */
function codeAtCursor(editor: vscode.TextEditor | undefined): string | undefined {
  if (editor === undefined) return undefined;
  const { active } = editor.selection;
  const own = vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter(({ source, range }) => source === 'Identity Queries' && range.start.line <= active.line)
    .filter(({ range }) => range.end.line >= active.line);
  const [narrowest] = own
    .filter(({ range }) => range.contains(active))
    .toSorted((a, b) => (a.range.contains(b.range) ? 1 : b.range.contains(a.range) ? -1 : 0));
  const found = narrowest ?? own[0];
  return found === undefined ? undefined : codeOf(found);
}
