/** Controls in the Testing view, in a real editor on a real service. */
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../client/src/contributions.ts';
import { stateOf } from './run-support.ts';
import {
  answerMessages,
  createQuery,
  playQuestion,
  requestsTo,
  until,
  uriOf,
  useService,
} from './support.ts';

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

  const twoAccounts = [
    '-- @control HOST-2 Rows to waive',
    '-- @expect no rows',
    '-- @key alias',
    '-- @owner iam-team',
    "SELECT 'one' AS alias, 1 AS number UNION ALL SELECT 'two', 2",
  ].join('\n');

  test('Show Rows of Control runs it as Run does, for a control of the Testing view', async () => {
    const query = await createQuery(colleague, twoAccounts);
    try {
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      // As the editor hands over a message of the view.
      const test = { id: uriOf(query).toString() };
      await vscode.commands.executeCommand(commands.controlShowRows, { test, message: {} });
      assert.equal((await stateOf('rows')).kind, 'rows');
    } finally {
      await colleague.savedQueries.delete(query.query_id);
    }
  });

  suite('Waive Row', () => {
    const digestKey = 'IDENTITY_QUERIES_DIGEST_KEY';
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined);
    const waivers = path.join(folder.uri.fsPath, '.identity-queries', 'waivers.json');

    setup(async () => {
      process.env[digestKey] = 'a key for the tests of the host';
      await rm(waivers, { force: true });
    });
    teardown(async () => {
      Reflect.deleteProperty(process.env, digestKey);
      await rm(waivers, { force: true });
    });

    /** Waives the row of an alias; answers what was asked, and what was said. */
    async function waive(alias: string) {
      const query = await createQuery(colleague, twoAccounts);
      const labels: string[] = [];
      const picked = playQuestion('showQuickPick', async (items: Promise<vscode.QuickPickItem[]>) => {
        const shown = await items;
        labels.push(...shown.map(({ label }) => label));
        return shown.find(({ label }) => label === alias);
      });
      const boxes = answerBoxes(['Break-glass account', undefined, undefined]);
      const said = answerMessages('showInformationMessage', () => undefined);
      const failed = answerMessages('showErrorMessage', () => undefined);
      try {
        await vscode.commands.executeCommand(commands.savedQueriesRefresh);
        await vscode.commands.executeCommand(commands.controlWaiveRow, { id: uriOf(query).toString() });
        return { labels, prompts: boxes.prompts, said: said.texts, failed: failed.texts };
      } finally {
        for (const one of [picked, boxes, said, failed]) one.dispose();
        await colleague.savedQueries.delete(query.query_id);
      }
    }

    test('asks which row, why, by whom and until when, and writes it down', async () => {
      const { labels, prompts, said, failed } = await waive('two');
      assert.deepEqual([labels, failed], [['one', 'two'], []]);
      assert.equal(prompts.length, 3);
      assert.match(said[0] ?? '', /^The row of HOST-2 is waived until the end of \d{4}-\d\d-\d\d/);
      const text = await readFile(waivers, 'utf8');
      assert.match(text, /"control":"HOST-2","row":"[0-9a-f]{64}","reason":"Break-glass account"/);
      assert.match(text, /"owner":"iam-team","expires":"\d{4}-\d\d-\d\d"/);
      assert.doesNotMatch(text, /two/, 'no value of a row');

      const again = await waive('one');
      assert.deepEqual([again.labels, again.failed], [[], []], 'a single row is not asked for');
      assert.equal((await readFile(waivers, 'utf8')).match(/"control"/g)?.length, 2);
      assert.match((await waive('one')).failed[0] ?? '', /HOST-2 has no row that is not waived/);
    });

    test('leaves a damaged file as it is', async () => {
      await mkdir(path.dirname(waivers), { recursive: true });
      await writeFile(waivers, '{"version": 1,\n<<<<<<<');
      const { labels, prompts, failed } = await waive('two');
      assert.deepEqual([labels, prompts], [[], []]);
      assert.match(failed[0] ?? '', /waivers\.json:2: This is not JSON/);
      assert.equal(await readFile(waivers, 'utf8'), '{"version": 1,\n<<<<<<<');
    });

    test('says what is missing: the digest key', async () => {
      Reflect.deleteProperty(process.env, digestKey);
      const { failed } = await waive('two');
      assert.match(failed[0] ?? '', /IDENTITY_QUERIES_DIGEST_KEY/);
    });
  });
});

/** Types into each input box and accepts it; undefined accepts what it holds. */
function answerBoxes(answers: readonly (string | undefined)[]) {
  const prompts: (string | undefined)[] = [];
  const original = vscode.window.createInputBox.bind(vscode.window);
  const played = () => {
    const box = original();
    const accepted = new vscode.EventEmitter<void>();
    Object.defineProperty(box, 'onDidAccept', { value: accepted.event, configurable: true });
    Object.defineProperty(box, 'show', {
      configurable: true,
      value: () => {
        const answer = answers[prompts.length];
        prompts.push(box.prompt);
        if (answer !== undefined) box.value = answer;
        accepted.fire();
      },
    });
    return box;
  };
  Object.assign(vscode.window, { createInputBox: played });
  return { prompts, dispose: () => void Object.assign(vscode.window, { createInputBox: original }) };
}
