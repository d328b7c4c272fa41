/** The lint rule that makes client/src/ui/shown the only way to show text: lints violations and expects reports. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const root = path.join(import.meta.dirname, '../../..');
const rule = 'no-restricted-syntax';
const eslint = new ESLint({
  cwd: root,
  // The project's rules, without type information, which this rule does not need.
  overrideConfig: [tseslint.configs.disableTypeChecked],
  ruleFilter: ({ ruleId }) => ruleId === rule,
});

async function found(code: string, file: string): Promise<number> {
  const [result] = await eslint.lintText(`import * as vscode from 'vscode';\n${code}\n`, {
    filePath: path.join(root, file),
  });
  assert.equal(result?.fatalErrorCount, 0, JSON.stringify(result?.messages));
  return result.messages.filter(({ ruleId }) => ruleId === rule).length;
}

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
    it(`forbids ${code}`, async () => assert.equal(await found(code, feature), 1));
  }

  it('allows calls without texts, types, and its own folder', async () => {
    assert.equal(await found('void vscode.window.showTextDocument(document);', feature), 0);
    assert.equal(await found('let text: vscode.MarkdownString | undefined;', feature), 0);
    assert.equal(await found("showErrorMessage('a');", feature), 0);
    assert.equal(
      await found("void vscode.window.showErrorMessage('a');", 'client/src/ui/shown/planted.ts'),
      0,
    );
  });
});
