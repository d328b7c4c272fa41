/**
 * A service that does not list the tables of its models: the specification's tables are used, but they prove nothing.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { ModelsState } from '#client/features/models/index.ts';
import { startService, type RunningService } from '../service/service.ts';
import {
  activateExtension,
  closeAllEditors,
  connectionName,
  draft,
  settledConnection,
  until,
} from './support.ts';

const variable = 'IDENTITY_QUERIES_SILENT_SECRET';
const label = 'From the specification, not from the service.';

async function setConnections(value: unknown): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update('identityQueries.connections', value, target);
}

const connect = async (name: string) => {
  await vscode.commands.executeCommand(commands.connectionConnect, name);
  return await settledConnection();
};

/** Returns text as displayed, without the backslashes that escape Markdown. */
function unescaped(markdown: string): string {
  return markdown.replaceAll('\\', '');
}

suite('models that the service does not describe', () => {
  const services: RunningService[] = [];
  suiteSetup(activateExtension);
  teardown(closeAllEditors);
  suiteTeardown(async () => {
    await connect(connectionName);
    await setConnections(undefined);
    Reflect.deleteProperty(process.env, variable);
    for (const service of services) await service.stop();
  });

  for (const way of ['refused', 'empty'] as const) {
    test(`information_schema is ${way}: completion and hover have the specification's names, findings do not`, async () => {
      const service = await startService({ assumptions: { 'model-columns': way } });
      services.push(service);
      process.env[variable] = service.clientSecret;
      const { baseUrl, authUrl, clientId } = service;
      const name = `Silent, ${way}`;
      await setConnections([{ name, baseUrl, authUrl, clientId, secretVariable: variable }]);
      assert.equal((await connect(name)).kind, 'connected');
      const text = '-- @model platform_identity\nSELECT email, no_such FROM accounts';
      const document = await draft(text);
      await vscode.window.showTextDocument(document);
      await until('the tables are known', async () => {
        const state = await vscode.commands.executeCommand<ModelsState>(commands.modelsCurrent);
        const model = state.models?.find((each) => each.name === 'platform_identity');
        return model?.isAssumed === true && model.tables?.some((table) => table.name === 'accounts') === true;
      });
      const at = new vscode.Position(1, 'SELECT em'.length);
      await until('hover says where the column is from', async () => {
        const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
          'vscode.executeHoverProvider',
          document.uri,
          at,
        );
        const texts = hovers.flatMap(({ contents }) =>
          contents.map((one) => (one instanceof vscode.MarkdownString ? unescaped(one.value) : '')),
        );
        return texts.some((one) => one.includes('accounts.email') && one.includes(label));
      });
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
      );
      assert.ok(
        items.some((item) => item.label === 'email' || (item.label as { label: string }).label === 'email'),
      );
      const problems = vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
      assert.ok(!problems.some((message) => message.includes('no_such')), problems.join('\n'));
      await vscode.commands.executeCommand(commands.modelsRefresh);
      const { message } = await vscode.commands.executeCommand<ModelsState>(commands.modelsCurrent);
      assert.equal(message, undefined, 'no earlier data are shown');
    });
  }
});
