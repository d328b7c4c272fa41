/** Groups rows in a real editor: a separate result that covers all rows and links back. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { configure, current, run, stateOf } from './run-support.ts';
import { answerMessages, draft, until, useService } from './support.ts';

suite('grouping rows', () => {
  useService();
  teardown(() => configure('results.pageSize', undefined));

  test('a chart before the run asks for the parameters; groups show the model of their run', async () => {
    await draft('SELECT n % 2 AS rest FROM generate_series(1, :top::int) AS n');
    await run();
    await stateOf('parameters');
    // Before the run, there is nothing to draw.
    const failed = answerMessages('showErrorMessage', () => undefined);
    try {
      await vscode.commands.executeCommand(commands.resultsShowChart);
      await until('the message says what to do', () =>
        failed.texts.includes('The query has not run yet. Enter its parameters and choose Run first.'),
      );
    } finally {
      failed.dispose();
    }
    await vscode.commands.executeCommand(commands.parametersSubmit, { top: '9' });
    await stateOf('rows');
    const header = (await current())?.header ?? assert.fail();
    assert.deepEqual(
      header.parameters.map(({ name, text }) => [name, text]),
      [['top', '9']],
    );
    await vscode.commands.executeCommand(commands.resultsGroup, {
      by: [{ column: 0 }],
      measure: { kind: 'count' },
    });
    await vscode.commands.executeCommand(commands.resultsShowAsText);
    const lines = vscode.window.activeTextEditor?.document.getText().split('\n') ?? [];
    assert.equal(lines[0], `${header.title} by rest`);
    assert.ok(lines.includes(header.model ?? assert.fail('the run has a model')), lines.join('\n'));
  });

  test('all rows are loaded first, and the groups are a result with exact numbers', async () => {
    await configure('results.pageSize', 10);
    await draft('SELECT n % 3 AS rest, 9007199254740993 AS big FROM generate_series(1, 30) AS n');
    await run();
    assert.equal((await stateOf('rows')).extent, 'more');
    await vscode.commands.executeCommand(commands.resultsGroup, {
      by: [{ column: 0 }],
      measure: { kind: 'sum', column: 1 },
    });
    await vscode.commands.executeCommand(commands.resultsShowAsText);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /rest +Sum of big/);
    assert.match(text, /\n +0 +90071992547409930\n +1 +90071992547409930\n +2 +90071992547409930\n/);
  });
});
