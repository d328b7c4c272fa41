/** *Show Details* on failures, in the notification of a command and in the result of a run. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
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

  test('come after what failed: an export, a record, a job, a collection, the models', async () => {
    assert.equal((await settledConnection()).kind, 'connected');
    const id = '00000000-0000-4000-8000-00000000f411';
    const refused = (status: number) => ({ kind: 'status', status, code: 'INTERNAL_ERROR' }) as const;
    const page = { kind: 'html' } as const;
    const cases = [
      ['/v1/downloads', refused(500), commands.exportsCreate, { context: 'identities' }],
      ['/v1/downloads', refused(403), commands.exportsCreate, { context: 'identities' }],
      ['/v1/downloads', page, commands.exportsCreate, { context: 'identities' }],
      [`/v1/downloads/${id}`, refused(500), commands.exportsOpenById, id],
      [executePath, refused(500), commands.recordOpenById, id],
      [executePath, refused(403), commands.recordOpenById, id],
      [executePath, page, commands.recordOpenById, id],
      [`/v1/action-jobs/${id}`, refused(500), commands.changesOpenJobById, id],
      ['/v1/roles', refused(500), commands.recordsStreamToFile, { collection: 'roles', filter: {} }],
      ['/v1/schema/models', refused(500), commands.modelsRefresh, undefined],
    ] as const;
    const messages = answerMessages('showErrorMessage', () => undefined);
    try {
      for (const [path, always, command, argument] of cases) {
        const before = messages.texts.length;
        await setFaults([{ path, always }]);
        await vscode.commands.executeCommand(command, argument);
        await until(`${command} says that it failed`, () => messages.texts.length > before);
      }
    } finally {
      messages.dispose();
      await setFaults([]);
    }
    const starts = [
      'The export "Identities" could not be created: ',
      'The export "Identities" could not be created: ',
      'The export "Identities" could not be created: ',
      `The export "${id}" could not be opened: `,
      `The record "${id}" could not be opened: `,
      `No role, account role, authenticator enrollment or activity has the global ID "${id}". The other collections could not be searched: look in their lists. `,
      `The record "${id}" could not be opened: `,
      `The job "${id}" could not be read: `,
      'Roles could not be written to a file: ',
      'The models could not be read: ',
    ];
    assert.deepEqual(
      messages.texts.map((text, index) => text.slice(0, starts[index]?.length)),
      starts,
    );
  });

  test('are not shown for foreign arguments', async () => {
    for (const argument of [undefined, null, 'text', {}, { message: 7, reasons: [] }])
      await vscode.commands.executeCommand(commands.failureDetails, argument);
    assert.equal(details(), undefined);
  });
});
