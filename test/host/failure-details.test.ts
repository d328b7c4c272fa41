/** *Show Details* on failures, in the notification of a command and in the result of a run. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../client/src/contributions.ts';
import { executePath, run, stateOf } from './run-support.ts';
import { answerMessages, createQuery, setFaults, settledConnection, until, useService } from './support.ts';

const details = () =>
  vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'identity-queries-error');

async function shownDetails(told: readonly string[] = []): Promise<vscode.TextDocument> {
  await until(
    () => `the details are shown; told: ${told.join('; ')}`,
    () => details() !== undefined,
  );
  return details()?.document ?? assert.fail();
}

suite('details of an error', () => {
  const { colleague, edit } = useService();

  test('are offered by a failed command as a read-only text with all known facts', async () => {
    assert.equal((await settledConnection()).kind, 'connected');
    const query = await createQuery(colleague);
    const path = `/v1/query/saved-queries/${query.query_id}`;
    await setFaults([{ method: 'PUT', path, always: { kind: 'status', status: 403, code: 'FORBIDDEN' } }]);
    const offered: (readonly string[])[] = [];
    const messages = answerMessages('showErrorMessage', (buttons) => {
      offered.push(buttons);
      return buttons.find((button) => button === 'Show Details');
    });
    try {
      await vscode.commands.executeCommand(commands.savedQueryRename, {
        queryId: query.query_id,
        name: `Details ${crypto.randomUUID()}`,
      });
      const document = await shownDetails(messages.texts);
      assert.deepEqual(offered, [['Try Again', 'Test Connection', 'Show Details']]);
      const text = document.getText();
      for (const fact of [
        /^Code: +FORBIDDEN$/m,
        /^Status: +403$/m,
        /^Request ID: +\S+$/m,
        /^Service: +http/m,
      ])
        assert.match(text, fact);
      assert.ok(text.includes(`PUT ${path}\n`), text);
      assert.equal(document.isDirty, false);
    } finally {
      messages.dispose();
    }
  });

  test('are offered by a failed run, without its SQL and values', async () => {
    await setFaults([{ path: executePath, always: { kind: 'status', status: 500, code: 'INTERNAL_ERROR' } }]);
    await edit("SELECT 'needle-text' AS found");
    await run();
    const { failure } = await stateOf('failed');
    await vscode.commands.executeCommand(commands.failureDetails, failure.details);
    const text = (await shownDetails()).getText();
    assert.match(text, /^Code: +INTERNAL_ERROR$/m);
    assert.match(text, /^Request: +POST \/v1\/query\/execute$/m);
    assert.doesNotMatch(text, /needle|SELECT/);
  });

  test('are not shown for foreign arguments', async () => {
    for (const argument of [undefined, null, 'text', {}, { message: 7, reasons: [] }])
      await vscode.commands.executeCommand(commands.failureDetails, argument);
    assert.equal(details(), undefined);
  });
});
