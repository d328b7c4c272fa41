/** Controls in the Testing view, in a real editor on a real service. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../client/src/contributions.ts';
import { createQuery, requestsTo, until, useService } from './support.ts';

const executions = async () => (await requestsTo('/v1/query/execute')).length;

suite('controls', () => {
  const { colleague } = useService();

  test('a saved query that is a control is found in the Testing view, and runs there', async () => {
    const text = [
      '-- @control HOST-1 Found in the view',
      '-- @expect no rows',
      'SELECT 1 AS found WHERE false',
    ].join('\n');
    const query = await createQuery(colleague, text);
    try {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      const before = await executions();
      // The view finds it a moment after the list is read.
      await until('the control ran', async () => {
        await vscode.commands.executeCommand('testing.runAll');
        return (await executions()) > before;
      });
      assert.ok((await executions()) > before);
    } finally {
      await colleague.savedQueries.delete(query.query_id);
    }
  });
});
