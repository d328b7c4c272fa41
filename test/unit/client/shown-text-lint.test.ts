/** The rule that makes client/src/ui/shown the only way to show text: plants violations and expects reports. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callProblems } from '#scripts/lib/house-rules.js';

const found = (code: string, file: string): number =>
  callProblems(file, `import * as vscode from 'vscode';\n${code}\n`).length;

const feature = 'client/src/features/planted/planted.ts';

describe('texts of the editor go through client/src/ui/shown', () => {
  const planted = [
    "void vscode.window.showInformationMessage('a');",
    "void vscode.window.showWarningMessage('a');",
    "void vscode.window.showErrorMessage('a');",
    "const show = vscode.window['showErrorMessage'];",
    'const { showErrorMessage } = vscode.window;',
    "const { window } = vscode;\nvoid window.showErrorMessage('a');",
    "import { MarkdownString } from 'vscode';",
    'void vscode.window.showInputBox({});',
    'void vscode.window.showQuickPick([]);',
    'vscode.window.createQuickPick();',
    'vscode.window.createInputBox();',
    'void vscode.window.withProgress({ location: 15 }, async () => undefined);',
    "vscode.window.setStatusBarMessage('a', 1);",
    "vscode.window.createStatusBarItem('a');",
    "vscode.window.createTreeView('a', { treeDataProvider });",
    "vscode.window.registerTreeDataProvider('a', treeDataProvider);",
    "vscode.window.createWebviewPanel('a', 'a', 1);",
    "vscode.languages.createLanguageStatusItem('a', 'b');",
    "vscode.workspace.registerTextDocumentContentProvider('a', provider);",
    "const text = new vscode.MarkdownString('a');",
    "throw new vscode.FileSystemError('a');",
    "throw vscode.FileSystemError.NoPermissions('a');",
    "void vscode.commands.executeCommand('vscode.diff', a, b, title);",
  ];
  for (const code of planted) {
    it(`forbids ${code}`, () => assert.equal(found(code, feature), 1));
  }

  it('allows calls without texts, types, and its own folder', () => {
    assert.equal(found('void vscode.window.showTextDocument(document);', feature), 0);
    assert.equal(found('let text: vscode.MarkdownString | undefined;', feature), 0);
    assert.equal(found("showErrorMessage('a');", feature), 0);
    assert.equal(found("void vscode.window.showErrorMessage('a');", 'client/src/ui/shown/planted.ts'), 0);
  });
});
