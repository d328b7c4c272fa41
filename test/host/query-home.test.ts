/** A saved query of one connection runs on another one only after the user has said so, and its rows say so. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { Evidence } from '#core/evidence/evidence.ts';
import { configure, current, executePath, run, stateOf } from './run-support.ts';
import {
  answerMessages,
  answerPrompts,
  connectionName,
  connectionSetting,
  createQuery,
  draft,
  open,
  playQuestion,
  requestsTo,
  settledConnection,
  until,
  useService,
} from './support.ts';

const elsewhere = 'Staging';
const secretVariable = 'IDENTITY_QUERIES_TEST_SECRET';
const digestKey = 'IDENTITY_QUERIES_DIGEST_KEY';

suite('the connection of a query', () => {
  const { colleague } = useService();
  const connect = (name: string) => vscode.commands.executeCommand(commands.connectionConnect, name);

  setup(async () => {
    process.env[secretVariable] = process.env['IDENTITY_QUERIES_CLIENT_SECRET'] ?? '';
    const { authUrl } = connectionSetting(elsewhere);
    await configure('connections', [
      connectionSetting(elsewhere, {
        authUrl: authUrl.replace('127.0.0.1', 'localhost'),
        secretVariable,
        allowChanges: true,
      }),
    ]);
  });
  teardown(async () => {
    await configure('connections', undefined);
    await connect(connectionName);
    assert.equal((await settledConnection()).kind, 'connected');
  });

  const openAndLeave = async () => {
    await connect(connectionName);
    await settledConnection();
    const query = await createQuery(colleague, `SELECT 1 AS one -- ${crypto.randomUUID()}`);
    await open(query);
    await connect(elsewhere);
    await until('the other connection is there', async () => (await settledConnection()).name === elsewhere);
    return query;
  };

  test('a run of the history asks before it is repeated on another connection', async () => {
    await connect(connectionName);
    await settledConnection();
    await draft(`SELECT 3 AS three -- ${crypto.randomUUID()}`);
    await run();
    await stateOf('rows');
    // The result's page may take the focus once more, which closes a list that is just opening.
    await until('the run is shown', async () => {
      await answerPrompts('accept', vscode.commands.executeCommand(commands.historyShow));
      return vscode.window.activeTextEditor?.document.uri.scheme === 'identity-query-run';
    });
    await connect(elsewhere);
    await until('the other connection is there', async () => (await settledConnection()).name === elsewhere);
    await run();
    const question = await stateOf('question');
    assert.match(
      question.failure.message,
      new RegExp(`belongs to ${connectionName}.*connected to ${elsewhere}`),
    );
    // Requests cannot be counted, as connecting reads the models by queries. A run that was sent would show its rows.
    assert.equal((await current())?.state.kind, 'question');
    await connect(connectionName);
    await until('it is back', async () => (await settledConnection()).name === connectionName);
    await run();
    await stateOf('rows');
  });

  test('running elsewhere asks once for that pair, and the rows, evidence and history name both', async () => {
    await openAndLeave();
    await run();
    const question = await stateOf('question');
    assert.equal(question.reason, 'elsewhere');
    assert.match(
      question.failure.message,
      new RegExp(`belongs to ${connectionName}.*connected to ${elsewhere}`),
    );
    assert.equal(question.failure.nextStep?.title, `Connect to ${connectionName} and Run`);

    await vscode.commands.executeCommand(commands.runAnyway);
    await stateOf('rows');
    const header = (await current())?.header;
    assert.deepEqual([header?.home, header?.connection], [connectionName, elsewhere]);
    assert.deepEqual(header?.facts, [{ label: 'Text of', text: `${connectionName} v1` }]);
    const evidence = await vscode.commands.executeCommand<Evidence>(commands.resultsCopyEvidence);
    assert.deepEqual([evidence.query.connection, evidence.connection.name], [connectionName, elsewhere]);

    // The pair is settled, for other queries of that connection, too.
    await openAndLeave();
    await run();
    await stateOf('rows');
  });

  test('after a deliberate stop, a run offers the connection of its query', async () => {
    await connect(connectionName);
    await settledConnection();
    await open(await createQuery(colleague, `SELECT 4 AS four -- ${crypto.randomUUID()}`));
    await vscode.commands.executeCommand(commands.connectionDisconnect);
    await run();
    assert.equal((await stateOf('disconnected')).remedy, `Connect to ${connectionName} and Run`);
  });

  test('rows of one connection open and change no record of another one', async () => {
    const [account] = (await colleague.accounts.list({ pageSize: 1 })).items;
    assert.ok(account);
    await connect(connectionName);
    await settledConnection();
    await draft(`SELECT '${account.globalId}' AS global_id`);
    await run();
    await stateOf('rows');
    await connect(elsewhere);
    await until('the other connection is there', async () => (await settledConnection()).name === elsewhere);
    const asked: unknown[] = [];
    const picks = playQuestion('showQuickPick', (items: unknown) => void asked.push(items));
    const failed = answerMessages('showErrorMessage', (buttons, message) => {
      asked.push(...buttons.filter((button) => button === `Connect to ${connectionName}`));
      return void message;
    });
    try {
      for (const command of [
        commands.recordOpenSelected,
        commands.changesOfSelection,
        commands.changesDisableAccount,
      ])
        await vscode.commands.executeCommand(command);
    } finally {
      picks.dispose();
      failed.dispose();
    }
    const connects = `Connect to ${connectionName}`;
    assert.deepEqual(asked, [connects, connects, connects]);
    for (const text of failed.texts)
      assert.match(text, new RegExp(`rows come from ${connectionName}.*connected to ${elsewhere}`));
  });

  test('a control of another connection has no outcome', async () => {
    await connect(connectionName);
    await settledConnection();
    const text = '-- @control HOME-1 Of one connection\n-- @key one\n-- @expect no rows\nSELECT 1 AS one';
    const document = await open(await createQuery(colleague, text));
    await connect(elsewhere);
    await until('the other connection is there', async () => (await settledConnection()).name === elsewhere);
    process.env[digestKey] = 'a key for the tests of the host';
    const failed = answerMessages('showErrorMessage', () => undefined);
    const sent = (await requestsTo(executePath)).length;
    try {
      await vscode.commands.executeCommand(commands.controlWaiveRow, document.uri);
    } finally {
      failed.dispose();
      Reflect.deleteProperty(process.env, digestKey);
    }
    assert.match(failed.texts.join('\n'), new RegExp(`^This control belongs to ${connectionName}`));
    assert.equal((await requestsTo(executePath)).length, sent);
  });

  test('on its own connection, a query says so and runs without a question, and its rows name only that', async () => {
    const other = await createQuery(colleague, `SELECT 2 AS two -- ${crypto.randomUUID()}`);
    const document = await open(other);
    const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    const lens = lenses.find(({ command }) => command?.command === commands.querySelectModel);
    assert.ok(lens?.command?.title.endsWith(` · ${connectionName}`), lens?.command?.title);
    await run();
    await stateOf('rows');
    const header = (await current())?.header;
    assert.deepEqual([header?.home, header?.connection], [undefined, connectionName]);
  });
});
