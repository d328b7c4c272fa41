/** A query on several connections is one result, which is complete only if all are. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { configure, current, stateOf } from './run-support.ts';
import { connectionSetting, draft, playQuestion, until, useService } from './support.ts';

const secretVariable = 'IDENTITY_QUERIES_TEST_SECRET';

suite('a query on several connections', () => {
  useService();

  setup(async () => {
    process.env[secretVariable] = process.env['IDENTITY_QUERIES_CLIENT_SECRET'] ?? '';
    const away = 'http://127.0.0.1:9';
    await configure('connections', [
      connectionSetting('East', { secretVariable }),
      connectionSetting('West', { secretVariable }),
      connectionSetting('Away', { secretVariable, baseUrl: away, authUrl: `${away}/token` }),
    ]);
  });
  teardown(() => configure('connections', undefined));

  const runOn = async (...names: readonly string[]) => {
    const ticked: string[][] = [];
    const picks = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => {
      const way = items.find(({ label }) => label === 'On Several Connections');
      if (way !== undefined) return way;
      ticked.push(items.filter(({ picked }) => picked === true).map(({ label }) => label));
      return items.filter(({ label }) => names.includes(label));
    });
    try {
      await vscode.commands.executeCommand(commands.queryRunSeveralTimes);
    } finally {
      picks.dispose();
    }
    return ticked[0];
  };

  test('has the connection as its first column, and the choice is remembered', async () => {
    await draft('SELECT 1 AS one');
    assert.deepEqual(await runOn('East', 'West'), []);
    const rows = await stateOf('rows');
    assert.deepEqual(
      rows.columns.map(({ name }) => name),
      ['connection', 'one'],
    );
    await until('all rows are there', async () => (await stateOf('rows')).extent === 'complete');
    assert.deepEqual((await current())?.header.facts, [{ label: 'Connections', text: 'East, West' }]);
    assert.deepEqual(await runOn('East', 'West'), ['East', 'West']);
    // The next draft may have the same name.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await draft('SELECT 1 AS one');
    assert.deepEqual(await runOn('East', 'West'), []);
  });

  test('shows the default of a parameter that it sends', async () => {
    await draft("-- @param word text = 'today'\nSELECT :word AS word");
    await runOn('East', 'West');
    await stateOf('rows');
    assert.deepEqual(
      (await current())?.header.parameters?.map(({ name, text }) => [name, text]),
      [['word', 'today']],
    );
  });

  test('is never complete if one does not answer', async () => {
    await draft('SELECT 1 AS one');
    await runOn('East', 'Away');
    await until('the failure is shown', async () => (await stateOf('rows')).loading.kind === 'failed');
    const { loading, extent } = await stateOf('rows');
    assert.notEqual(extent, 'complete');
    assert.ok(loading.kind === 'failed');
    assert.match(loading.failure.message, /^Incomplete\. East: 1 row; Away: failed \(/);
  });
});
