/** Comparing results in a real editor with a real service: open and kept results, versions, value sets, files. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { dataFolder } from '#base/files/data-folder.ts';
import { commands } from '#client/contributions.ts';
import type { StateSnapshot } from '#client/features/connection/index.ts';
import { changeKinds, type DiffCounts } from '#core/rows/compare/diff.ts';
import type { ResultView, RowsState } from '#panel-protocol/messages.ts';
import { current, executePath, run, stateOf, withSettings } from './run-support.ts';
import {
  answerInputBoxes,
  answerMessages,
  answerPrompts,
  closeAllEditors,
  connectionName,
  connectionSetting,
  createQuery,
  open,
  replaceAll,
  setFaults,
  until,
  useService,
} from './support.ts';

const access = (...rows: readonly string[]) =>
  `SELECT * FROM (VALUES ${rows.map((row) => `(${row})`).join(', ')}) AS access (account_id, role, risk)`;
const earlier = access("'ana', 'reader', 1.0", "'ben', 'admin', 9", "'cy', 'reader', 2");
const later = access("'ana', 'reader', 1", "'ben', 'owner', 9", "'di', 'admin', 8", "'eli', 'reader', 1");

suite('comparing results', () => {
  const { colleague } = useService();
  let folder: string;

  suiteSetup(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'identity-queries-compare-'));
  });
  suiteTeardown(() => rm(folder, { recursive: true, maxRetries: 5 }));

  async function runText(text: string): Promise<vscode.TextDocument> {
    const document = await open(await createQuery(colleague, text));
    await run();
    await stateOf('rows');
    return document;
  }

  const compare = (argument: object) => vscode.commands.executeCommand(commands.resultsCompare, argument);

  /** Waits until a comparison with these counts is displayed, and returns its state. */
  async function comparison(counts: Partial<DiffCounts>): Promise<RowsState> {
    // Without an active editor, commands apply to the result in the panel.
    await closeAllEditors();
    let seen: ResultView | undefined;
    await until(`a comparison is shown with ${JSON.stringify(counts)}`, async () => {
      seen = await current();
      const found = seen?.state.kind === 'rows' ? seen.state.comparison?.counts : undefined;
      return (
        found !== undefined && changeKinds.every((kind) => (counts[kind] ?? found[kind]) === found[kind])
      );
    });
    assert.equal(seen?.state.kind, 'rows');
    return seen.state;
  }

  test('with an open result: added, removed and changed rows, by the key that identifies rows', async () => {
    await runText(earlier);
    const first = await current();
    await runText(later);
    await compare({ with: { kind: 'result', id: first?.id } });
    const state = await comparison({ added: 2, removed: 1, changed: 1, unchanged: 1 });
    assert.deepEqual(
      state.comparison?.keys.map((key) => state.columns[key]?.name),
      ['account_id'],
    );
    // 1.0 and 1 are the same number, so the row for ana is hidden as unchanged.
    assert.equal(state.viewRowCount, 4);
    assert.match(String(state.comparison.before.facts), /3 rows/);
    assert.match(String(state.comparison.after.facts), /4 rows/);

    await vscode.commands.executeCommand(commands.comparisonSwap);
    await comparison({ added: 1, removed: 2, changed: 1, unchanged: 1 });

    await vscode.commands.executeCommand(commands.comparisonCopySummary);
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^### Comparison of Host test/);
    assert.match(copied, /\*\*1 added, 2 removed, 1 changed, 1 unchanged\*\*/);
    assert.match(copied, /\| changed \| ben \| owner → admin \| 9 \|/);

    const file = vscode.Uri.file(path.join(folder, 'comparison.csv'));
    await vscode.commands.executeCommand(commands.resultsExport, { uri: file, format: 'csv', scope: 'view' });
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    assert.match(text, /^change,.*role \(before\),role,/);
    assert.match(text, /changed,.*owner,admin/);
  });

  test('with the run before, in one step', async () => {
    const document = await runText(earlier);
    const before = await current();
    assert.equal(before?.before, undefined);
    await replaceAll(document, later);
    await run();
    await until('the next run has rows', async () => (await current())?.before !== undefined);
    await compare({ of: (await current())?.id, with: { kind: 'before' }, load: true });
    await comparison({ added: 2, removed: 1, changed: 1, unchanged: 1 });
  });

  test('with a result that @keep kept', async () => {
    const uri = vscode.Uri.file(path.join(folder, 'kept.identity.sql'));
    await writeFile(uri.fsPath, `-- @keep 3 runs\n${earlier}`);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const kept = async () => {
      const files = await readdir(path.join(dataFolder(process.env), 'kept-runs'), { recursive: true });
      return files.filter((name) => name.endsWith('.json')).length;
    };
    await run();
    await until('the result is kept', async () => (await kept().catch(() => 0)) === 1);
    await replaceAll(document, `-- @keep 3 runs\n${later}`);
    await document.save();
    await run();
    await until('the next result is kept', async () => (await kept()) === 2);
    // The result of now is not offered, so the first entry is the run before.
    await answerPrompts('accept', vscode.commands.executeCommand(commands.resultsChangedSince));
    const state = await comparison({ added: 2, removed: 1, changed: 1, unchanged: 1 });
    assert.match(String(state.comparison?.before.facts), /3 rows/);
    assert.equal(await vscode.commands.executeCommand(commands.resultsForgetKept, { isConfirmed: true }), 2);
    await assert.rejects(kept);
  });

  test('key columns and compared columns can be chosen; without a key, whole rows are compared', async () => {
    await runText(earlier);
    const first = await current();
    await runText(later);
    await compare({ with: { kind: 'result', id: first?.id }, keys: ['account_id'], ignored: ['role'] });
    await comparison({ added: 2, removed: 1, changed: 0, unchanged: 2 });
    // Enter accepts the selected columns, so the comparison stays the same.
    await answerPrompts('accept', vscode.commands.executeCommand(commands.comparisonChooseColumns));
    await comparison({ added: 2, removed: 1, changed: 0, unchanged: 2 });
    await answerPrompts('accept', vscode.commands.executeCommand(commands.comparisonChooseKeys));
    await comparison({ added: 2, removed: 1, changed: 0, unchanged: 2 });
    await answerPrompts('escape', vscode.commands.executeCommand(commands.comparisonChooseKeys));
    await vscode.window.showTextDocument(await open(await createQuery(colleague, later)));
    await run();
    await stateOf('rows');
    await compare({ with: { kind: 'result', id: first?.id }, keys: [] });
    const state = await comparison({ added: 3, removed: 2, changed: 0 });
    assert.match(state.comparison?.notes.join() ?? '', /Whole rows are compared/);
  });

  test('with a kept result, which is deleted with its rows', async () => {
    const document = await runText(earlier);
    const offered: (readonly string[])[] = [];
    const told = answerMessages('showInformationMessage', (buttons) => {
      offered.push(buttons);
      return undefined;
    });
    const id = await vscode.commands.executeCommand<string>(commands.resultsKeep);
    await until('the message is shown', () => offered.length > 0);
    told.dispose();
    assert.deepEqual(offered, [['Compare Results...', 'Forget Kept Results...']]);
    assert.equal(typeof id, 'string');
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), later);
    await vscode.workspace.applyEdit(edit);
    await run();
    await until('the later rows are here', async () => {
      const view = await current();
      return view?.state.kind === 'rows' && view.state.rowCount === 4;
    });
    await compare({ with: { kind: 'kept', id } });
    await comparison({ added: 2, removed: 1, changed: 1, unchanged: 1 });
    const count = await vscode.commands.executeCommand<number>(commands.resultsForgetKept, { ids: [id] });
    assert.equal(count, 1);
    assert.equal(await vscode.commands.executeCommand(commands.resultsForgetKept, { ids: [id] }), undefined);
  });

  test('with an earlier export, but not with other files', async () => {
    await runText(later);
    const file = path.join(folder, 'quarter-old.csv');
    await writeFile(file, 'account_id,role,reviewer\r\nana,reader,m\r\nben,admin,m\r\n');
    await compare({ with: { kind: 'file', path: file } });
    const state = await comparison({ added: 2, removed: 0, changed: 1, unchanged: 1 });
    assert.deepEqual(state.comparison?.notes, [
      'Not compared (only before): reviewer',
      'Not compared (only after): risk',
    ]);
    const before = (await readdir(folder)).length;
    await writeFile(file, 'account_id,role\r\nana\r\n');
    await runText(later);
    await compare({ with: { kind: 'file', path: file } });
    assert.equal((await current())?.header.part, undefined);
    assert.equal((await readdir(folder)).length, before);
  });

  test('with another version of the query, run with the same values', async () => {
    const query = await createQuery(colleague, earlier);
    await open(query);
    await colleague.savedQueries.update(query.query_id, {
      name: query.name,
      query_string: later,
      expected_version: query.version,
    });
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    await closeAllEditors();
    await open(query);
    await vscode.commands.executeCommand(commands.reload);
    await until('version 2 is here', () => vscode.window.activeTextEditor?.document.getText() === later);
    await run();
    await stateOf('rows');
    await compare({ with: { kind: 'version', version: 1 } });
    const state = await comparison({ added: 2, removed: 1, changed: 1, unchanged: 1 });
    assert.match(state.comparison?.before.title ?? '', / v1$/);
    assert.match(state.comparison?.after.title ?? '', / v2$/);

    await vscode.commands.executeCommand(commands.savedQueryCompareResults, {
      queryId: query.query_id,
      version: 1,
    });
    await comparison({ added: 2, removed: 1, changed: 1, unchanged: 1 });
  });

  test('with another connection, after which the previous one is restored, whatever the outcome', async () => {
    const elsewhere = connectionSetting('The same service', {
      secretVariable: 'IDENTITY_QUERIES_CLIENT_SECRET',
    });
    const nowhere = connectionSetting('Nowhere', { baseUrl: 'http://127.0.0.1:9' });
    const isBack = async () => {
      const state = await vscode.commands.executeCommand<StateSnapshot>(commands.connectionState);
      assert.deepEqual([state.kind, state.name], ['connected', connectionName]);
    };
    await withSettings({ connections: [elsewhere, nowhere] }, async () => {
      await runText(later);
      await compare({ with: { kind: 'connection', name: elsewhere.name } });
      await isBack();
      const state = await comparison({ added: 0, removed: 0, changed: 0, unchanged: 4 });
      const { before, after } = state.comparison ?? {};
      assert.deepEqual([before?.facts[0], after?.facts[0]], [connectionName, elsewhere.name]);

      const query = await createQuery(colleague, later);
      const shown = async () => {
        await open(query);
        await run();
        await stateOf('rows');
        return await current();
      };
      // The first connection has no stored secret, and the entered one is wrong.
      const secrets = answerInputBoxes('not the secret');
      // In order: the connection fails, the connection already supplied the rows, the name does not exist. Then the
      // service fails.
      try {
        for (const name of [nowhere.name, connectionName, 'No such connection']) {
          const result = await shown();
          await compare({ with: { kind: 'connection', name } });
          await isBack();
          assert.equal((await current())?.id, result?.id, name);
        }
      } finally {
        secrets.dispose();
      }
      await shown();
      await setFaults([{ path: executePath, always: { kind: 'status', status: 400, code: 'BAD_REQUEST' } }]);
      try {
        await compare({ with: { kind: 'connection', name: elsewhere.name } });
      } finally {
        await setFaults([]);
      }
      await isBack();
      await stateOf('failed');
    });
  });

  test('with a run from the history, repeated with its values without asking', async () => {
    await open(await createQuery(colleague, `-- @param role text\n${later} WHERE role <> :role`));
    await run();
    await stateOf('parameters');
    await vscode.commands.executeCommand(commands.parametersSubmit, { role: 'nobody' });
    await stateOf('rows');
    // The result's page may take the focus once more, which closes a list that is just opening.
    let history = '';
    await until('the run is shown', async () => {
      await answerPrompts('accept', vscode.commands.executeCommand(commands.historyShow));
      const shown = vscode.window.activeTextEditor?.document.uri;
      if (shown?.scheme === 'identity-query-run') history = shown.toString();
      return history !== '';
    });
    await closeAllEditors();
    await runText(later);
    const values = { role: { text: 'owner', isNull: false, isEmpty: false } };
    await compare({ with: { kind: 'run', uri: history, values } });
    const state = await comparison({ added: 0, removed: 1, changed: 0, unchanged: 3 });
    assert.ok(state.comparison?.after.facts.includes(':role = owner'));
  });

  test('with an incomplete result, which is loaded first or noted in the comparison', async () => {
    await withSettings({ 'results.pageSize': 100 }, async () => {
      await runText('SELECT n AS id FROM generate_series(1, 250) AS n');
      const first = await current();
      await runText('SELECT n AS id FROM generate_series(101, 350) AS n');
      await compare({ with: { kind: 'result', id: first?.id }, load: false });
      const part = await comparison({ added: 100, removed: 100 });
      assert.match(part.comparison?.after.warning ?? '', /only the 100 rows/);
      await open(await createQuery(colleague, 'SELECT n AS id FROM generate_series(101, 350) AS n'));
      await run();
      await stateOf('rows');
      await compare({ with: { kind: 'result', id: first?.id }, load: true });
      const whole = await comparison({ added: 100, removed: 100, unchanged: 150 });
      assert.equal(whole.comparison?.after.warning, undefined);
    });
  });
});
