/** Creating saved queries in a real editor: their sources, names already in use, lost responses. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import { saveAsFile } from '#client/features/saved-queries/creating/save-as-file.ts';
import type { Evidence } from '#core/evidence/evidence.ts';
import { current, run, stateOf } from './run-support.ts';
import {
  answerMessages,
  answerPrompts,
  createQuery,
  draft,
  open,
  pickLabels,
  playQuestion,
  replaceAll,
  requestsTo,
  setFaults,
  until,
  uriOf,
  useService,
  withFolder,
} from './support.ts';

const collection = '/v1/query/saved-queries';

suite('creating', () => {
  const { colleague } = useService();

  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  });

  const holding = async (text: string): Promise<readonly SavedQuery[]> =>
    (await Array.fromAsync(colleague.savedQueries.listAll())).filter((query) => query.query_string === text);
  const unique = (what: string) => `${what} ${crypto.randomUUID()}`;

  test('a draft becomes a query under its name, and its tab shows that query', async () => {
    const [name, text] = [unique('Draft'), unique('SELECT 1 --')];
    const document = await draft(text);
    await answerPrompts(
      'accept',
      vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name, uri: document.uri.toString() }),
    );
    assert.deepEqual(
      (await holding(text)).map((query) => [query.name, query.version]),
      [[name, 1]],
    );
    assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'identity-query');
    assert.equal(tabsOf(document).length, 0, 'the draft has no tab');
  });

  test('a draft whose text the service trims becomes its query, with the cursor behind the last line', async () => {
    const [name, stored] = [unique('Trimmed'), unique('SELECT 1 --')];
    const document = await draft(`${stored} \n\n`);
    const end = document.positionAt(document.getText().length);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(end, end);
    await setFaults([{ method: 'POST', path: collection, always: { kind: 'reshape' } }]);
    await answerPrompts(
      'accept',
      vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name, uri: document.uri.toString() }),
    );
    await setFaults([]);
    const active = vscode.window.activeTextEditor?.document;
    assert.deepEqual(
      [active?.uri.scheme, active?.getText(), active?.isDirty],
      ['identity-query', stored, false],
    );
    assert.equal(tabsOf(document).length, 0, 'the draft has no tab');
  });

  test('the rows of a draft stay with its query, under its name', async () => {
    const [name, text] = [unique('Named rows'), unique('SELECT 1 AS named --')];
    const document = await draft(text);
    await run();
    await stateOf('rows');
    assert.match((await current())?.header.title ?? '', /^Untitled-/);
    await answerPrompts(
      'accept',
      vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name, uri: document.uri.toString() }),
    );
    await until('the result has the name of the query', async () => {
      const header = (await current())?.header;
      return header?.title === name && header.version === 1 && header.isModified === false;
    });
    // A second run reuses the result, and the evidence contains the version.
    const { id } = (await current()) ?? {};
    const evidence = await vscode.commands.executeCommand<Evidence>(commands.resultsCopyEvidence);
    assert.deepEqual([evidence.query.name, evidence.query.version, evidence.query.edited], [name, 1, false]);
    await run();
    await stateOf('rows');
    assert.equal((await current())?.id, id);
  });

  test('Ctrl+S in a draft offers the service first, does not ask for a model again, and the tab stays', async () => {
    const [name, text] = [unique('Saved draft'), unique('SELECT 1 AS draft --')];
    const document = await draft(text);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 7, 0, 7);
    const asked: (string | undefined)[] = [];
    const original = vscode.window.createQuickPick.bind(vscode.window);
    const create = () => {
      const pick = original();
      pick.onDidAccept(() => asked.push(pick.title));
      return pick;
    };
    Object.assign(vscode.window, { createQuickPick: create });
    try {
      await answerPrompts(
        'accept',
        vscode.commands.executeCommand(commands.querySaveDraft, { name, uri: document.uri.toString() }),
      );
    } finally {
      Object.assign(vscode.window, { createQuickPick: original });
    }
    assert.deepEqual(
      (await holding(text)).map((query) => [query.name, query.model]),
      [[name, 'platform_identity']],
    );
    assert.ok(!asked.some((title) => title?.includes('model')), asked.join());
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.deepEqual([tab?.isPreview, tab?.isDirty], [false, false]);
    const cursor = vscode.window.activeTextEditor?.selection.active;
    assert.deepEqual([cursor?.line, cursor?.character], [0, 7], 'typing continues where it was');
  });

  test('a selection becomes a query, and the document stays unchanged', async () => {
    const [name, text] = [unique('Selection'), unique('SELECT 2 --')];
    const document = await draft(`-- before\n${text}\n-- after`);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new vscode.Selection(1, 0, 1, text.length);
    await answerPrompts(
      'accept',
      vscode.commands.executeCommand(commands.savedQuerySaveSelectionAsNew, { name }),
    );
    assert.deepEqual(
      (await holding(text)).map((query) => query.name),
      [name],
    );
    assert.equal(document.isClosed, false);
  });

  test('a draft of a folder is saved there; one without a row, in the last folder', async () => {
    const [folder, last] = [unique('Folder'), unique('Last')];
    const draftOf = async (...row: readonly unknown[]): Promise<vscode.TextDocument> => {
      await vscode.commands.executeCommand(commands.queryNew, ...row);
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document?.isUntitled);
      await replaceAll(document, unique('SELECT 6 --'));
      return document;
    };
    const startsWith = async (document: vscode.TextDocument, name: string): Promise<void> => {
      const uri = document.uri.toString();
      const original = vscode.window.createQuickPick.bind(vscode.window);
      let page: vscode.QuickPick<vscode.QuickPickItem> | undefined;
      Object.assign(vscode.window, { createQuickPick: () => (page = original()) });
      try {
        const saving = vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { uri });
        await until(`the page starts with ${name}`, () => page?.value === name);
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        await saving;
      } finally {
        Object.assign(vscode.window, { createQuickPick: original });
      }
    };
    const inFolder = await draftOf({ kind: 'group', key: `prefix:${folder}` });
    const saved = await draftOf();
    const name = `${last}/One`;
    const uri = saved.uri.toString();
    await answerPrompts(
      'accept',
      vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name, uri }),
    );
    await startsWith(inFolder, `${folder}/`);
    // The editor has lost the row in whose menu the command stands.
    await startsWith(await draftOf(undefined, undefined), `${last}/`);
  });

  test('a taken name whose query has the same text opens that query', async () => {
    const holder = await createQuery(colleague, unique('SELECT 3 --'));
    await draft(holder.query_string);
    const command = vscode.commands.executeCommand(commands.savedQuerySaveAsNew, {
      name: holder.name.toUpperCase(),
    });
    await answerPrompts('accept', command);
    assert.equal((await holding(holder.query_string)).length, 1);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uriOf(holder).toString());
  });

  test('a taken name is changed to a free one', async () => {
    const holder = await createQuery(colleague, unique('SELECT 4 --'));
    const text = unique('SELECT 5 --');
    await draft(text);
    const command = vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name: holder.name });
    await answerPrompts('accept', command);
    assert.deepEqual(
      (await holding(text)).map((query) => query.name),
      [`${holder.name} (2)`],
    );
    assert.equal((await colleague.savedQueries.get(holder.query_id)).version, 1);
  });

  test('a draft becomes the next version of the query that has its name, after a diff', async () => {
    const holder = await createQuery(colleague, unique('SELECT 6 --'));
    const text = unique('SELECT 7 --');
    await draft(text);
    await pickLabels(/^Save as (Its )?Version 2/u, () =>
      vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name: holder.name }),
    );
    const saved = await colleague.savedQueries.get(holder.query_id);
    assert.deepEqual([saved.version, saved.query_string], [2, text]);
  });

  test('cancelling at a taken name keeps the draft and creates nothing', async () => {
    const holder = await createQuery(colleague, unique('SELECT 8 --'));
    const text = unique('SELECT 9 --');
    const document = await draft(text);
    const command = vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name: holder.name });
    const refusals = async () => (await requestsTo(collection)).filter(({ status }) => status === 409).length;
    const before = await refusals();
    await until('the service refuses the name', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await refusals()) > before;
    });
    await answerPrompts('escape', command);
    assert.deepEqual(await holding(text), []);
    assert.equal(document.getText(), text);
    assert.equal(document.isClosed, false);
  });

  test('a create without a response results in one query', async () => {
    const [name, text] = [unique('Unanswered'), unique('SELECT 10 --')];
    await draft(text);
    await setFaults([{ method: 'POST', path: collection, script: [{ kind: 'drop-after' }] }]);
    await answerPrompts('accept', vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name }));
    assert.deepEqual(
      (await holding(text)).map((query) => query.name),
      [name],
    );
  });

  test('a create with an unknown outcome is looked up by the next attempt, under any name', async () => {
    const text = unique('SELECT 11 --');
    const document = await draft(text);
    const first = unique('First');
    await setFaults([
      { method: 'POST', path: collection, script: [{ kind: 'drop-after' }] },
      { method: 'GET', path: collection, always: { kind: 'drop' } },
    ]);
    const posts = async () => (await requestsTo(collection)).filter(({ method }) => method === 'POST').length;
    const before = await posts();
    const command = vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name: first });
    await until('the create was sent', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await posts()) > before;
    });
    await answerPrompts('escape', command);
    await setFaults([]);
    await vscode.window.showTextDocument(document);
    await answerPrompts(
      'accept',
      vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name: unique('Second') }),
    );
    assert.deepEqual(
      (await holding(text)).map((query) => query.name),
      [first],
    );
  });

  test('a create with an unknown outcome on a service without a list results in one query, under the name of the first attempt', async () => {
    const [name, text] = [unique('Unlisted'), unique('SELECT 13 --')];
    await draft(text);
    await setFaults([
      { method: 'POST', path: collection, script: [{ kind: 'drop-after' }] },
      { method: 'GET', path: collection, always: { kind: 'status', status: 405 } },
    ]);
    const failure = answerMessages('showErrorMessage', () => undefined);
    try {
      const command = vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name });
      await until('it is said', async () => {
        if (failure.texts.length > 0) return true;
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return false;
      });
      await answerPrompts('escape', command);
      assert.match(
        failure.texts[0] ?? '',
        /has no list to look in, so it is not known whether "Unlisted .*" was created/,
      );
      const refusals = async () =>
        (await requestsTo(collection)).filter(({ status }) => status === 409).length;
      const before = await refusals();
      const again = vscode.commands.executeCommand(commands.savedQuerySaveAsNew, { name });
      await until('the service refuses the name', async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return (await refusals()) > before;
      });
      await answerPrompts('escape', again);
      await setFaults([]);
      assert.deepEqual(
        (await holding(text)).map((query) => query.name),
        [name],
      );
    } finally {
      failure.dispose();
    }
  });

  test('a copy keeps the model and description of its source', async () => {
    const source = await colleague.savedQueries.create({
      name: unique('Source'),
      query_string: unique('SELECT 12 --'),
      model: 'platform_governance',
      description: 'Who, and why',
    });
    await open(source);
    await answerPrompts('accept', vscode.commands.executeCommand(commands.savedQuerySaveAsNew));
    const copy = (await holding(source.query_string)).find((query) => query.query_id !== source.query_id);
    assert.deepEqual([copy?.model, copy?.description], ['platform_governance', 'Who, and why']);
  });

  test('a file made of a draft has its text when it appears, and the editor saves it as the person wants', async () => {
    await withFolder(async (folder) => {
      const uri = vscode.Uri.file(path.join(folder, 'kept.identity.sql'));
      const text = unique('SELECT 13 --');
      const document = await draft(text);
      const settings = () => vscode.workspace.getConfiguration('files');
      const set = (value: unknown) =>
        settings().update('insertFinalNewline', value, vscode.ConfigurationTarget.Global);
      const first: string[] = [];
      const opened = vscode.workspace.onDidOpenTextDocument((each) => {
        if (each.uri.toString() === uri.toString()) first.push(each.getText());
      });
      const played = playQuestion('showSaveDialog', () => uri);
      try {
        await set(true);
        await saveAsFile(document);
        assert.deepEqual(first, [text]);
        assert.equal(await readFile(uri.fsPath, 'utf8'), `${text}\n`);
        assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString());
      } finally {
        played.dispose();
        opened.dispose();
        await set(undefined);
      }
    });
  });
});

/** The editor keeps a document for a while after its tab is closed. */
function tabsOf(document: vscode.TextDocument): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString(),
    );
}
