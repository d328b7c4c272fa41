/** The commands of the Models view and the model of a document, in a real editor with a real service. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { codeOf } from '#client/features/language/code-of.ts';
import { DriftTree } from '#client/features/models/drift-tree.ts';
import type { ModelsState } from '#client/features/models/index.ts';
import { tableItem } from '#client/features/models/model-nodes.ts';
import type { DriftResult } from '#core/models/drift.ts';
import type { ResultView } from '#panel-protocol/messages.ts';
import type { CatalogueModel, CatalogueTable } from '#server/protocol.ts';
import {
  answerMessages,
  activateExtension,
  answerPrompts,
  closeAllEditors,
  createQuery,
  draft,
  playQuestion,
  replaceAll,
  requestsTo,
  until,
  useService,
  uriOf,
} from './support.ts';

const identity = 'platform_identity';
/** A column of accounts that no sample query reads. */
const unread = 'license_level';

async function state(): Promise<ModelsState> {
  return await vscode.commands.executeCommand<ModelsState>(commands.modelsCurrent);
}

async function modelOf(name: string): Promise<CatalogueModel | undefined> {
  return (await state()).models?.find((model) => model.name === name);
}

async function edit(content: string): Promise<vscode.TextEditor> {
  return await vscode.window.showTextDocument(await draft(content));
}

/** Returns a table from the Models view. Opening a query for the model loads the table. */
async function table(name: string, model = identity): Promise<CatalogueTable> {
  await edit(`-- @model ${model}\n`);
  let found: CatalogueTable | undefined;
  await until(`${name} is known`, async () => {
    found = (await modelOf(model))?.tables?.find((each) => each.name === name);
    return found !== undefined;
  });
  assert.ok(found);
  return found;
}

function codesOf(document: vscode.TextDocument): unknown[] {
  return vscode.languages.getDiagnostics(document.uri).map(codeOf);
}

suite('models', () => {
  suiteSetup(activateExtension);
  teardown(closeAllEditors);

  test('a screen reader hears no comma after a full stop', () => {
    const node = { kind: 'table', model: identity } as const;
    const spoken = (description: string) =>
      tableItem({ ...node, table: { name: 'accounts', description, columns: [] } }, 10)
        .accessibilityInformation?.label;
    assert.equal(spoken('All accounts.'), 'accounts, 0 columns, All accounts. Used by 10 saved queries');
    assert.equal(spoken('All accounts'), 'accounts, 0 columns, All accounts, Used by 10 saved queries');
  });

  test('the models are loaded, and the schema of a model in use, with descriptions', async () => {
    await until('the models are known', async () => (await state()).models !== undefined);
    assert.deepEqual((await state()).models?.map((model) => model.name).sort(), [
      'platform_governance',
      identity,
    ]);
    const accounts = await table('accounts');
    const mail = accounts.columns?.find((column) => column.name === 'email');
    assert.deepEqual(mail, {
      name: 'email',
      type: 'text',
      nullable: false,
      description: 'The email address of the account.',
    });
    assert.ok(((await state()).readAt ?? 0) > 0);
  });

  test('Refresh Models reads names and schemas again and resets their age', async () => {
    await table('accounts');
    const before = await state();
    const asked = (await requestsTo('/v1/schema/models')).length;
    await vscode.commands.executeCommand(commands.modelsRefresh);
    assert.equal((await requestsTo('/v1/schema/models')).length, asked + 1);
    const after = await state();
    assert.ok((after.readAt ?? 0) > (before.readAt ?? 0));
    assert.deepEqual(after.models, before.models);
  });

  test('old models are read again when the view becomes visible', async () => {
    await table('accounts');
    const settings = vscode.workspace.getConfiguration('identityQueries');
    const refreshAfter = (minutes: number | undefined) =>
      settings.update('models.refreshAfterMinutes', minutes, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.view.explorer');
    const asked = (await requestsTo('/v1/schema/models')).length;
    await refreshAfter(0.0001);
    try {
      await vscode.commands.executeCommand('identityQueries.models.focus');
      await until(
        'the models are read again',
        async () => (await requestsTo('/v1/schema/models')).length > asked,
      );
    } finally {
      await refreshAfter(undefined);
    }
  });

  test('a run that names what the service lacks has the models read again', async () => {
    await table('accounts');
    const asked = (await requestsTo('/v1/schema/models')).length;
    // The checks know the models, not the catalogs of the system, so nothing but the run can tell.
    await edit('-- @model platform_identity\nSELECT oid FROM pg_catalog.pg_gone');
    await vscode.commands.executeCommand(commands.queryRun);
    await until(
      'the models are read again',
      async () => (await requestsTo('/v1/schema/models')).length > asked,
    );
  });

  test('New Query from Table lists all columns, for the model, without findings', async () => {
    const accounts = await table('accounts');
    await vscode.commands.executeCommand(commands.modelsNewQueryFromTable, {
      kind: 'table',
      model: identity,
      table: accounts,
    });
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'identity-sql');
    const text = document.getText();
    assert.match(text, /^-- @model platform_identity\nSELECT\n {2}id,\n {2}global_id,\n/);
    for (const { name } of accounts.columns ?? []) assert.ok(text.includes(`  ${name}`), name);
    await until('it is checked', () => codesOf(document).length > 0);
    assert.deepEqual(codesOf(document), ['LIMIT_WITHOUT_ORDER']);
  });

  test('Insert Name replaces the selection, and names a different model', async () => {
    const accounts = await table('accounts');
    const access = await table('access', 'platform_governance');
    const editor = await edit('SELECT here FROM there');
    const insert = async (from: number, to: number, node: unknown, all?: unknown) => {
      editor.selection = new vscode.Selection(0, from, 0, to);
      await vscode.commands.executeCommand(commands.modelsInsertName, node, all);
    };
    await insert(17, 22, { kind: 'table', model: 'platform_governance', table: access });
    assert.equal(editor.document.getText(), 'SELECT here FROM platform_governance.access');
    await insert(17, 43, { kind: 'table', model: identity, table: accounts });
    const columns = (accounts.columns ?? [])
      .filter(({ name }) => ['alias', 'email'].includes(name))
      .map((column) => ({ kind: 'column', model: identity, table: accounts, column }));
    await insert(7, 11, columns[0], columns);
    assert.equal(editor.document.getText(), 'SELECT alias, email FROM accounts');
    assert.deepEqual(editor.selection.active, new vscode.Position(0, 19));
  });

  test('Copy Name, Copy Qualified Name and Copy as SELECT', async () => {
    const accounts = await table('accounts');
    const column = accounts.columns?.find(({ name }) => name === 'email');
    const node = { kind: 'column', model: identity, table: accounts, column };
    const copied = async (command: string, ...args: unknown[]) => {
      await vscode.commands.executeCommand(command, ...args);
      return await vscode.env.clipboard.readText();
    };
    const whole = { kind: 'table', model: identity, table: accounts };
    const played = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) =>
      items.find(({ label }) => label === 'Qualified Name'),
    );
    assert.equal(await copied(commands.modelsCopy, node), 'accounts.email');
    played.dispose();
    const model = { kind: 'model', model: identity };
    assert.equal(await copied(commands.modelsCopy, model), identity, 'a model has only one name');
    assert.equal(await copied(commands.modelsCopyName, node), 'email');
    assert.equal(await copied(commands.modelsCopyQualifiedName, node), 'accounts.email');
    assert.equal(await copied(commands.modelsCopyQualifiedName, whole), `${identity}.accounts`);
    assert.equal(await copied(commands.modelsCopyAsSelect, node), 'SELECT\n  email\nFROM accounts');
    const all = await copied(commands.modelsCopyAsSelect, whole);
    assert.equal(all.split('\n').length, (accounts.columns?.length ?? 0) + 2);
  });

  test('Preview shows the first hundred rows, without taking the focus', async () => {
    const accounts = await table('accounts');
    const editor = await edit('SELECT 1');
    await vscode.commands.executeCommand(commands.modelsPreview, {
      kind: 'table',
      model: identity,
      table: accounts,
    });
    let view: ResultView | undefined;
    await until('the rows are there', async () => {
      view = await vscode.commands.executeCommand<ResultView | undefined>(commands.resultsCurrent);
      return view?.state.kind === 'rows';
    });
    assert.ok(view?.state.kind === 'rows');
    assert.equal(view.state.rowCount, 100);
    assert.equal(view.state.columns.length, accounts.columns?.length);
    assert.equal(view.header.title, 'accounts, first 100 rows');
    assert.equal(view.header.model, identity);
    assert.equal(vscode.window.activeTextEditor, editor);
  });

  test('the query behind a preview opens, whatever its table is called', async () => {
    const uri = vscode.Uri.from({
      scheme: 'identity-queries-preview',
      path: `/${identity}/100%25 owned/100% owned, first 100 rows.identity.sql`,
    });
    const document = await vscode.workspace.openTextDocument(uri);
    assert.match(document.getText(), /^-- 100% owned is no longer in the model/);
  });

  test('Filter and Clear Filter', async () => {
    const work = vscode.commands.executeCommand(commands.modelsFilter);
    await answerPrompts('escape', work);
    assert.equal((await state()).filter, '');
    await vscode.commands.executeCommand(commands.modelsClearFilter);
    assert.equal((await state()).filter, '');
  });

  test('Search reads the schemas of all models', async () => {
    const work = vscode.commands.executeCommand(commands.modelsSearch);
    await until('all schemas are read', async () =>
      ((await state()).models ?? []).every((model) => model.tables !== undefined),
    );
    await answerPrompts('escape', work);
  });
});

suite('models of documents', () => {
  suiteSetup(activateExtension);
  teardown(closeAllEditors);

  /** Returns the title of the lens with the model's name. */
  async function lens(document: vscode.TextDocument): Promise<string | undefined> {
    const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    return lenses.find(({ command }) => command?.command === commands.querySelectModel)?.command?.title;
  }

  const choose = (document: vscode.TextDocument) =>
    vscode.commands.executeCommand(commands.querySelectModel, document.uri, 'platform_governance');

  test('a chosen model is shown by the lens, applies to the checks and is dropped with the draft', async () => {
    await table('access', 'platform_governance');
    await until('both models are known', async () => (await state()).models?.length === 2);
    const { document } = await edit('SELECT account_alias FROM access');
    assert.equal(await lens(document), `$(database)\u00a0${identity}`);
    await until('access is unknown there', () => codesOf(document).includes('UNKNOWN_TABLE'));
    await choose(document);
    assert.equal(await lens(document), '$(database)\u00a0platform_governance');
    await until('access is known there', () => !codesOf(document).includes('UNKNOWN_TABLE'));
    assert.equal(document.getText(), 'SELECT account_alias FROM access', 'a draft is not written into');
  });

  test('a directive takes precedence over the choice, and choosing another model changes it in place', async () => {
    const { document } = await edit('-- kept\n-- @model platform_identity\nSELECT 1');
    assert.equal(await lens(document), `$(database)\u00a0${identity}`);
    await choose(document);
    assert.equal(document.getText(), '-- kept\n-- @model platform_governance\nSELECT 1');
  });

  test('the chosen model is kept when its file is renamed', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const from = vscode.Uri.joinPath(folder, 'before.identity.sql');
    const to = vscode.Uri.joinPath(folder, 'after.identity.sql');
    await vscode.workspace.fs.writeFile(from, new TextEncoder().encode('SELECT account_alias FROM access'));
    const before = await vscode.workspace.openTextDocument(from);
    await vscode.window.showTextDocument(before);
    await choose(before);
    assert.equal(await lens(before), '$(database)\u00a0platform_governance');
    const move = new vscode.WorkspaceEdit();
    move.renameFile(from, to);
    assert.ok(await vscode.workspace.applyEdit(move));
    const after = await vscode.workspace.openTextDocument(to);
    await until(
      'the model came along',
      async () => (await lens(after)) === '$(database)\u00a0platform_governance',
    );
    await vscode.workspace.fs.delete(to);
  });

  test('the chosen model is kept when a draft is saved as a file', async () => {
    const { document } = await edit('SELECT account_alias FROM access -- saved as a file');
    await choose(document);
    const saved = await answerPrompts('accept', vscode.workspace.saveAs(document.uri));
    assert.ok(saved);
    const file = await vscode.workspace.openTextDocument(saved);
    assert.equal(file.uri.scheme === 'untitled', false);
    assert.equal(file.getText(), 'SELECT account_alias FROM access -- saved as a file');
    await until(
      'the model came along',
      async () => (await lens(file)) === '$(database)\u00a0platform_governance',
    );
    await vscode.workspace.fs.delete(saved);
  });

  test('a query in a folder that is not on disk is checked and keeps its model', async () => {
    const files = vscode.workspace.registerFileSystemProvider('host-test-memory', new MemoryFiles());
    try {
      const file = vscode.Uri.from({ scheme: 'host-test-memory', path: '/review.identity.sql' });
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('SELECT account_alias FROM access'));
      const document = await vscode.workspace.openTextDocument(file);
      await vscode.window.showTextDocument(document);
      await until('access is unknown there', () => codesOf(document).includes('UNKNOWN_TABLE'));
      await choose(document);
      assert.equal(await lens(document), '$(database)\u00a0platform_governance');
      await until('access is known there', () => !codesOf(document).includes('UNKNOWN_TABLE'));
    } finally {
      await closeAllEditors();
      files.dispose();
    }
  });
});

/** A file system such as that of a virtual workspace. */
class MemoryFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  stat(uri: vscode.Uri): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.readFile(uri).length };
  }
  readFile(uri: vscode.Uri): Uint8Array {
    const bytes = this.#files.get(uri.path);
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }
  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    this.#files.set(uri.path, bytes);
  }
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }
  readDirectory(): [string, vscode.FileType][] {
    return [...this.#files.keys()].map((name) => [name.slice(1), vscode.FileType.File]);
  }
  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri: vscode.Uri): void {
    this.#files.delete(uri.path);
  }
  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

suite('saved queries and models', () => {
  const { colleague } = useService();

  teardown(async () => {
    await vscode.commands.executeCommand(commands.driftClear);
  });

  interface Checked {
    readonly checked: number;
    readonly broken: DriftResult['broken'];
  }
  const checkAll = () => vscode.commands.executeCommand<Checked | undefined>(commands.driftCheckAll);
  const driftProblems = () =>
    vscode.languages
      .getDiagnostics()
      .filter(([uri]) => uri.scheme === 'identity-queries-check')
      .flatMap(([, problems]) => problems);

  test('Check All Saved Queries finds those that do not fit, as problems of one document, until they are corrected', async () => {
    const broken = await createQuery(colleague, 'SELECT alias,\n  no_such_column\nFROM accounts');
    const other = await createQuery(colleague, 'SELECT * FROM no_such_table LIMIT 1');
    const fine = await createQuery(colleague, 'SELECT alias FROM accounts');
    const result = await checkAll();
    assert.ok(result);
    const namesOf = ({ broken: all }: Checked) => all.map(({ name }) => name);
    assert.ok(namesOf(result).includes(broken.name) && namesOf(result).includes(other.name));
    assert.ok(!namesOf(result).includes(fine.name));
    const found = result.broken.find(({ name }) => name === broken.name);
    assert.deepEqual(
      found?.findings.map(({ code, range }) => [code, range.start.line]),
      [['UNKNOWN_COLUMN', 1]],
    );
    assert.ok(result.checked > 3);

    await vscode.commands.executeCommand(commands.driftShowProblems);
    const report = vscode.window.activeTextEditor?.document;
    assert.equal(report?.uri.scheme, 'identity-queries-check');
    const marked = () => driftProblems().map(({ range }) => report.getText(range));
    assert.ok(marked().includes('no_such_column') && marked().includes('no_such_table'));

    assert.ok(found);
    const rows = new DriftTree(
      { result: undefined, onDidChange: () => new vscode.Disposable(() => undefined) },
      () => uriOf(broken),
    );
    const { command } = rows.getTreeItem({ kind: 'finding', query: found, index: 0 });
    assert.equal(
      command?.command,
      'vscode.open',
      "the editor's own, so that a click previews and keeps the focus",
    );
    await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.getText(editor.selection), 'no_such_column');
    await replaceAll(editor.document, 'SELECT alias\nFROM accounts');
    assert.ok(await editor.document.save());
    // The report's text and its problems are updated separately.
    await until(
      'the mended query is no problem any more',
      () => !marked().includes('no_such_column') && marked().includes('no_such_table'),
    );

    await colleague.savedQueries.delete(other.query_id);
    const again = await checkAll();
    assert.ok(again && !namesOf(again).includes(other.name));
    await vscode.commands.executeCommand(commands.driftClear);
    assert.deepEqual(driftProblems(), []);
  });

  test('Show Saved Queries That Read This opens one of them', async () => {
    const accounts = await table('accounts');
    const column = accounts.columns?.find((one) => one.name === unread);
    assert.ok(column);
    const user = await createQuery(colleague, `SELECT a.${column.name} FROM accounts AS a`);
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    const node = { kind: 'column', model: identity, table: accounts, column };
    await answerPrompts('accept', vscode.commands.executeCommand(commands.modelsShowUses, node));
    await until('a saved query is open', () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.scheme === 'identity-query' && document.getText().includes(column.name);
    });
    await colleague.savedQueries.delete(user.query_id);
  });

  test('of those that read a column, the ones that show it come first, from the view and the editor', async () => {
    const accounts = await table('accounts');
    const column = accounts.columns?.find((one) => one.name === unread);
    assert.ok(column);
    const { name } = column;
    const chooser = await createQuery(
      colleague,
      `SELECT 1 AS one FROM accounts AS a WHERE a.${name} IS NULL`,
    );
    const reader = await createQuery(
      colleague,
      `SELECT x.c AS shown FROM (SELECT coalesce(a.${name}, NULL) AS c FROM accounts AS a) AS x`,
    );
    await vscode.commands.executeCommand(commands.savedQueriesRefresh);
    const isOpen = () =>
      vscode.window.activeTextEditor?.document.uri.scheme === 'identity-query' &&
      vscode.window.activeTextEditor.document.getText().includes('AS shown');
    const node = { kind: 'column', model: identity, table: accounts, column };
    const isQuery = ({ kind }: vscode.QuickPickItem) => kind !== vscode.QuickPickItemKind.Separator;
    const first = playQuestion('showQuickPick', (items: readonly vscode.QuickPickItem[]) =>
      items.find(isQuery),
    );
    try {
      await vscode.commands.executeCommand(commands.modelsShowUses, node);
      await until('the query that shows it is open', isOpen);
      await closeAllEditors();
      const editor = await edit(
        `-- @model ${identity}\nSELECT y.z FROM (SELECT a.${name} AS z FROM accounts AS a) AS y`,
      );
      editor.selection = new vscode.Selection(1, 9, 1, 9);
      await vscode.commands.executeCommand(commands.modelsShowUses);
      await until('the query that shows it is open again', isOpen);
      // Without its row, the menu of a row does not mean the column at the cursor.
      const refused = answerMessages('showErrorMessage', () => undefined);
      await vscode.commands.executeCommand(commands.modelsShowUses, undefined, undefined);
      refused.dispose();
      assert.deepEqual(refused.texts, ['Choose a row in the Models view first.']);
    } finally {
      first.dispose();
    }
    for (const { query_id: id } of [chooser, reader]) await colleague.savedQueries.delete(id);
  });
});
