/** Agents inside a real editor: our own tools for its models, and what was asked. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../client/src/contributions.ts';
import { until, useService } from './support.ts';

suite('agents', () => {
  useService();

  test('the tools of the editor are there for its models', () => {
    const names = vscode.lm.tools.map(({ name }) => name);
    assert.ok(names.includes('identityQueries_openQuery'), names.join(', '));
    assert.ok(names.includes('identityQueries_showRows'));
  });

  test('what agents asked is shown, with the state of the log', async () => {
    await vscode.commands.executeCommand(commands.agentsShowActivity);
    await until(
      'the activity is in front',
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'identity-query-ai-activity',
    );
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^What agents asked on this machine/);
    assert.match(text, /The log is as it was written/);
  });
});
