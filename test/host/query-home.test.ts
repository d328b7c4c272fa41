/** A saved query of one connection runs on another one only after the user has said so, and its rows say so. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import type { Evidence } from '#core/evidence/evidence.ts';
import { configure, current, run, stateOf } from './run-support.ts';
import {
  connectionName,
  connectionSetting,
  createQuery,
  open,
  settledConnection,
  until,
  useService,
} from './support.ts';

const elsewhere = 'Staging';
const secretVariable = 'IDENTITY_QUERIES_TEST_SECRET';

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

  test('on its own connection, a query runs without a question, and its rows name only that', async () => {
    const other = await createQuery(colleague, `SELECT 2 AS two -- ${crypto.randomUUID()}`);
    await open(other);
    await run();
    await stateOf('rows');
    const header = (await current())?.header;
    assert.deepEqual([header?.home, header?.connection], [undefined, connectionName]);
  });
});
