/** What the language server was told outlives it. */
import * as vscode from 'vscode';
import { commands } from '../../client/src/contributions.ts';
import {
  activateExtension,
  closeAllEditors,
  connectColleague,
  createQuery,
  open,
  replaceAll,
  until,
} from './support.ts';

suite('language server', () => {
  suiteSetup(activateExtension);
  teardown(closeAllEditors);

  test('knows the tables again after it was restarted', async () => {
    const colleague = connectColleague();
    const document = await open(await createQuery(colleague, 'SELECT * FROM acounts'));
    await colleague.close();
    await until('an unknown table is marked', () => isTableUnknown(document));
    await vscode.commands.executeCommand(commands.languageRestart);
    await replaceAll(document, 'SELECT * FROM accounts');
    await until('nothing is marked', () => vscode.languages.getDiagnostics(document.uri).length === 0);
    await replaceAll(document, 'SELECT * FROM acounts');
    await until('an unknown table is marked by the second server', () => isTableUnknown(document));
  });
});

function isTableUnknown(document: vscode.TextDocument): boolean {
  return vscode.languages
    .getDiagnostics(document.uri)
    .some(({ code }) => (typeof code === 'object' ? code.value : code) === 'UNKNOWN_TABLE');
}
