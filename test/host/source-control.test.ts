/**
 * Saved queries as files in a Git repository in the editor: pull, status, push, conflicts, and messages about files.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import { repositoryAt, type Clone } from '../helpers/git-clone.ts';
import {
  answerMessages,
  createQuery,
  playQuestion,
  saveMeanwhile,
  setFaults,
  until,
  useService,
} from './support.ts';

interface State {
  readonly conflicts: readonly string[];
  readonly here: readonly string[];
  readonly there: readonly string[];
  readonly rows: readonly vscode.SourceControlResourceState[];
}

suite('Saved queries in Git', () => {
  const { colleague } = useService();
  let clone: Clone;
  let query: SavedQuery;
  let file: string;

  suiteSetup(() => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    clone = repositoryAt(workspace.uri.fsPath);
    clone.git('init', '-q', '-b', 'main');
    clone.commit('Begin');
  });
  setup(async () => {
    query = await createQuery(colleague, 'SELECT 1 AS one\n-- a\n-- b\n-- c\n');
    await pull();
    clone.commit('Pull');
    file = fileOf(query);
  });
  suiteTeardown(async () => {
    for (const left of ['queries', '.git'])
      await rm(path.join(clone.folder, left), { recursive: true, force: true });
  });

  const pull = async () => {
    const said = answerMessages('showInformationMessage', () => undefined);
    const warned = answerMessages('showWarningMessage', () => undefined);
    await vscode.commands.executeCommand(commands.gitPull);
    said.dispose();
    warned.dispose();
    return [...said.texts, ...warned.texts];
  };
  const state = async () => await vscode.commands.executeCommand<State>(commands.gitState);
  const fileOf = ({ query_id: id }: SavedQuery) => {
    const metadata = readdirSync(path.join(clone.folder, 'queries'), {
      recursive: true,
      encoding: 'utf8',
    }).find((each) => each.endsWith('.identity.json') && clone.read(`queries/${each}`).includes(id));
    assert.ok(metadata);
    return `queries/${metadata.replace(/json$/, 'sql')}`;
  };
  const uri = () => vscode.Uri.file(path.join(clone.folder, file));
  const saved = async () => await colleague.savedQueries.get(query.query_id);
  const listed = async (group: 'conflicts' | 'here' | 'there') => {
    await until(`the query is listed under ${group}`, async () =>
      (await state())[group].includes(query.name),
    );
  };
  /** Pushes the suggested entries, or all available ones. */
  const push = async (which: 'proposed' | 'all') => {
    const said = answerMessages('showInformationMessage', () => undefined);
    const played = playQuestion(
      'showQuickPick',
      (picks: readonly (vscode.QuickPickItem & { picked?: boolean })[]) =>
        picks.filter(({ picked, kind }) => kind === undefined && (which === 'all' || picked === true)),
    );
    await vscode.commands.executeCommand(commands.gitPush);
    played.dispose();
    said.dispose();
    return said.texts;
  };

  test('a pull writes files, and a second one writes nothing', async () => {
    assert.equal(clone.read(file), query.query_string);
    assert.deepEqual(await pull(), ['The files are up to date.']);
    const { here, there, conflicts } = await state();
    assert.ok(![...here, ...there, ...conflicts].includes(query.name));
  });

  test('a pull names the queries that cannot become files', async () => {
    const twin = (name: string, query_id: string) => ({ ...query, name, query_id });
    const items = [
      query,
      twin('Report', '00000000-0000-4000-8000-000000000001'),
      twin('report', '00000000-0000-4000-8000-000000000002'),
    ];
    await setFaults([
      { method: 'GET', path: '/v1/query/saved-queries', always: { kind: 'body', body: { items } } },
    ]);
    const said = await pull();
    await setFaults([]);
    // The other tests' service has none of these queries.
    clone.git('reset', '-q', '--hard');
    clone.git('clean', '-fdq', 'queries');
    assert.match(said.join(), /Not pulled: report \(another query has the same name\)\.$/i);
  });

  test('a change on the service is listed, and a pull fetches it', async () => {
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 2' });
    await vscode.commands.executeCommand(commands.gitRefresh);
    await listed('there');
    await pull();
    assert.equal(clone.read(file), 'SELECT 2');
    assert.ok(!(await state()).there.includes(query.name));
  });

  test('rows that a refresh does not change stay, so that a click on one of them opens it', async () => {
    const other = await createQuery(colleague, 'SELECT 8');
    await pull();
    clone.commit('Pull');
    clone.write(file, 'SELECT 5');
    clone.write(fileOf(other), 'SELECT 6');
    await listed('here');
    await until('both are listed', async () => (await state()).here.includes(other.name));
    const rowOf = async (of: string) => {
      const { rows } = await state();
      const row = rows.find(({ resourceUri }) => resourceUri.path.endsWith(`/${of}`));
      assert.ok(row);
      return row;
    };
    const [changed, unchanged] = [await rowOf(fileOf(other)), await rowOf(file)];
    await saveMeanwhile(colleague, other, { query_string: 'SELECT 9' });
    await vscode.commands.executeCommand(commands.gitRefresh);
    assert.equal(await rowOf(file), unchanged);
    assert.notEqual(await rowOf(fileOf(other)), changed);
    clone.git('checkout', '-q', '--', '.');
  });

  test('a file saved while the service is read hides no change on the service', async () => {
    const [first, second] = [
      await createQuery(colleague, 'SELECT 3'),
      await createQuery(colleague, 'SELECT 4'),
    ];
    await pull();
    clone.commit('Pull');
    await saveMeanwhile(colleague, query, { query_string: 'SELECT 2' });
    const path = '/v1/query/saved-queries';
    await setFaults([{ method: 'GET', path, script: [{ kind: 'hold' }] }]);
    const refreshed = vscode.commands.executeCommand(commands.gitRefresh);
    clone.write(fileOf(first), 'SELECT 30');
    await setFaults([]);
    await refreshed;
    clone.write(fileOf(second), 'SELECT 40');
    await until('the second file is listed', async () => (await state()).here.includes(second.name));
    assert.ok((await state()).there.includes(query.name));
    clone.git('checkout', '-q', '--', '.');
  });

  test('saving a file saves only the file, and a push of the commit saves the query', async () => {
    const document = await vscode.workspace.openTextDocument(uri());
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 8), 'SELECT 7'));
    await vscode.commands.executeCommand('workbench.action.files.save');
    await until('the file is saved', () => clone.read(file).startsWith('SELECT 7'));
    assert.equal((await saved()).version, 1);
    await listed('here');
    assert.match((await push('proposed')).join(), /nothing to push/);
    clone.commit();
    assert.match((await push('proposed')).join(), /Pushed 1 saved query\./);
    assert.match((await saved()).query_string, /^SELECT 7/);
    assert.ok(!(await state()).here.includes(query.name));
  });

  test('a file names its query, and opens it with the same text and model', async () => {
    const document = await vscode.workspace.openTextDocument(uri());
    await vscode.window.showTextDocument(document);
    let titles: readonly string[] = [];
    await until('the lens is there', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uri(),
      );
      titles = lenses.map(({ command }) => command?.title ?? '');
      return titles.some((title) => title.includes(`File of ${query.name}: same as version 1`));
    });
    assert.ok(titles.includes('Open Saved Query'));
    await vscode.commands.executeCommand(commands.gitOpenSaved, uri());
    const opened = vscode.window.activeTextEditor?.document;
    assert.equal(opened?.uri.scheme, 'identity-query');
    assert.equal(opened.getText(), document.getText());
  });

  test('comparing shows the text of the service beside the file', async () => {
    clone.write(file, 'SELECT 3');
    await listed('here');
    await vscode.commands.executeCommand(commands.gitCompare, uri());
    const original = vscode.workspace.textDocuments.find(
      ({ uri: each }) => each.scheme === 'identity-query-service' && each.path === uri().path,
    );
    assert.equal(original?.getText(), query.query_string);
    clone.git('checkout', '-q', '--', file);
  });

  test('a row opens its file', async () => {
    clone.write(file, 'SELECT 4');
    await listed('here');
    const row = { resourceUri: uri(), item: { here: { file: path.basename(file) } } };
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(commands.gitOpenFile, row);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, uri().fsPath);
    assert.equal(vscode.window.activeTextEditor.document.getText(), 'SELECT 4');
    clone.git('checkout', '-q', '--', file);
  });

  test('a conflict opens in the merge editor, and its result replaces the version that was shown', async () => {
    await saveMeanwhile(colleague, query, { query_string: query.query_string.replace('1 AS one', '2') });
    clone.write(file, query.query_string.replace('1 AS one', '3'));
    clone.commit();
    await vscode.commands.executeCommand(commands.gitRefresh);
    await listed('conflicts');
    await vscode.commands.executeCommand(commands.gitResolve, uri());
    await until('the merge editor is open', () =>
      vscode.workspace.textDocuments.some(
        ({ uri: each }) => each.query === 'base' && each.path === uri().path,
      ),
    );
    clone.write(file, query.query_string.replace('1 AS one', '2, 3'));
    clone.commit();
    await push('proposed');
    assert.equal((await saved()).version, 2);
    assert.match((await push('all')).join(), /Pushed (1 saved query|\d+ saved queries)/);
    assert.match((await saved()).query_string, /^SELECT 2, 3/);
  });

  test('a query deleted on the service is created again only on request', async () => {
    await colleague.savedQueries.delete(query.query_id);
    await vscode.commands.executeCommand(commands.gitRefresh);
    await listed('conflicts');
    const said = await pull();
    assert.match(said.join(), /Decide about/);
    assert.match((await push('all')).join(), /Commit the new IDs/);
    assert.doesNotMatch(clone.read(file.replace(/sql$/, 'json')), new RegExp(query.query_id));
  });
});
