/** Agents in a real editor: our tools for the editor's language models, and the log of their requests. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { settledConnection, until, useService } from './support.ts';

suite('agents', () => {
  useService();

  test("the editor's models can use the tools", () => {
    const names = vscode.lm.tools.map(({ name }) => name);
    assert.ok(names.includes('identityQueries_openQuery'), names.join(', '));
    assert.ok(names.includes('identityQueries_showRows'));
  });

  test('the editor starts the server, whose tools its models can call', async () => {
    await settledConnection();
    const named = (end: string) => vscode.lm.tools.find(({ name }) => name.endsWith(end));
    // The editor registers a server after a delay; until then, none can be started.
    await until(
      () => `the tools of the server are there: ${vscode.lm.tools.map(({ name }) => name).join(', ')}`,
      async () => {
        await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
        return named('run_query') !== undefined;
      },
    );
    const tool = named('list_models');
    assert.ok(tool);
    const { content } = await vscode.lm.invokeTool(tool.name, { input: {}, toolInvocationToken: undefined });
    const [answer] = content.filter((part) => part instanceof vscode.LanguageModelTextPart);
    assert.match(answer?.value ?? '', /"status":"complete","notice":"Up to [^]*platform_identity[^]*,"end":/);
  });

  test('the calls of agents are shown, with the state of the log', async () => {
    await vscode.commands.executeCommand(commands.agentsShowActivity);
    await until(
      'the activity is in front',
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'identity-query-ai-activity',
    );
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^Agent calls on this machine/);
    assert.match(text, /The log is unchanged/);
  });
});
