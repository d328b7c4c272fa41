/** Writes a result's filters and sort order back into the query, in a real editor. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { run, stateOf } from './run-support.ts';
import { createQuery, open, replaceAll, until, useService } from './support.ts';

suite('adding to the query from its rows', () => {
  const { colleague } = useService();

  async function ran(text: string): Promise<vscode.TextDocument> {
    const document = await open(await createQuery(colleague, text));
    await run();
    await stateOf('rows');
    return document;
  }

  test('a filter becomes WHERE and a sort order ORDER BY around the statement, which runs', async () => {
    const document = await ran('SELECT n, n % 3 AS "Rest" FROM generate_series(1, 9) AS n');
    await vscode.commands.executeCommand(commands.resultsAddWhere, {
      filters: [{ column: 1, rule: { kind: 'values', values: ['0', '2'] } }],
    });
    assert.equal(
      document.getText(),
      'SELECT *\nFROM (\nSELECT n, n % 3 AS "Rest" FROM generate_series(1, 9) AS n\n) AS narrowed\nWHERE "Rest" IN (0, 2)',
    );
    assert.equal(document.isDirty, true);
    await run();
    await until('six rows are left', async () => (await stateOf('rows')).rowCount === 6);

    await vscode.commands.executeCommand(commands.resultsAddOrderBy, {
      sort: [{ column: 0, descending: true }],
    });
    assert.match(document.getText(), /\n\) AS narrowed\nORDER BY n DESC NULLS LAST$/);
    await run();
    await until('the rows came in that order', async () => {
      const { rowCount, extent } = await stateOf('rows');
      return rowCount === 6 && extent === 'complete';
    });
    await vscode.commands.executeCommand(commands.resultsShowAsText);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /\n9 {2,}0\n8 {2,}2\n6 {2,}0\n5 {2,}2\n3 {2,}0\n2 {2,}2\n$/);
  });

  test('columns have their descriptions from the models', async () => {
    await ran('SELECT alias, count(*) AS status FROM accounts GROUP BY alias LIMIT 1');
    await until('the models are known', async () => {
      await run();
      return (await stateOf('rows')).columns[0]?.description !== undefined;
    });
    const { columns } = await stateOf('rows');
    assert.equal(columns[1]?.description, undefined);
  });

  test('a query that was edited in the meantime stays unchanged, and the person is informed', async () => {
    const document = await ran('SELECT 1 AS one');
    await replaceAll(document, 'SELECT 2 AS one');
    const shown: string[] = [];
    const original = vscode.window.showErrorMessage;
    Object.assign(vscode.window, {
      showErrorMessage: (message: string) => {
        shown.push(message);
        return Promise.resolve(undefined);
      },
    });
    try {
      await vscode.commands.executeCommand(commands.resultsAddOrderBy, {
        sort: [{ column: 0, descending: false }],
      });
    } finally {
      Object.assign(vscode.window, { showErrorMessage: original });
    }
    assert.equal(document.getText(), 'SELECT 2 AS one');
    assert.match(shown[0] ?? '', /changed after it ran/);
  });
});
