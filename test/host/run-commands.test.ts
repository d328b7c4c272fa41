/** Kinds of runs in a real editor: all statements, unopened saved queries, limits, side by side, the history. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { codeOf } from '#client/features/language/code-of.ts';
import { current, executePath, run, runProblems, stateOf, withSettings } from './run-support.ts';
import {
  answerMessages,
  answerPrompts,
  closeAllEditors,
  connectionName,
  createQuery,
  draft,
  replaceAll,
  requestsTo,
  setFaults,
  settledConnection,
  until,
  useService,
} from './support.ts';

suite('run commands', () => {
  const { colleague, edit } = useService();

  const resultTabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => tab.input instanceof vscode.TabInputWebview && tab.label.startsWith('Result: '));

  test('all statements run with one tab each and one form for all; writes are not sent, and each error is on its line', async () => {
    await withSettings({ 'results.location': 'beside' }, async () => {
      const { document } = await edit(
        'SELECT :x AS a;\nDELETE FROM accounts;\nSELECT 1 FROM no_such;\nSELECT :y AS d, :x AS x;\nSELECT 1 FROM nor_this',
      );
      await vscode.commands.executeCommand(commands.queryRunAll);
      const state = await stateOf('parameters');
      assert.deepEqual(
        state.fields.map((field) => field.name),
        ['x', 'y'],
      );
      assert.equal(state.statementCount, 5);
      await vscode.commands.executeCommand(commands.parametersSubmit, { x: '1', y: '2' });
      await until('both errors are on their lines', () =>
        ['no_such', 'nor_this'].every((name) =>
          runProblems(document).some((one) => document.getText(one.range) === name),
        ),
      );
      await until('five results', () => resultTabs().length === 5);
      // A query that was not sent has no error from the service.
      const lines = runProblems(document).map((one) => one.range.start.line);
      assert.deepEqual(
        lines.sort((a, b) => a - b),
        [2, 4],
      );
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand(commands.queryRunAll);
      await stateOf('parameters');
      assert.equal(resultTabs().length, 5, 'the tabs are used again');
    });
  });

  test('fewer statements than before close the results of the others', async () => {
    await withSettings({ 'results.location': 'beside' }, async () => {
      const { document } = await edit('SELECT 1 AS a;\nSELECT 2 AS b;\nSELECT 3 AS c;\nSELECT 4 AS d');
      await vscode.commands.executeCommand(commands.queryRunAll);
      await until('four results', () => resultTabs().length === 4);
      await stateOf('rows');
      await vscode.window.showTextDocument(document);
      await replaceAll(document, 'SELECT 5 AS a;\nSELECT 6 AS b');
      await vscode.commands.executeCommand(commands.queryRunAll);
      await until('two results', () => resultTabs().length === 2);
      assert.ok(
        resultTabs().every(({ label }) => /statement [12]$/.test(label)),
        'those of the statements that are left',
      );
    });
  });

  test('a query that is active again shows the result that was in front last', async () => {
    const { document } = await edit('SELECT 1 AS a;\nSELECT 2 AS b;\nSELECT 3 AS c');
    await vscode.commands.executeCommand(commands.queryRunAll);
    await until('all have run', async () => (await current())?.header.part === 'statement 1');
    await stateOf('rows');
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await run();
    await stateOf('rows');
    await draft('SELECT 4 AS d');
    await run();
    await until('the other query has run', async () => {
      const view = await current();
      return view?.state.kind === 'rows' && view.state.columns[0]?.name === 'd';
    });
    await vscode.window.showTextDocument(document);
    await until('its own rows are current', async () => {
      const view = await current();
      return view?.state.kind === 'rows' && view.state.columns[0]?.name !== 'd';
    });
    const { state } = (await current()) ?? {};
    assert.equal(state?.kind === 'rows' && state.columns[0]?.name, 'a');
    // Without an editor, the current result is the one in front.
    await closeAllEditors();
    await until('the same rows are in front', async () => {
      const front = (await current())?.state;
      return (
        vscode.window.activeTextEditor === undefined &&
        front?.kind === 'rows' &&
        front.columns[0]?.name === 'a'
      );
    });
  });

  test('from a page without an editor, the only open query runs; with several, a saved query is chosen', async () => {
    const { document } = await edit('SELECT 1 AS only');
    const openPage = () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', {
        category: 'identity-queries.identity-queries#identityQueries.welcome',
      });
    await openPage();
    await until('no editor is active', () => vscode.window.activeTextEditor === undefined);
    await run();
    assert.equal((await stateOf('rows')).columns[0]?.name, 'only');
    assert.equal(vscode.window.activeTextEditor?.document, document);

    await edit('SELECT 2 AS second');
    // The most recent one comes first.
    const query = await createQuery(colleague, 'SELECT 3 AS third');
    await vscode.commands.executeCommand(commands.savedQueryOpen, { queryId: query.query_id });
    await openPage();
    await until('no editor is active', () => vscode.window.activeTextEditor === undefined);
    await answerPrompts('accept', run());
    assert.equal((await stateOf('rows')).columns[0]?.name, 'third');

    await vscode.commands.executeCommand(commands.connectionDisconnect);
    const told = answerMessages('showErrorMessage', () => undefined);
    try {
      await openPage();
      await until('no editor is active again', () => vscode.window.activeTextEditor === undefined);
      await run();
    } finally {
      told.dispose();
      await vscode.commands.executeCommand(commands.connectionConnect, connectionName);
      assert.equal((await settledConnection()).kind, 'connected');
    }
    assert.deepEqual(told.texts, ['Open a query first: there is nothing to run here.']);
  });

  test('a saved query runs without being opened', async () => {
    const query = await createQuery(colleague, 'SELECT 42 AS unopened');
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    await vscode.commands.executeCommand(commands.savedQueryRun, { queryId: query.query_id });
    await until('its rows are there', async () => {
      const view = await current();
      return view?.state.kind === 'rows' && view.header.title === query.name && view.header.version === 1;
    });
    assert.equal(vscode.window.activeTextEditor, undefined);
    await answerPrompts('accept', vscode.commands.executeCommand(commands.savedQueryRun));
  });

  test('a time limit ends a run, with a message that names the setting', async () => {
    await setFaults([{ path: executePath, always: { kind: 'latency', ms: 60_000 } }]);
    await withSettings({ 'run.timeLimitSeconds': 1 }, async () => {
      await edit('SELECT 1 AS slow');
      await run();
      const { failure } = await stateOf('failed');
      assert.equal(failure.code, 'RUN_TIME_LIMIT');
      assert.equal(failure.nextStep?.argument, 'identityQueries.run.timeLimitSeconds');
    });
  });

  test('a run that the service delays says when it is sent again, and can be cancelled', async () => {
    const limited = { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: '10' } as const;
    await setFaults([{ path: executePath, always: limited }]);
    await edit('SELECT 1 AS limited');
    await run();
    await until('it waits', async () => {
      const view = await current();
      return view?.state.kind === 'running' && /limits requests\. Retrying at \d/.test(view.state.note ?? '');
    });
    await vscode.commands.executeCommand(commands.runCancel);
    await stateOf('cancelled');
  });

  test('a slow run does not block the next; concurrent runs are cancelled one by one', async () => {
    // The first run of a connection asks how it gives pages, too.
    await edit('SELECT 0 AS before');
    await run();
    await stateOf('rows');
    await setFaults([{ path: executePath, script: [{ kind: 'hold' }] }]);
    const first = await edit('SELECT 1 AS stuck');
    await run();
    await stateOf('running');
    await edit('SELECT 2 AS quick');
    await run();
    assert.equal((await stateOf('rows')).columns[0]?.name, 'quick');
    await vscode.window.showTextDocument(first.document);
    assert.equal((await current())?.state.kind, 'running');
    await vscode.commands.executeCommand(commands.runCancel);
    await stateOf('cancelled');
    await vscode.commands.executeCommand(commands.runAgain);
    assert.equal((await stateOf('rows')).columns[0]?.name, 'stuck');
  });

  test('an error whose statement has moved meanwhile is still found by Go to Error', async () => {
    await setFaults([{ path: executePath, script: [{ kind: 'hold' }] }]);
    const editor = await edit('SELECT no_such FROM accounts');
    await run();
    await stateOf('running');
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), '-- a line above\n\n'));
    await setFaults([]);
    const { failure } = await stateOf('failed');
    assert.deepEqual(failure.place, { line: 3, column: 8 });
    assert.deepEqual(runProblems(editor.document), [], 'no problem on a text that is another by now');
    await vscode.commands.executeCommand(commands.runGoToError);
    await until('the cursor is there', () => editor.selection.active.isEqual(new vscode.Position(2, 7)));
  });

  test('a flagged text that the service runs gets a hint instead, and then runs without asking', async () => {
    await withSettings({ dialect: 'mysql' }, async () => {
      // MySQL sees an open parenthesis here; PostgreSQL sees a string.
      const text = 'SELECT $$($$ AS accepted';
      const { document } = await edit(text);
      const flagged = () =>
        vscode.languages
          .getDiagnostics(document.uri)
          .filter((one) => one.source === 'Identity Queries' && codeOf(one) === 'QUERY_PARSE_ERROR');
      await until('the check flags it', () =>
        flagged().some((one) => one.severity !== vscode.DiagnosticSeverity.Hint),
      );
      await run();
      await until('it runs or asks', async () =>
        ['rows', 'question'].includes((await current())?.state.kind ?? ''),
      );
      if ((await current())?.state.kind === 'question') {
        await vscode.commands.executeCommand(commands.runAnyway);
      }
      await stateOf('rows');
      await until('it is a hint now', () =>
        flagged().every((one) => one.severity === vscode.DiagnosticSeverity.Hint),
      );
      await run();
      await stateOf('rows');
      await replaceAll(document, `${text}, 'b'::text AS more`);
      await until('another text is flagged as before', () =>
        flagged().some((one) => one.severity !== vscode.DiagnosticSeverity.Hint),
      );
    });
  });

  suite('history', () => {
    const history = () => vscode.commands.executeCommand(commands.historyShow);
    const openedText = async () => {
      await answerPrompts('accept', history());
      await until(
        'a run is open',
        () => vscode.window.activeTextEditor?.document.uri.scheme === 'identity-query-run',
      );
      return vscode.window.activeTextEditor?.document.getText() ?? '';
    };

    test('keeps runs with their outcomes and values, opens them, and runs them again', async () => {
      await edit('-- @param x int4\nSELECT :x AS kept_in_history');
      await run();
      await stateOf('parameters');
      await vscode.commands.executeCommand(commands.parametersSubmit, { x: '41' });
      await stateOf('rows');
      const text = await openedText();
      assert.match(text, /SELECT :x AS kept_in_history/);
      assert.match(text, /-- @param x int4 = '41'/);
      assert.match(text, /1 row in \d+/);
      const kept = vscode.window.activeTextEditor?.document;
      assert.ok(kept);
      await answerPrompts('accept', vscode.commands.executeCommand(commands.historyCompare));
      await until('two runs are side by side', () =>
        vscode.window.tabGroups.all
          .flatMap((group) => group.tabs)
          .some(
            ({ input }) =>
              input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'identity-query-run',
          ),
      );
      await vscode.window.showTextDocument(kept, { preview: false });
      const before = (await requestsTo(executePath)).length;
      await run();
      assert.deepEqual(
        (await stateOf('parameters')).fields.map((field) => field.text),
        ['41'],
      );
      await vscode.commands.executeCommand(commands.parametersSubmit, {});
      await until('it was sent again', async () => (await requestsTo(executePath)).length === before + 1);
    });

    test('keeps no values or no runs if the settings disable it', async () => {
      await withSettings({ 'run.rememberParameters': false }, async () => {
        await edit('SELECT :x AS without_value');
        await run();
        await stateOf('parameters');
        await vscode.commands.executeCommand(commands.parametersSubmit, { x: 'confidential' });
        await stateOf('rows');
        const text = await openedText();
        assert.match(text, /without_value/);
        assert.doesNotMatch(text, /confidential/);
      });
      const answerOfHistory = async () => {
        const said = answerMessages('showErrorMessage', () => undefined);
        try {
          await vscode.commands.executeCommand(commands.historyShow);
          await until('it is told', () => said.texts.length > 0);
        } finally {
          said.dispose();
        }
        return said.texts.join();
      };
      await withSettings({ 'history.retentionDays': 0 }, async () => {
        await edit('SELECT 1 AS not_in_history');
        await run();
        await until('it ran', async () => {
          const state = (await current())?.state;
          return state?.kind === 'rows' && state.columns[0]?.name === 'not_in_history';
        });
        assert.equal(await answerOfHistory(), 'The history of runs is turned off in the settings.');
      });
      assert.match(await answerOfHistory(), /history is empty/, 'earlier runs are deleted, too');
    });
  });
});
