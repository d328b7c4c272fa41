/** The extension starts in a real editor and connects with settings from environment variables. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';

suite('activation', () => {
  test('activates and registers every command of the manifest', async () => {
    const extension = vscode.extensions.getExtension('identity-queries.identity-queries');
    assert.ok(extension);
    await extension.activate();
    const registered = new Set(await vscode.commands.getCommands(false));
    assert.deepEqual(
      Object.values(commands).filter((id) => !registered.has(id)),
      [],
    );
  });
});
