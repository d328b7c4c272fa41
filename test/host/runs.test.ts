/** Running queries in a real editor with a real service: requests, results, and locations of errors. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { codeOf } from '#client/features/language/code-of.ts';
import { configure, current, executePath, run, runProblems, stateOf } from './run-support.ts';
import {
  answerMessages,
  connectionName,
  createQuery,
  open,
  playQuestion,
  replaceAll,
  requestsTo,
  setFaults,
  until,
  useService,
} from './support.ts';

suite('runs', () => {
  const { colleague, edit } = useService();

  test('a saved query runs in one request, and the result shows its name and version', async () => {
    const query = await createQuery(colleague, 'SELECT 9007199254740993::int8 AS big, NULL AS nothing');
    await open(query);
    const before = (await requestsTo(executePath)).length;
    await run();
    const state = await stateOf('rows');
    assert.equal(state.rowCount, 1);
    assert.equal(state.extent, 'complete');
    assert.deepEqual(
      state.columns.map((column) => [column.name, column.type, column.kind]),
      [
        ['big', 'int8', 'number'],
        ['nothing', 'text', 'text'],
      ],
    );
    const view = await current();
    assert.equal(view?.header.title, query.name);
    assert.equal(view.header.version, 1);
    assert.equal(view.header.model, 'platform_identity');
    assert.equal((await requestsTo(executePath)).length, before + 1);
  });

  test('the statement at the cursor runs, or the selected text', async () => {
    const editor = await edit('SELECT 1 AS one;\n\nSELECT 2 AS two,\n  3 AS three;\n');
    editor.selection = new vscode.Selection(3, 2, 3, 2);
    await run();
    assert.deepEqual(
      (await stateOf('rows')).columns.map((column) => column.name),
      ['two', 'three'],
    );
    assert.deepEqual((await current())?.header.lines, { first: 3, last: 4 });
    editor.selection = new vscode.Selection(0, 0, 0, 15);
    await run();
    await until('the selection was run', async () => {
      const state = (await current())?.state;
      return state?.kind === 'rows' && state.columns[0]?.name === 'one';
    });
    editor.selection = new vscode.Selection(0, 0, 3, 13);
    await run();
    assert.match((await stateOf('failed')).failure.message, /2 statements/);
  });

  test('the editor keeps the focus', async () => {
    const editor = await edit('SELECT 1 AS one');
    await run();
    await stateOf('rows');
    await vscode.commands.executeCommand('type', { text: '-- typed on\n' });
    assert.match(editor.document.getText(), /typed on/);
  });

  test('the first page is loaded immediately, and the rest on request', async () => {
    await configure('results.pageSize', 100);
    try {
      await edit('SELECT generate_series(1, 250) AS n');
      await run();
      const state = await stateOf('rows');
      assert.deepEqual([state.rowCount, state.extent], [100, 'more']);
    } finally {
      await configure('results.pageSize', undefined);
    }
  });

  test('an error of the service appears at its position in the document and disappears with the next edit', async () => {
    const editor = await edit('SELECT 1;\n\n  SELECT id FROM\n  no_such_table');
    const { document } = editor;
    editor.selection = new vscode.Selection(3, 3, 3, 3);
    await run();
    const { failure } = await stateOf('failed');
    assert.deepEqual(failure.place, { line: 4, column: 3 });
    assert.equal(failure.code, 'QUERY_PARSE_ERROR');
    const [problem] = runProblems(document);
    assert.ok(problem);
    assert.equal(document.getText(problem.range), 'no_such_table');
    assert.equal(problem.code, 'QUERY_PARSE_ERROR');
    await replaceAll(document, 'SELECT 1');
    assert.deepEqual(runProblems(document), []);
  });

  test('a mistake that a check marks as an error is one problem, however the service puts it', async () => {
    const { document } = await edit('SELECT alias, departmentt FROM accounts');
    const errors = () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    await run();
    const { failure } = await stateOf('failed');
    assert.deepEqual([failure.place, failure.reasons], [{ line: 1, column: 15 }, []]);
    await until('the check has marked it', () => errors().some((one) => codeOf(one) === 'UNKNOWN_COLUMN'));
    await until('the other mark is gone', () => errors().length === 1);
    assert.deepEqual(runProblems(document), []);
  });

  test('a statement that writes is not sent, unless a setting lets the service decide', async () => {
    await edit('DELETE FROM accounts');
    const before = (await requestsTo(executePath)).length;
    await run();
    const { failure, changes } = await stateOf('refused');
    assert.equal(failure.code, 'MUTATION_NOT_ALLOWED');
    assert.equal(changes, 'DELETE');
    assert.equal((await requestsTo(executePath)).length, before);
    await configure('run.requireReadOnlyProof', false);
    try {
      await run();
      const answer = await stateOf('failed');
      assert.ok(answer.failure.reasons.some((reason) => reason.code === 'MUTATION_NOT_ALLOWED'));
      assert.equal((await requestsTo(executePath)).length, before + 1);
    } finally {
      await configure('run.requireReadOnlyProof', undefined);
    }
  });

  test('a statement that does not parse asks first', async () => {
    await edit('SELECT * FORM accounts');
    const before = (await requestsTo(executePath)).length;
    await run();
    const state = await stateOf('question');
    assert.equal(state.reason, 'syntax-error');
    assert.deepEqual(state.failure.place?.line, 1);
    assert.equal((await requestsTo(executePath)).length, before);
  });

  test('a statement that may have side effects asks before each run, whatever a comment says', async () => {
    const text =
      '-- identity-queries-ignore-file SIDE_EFFECT_FUNCTION: wanted\nSELECT pg_advisory_xact_lock_shared(1)';
    await edit(text);
    const before = (await requestsTo(executePath)).length;
    for (const [nth, start] of [run, () => vscode.commands.executeCommand(commands.runAgain)].entries()) {
      await start();
      const state = await stateOf('question');
      assert.equal(state.reason, 'side-effects');
      assert.deepEqual(state.failure.reasons[0]?.code, 'pg_advisory_xact_lock_shared');
      assert.equal((await requestsTo(executePath)).length, before + nth);
      await vscode.commands.executeCommand(commands.runAnyway);
      await until('it was sent', async () => (await requestsTo(executePath)).length === before + nth + 1);
      await until('it has ended', async () =>
        ['rows', 'failed'].includes((await current())?.state.kind ?? ''),
      );
    }
  });

  test('an unknown function is confirmed only once', async () => {
    await edit('SELECT nobody_knows_this(1)');
    const before = (await requestsTo(executePath)).length;
    await run();
    const state = await stateOf('question');
    assert.equal(state.reason, 'unknown-function');
    assert.equal(state.failure.reasons[0]?.code, 'nobody_knows_this');
    assert.equal((await requestsTo(executePath)).length, before);
    await vscode.commands.executeCommand(commands.runAnyway);
    await stateOf('failed');
    await edit('SELECT 1 WHERE nobody_knows_this(2) IS NULL');
    await run();
    await stateOf('failed');
    assert.equal((await requestsTo(executePath)).length, before + 2);

    const told = answerMessages('showInformationMessage', () => undefined);
    const all = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) => items);
    try {
      await vscode.commands.executeCommand(commands.functionsForget);
    } finally {
      all.dispose();
      told.dispose();
    }
    assert.match(told.texts.join(), /asked about \d+ functions? again/);
    await run();
    assert.equal((await stateOf('question')).reason, 'unknown-function');
    assert.equal((await requestsTo(executePath)).length, before + 2);
  });

  test('a column that the table lacks is told as such, though PostgreSQL would look for a function', async () => {
    await edit('SELECT a.aliass FROM accounts a');
    await until('the columns of the model are known', () =>
      vscode.languages
        .getDiagnostics()
        .some(([, found]) => found.some(({ message }) => message.includes('aliass'))),
    );
    await run();
    const { reason, failure } = await stateOf('question');
    assert.equal(reason, 'unknown-column');
    assert.deepEqual(failure.reasons, [{ code: 'aliass', message: 'is no column of its table' }]);
  });

  test('the question about a function of another database says what to write', async () => {
    await edit("SELECT NVL(alias, 'x') FROM accounts");
    await run();
    const { failure } = await stateOf('question');
    assert.deepEqual(failure.reasons, [
      { code: 'nvl', message: 'does not exist in PostgreSQL. Write coalesce(value, other).' },
    ]);
  });

  test('parameters are entered in one form, before anything is sent', async () => {
    await edit('-- @param since date = today Only later\nSELECT :since::date AS since, :name AS name');
    const before = (await requestsTo(executePath)).length;
    await run();
    const { fields } = await stateOf('parameters');
    assert.deepEqual(
      fields.map((field) => [field.name, field.type, field.text, field.description]),
      [
        ['since', 'date', 'today', 'Only later'],
        ['name', 'text', '', undefined],
      ],
    );
    assert.equal((await requestsTo(executePath)).length, before);
  });

  test('cancelling frees the panel immediately, even if the service is slow', async () => {
    await setFaults([{ path: executePath, always: { kind: 'latency', ms: 60_000 } }]);
    await edit('SELECT 1 AS slow');
    await run();
    await stateOf('running');
    await vscode.commands.executeCommand(commands.runCancel);
    await stateOf('cancelled');
    await setFaults([]);
    await vscode.commands.executeCommand(commands.runAgain);
    assert.equal((await stateOf('rows')).columns[0]?.name, 'slow');
  });

  const faults = [
    ['an internal error', { kind: 'status', status: 500 }, /./],
    ['a web page instead of an answer', { kind: 'html' }, /./],
    ['a connection cut in the middle', { kind: 'truncate' }, /./],
    ['an answer that stops in the middle', { kind: 'invalid-json' }, /./],
    ['too many requests', { kind: 'status', status: 429, retryAfter: '3600' }, /./],
    ['no permission', { kind: 'status', status: 403 }, /./],
  ] as const;
  for (const [name, always, message] of faults) {
    test(`${name} is reported in the panel, with a next step`, async () => {
      await setFaults([{ path: executePath, always }]);
      const { document } = await edit('SELECT 1 AS one');
      await run();
      const { failure } = await stateOf('failed');
      assert.match(failure.message, message);
      assert.ok(failure.nextStep, 'a next step');
      assert.deepEqual(runProblems(document), [], 'it is not about the query');
      assert.equal(document.getText(), 'SELECT 1 AS one');
    });
  }

  test('an expired token is renewed silently', async () => {
    await setFaults([{ path: executePath, script: [{ kind: 'expire-tokens' }] }]);
    await edit('SELECT 1 AS one');
    await run();
    assert.equal((await stateOf('rows')).rowCount, 1);
  });

  test('a result without a connection offers to run once it is connected, and sends nothing by itself', async () => {
    await edit('SELECT 1 AS back');
    await vscode.commands.executeCommand(commands.connectionDisconnect);
    try {
      await run();
      assert.equal((await stateOf('disconnected')).isBack, undefined);
    } finally {
      await vscode.commands.executeCommand(commands.connectionConnect, connectionName);
    }
    await until('the result says so', async () => {
      const state = (await current())?.state;
      return state?.kind === 'disconnected' && state.isBack === true;
    });
    assert.equal(
      (await stateOf('disconnected')).message,
      `Connected to ${connectionName}. The query was not sent.`,
    );
    await run();
    assert.equal((await stateOf('rows')).columns[0]?.name, 'back');
  });

  test('a result beside the editor opens in a separate tab without taking the focus', async () => {
    await configure('results.location', 'beside');
    try {
      const { document } = await edit('SELECT 1 AS beside');
      await run();
      await stateOf('rows');
      const isResult = (tab: vscode.Tab) =>
        tab.input instanceof vscode.TabInputWebview && tab.label.startsWith('Result: ');
      await until('the result has a tab', () =>
        vscode.window.tabGroups.all.flatMap((group) => group.tabs).some(isResult),
      );
      assert.equal(vscode.window.activeTextEditor?.document, document);
    } finally {
      await configure('results.location', undefined);
    }
  });

  test('Run in New Result Tab keeps the earlier one', async () => {
    await edit('SELECT 1 AS first');
    await run();
    await stateOf('rows');
    const earlier = (await current())?.id;
    await vscode.commands.executeCommand(commands.queryRunInNewResult);
    await until('another result', async () => {
      const view = await current();
      return view !== undefined && view.id !== earlier && view.state.kind === 'rows';
    });
    await run();
    assert.notEqual((await current())?.id, earlier, 'the newest result of the document is used again');
  });
});
