/** The position of results: below or beside the query, switched with one click and remembered for the next run. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { current, run, stateOf } from './run-support.ts';
import { closeAllEditors, createQuery, draft, open, until, useService } from './support.ts';

const location = () => vscode.workspace.getConfiguration('identityQueries').get('results.location');
const activeColumn = () => vscode.window.tabGroups.activeTabGroup.viewColumn;
const resultTabs = () =>
  vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.filter(
      ({ input }) =>
        input instanceof vscode.TabInputWebview && input.viewType.endsWith('identityQueries.result'),
    ),
  );

suite('results beside and below', () => {
  const { colleague } = useService();
  teardown(async () => {
    await vscode.workspace
      .getConfiguration('identityQueries')
      .update('results.location', undefined, vscode.ConfigurationTarget.Global);
  });

  test('one click moves the visible result with its rows, and the next run opens there', async () => {
    await draft('SELECT n FROM generate_series(1, 7) AS n');
    await run();
    assert.equal((await stateOf('rows')).rowCount, 7);

    await vscode.commands.executeCommand(commands.resultsMove);
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

    await vscode.commands.executeCommand(commands.resultsMove);
    await until('one tab is left', () => resultTabs().length < 2);
    assert.equal(location(), 'below');
  });

  test('without a result, the place of the next one changes, and changes back', async () => {
    await draft('SELECT 1');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    for (const expected of ['beside', 'below']) {
      await vscode.commands.executeCommand(commands.resultsMove);
      assert.equal(location(), expected);
    }
  });

  test('a command takes the result of the active query, and in another query the only one in view', async () => {
    await draft('SELECT n FROM generate_series(1, 7) AS n');
    await run();
    await stateOf('rows');
    await vscode.commands.executeCommand(commands.resultsMove);
    await until('it has a tab', () => resultTabs().length === 1);
    await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');
    await until('the query is active', () => activeColumn() === vscode.ViewColumn.One);
    await draft('SELECT n FROM generate_series(1, 3) AS n');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    const rowCount = async () => {
      const state = (await current())?.state;
      return state?.kind === 'rows' ? state.rowCount : undefined;
    };
    await until('the rows beside are taken', async () => (await rowCount()) === 7);
    await vscode.workspace
      .getConfiguration('identityQueries')
      .update('results.location', 'below', vscode.ConfigurationTarget.Global);
    await run();
    await until('those of the query are taken', async () => (await rowCount()) === 3);
  });

  test('groups that move below the query are in front there, before the rows of the query', async () => {
    await draft('SELECT n % 2 AS rest FROM generate_series(1, 7) AS n');
    await run();
    await stateOf('rows');
    await vscode.commands.executeCommand(commands.resultsGroup, {
      by: [{ column: 0 }],
      measure: { kind: 'count' },
    });
    await vscode.commands.executeCommand(commands.resultsMove);
    await until('the groups have a tab', () => resultTabs().length === 1);
    await until('the tab is active', () => vscode.window.activeTextEditor === undefined);
    await vscode.commands.executeCommand(commands.resultsMove);
    await until('the tab is gone', () => resultTabs().length === 0);
    await until('the query is active', () => vscode.window.activeTextEditor !== undefined);
    // Without an editor, the current result is the one in front.
    await closeAllEditors();
    await until('nothing is active', () => vscode.window.activeTextEditor === undefined);
    assert.match((await current())?.header.title ?? '', / by rest$/);
  });

  test('a query that is opened while the rows beside are active does not cover them', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await draft('SELECT n FROM generate_series(1, 7) AS n');
    await run();
    await vscode.commands.executeCommand(commands.resultsMove);
    await until('it has a tab', () => resultTabs().length === 1);
    await vscode.commands.executeCommand('workbench.action.focusSecondEditorGroup');
    await until('it is active', () => activeColumn() === vscode.ViewColumn.Two);
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    await vscode.commands.executeCommand(commands.savedQueryOpen, { queryId: query.query_id });
    await until(
      'the query is active',
      () => vscode.window.activeTextEditor?.document.getText() === 'SELECT 1',
    );
    // The editor tells of a text, its column and its tab one after the other.
    await until('its column is known', () => vscode.window.activeTextEditor?.viewColumn !== undefined);
    assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.One);
    await until('the rows are still in sight', () => resultTabs()[0]?.isActive === true);
  });

  test('a new query opens among queries, not over the rows beside or in a group of other files', async () => {
    await draft('SELECT n FROM generate_series(1, 7) AS n');
    await run();
    await vscode.commands.executeCommand(commands.resultsMove);
    await until('it has a tab', () => resultTabs().length === 1);
    const isNewQuery = () => vscode.window.activeTextEditor?.document.getText() === '';
    await vscode.commands.executeCommand('workbench.action.focusSecondEditorGroup');
    await until('the rows are active', () => activeColumn() === vscode.ViewColumn.Two);
    await vscode.commands.executeCommand(commands.queryNew);
    await until('it is open', isNewQuery);
    await until('it is beside the rows', () => activeColumn() === vscode.ViewColumn.One);
    const notes = await vscode.workspace.openTextDocument({ language: 'plaintext', content: 'notes' });
    await vscode.window.showTextDocument(notes, vscode.ViewColumn.Two);
    await until('the notes are active', () => activeColumn() === vscode.ViewColumn.Two && !isNewQuery());
    await vscode.commands.executeCommand(commands.queryNew);
    await until('it is open', isNewQuery);
    await until('it is among queries', () => activeColumn() === vscode.ViewColumn.One);
  });

  test('the rows of the active query come to the front; those of a closed draft say that it is closed', async () => {
    const [first, second] = [
      await createQuery(colleague, 'SELECT 1'),
      await createQuery(colleague, 'SELECT 2'),
    ];
    for (const query of [first, second]) {
      await open(query);
      await run();
      await stateOf('rows');
    }
    for (const query of [first, second]) {
      await open(query);
      // Without an editor, the current result is the one in front.
      await closeAllEditors();
      await until(`the rows of ${query.name} are in front`, async () => {
        const header = (await current())?.header;
        return vscode.window.activeTextEditor === undefined && header?.title === query.name;
      });
    }

    const document = await draft('SELECT 3');
    await run();
    await stateOf('rows');
    await vscode.languages.setTextDocumentLanguage(document, 'sql');
    assert.equal((await current())?.isClosed, false);
    await closeAllEditors();
    await until('the draft is closed', async () => (await current())?.isClosed === true);
  });
});
