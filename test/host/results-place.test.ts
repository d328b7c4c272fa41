/** The position of results: below or beside the query, switched with one click and remembered for the next run. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../client/src/contributions.ts';
import { run, stateOf } from './run-support.ts';
import { draft, until, useService } from './support.ts';

const location = () => vscode.workspace.getConfiguration('identityQueries').get('results.location');
const resultTabs = () =>
  vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.filter(
      ({ input }) =>
        input instanceof vscode.TabInputWebview && input.viewType.endsWith('identityQueries.result'),
    ),
  );

suite('results beside and below', () => {
  useService();
  teardown(async () => {
    await vscode.workspace
      .getConfiguration('identityQueries')
      .update('results.location', undefined, vscode.ConfigurationTarget.Global);
  });

  test('one click moves the visible result with its rows, and the next run opens there', async () => {
    await draft('SELECT n FROM generate_series(1, 7) AS n');
    await run();
    assert.equal((await stateOf('rows')).rowCount, 7);

    await vscode.commands.executeCommand(commands.resultsShowBeside);
    await until('it has a tab', () => resultTabs().length === 1);
    assert.equal(resultTabs()[0]?.group.viewColumn, 2);
    assert.equal(location(), 'beside');
    assert.equal((await stateOf('rows')).rowCount, 7, 'nothing is asked of the service again');

    await vscode.window.showTextDocument(
      await draft('SELECT n FROM generate_series(1, 3) AS n'),
      vscode.ViewColumn.One,
    );
    await run();
    await until('the next one has a tab too', () => resultTabs().length === 2);

    await vscode.commands.executeCommand(commands.resultsShowBelow);
    await until('one tab is left', () => resultTabs().length < 2);
    assert.equal(location(), 'below');
  });
});
