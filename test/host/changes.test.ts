/** Changes in a real editor with a real service: confirmed once, sent at most once, followed to completion. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { collectionTables } from '#api/contract/tables.ts';
import { commands } from '#client/contributions.ts';
import { confirmations, endOfChange as endOf } from './follow-support.ts';
import { run, stateOf } from './run-support.ts';
import {
  answerDialogs,
  answerMessages,
  answerPrompts,
  closeAllEditors,
  connectionName,
  connectionSetting,
  draft,
  openRecord,
  playQuestion,
  requestsTo,
  setFaults,
  until,
  useService,
  withFolder,
} from './support.ts';

const secretVariable = 'IDENTITY_QUERIES_TEST_SECRET';

/** Checks that a confirmation has a single target and that the target was changed. */
async function endsWell(id: string): Promise<void> {
  assert.deepEqual(
    (await endOf(id)).map(({ kind }) => kind),
    ['ended'],
  );
}

suite('changes', () => {
  const { colleague } = useService();
  let dialogs: ReturnType<typeof answerDialogs>;
  setup(() => {
    dialogs = answerDialogs();
  });
  teardown(async () => {
    dialogs.dispose();
    await setFaults([]);
    await closeAllEditors();
  });

  /** Returns enabled accounts that no other test disables. */
  let next = 0;
  async function enabledAccounts(count: number) {
    const accounts = [];
    for await (const account of colleague.accounts.listAll()) if (account.enabled) accounts.push(account);
    next += count;
    return accounts.slice(next - count, next);
  }

  async function isEnabled(globalId: string): Promise<unknown> {
    const page = await colleague.queries.execute({
      query_string: `SELECT enabled FROM ${collectionTables.accounts} WHERE global_id = :id`,
      model: 'platform_identity',
      parameters: { id: globalId },
    });
    return page.rows[0]?.[0];
  }

  test('accounts are disabled after one confirmation that names them, and followed as jobs', async () => {
    const accounts = await enabledAccounts(2);
    const id = await answerPrompts(
      'accept',
      vscode.commands.executeCommand<string>(
        commands.changesDisableAccount,
        accounts.map(({ globalId }) => ({ account: globalId })),
      ),
    );
    assert.equal(dialogs.texts.length, 1);
    for (const { alias } of accounts)
      assert.ok(dialogs.texts[0]?.includes(alias), 'the confirmation names the account');
    assert.match(dialogs.texts[0] ?? '', /its assignments remain/);
    for (const state of await endOf(id)) {
      assert.ok(state.kind === 'ended');
      assert.deepEqual(
        state.job?.targets.map(({ outcome, reflected }) => [outcome, reflected]),
        [['changed', true]],
      );
    }
    for (const { globalId } of accounts) {
      assert.equal(await isEnabled(globalId), false);
      assert.equal((await requestsTo(`/v1/accounts/${globalId}/disable`)).length, 1);
    }
  });

  test('the message of a change says what was done to which account', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    const told = answerMessages('showInformationMessage', () => undefined);
    try {
      await endsWell(
        await vscode.commands.executeCommand<string>(commands.changesDisableAccount, {
          account: account.globalId,
        }),
      );
      await until('it is told', () => told.texts.some((text) => text.startsWith('Account disabled: ')));
      assert.ok(told.texts.join().includes(account.alias), told.texts.join());
    } finally {
      told.dispose();
    }
  });

  test('the choice of a change is not offered for a connection without changes', async () => {
    process.env[secretVariable] = process.env['IDENTITY_QUERIES_CLIENT_SECRET'];
    const configuration = () => vscode.workspace.getConfiguration('identityQueries');
    const set = (value: unknown) =>
      configuration().update('connections', value, vscode.ConfigurationTarget.Global);
    const failure = answerMessages('showErrorMessage', () => undefined);
    const asked: unknown[] = [];
    const played = playQuestion('showQuickPick', (items: readonly unknown[]) => void asked.push(items));
    try {
      await set([connectionSetting('Reading', { secretVariable })]);
      await vscode.commands.executeCommand(commands.connectionConnect, 'Reading');
      await draft('SELECT global_id FROM accounts LIMIT 1');
      await run();
      assert.equal((await stateOf('rows')).rowCount, 1);
      await vscode.commands.executeCommand(commands.changesOfSelection);
      await until('it is said', () => failure.texts.length > 0);
      assert.match(failure.texts.join(), /^Changes are off for Reading\. /);
      assert.deepEqual(asked, []);
    } finally {
      played.dispose();
      failure.dispose();
      await vscode.commands.executeCommand(commands.connectionConnect, connectionName);
      await set(undefined);
    }
  });

  test('what needs the write scope is not offered, with the reason, where the token endpoint refuses it', async () => {
    process.env[secretVariable] = process.env['IDENTITY_QUERIES_CLIENT_SECRET'];
    const configuration = () => vscode.workspace.getConfiguration('identityQueries');
    const set = (value: unknown) =>
      configuration().update('connections', value, vscode.ConfigurationTarget.Global);
    const failure = answerMessages('showErrorMessage', () => undefined);
    const asked: (readonly vscode.QuickPickItem[])[] = [];
    const played = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => {
      asked.push(items);
      return items[1];
    });
    const reason = 'Read-only: the token endpoint refused the write scope. Nothing can be saved or changed.';
    const saved = '/v1/query/saved-queries';
    const refused = async (command: string, ...given: readonly unknown[]) => {
      const before = failure.texts.length;
      await vscode.commands.executeCommand(command, ...given);
      await until(`${command} says it`, () => failure.texts.length > before);
      assert.ok(failure.texts.at(-1)?.startsWith(reason), failure.texts.at(-1));
    };
    try {
      await set([
        connectionSetting('Reader', { secretVariable, clientId: 'sandbox-reader', allowChanges: true }),
      ]);
      await vscode.commands.executeCommand(commands.connectionConnect, 'Reader');
      const document = await draft('SELECT global_id FROM accounts LIMIT 1');
      const before = (await requestsTo(saved)).length;
      await refused(commands.changesMake);
      await refused(commands.changesDisableAccount, { account: 'any' });
      await refused(commands.savedQuerySaveAsNew, { uri: document.uri.toString() });
      await refused(commands.savedQueryRename, { queryId: 'any' });
      assert.equal(asked.length, 0, 'nothing is asked');
      // A draft can still become a file, which comes first.
      await refused(commands.querySaveDraft, { uri: document.uri.toString() });
      assert.deepEqual(
        asked.map((items) => items.map(({ label, detail }) => [label, detail])),
        [
          [
            ['Save as File...', 'On this machine, as .identity.sql'],
            ['Save to "Reader"', reason],
          ],
        ],
      );
      assert.equal((await requestsTo(saved)).length, before, 'nothing is sent');
    } finally {
      played.dispose();
      failure.dispose();
      await vscode.commands.executeCommand(commands.connectionConnect, connectionName);
      await set(undefined);
    }
  });

  test('a change without a response is not sent again: the record shows that it happened', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    const path = `/v1/accounts/${account.globalId}/disable`;
    await setFaults([{ path, script: [{ kind: 'drop-after' }] }]);
    const id = await vscode.commands.executeCommand<string>(commands.changesDisableAccount, {
      account: account.globalId,
    });
    assert.deepEqual(
      (await endOf(id)).map(({ kind }) => kind),
      ['found-changed'],
    );
    assert.equal((await requestsTo(path)).length, 1);
  });

  test('a change without an answer can be checked again, opened and proposed again, and is never sent by itself', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    const path = `/v1/accounts/${account.globalId}/disable`;
    const away = { kind: 'status', status: 503 } as const;
    const target = async () => (await confirmations()).find((one) => one.id === id)?.targets[0]?.state;
    const found = async () => {
      const state = await target();
      return state?.kind === 'unanswered' ? state.found?.kind : undefined;
    };
    await setFaults([
      { path, script: [away] },
      { path: '/v1/query/execute', always: away },
    ]);
    // Names cannot be looked up either, so the account is confirmed by its ID.
    const id = await vscode.commands.executeCommand<string>(commands.changesDisableAccount, {
      account: account.globalId,
    });
    await until('the record could not be read', async () => (await found()) === 'unread');
    await setFaults([]);
    await vscode.commands.executeCommand(commands.changesCheckAgain, { id });
    await until('the record was read', async () => (await found()) === 'unchanged');
    dialogs.dispose();
    const offered: (readonly string[])[] = [];
    dialogs = answerMessages('showWarningMessage', (buttons) => {
      offered.push(buttons);
      return undefined;
    });
    // The outcome is the last reading.
    await vscode.commands.executeCommand(commands.changesStopFollowing, { id });
    const [ended] = await endOf(id);
    assert.equal(ended?.kind, 'found-unchanged');
    await until('it is told', () => offered.length > 0);
    assert.deepEqual(offered, [['Check Again', 'Open Record', 'Show Activity']]);
    assert.ok(dialogs.texts[0]?.startsWith(`Disable Account (${connectionName}`), dialogs.texts[0]);
    assert.ok(dialogs.texts[0]?.includes(account.globalId), dialogs.texts[0]);
    assert.match(
      dialogs.texts[0] ?? '',
      /The response was error 503, and the record does not show the change/,
    );
    await vscode.commands.executeCommand(commands.changesCheckAgain, id);
    await until('it was checked again', async () => {
      const state = await target();
      return state?.kind === 'found-unchanged' && state.at > ended.at;
    });
    await vscode.commands.executeCommand(commands.changesOpenRecord, id);
    assert.ok(vscode.window.activeTextEditor?.document.getText().includes(account.globalId));
    assert.equal((await requestsTo(path)).length, 1);
    dialogs.dispose();
    dialogs = answerDialogs();
    await endsWell(await vscode.commands.executeCommand<string>(commands.changesRepeat, { id, index: 0 }));
    assert.equal(dialogs.texts.length, 1, 'a person is asked again');
    assert.equal((await requestsTo(path)).length, 2);
    assert.equal(await isEnabled(account.globalId), false);
  });

  test('a token without the write scope is refused with a reason', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    await setFaults([
      { path: '/v1/accounts/*', method: 'POST', always: { kind: 'status', status: 403, code: 'FORBIDDEN' } },
    ]);
    const id = await vscode.commands.executeCommand<string>(commands.changesDisableAccount, {
      account: account.globalId,
    });
    const [state] = await endOf(id);
    assert.ok(state?.kind === 'refused');
    assert.match(state.reason, /write scope/);
    await until('a warning tells it', () =>
      dialogs.texts.some((text) => /Refused: .*write scope/.test(text)),
    );
    assert.equal(await isEnabled(account.globalId), true);
  });

  test('a rate limit is waited out', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    await setFaults([
      {
        path: `/v1/accounts/${account.globalId}/disable`,
        always: { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '1' },
      },
    ]);
    const id = await vscode.commands.executeCommand<string>(commands.changesDisableAccount, {
      account: account.globalId,
    });
    await until('when it goes on is known', async () => {
      const state = (await confirmations()).find((one) => one.id === id)?.targets[0]?.state;
      return state?.kind === 'waiting' && state.until !== undefined;
    });
    await setFaults([]);
    await endsWell(id);
  });

  test('an open record is read again after a change to it', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    const document = await openRecord(account.globalId);
    assert.match(document.getText(), /enabled:\s+true/);
    await vscode.commands.executeCommand(commands.changesDisableAccount, { account: account.globalId });
    await until('the record shows the change', () => /enabled:\s+false/.test(document.getText()));
  });

  test("an account's and a group's access to an application is removed", async () => {
    const own = [];
    for await (const assignment of colleague.accessAssignments.listAll())
      if (assignment.assignedObjectType === 'AssignedApplication') own.push(assignment);
    const account = own.find(({ entityType }) => entityType === 'Account');
    assert.ok(account);
    const id = await vscode.commands.executeCommand<string>(commands.changesRemoveAccountAccess, {
      application: account.globalAssignedObjectId,
      account: account.globalEntityId,
    });
    assert.match(dialogs.texts[0] ?? '', /through a group remains/);
    await endsWell(id);
    const group = own.find(({ entityType }) => entityType === 'UserGroup');
    assert.ok(group);
    const second = await vscode.commands.executeCommand<string>(commands.changesRemoveGroupAccess, {
      application: group.globalAssignedObjectId,
      group: group.globalEntityId,
    });
    assert.match(dialogs.texts[1] ?? '', /All members lose the access/);
    await endsWell(second);
  });

  test('memberships are asserted and ended', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    const page = await colleague.queries.execute({
      query_string:
        "SELECT global_entity_id FROM entity_assigned_access_to_object WHERE entity_type <> 'Account' LIMIT 1",
      model: 'platform_identity',
    });
    const group = page.rows[0]?.[0];
    assert.ok(typeof group === 'string');
    for (const command of [commands.changesAddMember, commands.changesRemoveMember]) {
      const id: string = await vscode.commands.executeCommand<string>(command, {
        group,
        account: account.globalId,
      });
      await endsWell(id);
    }
  });

  test('a record offers the changes that its kind allows, with its own ID', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    await openRecord(account.globalId);
    const id = await answerPrompts(
      'accept',
      vscode.commands.executeCommand<string>(commands.changesOfRecord),
    );
    assert.ok(dialogs.texts[0]?.includes(account.alias));
    await endsWell(id);
    assert.equal(await isEnabled(account.globalId), false);
  });

  test('selected rows with one ID column of accounts are changed without a question about the column', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    await draft(`SELECT alias, global_id FROM accounts WHERE global_id = '${account.globalId}'`);
    await run();
    assert.equal((await stateOf('rows')).rowCount, 1);
    const titles: (string | undefined)[] = [];
    const played = playQuestion('showQuickPick', (items: readonly unknown[], options: { title?: string }) => {
      titles.push(options.title);
      return items[0];
    });
    try {
      const id = await vscode.commands.executeCommand<string>(commands.changesOfSelection);
      assert.deepEqual(titles, ['Change Selected Records: 1 row']);
      assert.ok(dialogs.texts[0]?.includes(account.alias));
      await endsWell(id);
    } finally {
      played.dispose();
    }
    assert.equal(await isEnabled(account.globalId), false);
  });

  test('of many columns, the own ID of the table of accounts is taken and named; two of them are asked about', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    const titles: (string | undefined)[] = [];
    const played = playQuestion('showQuickPick', (items: readonly unknown[], options: { title?: string }) => {
      titles.push(options.title);
      return titles.length === 1 ? items[0] : undefined;
    });
    const change = async (sql: string) => {
      titles.length = 0;
      await draft(sql);
      await run();
      await until('the rows are there', async () => (await stateOf('rows')).rowCount === 1);
      return await vscode.commands.executeCommand<string | undefined>(commands.changesOfSelection);
    };
    try {
      await change(
        `SELECT a.*, b.global_id AS other FROM accounts a JOIN accounts b USING (global_id) WHERE a.global_id = '${account.globalId}'`,
      );
      assert.deepEqual(titles, ['Change Selected Records: 1 row', 'Disable Account']);
      const id = await change(`SELECT * FROM accounts WHERE global_id = '${account.globalId}'`);
      assert.deepEqual(titles, ['Change Selected Records: 1 row']);
      assert.match(dialogs.texts[0] ?? '', /The ID is from the column "global_id"\./);
      assert.ok(dialogs.texts[0]?.includes(account.alias));
      await endsWell(id ?? '');
    } finally {
      played.dispose();
    }
    assert.equal(await isEnabled(account.globalId), false);
  });

  test('a change from the palette offers the selected row if that is such a record', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    const asked: string[][] = [];
    const played = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => {
      asked.push(items.map(({ label }) => label));
      return items[0];
    });
    const rows = async (sql: string) => {
      asked.length = 0;
      await draft(sql);
      await run();
      await until('the rows are there', async () => (await stateOf('rows')).rowCount === 1);
    };
    const change = () => vscode.commands.executeCommand<string | undefined>(commands.changesDisableAccount);
    try {
      await rows(`SELECT alias, global_id FROM accounts WHERE global_id = '${account.globalId}'`);
      const id = await change();
      assert.deepEqual(asked, [['Selected: 1 row', 'Another ID...']]);
      assert.match(dialogs.texts[0] ?? '', /The ID is from the column "global_id"\./);
      assert.ok(dialogs.texts[0]?.includes(account.alias));
      await endsWell(id ?? '');
      await rows('SELECT global_id, name FROM roles LIMIT 1');
      assert.equal(await answerPrompts('escape', change()), undefined);
      assert.deepEqual(asked, []);
    } finally {
      played.dispose();
    }
    assert.equal(await isEnabled(account.globalId), false);
  });

  test('for selected accounts, what needs other records comes last', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    await draft(`SELECT global_id FROM accounts WHERE global_id = '${account.globalId}'`);
    await run();
    assert.equal((await stateOf('rows')).rowCount, 1);
    const asked: string[][] = [];
    const played = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => {
      asked.push(items.map(({ label }) => label));
      return asked.length === 1 ? items.at(-1) : undefined;
    });
    try {
      await vscode.commands.executeCommand(commands.changesOfSelection);
    } finally {
      played.dispose();
    }
    const [changes = [], columns] = asked;
    assert.deepEqual(changes.slice(0, 2), ['Disable Account', "Remove Account's Access to Application"]);
    assert.equal(changes.at(-1), "Remove Group's Access to Application");
    // The question for the application.
    assert.deepEqual(columns, ['Another ID, the same for all rows...', 'global_id']);
  });

  test('the record of an access assignment offers to remove the access that it represents', async () => {
    let assignment;
    for await (const one of colleague.accessAssignments.listAll()) {
      if (one.assignedObjectType === 'AssignedApplication' && one.entityType === 'Account') assignment = one;
    }
    assert.ok(assignment);
    await openRecord(assignment.globalId);
    const id = await answerPrompts(
      'accept',
      vscode.commands.executeCommand<string>(commands.changesOfRecord),
    );
    const [confirmation] = (await confirmations()).filter((one) => one.id === id);
    assert.deepEqual(confirmation?.targets[0]?.operation, {
      kind: 'remove-account-access',
      application: assignment.globalAssignedObjectId,
      account: assignment.globalEntityId,
    });
    await endOf(id);
  });

  test('a service without memberships is not offered membership commands', async () => {
    await setFaults([{ path: '/v1/groups/*', always: { kind: 'status', status: 405 } }]);
    const [account] = await enabledAccounts(1);
    const page = await colleague.queries.execute({
      query_string:
        "SELECT global_entity_id FROM entity_assigned_access_to_object WHERE entity_type <> 'Account' LIMIT 1",
      model: 'platform_identity',
    });
    assert.ok(account);
    const id = await vscode.commands.executeCommand<string>(commands.changesAddMember, {
      group: page.rows[0]?.[0],
      account: account.globalId,
    });
    const [state] = await endOf(id);
    assert.ok(state?.kind === 'refused');
    await openRecord(account.globalId);
    const offered: string[] = [];
    const played = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => {
      offered.push(...items.map(({ label }) => label));
    });
    try {
      await until('memberships are not offered', async () => {
        offered.length = 0;
        await vscode.commands.executeCommand(commands.changesOfRecord);
        return offered.length === 2;
      });
    } finally {
      played.dispose();
    }
    assert.deepEqual(offered, ['Disable Account', "Remove Account's Access to Application"]);
  });

  test('a job is looked up by its ID, its ID is copied, and following it can be stopped', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    // The response for a job that never finishes.
    const running = { status: 'running', targets: [], createdAt: '2026-01-01T00:00:00Z', jobId: 'j' };
    await setFaults([{ path: '/v1/action-jobs/*', always: { kind: 'body', body: running } }]);
    const id = await answerPrompts(
      'accept',
      vscode.commands.executeCommand<string>(commands.changesDisableAccount, { account: account.globalId }),
    );
    const stateOf = async () => (await confirmations()).find((one) => one.id === id)?.targets[0]?.state;
    await until('the job was looked at', async () => {
      const state = await stateOf();
      return state?.kind === 'accepted' && state.job !== undefined;
    });
    const followed = await stateOf();
    assert.ok(followed?.kind === 'accepted');
    for (const argument of [{ id }, { kind: 'target', id, index: 0 }]) {
      await vscode.env.clipboard.writeText('');
      await vscode.commands.executeCommand(commands.activityCopyId, argument);
      assert.equal(await vscode.env.clipboard.readText(), followed.jobId);
    }
    await vscode.commands.executeCommand(commands.changesStopFollowing, { id });
    const [ended] = await endOf(id);
    assert.ok(ended?.kind === 'ended');
    assert.match(ended.problem ?? '', /no longer followed/);
    await setFaults([]);
    await vscode.commands.executeCommand(commands.changesOpenJobById, ` ${followed.jobId} `);
    const shown: unknown = JSON.parse(vscode.window.activeTextEditor?.document.getText() ?? '');
    assert.equal(Reflect.get(Object(shown), 'jobId'), followed.jobId);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('waiting changes are stopped, their audit record is exported, and finished ones can be cleared', async () => {
    const [account] = await enabledAccounts(1);
    assert.ok(account);
    await setFaults([
      {
        path: `/v1/accounts/${account.globalId}/disable`,
        always: { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '1' },
      },
    ]);
    const id = await vscode.commands.executeCommand<string>(commands.changesDisableAccount, {
      account: account.globalId,
    });
    await until('it waits', async () =>
      (await confirmations()).some((one) => one.id === id && one.targets[0]?.state.kind === 'waiting'),
    );
    await vscode.commands.executeCommand(commands.changesStop, { id });
    assert.deepEqual(
      (await endOf(id)).map(({ kind }) => kind),
      ['not-sent'],
    );
    await withFolder(async (folder) => {
      for (const name of ['audit.json', 'audit.md']) {
        const uri = vscode.Uri.file(path.join(folder, name));
        await vscode.commands.executeCommand(commands.changesExport, { id, uri });
        assert.match(await readFile(uri.fsPath, 'utf8'), new RegExp(account.globalId));
      }
    });
    await vscode.commands.executeCommand(commands.changesClear);
    assert.match(dialogs.texts.at(-1) ?? '', /^Clear .*finished change.*audit record/s);
    assert.deepEqual(await confirmations(), []);
    const failed = answerMessages('showErrorMessage', () => undefined);
    await vscode.commands.executeCommand(commands.changesClear);
    failed.dispose();
    assert.deepEqual(failed.texts, ['There are no finished changes to clear.']);
  });
});
