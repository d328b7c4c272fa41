/** Saved queries as documents in a real editor, with a real service and a colleague who also edits. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { savedQueryUri } from '#client/features/saved-queries/records/saved-query-uri.ts';
import {
  answerPrompts,
  closeAllEditors,
  connectionName,
  createQuery,
  draft,
  open,
  replaceAll,
  requestsTo,
  saveMeanwhile,
  setFaults,
  until,
  uriOf,
  useService,
} from './support.ts';

suite('saved queries', () => {
  const { colleague } = useService();

  test('opens with its text and language', async () => {
    const query = await createQuery(colleague, 'SELECT 1\r\n-- é 👩‍💻\r\n');
    const document = await open(query);
    assert.equal(document.getText(), query.query_string);
    assert.equal(document.languageId, 'identity-sql');
    assert.equal(document.isDirty, false);
  });

  test('its folders, which breadcrumbs list, lead to it', async () => {
    const query = await colleague.savedQueries.create({
      name: `Folder ${crypto.randomUUID()}/Within`,
      query_string: 'SELECT 1',
    });
    await open(query);
    const uri = uriOf(query);
    const list = async (path: string) => await vscode.workspace.fs.readDirectory(uri.with({ path }));
    const [folder = '', name = ''] = uri.path.split('/').slice(1);
    assert.deepEqual(await list('/'), [[folder, vscode.FileType.Directory]]);
    assert.deepEqual(await list(`/${folder}`), [[name, vscode.FileType.File]]);
  });

  test('the open command opens a query by its ID', async () => {
    const query = await createQuery(colleague);
    await vscode.commands.executeCommand(commands.savedQueryOpen, { queryId: query.query_id });
    assert.equal(vscode.window.activeTextEditor?.document.getText(), query.query_string);
  });

  test('a save creates the next version', async () => {
    const query = await createQuery(colleague);
    const document = await open(query);
    await replaceAll(document, 'SELECT 2 AS two');
    assert.equal(await document.save(), true);
    assert.equal(document.isDirty, false);
    const saved = await colleague.savedQueries.get(query.query_id);
    assert.deepEqual([saved.version, saved.query_string], [2, 'SELECT 2 AS two']);
  });

  test('a second save continues from the first', async () => {
    const query = await createQuery(colleague);
    const document = await open(query);
    for (const text of ['SELECT 2', 'SELECT 3']) {
      await replaceAll(document, text);
      assert.equal(await document.save(), true);
    }
    assert.equal((await colleague.savedQueries.get(query.query_id)).version, 3);
  });

  test("a colleague's edit of the same length is not overwritten unseen", async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 3');
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 2' });
    assert.equal(await document.save(), false);
    assert.equal(document.isDirty, true);
    assert.equal(document.getText(), 'SELECT 3');
    assert.equal((await colleague.savedQueries.get(query.query_id)).query_string, 'SELECT 2');
  });

  test('a read of the file in between does not hide the conflict', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 3');
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 2' });
    await vscode.workspace.fs.readFile(uriOf(query));
    assert.equal(await document.save(), false);
    assert.equal((await colleague.savedQueries.get(query.query_id)).query_string, 'SELECT 2');
  });

  test('the same text on both sides is not a conflict', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 2' });
    assert.equal(await document.save(), true);
    assert.equal((await colleague.savedQueries.get(query.query_id)).version, 2);
  });

  test('a save without a response is found, and not sent twice', async () => {
    const query = await createQuery(colleague);
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    await setFaults([{ method: 'PUT', path: '/v1/query/saved-queries/*', script: [{ kind: 'drop-after' }] }]);
    assert.equal(await document.save(), true);
    const saved = await colleague.savedQueries.get(query.query_id);
    assert.deepEqual([saved.version, saved.query_string], [2, 'SELECT 2']);
  });

  for (const [what, answer] of [
    ['a failing service', { kind: 'status', status: 500 }],
    ['a connection that is cut', { kind: 'drop' }],
    ['an answer cut in the middle', { kind: 'truncate' }],
    ['a web page for an answer', { kind: 'html' }],
    ['a token that is not taken', { kind: 'status', status: 401 }],
    ['a missing scope', { kind: 'status', status: 403 }],
    ['a limit of requests', { kind: 'status', status: 429, retryAfter: '60' }],
  ] as const) {
    test(`${what} leaves the text in the editor, unsaved`, async () => {
      const query = await createQuery(colleague);
      const document = await open(query);
      await replaceAll(document, 'SELECT 2');
      await setFaults([{ path: '/v1/query/saved-queries/*', always: answer }]);
      assert.equal(await document.save(), false);
      assert.equal(document.getText(), 'SELECT 2');
      assert.equal(document.isDirty, true);
      // A rejected token ends the session.
      await setFaults([]);
      await vscode.commands.executeCommand(commands.connectionConnect, connectionName);
    });
  }

  test('an empty text is not saved', async () => {
    const query = await createQuery(colleague);
    const document = await open(query);
    await replaceAll(document, ' \n');
    assert.equal(await document.save(), false);
    assert.equal((await colleague.savedQueries.get(query.query_id)).version, 1);
  });

  test('a file that was never opened is not written', async () => {
    const query = await createQuery(colleague);
    await assert.rejects(async () =>
      vscode.workspace.fs.writeFile(uriOf(query), new TextEncoder().encode('SELECT 2')),
    );
    assert.equal((await colleague.savedQueries.get(query.query_id)).version, 1);
  });

  test('a tab of an earlier version, whose address has a different shape, opens and saves', async () => {
    const query = await createQuery(colleague);
    const path = `/${connectionName}/${query.query_id}/${query.name}.identity.sql`;
    const uri = vscode.Uri.from({ scheme: 'identity-query', path });
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.getText(), query.query_string);
    await vscode.window.showTextDocument(document, { preview: false });
    await replaceAll(document, 'SELECT 2 AS later');
    assert.equal(await document.save(), true);
    assert.equal((await colleague.savedQueries.get(query.query_id)).version, 2);
  });

  test('a query of another connection is neither read nor written through this one', async () => {
    const query = await createQuery(colleague);
    const elsewhere = savedQueryUri('Elsewhere', query);
    const text = new TextEncoder().encode('SELECT 2');
    await assert.rejects(
      async () => vscode.workspace.fs.writeFile(elsewhere, text),
      /connection "Elsewhere" of this query no longer exists/,
    );
    await assert.rejects(
      async () => vscode.workspace.openTextDocument(elsewhere),
      /connection "Elsewhere" of this query no longer exists/,
    );
    assert.equal((await colleague.savedQueries.get(query.query_id)).version, 1);
  });

  test('opening a deleted query reports that it was deleted', async () => {
    const query = await createQuery(colleague);
    await colleague.savedQueries.delete(query.query_id);
    await assert.rejects(async () => vscode.workspace.openTextDocument(uriOf(query)), /404|deleted/);
  });

  test('save as new creates a query beside the first, with a free name', async () => {
    const query = await createQuery(colleague, 'SELECT 7 AS seven');
    await open(query);
    await answerPrompts('accept', vscode.commands.executeCommand(commands.savedQuerySaveAsNew));
    const queries = await Array.fromAsync(colleague.savedQueries.listAll());
    const copy = queries.find((each) => each.name === `${query.name} (2)`);
    assert.equal(copy?.query_string, 'SELECT 7 AS seven');
    assert.equal(copy.version, 1);
  });

  test('a name that is taken keeps the draft and creates nothing', async () => {
    const query = await createQuery(colleague, 'SELECT 8 AS eight');
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    const document = await open(query);
    await colleague.savedQueries.create({
      name: `${query.name} (2)`.toUpperCase(),
      query_string: 'SELECT 0',
    });
    const command = vscode.commands.executeCommand(commands.savedQuerySaveAsNew);
    // Presses Enter in the prompts for model, name and description until the service refuses, then cancels.
    const refusals = async () =>
      (await requestsTo('/v1/query/saved-queries')).filter(({ status }) => status === 409).length;
    const before = await refusals();
    await until('the service refuses the name', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await refusals()) > before;
    });
    await answerPrompts('escape', command);
    assert.equal(document.getText(), 'SELECT 8 AS eight');
    const queries = await Array.fromAsync(colleague.savedQueries.listAll());
    assert.equal(queries.filter((each) => each.query_string === 'SELECT 8 AS eight').length, 1);
  });

  test('the ID of a query is copied', async () => {
    const query = await createQuery(colleague);
    await vscode.commands.executeCommand(commands.savedQueryCopyId, { queryId: query.query_id });
    assert.equal(await vscode.env.clipboard.readText(), query.query_id);
  });

  test('a new query is an untitled document in our language', async () => {
    await vscode.commands.executeCommand(commands.queryNew);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'identity-sql');
    assert.equal(document.isUntitled, true);
  });

  test('cancelling save as new keeps the draft', async () => {
    const document = await draft('SELECT 9');
    const command = vscode.commands.executeCommand(commands.savedQuerySaveAsNew);
    await answerPrompts('escape', command);
    assert.equal(vscode.window.activeTextEditor?.document, document, 'leaving the questions keeps the draft');
    assert.equal(document.getText(), 'SELECT 9');
  });
});

suite('checks in the editor', () => {
  teardown(closeAllEditors);

  const diagnosticsOf = async (text: string, count: number): Promise<readonly vscode.Diagnostic[]> => {
    const document = await draft(text);
    await until(`${count} findings`, () => vscode.languages.getDiagnostics(document.uri).length === count);
    return vscode.languages.getDiagnostics(document.uri);
  };

  test('a mistake is marked at its token', async () => {
    const [finding] = await diagnosticsOf('SELECT alias\nFORM accounts WHERE', 1);
    assert.equal(finding?.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(finding.range.start.line, 1);
  });

  test('writing is not allowed', async () => {
    const [finding] = await diagnosticsOf('DELETE FROM accounts', 1);
    assert.equal(
      typeof finding?.code === 'object' ? finding.code.value : finding?.code,
      'MUTATION_NOT_ALLOWED',
    );
    assert.deepEqual(finding?.range, new vscode.Range(0, 0, 0, 6));
  });

  test('findings disappear with the mistake', async () => {
    await diagnosticsOf('SELEC 1', 1);
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    await replaceAll(document, 'SELECT 1');
    await until('no findings', () => vscode.languages.getDiagnostics(document.uri).length === 0);
  });
});
