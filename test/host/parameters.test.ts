/** Parameters in a real editor with a real service: the form, remembered values, and value sets for a group of runs. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { current, executePath, run, runProblems, stateOf, withSettings } from './run-support.ts';
import {
  connectionName,
  connectionSetting,
  draft,
  requestsTo,
  settledConnection,
  until,
  useService,
} from './support.ts';

const submit = (values: Readonly<Record<string, string | null>>) =>
  vscode.commands.executeCommand(commands.parametersSubmit, values);

/** Returns the parameters in the current result's header. */
async function shownValues(): Promise<Record<string, string | null>> {
  const header = (await current())?.header;
  return Object.fromEntries(
    (header?.parameters ?? []).map(({ name, text, isNull }) => [name, isNull ? null : text]),
  );
}

suite('parameters', () => {
  const { colleague, edit } = useService();

  const fieldsOf = async () => (await stateOf('parameters')).fields;
  const texts = async () => (await fieldsOf()).map((field) => [field.name, field.text]);

  test('types come from the column that a parameter is compared with, and so do known values', async () => {
    await edit('SELECT alias FROM accounts WHERE enabled = :enabled AND type IN (:types) AND alias = :alias');
    await until('the columns are known', async () => {
      await run();
      return (await fieldsOf())[0]?.type === 'boolean';
    });
    const fields = await fieldsOf();
    assert.deepEqual(
      fields.map(({ name, control, typeFrom, comparedWith }) => [name, control, typeFrom, comparedWith]),
      [
        ['enabled', 'boolean', 'compared', 'accounts.enabled'],
        ['types', 'list', 'compared', 'accounts.type'],
        ['alias', 'text', 'compared', 'accounts.alias'],
      ],
    );
    const asked = () => requestsTo(executePath);
    const data = await colleague.queries.execute({
      query_string: 'SELECT DISTINCT type FROM accounts ORDER BY type',
      model: 'platform_identity',
    });
    const types = data.rows.flat();
    assert.ok(types.length > 1);
    const areOffered = async () => isDeepStrictEqual((await fieldsOf())[1]?.choices, types);
    await until('the values of the data are offered', areOffered);
    const before = (await asked()).length;
    await vscode.commands.executeCommand(commands.runCancel);
    await run();
    await until('they are offered again', areOffered);
    assert.equal((await asked()).length, before, 'the service is asked once');
    await submit({ enabled: 'true', types: 'User', alias: 'nobody' });
    assert.equal((await stateOf('rows')).rowCount, 0);
  });

  test('problems are shown beside their fields, and nothing is sent', async () => {
    await edit('-- @param n int4\nSELECT :n AS n, :t AS t');
    const before = (await requestsTo(executePath)).length;
    await run();
    await fieldsOf();
    await submit({ n: 'many' });
    await until('the problems are shown', async () =>
      (await fieldsOf()).every((field) => field.problem !== undefined),
    );
    assert.deepEqual(
      (await fieldsOf()).map((field) => field.text),
      ['many', ''],
    );
    assert.equal((await requestsTo(executePath)).length, before);
    await submit({ n: '7', t: '' });
    await stateOf('rows');
    assert.deepEqual(await shownValues(), { n: '7', t: '' });
  });

  test('cancelling the form shows the earlier rows again', async () => {
    await withSettings({ 'results.pageSize': 100 }, async () => {
      await edit('SELECT n, :name AS name FROM generate_series(1, 250) n');
      await run();
      await fieldsOf();
      await submit({ name: 'mara' });
      await stateOf('rows');
      await run();
      await fieldsOf();
      await vscode.commands.executeCommand(commands.runCancel);
      const rows = await stateOf('rows');
      assert.deepEqual([rows.rowCount, rows.extent], [100, 'more']);
      assert.deepEqual(await shownValues(), { name: 'mara' });
      await vscode.commands.executeCommand(commands.runAgain);
      await until('the same values are sent again', async () => {
        const view = await current();
        return view?.state.kind === 'rows' && view.state.finishedAt > rows.finishedAt;
      });
      assert.deepEqual(await shownValues(), { name: 'mara' });
      // Without earlier rows, the form ends with a message.
      await edit('SELECT :other AS other');
      await run();
      await fieldsOf();
      await vscode.commands.executeCommand(commands.runCancel);
      assert.equal((await stateOf('cancelled')).elapsedMs, 0);
    });
  });

  test('a cancelled form opens again with its input, and runs only when it is submitted', async () => {
    await edit('-- @param name text = mara\n-- @param n int4 = 7\nSELECT :name AS name, :n AS n');
    const before = (await requestsTo(executePath)).length;
    await run();
    await fieldsOf();
    await vscode.commands.executeCommand(commands.runCancel);
    await stateOf('cancelled');
    await vscode.commands.executeCommand(commands.runAgain);
    await fieldsOf();
    await submit({ name: 'Fin', n: 'many' });
    // However often it is cancelled.
    await until('the problem is shown', async () =>
      (await fieldsOf()).some((field) => field.problem !== undefined),
    );
    await vscode.commands.executeCommand(commands.runCancel);
    await stateOf('cancelled');
    await vscode.commands.executeCommand(commands.runAgain);
    assert.deepEqual(await texts(), [
      ['name', 'Fin'],
      ['n', 'many'],
    ]);
    assert.equal((await requestsTo(executePath)).length, before);
    await submit({ name: 'Finance', n: '8' });
    await stateOf('rows');
    await vscode.commands.executeCommand(commands.runAgain);
    await until('it was sent again', async () => (await requestsTo(executePath)).length === before + 2);
    assert.deepEqual(await shownValues(), { name: 'Finance', n: '8' });
  });

  test('values are remembered for the query, offered again, and forgotten on request', async () => {
    await edit('SELECT :name AS name');
    await run();
    await fieldsOf();
    await submit({ name: 'mara' });
    await stateOf('rows');
    await run();
    assert.deepEqual(await texts(), [['name', 'mara']]);
    await submit({ name: null });
    await stateOf('rows');
    await run();
    assert.equal((await fieldsOf())[0]?.isNull, true);
    assert.deepEqual((await fieldsOf())[0]?.recent, ['mara']);
    await vscode.commands.executeCommand(commands.parametersForgetQuery);
    await run();
    assert.deepEqual(await texts(), [['name', '']]);
    await submit({ name: 'noah' });
    await stateOf('rows');
    await vscode.commands.executeCommand(commands.parametersForget);
    await run();
    assert.deepEqual(await texts(), [['name', '']]);
  });

  test('a setting prevents storing them', async () => {
    await withSettings({ 'run.rememberParameters': false }, async () => {
      await edit('SELECT :name AS name');
      await run();
      await fieldsOf();
      await submit({ name: 'mara' });
      await stateOf('rows');
      await run();
      assert.deepEqual((await fieldsOf())[0]?.recent, []);
      assert.deepEqual(await texts(), [['name', '']]);
    });
  });

  test('the form opens only if needed: a run uses the last values, and another command edits them', async () => {
    await withSettings({ 'run.askParameters': 'whenNeeded' }, async () => {
      const { document } = await edit('-- @param day date = today\nSELECT :day::date AS day, :name AS name');
      await run();
      await fieldsOf();
      await submit({ name: 'mara' });
      await stateOf('rows');
      const before = (await requestsTo(executePath)).length;
      await run();
      await until('it was sent', async () => (await requestsTo(executePath)).length === before + 1);
      await stateOf('rows');
      await vscode.commands.executeCommand(commands.parametersEdit, document.uri, { line: 1, character: 0 });
      assert.deepEqual(await texts(), [
        ['day', 'today'],
        ['name', 'mara'],
      ]);
      await vscode.commands.executeCommand(commands.parametersEdit, document.uri.toString(), {
        line: 1,
        character: 0,
      });
      await fieldsOf();
    });
  });

  test('running a selection asks only for its parameters', async () => {
    const editor = await edit('SELECT :a AS a, (SELECT :b) AS b');
    editor.selection = new vscode.Selection(0, 17, 0, 26);
    await run();
    assert.deepEqual(
      (await fieldsOf()).map((field) => field.name),
      ['b'],
    );
  });

  test('values written into the text give the same rows, and errors at the right positions', async () => {
    const connection = connectionSetting('Literals', {
      secretVariable: 'IDENTITY_QUERIES_CLIENT_SECRET',
      execute: { values: 'literals' },
    });
    await withSettings({ connections: [connection] }, async () => {
      await vscode.commands.executeCommand(commands.connectionConnect, 'Literals');
      assert.equal((await settledConnection()).kind, 'connected');
      const document = await draft("SELECT :a AS a, 'x' IN (:list) AS found");
      await run();
      await fieldsOf();
      await submit({ a: "it's \\ --", list: 'x\ny' });
      assert.deepEqual(
        (await stateOf('rows')).columns.map((column) => column.name),
        ['a', 'found'],
      );
      const edited = new vscode.WorkspaceEdit();
      edited.replace(document.uri, new vscode.Range(0, 0, 1, 0), 'SELECT :a AS a FROM no_such');
      await vscode.workspace.applyEdit(edited);
      await run();
      await fieldsOf();
      await submit({ a: 'much longer than its name' });
      const { failure } = await stateOf('failed');
      assert.deepEqual(failure.place, { line: 1, column: 21 });
      assert.deepEqual(
        runProblems(document).map((one) => document.getText(one.range)),
        ['no_such'],
      );
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await vscode.commands.executeCommand(commands.runGoToError);
      await until(
        'the cursor is there',
        () => vscode.window.activeTextEditor?.selection.active.character === 20,
      );
    });
    await vscode.commands.executeCommand(commands.connectionConnect, connectionName);
    await settledConnection();
  });

  test('a secret is neither shown nor remembered', async () => {
    await edit('-- @param pin secret\nSELECT length(:pin) AS n');
    await run();
    assert.equal((await fieldsOf())[0]?.isSecret, true);
    await submit({ pin: '1234' });
    await stateOf('rows');
    assert.deepEqual(await shownValues(), { pin: '' });
    await run();
    assert.deepEqual((await fieldsOf())[0]?.recent, []);
  });

  test('a draft offers its values again while it is open', async () => {
    await draft('SELECT :x AS x');
    await run();
    await fieldsOf();
    await submit({ x: '1' });
    await stateOf('rows');
    await run();
    assert.deepEqual(await texts(), [['x', '1']]);
  });
});
