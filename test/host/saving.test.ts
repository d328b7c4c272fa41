/** Saving new versions in a real editor with a real service, a colleague, and an unreliable network. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import {
  answerMessages,
  closeAllEditors,
  connectionName,
  createQuery,
  diffTitles,
  open,
  replaceAll,
  requestsTo,
  setFaults,
  until,
  uriOf,
  useSaving,
} from './support.ts';

const lines = 'SELECT\n  id,\n  alias\nFROM accounts\nWHERE enabled\nLIMIT 10';
const path = '/v1/query/saved-queries/*';

/** Returns the commands of a document's code lenses, once this one is among them. */
async function lensesWith(document: vscode.TextDocument, id: string): Promise<readonly vscode.Command[]> {
  let shown: readonly vscode.Command[] = [];
  await until('the lens is there', async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    shown = lenses.flatMap(({ command }) => command ?? []);
    return shown.some(({ command }) => command === id);
  });
  return shown;
}

suite('saving', () => {
  const { colleague, colleagueSaves, saved, save } = useSaving();
  /** Changes the only line on both sides, so that saving the user's text causes a conflict. */
  const inConflict = async (): Promise<{ query: SavedQuery; document: vscode.TextDocument }> => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 3');
    await colleagueSaves(query, { query_string: 'SELECT 2' });
    await save(document);
    await until('theirs and mine are compared', () => diffTitles().length === 1);
    return { query, document };
  };

  test('the save command saves the next version and leaves a clean editor', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, `${lines}0`);
    const before = (await requestsTo(`/v1/query/saved-queries/${query.query_id}`)).length;
    await save(document);
    assert.deepEqual(await saved(query), [2, `${lines}0`]);
    assert.equal(document.isDirty, false);
    const requests = (await requestsTo(`/v1/query/saved-queries/${query.query_id}`)).slice(before);
    assert.deepEqual(requests.filter(({ method }) => method === 'PUT').length, 1, 'one save is one version');
  });

  for (const [words, commandsOfUser] of [
    ['0', ['undo']],
    ['01', ['undo']],
    ['01', ['undo', 'redo', 'undo']],
    ['0', ['deleteLeft']],
  ] as const)
    test(`after ${words.length} saves, ${commandsOfUser.join(', ')} to an earlier text is an edit, not a conflict`, async () => {
      const query = await createQuery(colleague, lines);
      const document = await open(query);
      for (const word of words) {
        await vscode.commands.executeCommand('cursorBottom');
        await vscode.commands.executeCommand('type', { text: word });
        await vscode.commands.executeCommand(commands.savedQuerySave);
        await until('the save is over', () => !document.isDirty);
      }
      const version = words.length + 1;
      for (const command of commandsOfUser) await vscode.commands.executeCommand(command);
      const text = `${lines}${words.slice(0, -1)}`;
      assert.equal(document.getText(), text);
      await vscode.commands.executeCommand(commands.savedQuerySave);
      assert.deepEqual(await saved(query), [version + 1, text]);
      assert.deepEqual(diffTitles(), []);
    });

  test('a conflict shows both versions by name and number, and changes nothing', async () => {
    const { query, document } = await inConflict();
    assert.deepEqual(diffTitles(), [
      `${query.name}: version 2 by ${(await colleague.savedQueries.get(query.query_id)).last_modified_by?.id} ↔ yours, from version 1`,
    ]);
    assert.equal(document.isDirty, true);
    assert.equal(document.getText(), 'SELECT 3');
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
  });

  test('the actions of a conflict are the first code lenses, with the same words as elsewhere', async () => {
    const { document } = await inConflict();
    const shown = await lensesWith(document, commands.queryRun);
    assert.deepEqual(
      shown.slice(0, 5).map(({ title }) => title),
      ['Merge', 'Save Mine', 'Take Theirs', 'Compare', 'More...'],
    );
  });

  test('a conflict remains if its editor gets another language', async () => {
    const { query, document } = await inConflict();
    const other = await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    await vscode.commands.executeCommand(commands.conflictSaveMine, other.uri);
    assert.deepEqual(await saved(query), [3, 'SELECT 3']);
  });

  test('Save Mine creates the version after theirs', async () => {
    const { query, document } = await inConflict();
    await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
    assert.deepEqual(await saved(query), [3, 'SELECT 3']);
    assert.equal(document.isDirty, false);
    await until('the comparison of the resolved conflict is closed', () => diffTitles().length === 0);
  });

  test('commands mean the query in either side of its diff', async () => {
    const { query } = await inConflict();
    await until('the cursor is in theirs', async () => {
      await vscode.commands.executeCommand('workbench.action.compareEditor.focusSecondarySide');
      const { document: shown } = vscode.window.activeTextEditor ?? {};
      return shown?.uri.scheme === 'identity-query-version';
    });
    await vscode.commands.executeCommand(commands.conflictSaveMine);
    assert.deepEqual(await saved(query), [3, 'SELECT 3']);
  });

  test('a third writer is detected too', async () => {
    const { query, document } = await inConflict();
    await colleagueSaves(query, { query_string: 'SELECT 4' });
    await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
    assert.deepEqual(await saved(query), [3, 'SELECT 4']);
    assert.equal(document.isDirty, true);
    await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
    assert.deepEqual(await saved(query), [4, 'SELECT 3']);
  });

  test('taking theirs saves nothing, and undo restores mine with its conflict', async () => {
    const { query, document } = await inConflict();
    await vscode.commands.executeCommand(commands.conflictTakeTheirs, document.uri);
    assert.equal(document.getText(), 'SELECT 2');
    assert.equal(document.isDirty, false);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
    await until('the comparison of the resolved conflict is closed', () => diffTitles().length === 0);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'SELECT 3');
    assert.equal(await document.save(), false);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
  });

  test('after taking theirs the next edit is the version after theirs', async () => {
    const { query, document } = await inConflict();
    await vscode.commands.executeCommand(commands.conflictTakeTheirs, document.uri);
    await replaceAll(document, 'SELECT 5');
    assert.equal(await document.save(), true);
    assert.deepEqual(await saved(query), [3, 'SELECT 5']);
  });

  test('theirs is taken unchanged, including line endings', async () => {
    const query = await createQuery(colleague, 'SELECT 1\nFROM a');
    const document = await open(query);
    await replaceAll(document, 'SELECT 3\nFROM b');
    await colleagueSaves(query, { query_string: 'SELECT 2\r\nFROM c' });
    await save(document);
    await vscode.commands.executeCommand(commands.conflictTakeTheirs, document.uri);
    await until('theirs is in the editor', () => /^SELECT 2\r?\nFROM c$/.test(document.getText()));
    assert.equal(document.isDirty, false);
    assert.equal((await saved(query))[0], 2);
  });

  test('merging manually puts both between markers, which are not saved', async () => {
    const { query, document } = await inConflict();
    await vscode.commands.executeCommand(commands.conflictMerge, document.uri);
    assert.match(document.getText(), /^<{7} .*1\nSELECT 3\n={7}\nSELECT 2\n>{7} .*2.*$/);
    await until('mine is no longer compared with theirs', () => diffTitles().length === 0);
    assert.equal(document.isDirty, true);
    assert.equal(await document.save(), false);
    await save(document);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
    await vscode.commands.executeCommand(commands.conflictAcceptMarked, {
      uri: document.uri.toString(),
      line: 0,
      side: 'both',
    });
    assert.equal(document.getText(), 'SELECT 3\nSELECT 2');
    await save(document);
    assert.deepEqual(await saved(query), [3, 'SELECT 3\nSELECT 2']);
  });

  for (const [side, text] of [
    ['mine', 'SELECT 3'],
    ['theirs', 'SELECT 2'],
  ] as const) {
    test(`${side} of a marked overlap can be kept`, async () => {
      const { query, document } = await inConflict();
      await vscode.commands.executeCommand(commands.conflictMerge, document.uri);
      await vscode.commands.executeCommand(commands.conflictAcceptMarked, {
        uri: document.uri.toString(),
        line: 0,
        side,
      });
      assert.equal(document.getText(), text);
      await save(document);
      assert.equal((await saved(query))[1], text);
    });
  }

  const mine = lines.replace('id,', 'uid,');
  const theirs = lines.replace('10', '20');
  const merged = mine.replace('10', '20');
  for (const [index, does, text, version, stored] of [
    [0, 'saves', merged, 3, merged],
    [1, 'undoes', mine, 2, theirs],
  ] as const)
    test(`a code lens ${does} an unsaved merge`, async () => {
      const query = await createQuery(colleague, lines);
      const document = await open(query);
      await replaceAll(document, mine);
      await colleagueSaves(query, { query_string: theirs });
      await save(document);
      await until('theirs and the merge are compared', () => diffTitles().length === 1);
      const lenses = await lensesWith(document, '_identityQueries.conflict.afterMerge');
      const { command, arguments: given } = lenses[index] ?? assert.fail('no lens');
      assert.equal(command, commands.conflictAfterMerge);
      await vscode.commands.executeCommand(command, given?.[0]);
      assert.deepEqual([document.getText(), ...(await saved(query))], [text, version, stored]);
    });

  test('an unsaved merge gives way to its conflict with a further version', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, mine);
    await colleagueSaves(query, { query_string: theirs });
    await save(document);
    await lensesWith(document, commands.conflictAfterMerge);
    await colleagueSaves(query, { query_string: theirs.replace('id,', 'pk,') });
    await save(document);
    const shown = await lensesWith(document, commands.conflictSaveMine);
    assert.deepEqual(
      shown.filter(({ command }) => command === commands.conflictAfterMerge),
      [],
    );
    await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
    assert.deepEqual(await saved(query), [4, merged]);
  });

  test('a comparison opens at the first change', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, lines.replace('alias', 'alias || name AS n'));
    await colleagueSaves(query, { query_string: lines.replace('10', '20') });
    await save(document);
    await until('theirs and the merge are compared', () => diffTitles().length === 1);
    await until('the cursor is at the change', () => {
      const { document: shown, selection } = vscode.window.activeTextEditor ?? {};
      return shown === document && selection?.active.isEqual(new vscode.Position(2, 20)) === true;
    });
  });

  test('edits that do not overlap are merged visibly, and saved when the person confirms', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, lines.replace('id,', 'uid,'));
    await colleagueSaves(query, { query_string: lines.replace('10', '20') });
    await save(document);
    const merged = lines.replace('id,', 'uid,').replace('10', '20');
    await until('the merge is in the editor', () => document.getText() === merged);
    await until('theirs and the merge are compared', () => diffTitles().length === 1);
    assert.match(diffTitles()[0] ?? '', /version 2.* ↔ merged with yours/);
    assert.deepEqual(await saved(query), [2, lines.replace('10', '20')]);
    assert.equal(document.isDirty, true);
    await save(document);
    assert.deepEqual(await saved(query), [3, merged]);
    await until('the comparison is closed', () => diffTitles().length === 0);
  });

  test('a merge that has been saved cannot be undone from its old notification', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, lines.replace('id,', 'uid,'));
    await colleagueSaves(query, { query_string: lines.replace('10', '20') });
    const late = Promise.withResolvers<string>();
    const asked = answerMessages('showInformationMessage', () => late.promise);
    const failures = answerMessages('showErrorMessage', () => undefined);
    try {
      await save(document);
      await until('the merge is offered', () => asked.texts.length === 1);
      await save(document);
      assert.equal((await saved(query))[0], 3);
      const merged = document.getText();
      late.resolve('Undo Merge');
      await until('the refusal is shown', () => failures.texts.length === 1);
      assert.match(failures.texts[0] ?? '', /already been saved or undone/);
      assert.equal(document.getText(), merged);
    } finally {
      asked.dispose();
      failures.dispose();
    }
  });

  test('an undone merge is not saved over theirs', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, lines.replace('id,', 'uid,'));
    await colleagueSaves(query, { query_string: lines.replace('10', '20') });
    await save(document);
    await until('theirs and the merge are compared', () => diffTitles().length === 1);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), lines.replace('id,', 'uid,'));
    assert.equal(await document.save(), false);
    assert.equal((await saved(query))[0], 2);
  });

  test("a colleague's new name is kept without a prompt", async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, `${lines}0`);
    const name = `${query.name} renamed`;
    await colleagueSaves(query, { name });
    await save(document);
    const record = await colleague.savedQueries.get(query.query_id);
    assert.deepEqual([record.version, record.name, record.query_string], [3, name, `${lines}0`]);
    assert.equal(document.isDirty, false);
  });

  test('a save that did not arrive is sent once more', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, `${lines}0`);
    await setFaults([{ method: 'PUT', path, script: [{ kind: 'drop' }] }]);
    await save(document);
    assert.deepEqual(await saved(query), [2, `${lines}0`]);
    assert.equal(document.isDirty, false);
  });

  test('a save with an unknown outcome is looked up by the next save, and is one version', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, `${lines}0`);
    await setFaults([
      { method: 'PUT', path, script: [{ kind: 'drop-after' }] },
      { method: 'GET', path, always: { kind: 'drop' } },
    ]);
    await save(document);
    assert.equal(document.isDirty, true);
    await setFaults([]);
    await save(document);
    assert.equal(document.isDirty, false);
    assert.deepEqual(await saved(query), [2, `${lines}0`]);
  });

  test('text typed after a save with an unknown outcome is the version after it', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    await setFaults([
      { method: 'PUT', path, script: [{ kind: 'drop-after' }] },
      { method: 'GET', path, always: { kind: 'drop' } },
    ]);
    await save(document);
    await setFaults([]);
    await replaceAll(document, 'SELECT 3');
    await save(document);
    assert.deepEqual(await saved(query), [3, 'SELECT 3'], 'my own earlier text is no conflict');
  });

  for (const [what, answer] of [
    ['405', { kind: 'status', status: 405 }],
    ['501', { kind: 'status', status: 501 }],
    ['404', { kind: 'status', status: 404 }],
  ] as const) {
    test(`a service without updates (${what}) keeps the text`, async () => {
      const query = await createQuery(colleague, lines);
      const document = await open(query);
      await replaceAll(document, `${lines}0`);
      await setFaults([{ method: 'PUT', path, always: answer }]);
      await save(document);
      assert.equal(await document.save(), false);
      assert.equal(document.getText(), `${lines}0`);
      assert.equal((await saved(query))[0], 1);
    });
  }

  for (const status of [400, 412, 428]) {
    test(`a stale version with the response ${status} is a conflict`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await open(query);
      await replaceAll(document, 'SELECT 3');
      await colleagueSaves(query, { query_string: 'SELECT 2' });
      await setFaults([{ method: 'PUT', path, always: { kind: 'status', status } }]);
      await save(document);
      await until('theirs and mine are compared', () => diffTitles().length === 1);
      await setFaults([]);
      await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
      assert.deepEqual([...(await saved(query)), document.isDirty], [3, 'SELECT 3', false]);
    });
  }

  for (const [what, saveIt] of [
    ['the save command', save],
    ["the editor's own save", (document: vscode.TextDocument) => document.save()],
  ] as const) {
    test(`a response with the unchanged record does not count as saved by ${what}`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await open(query);
      await replaceAll(document, 'SELECT 2');
      await setFaults([{ method: 'PUT', path, always: { kind: 'not-taken' } }]);
      await saveIt(document);
      assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 2']);
      await setFaults([]);
      await saveIt(document);
      assert.deepEqual([...(await saved(query)), document.isDirty], [2, 'SELECT 2', false]);
    });

    test(`a text that the service trims is one version by ${what}, and is shown as stored`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await open(query);
      await setFaults([{ method: 'PUT', path, always: { kind: 'reshape' } }]);
      await replaceAll(document, "SELECT 'cafe\u0301'  \n\n");
      await saveIt(document);
      const stored = "SELECT 'caf\u00e9'";
      await until('it is shown as it is stored', () => document.getText() === stored);
      assert.deepEqual([...(await saved(query)), document.isDirty], [2, stored, false]);
      await replaceAll(document, 'SELECT 3 \n');
      await saveIt(document);
      await until('it is shown as it is stored', () => document.getText() === 'SELECT 3');
      assert.deepEqual([...(await saved(query)), document.isDirty], [3, 'SELECT 3', false]);
    });
  }

  test("a text that the service is known to trim does not conflict with a colleague's identical text", async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await setFaults([{ method: 'PUT', path, always: { kind: 'reshape' } }]);
    await replaceAll(document, 'SELECT 2 \n');
    await save(document);
    await until('it is shown as it is stored', () => document.getText() === 'SELECT 2');
    await colleagueSaves(query, 'SELECT 3');
    await replaceAll(document, 'SELECT 3 \n');
    await save(document);
    await until('it is shown as it is stored', () => document.getText() === 'SELECT 3');
    assert.deepEqual([...(await saved(query)), document.isDirty, diffTitles()], [3, 'SELECT 3', false, []]);
  });

  test('a service that updates only with PATCH gets PATCH requests', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, `${lines}0`);
    const record = `/v1/query/saved-queries/${query.query_id}`;
    await setFaults([
      { method: 'PUT', path, always: { kind: 'status', status: 405, headers: { allow: 'GET, PATCH' } } },
    ]);
    await save(document);
    assert.deepEqual((await requestsTo(record)).filter(({ method }) => method === 'PATCH').length, 1);
  });

  test('save all saves every query and every other file', async () => {
    const [one, two] = [await createQuery(colleague, 'SELECT 1'), await createQuery(colleague, 'SELECT 1')];
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder, `${crypto.randomUUID()}.identity.sql`);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('SELECT 1'));
    try {
      const local = await vscode.workspace.openTextDocument(file);
      await vscode.window.showTextDocument(local, { preview: false });
      for (const document of [await open(one), await open(two), local])
        await replaceAll(document, 'SELECT 2');
      await vscode.commands.executeCommand(commands.savedQuerySaveAll);
      assert.deepEqual(
        [await saved(one), await saved(two)],
        [
          [2, 'SELECT 2'],
          [2, 'SELECT 2'],
        ],
      );
      assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)), 'SELECT 2');
      assert.deepEqual(
        vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty),
        [],
      );
    } finally {
      await closeAllEditors();
      await vscode.workspace.fs.delete(file);
    }
  });

  test('save all without a service reports this once and keeps every text', async () => {
    const queries = [
      await createQuery(colleague),
      await createQuery(colleague),
      await createQuery(colleague),
    ];
    const documents: vscode.TextDocument[] = [];
    for (const query of queries) {
      const document = await open(query);
      await replaceAll(document, 'SELECT 2');
      documents.push(document);
    }
    await setFaults([{ path, always: { kind: 'status', status: 503 } }]);
    const failure = answerMessages('showErrorMessage', () => undefined);
    try {
      await vscode.commands.executeCommand(commands.savedQuerySaveAll);
      await until('it is said', () => failure.texts.length > 0);
      assert.equal(failure.texts.length, 1);
      assert.match(
        failure.texts[0] ?? '',
        /^3 of 3 saved queries were not saved; their texts are kept here\. /,
      );
      for (const document of documents)
        assert.deepEqual([document.isDirty, document.getText()], [true, 'SELECT 2']);
    } finally {
      failure.dispose();
    }
  });

  for (const [what, saveIt] of [
    ['the save command', (document: vscode.TextDocument) => save(document)],
    ["the editor's save", (document: vscode.TextDocument) => document.save()],
  ] as const)
    test(`${what} shows progress while the service does not respond`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await open(query);
      await replaceAll(document, 'SELECT 2');
      await setFaults([{ method: 'PUT', path, always: { kind: 'hold' } }]);
      const shown: string[] = [];
      let ended = 0;
      const original = vscode.window.withProgress.bind(vscode.window);
      const record: typeof vscode.window.withProgress = (options, task) => {
        if (options.location === vscode.ProgressLocation.Window) shown.push(options.title ?? '');
        return original(options, async (...given) => {
          try {
            return await task(...given);
          } finally {
            ended += 1;
          }
        });
      };
      Object.assign(vscode.window, { withProgress: record });
      try {
        const saving = saveIt(document);
        await until('it is shown', () => shown.length > 0);
        assert.deepEqual([shown, ended], [[`Saving "${query.name}"...`], 0]);
        await setFaults([]);
        await saving;
        assert.deepEqual([shown.length, ended, await saved(query)], [1, 1, [2, 'SELECT 2']]);
      } finally {
        Object.assign(vscode.window, { withProgress: original });
      }
    });

  for (const [what, fault, why] of [
    ['an error response', { kind: 'status', status: 503 }, /503/],
    ['no response', { kind: 'drop-after' }, /connection/],
  ] as const)
    test(`a save with ${what} and an unknown outcome says no more than is known`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await open(query);
      await replaceAll(document, 'SELECT 2');
      await setFaults([{ path, always: fault }]);
      const failure = answerMessages('showErrorMessage', () => undefined);
      try {
        await save(document);
        await until('it is said', () => failure.texts.length > 0);
        const [text = ''] = failure.texts;
        assert.ok(text.startsWith(`It is not known whether "${query.name}" was saved. `), text);
        assert.match(text, why);
      } finally {
        failure.dispose();
      }
    });

  test('save all asks about a conflict, opens nothing and replaces nothing', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 3');
    await colleagueSaves(query, { query_string: 'SELECT 2' });
    const question = answerMessages('showWarningMessage', () => undefined);
    try {
      await vscode.commands.executeCommand(commands.savedQuerySaveAll);
      await until('it is asked', () => question.texts.length > 0);
      assert.match(question.texts.join(), /saved version 2 while you edited version 1/);
      assert.deepEqual(diffTitles(), []);
      assert.deepEqual(await saved(query), [2, 'SELECT 2']);
    } finally {
      question.dispose();
    }
  });

  test('a query that a colleague deleted keeps its text here', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, `${lines}0`);
    await colleague.savedQueries.delete(query.query_id);
    await save(document);
    assert.equal(await document.save(), false);
    assert.equal(document.getText(), `${lines}0`);
    assert.equal(document.isDirty, true);
  });

  test('an encoding other than UTF-8 is refused, not saved as zeros', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    const other = await vscode.workspace.openTextDocument(document.uri, { encoding: 'utf16le' });
    await replaceAll(other, 'SELECT 2');
    assert.equal(other.encoding, 'utf16le');
    assert.equal(await other.save(), false);
    assert.deepEqual(await saved(query), [1, 'SELECT 1']);
  });

  test("a byte order mark of the service's text is neither shown nor lost", async () => {
    const query = await createQuery(colleague, '\uFEFFSELECT 1');
    const document = await open(query);
    assert.equal(document.getText(), 'SELECT 1');
    await replaceAll(document, 'SELECT 2');
    await save(document);
    assert.equal(document.isDirty, false);
    assert.deepEqual(await saved(query), [2, '\uFEFFSELECT 2']);
  });

  test('a text that is changed on save is one version', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    const files = vscode.workspace.getConfiguration('files');
    await files.update('insertFinalNewline', true, vscode.ConfigurationTarget.Workspace);
    try {
      await replaceAll(document, 'SELECT 2');
      await save(document);
      assert.deepEqual(await saved(query), [2, 'SELECT 2\n']);
      assert.equal(document.isDirty, false);
    } finally {
      await files.update('insertFinalNewline', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('a query seen here is readable while the service is away, and its edit is saved when it is back', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await vscode.workspace.fs.readFile(uriOf(query));
    await setFaults([{ path, always: { kind: 'drop' } }]);
    const document = await open(query);
    assert.equal(document.getText(), 'SELECT 1');
    await replaceAll(document, 'SELECT 2');
    await save(document);
    assert.equal(document.isDirty, true);
    await setFaults([]);
    await save(document);
    assert.equal(document.isDirty, false);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
  });

  test('a query stays with its service if another one is chosen while it has edits', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    await vscode.commands.executeCommand(commands.sandboxStart);
    assert.equal(await document.save(), false);
    assert.equal(document.getText(), 'SELECT 2');
    assert.deepEqual(await saved(query), [1, 'SELECT 1']);
    await vscode.commands.executeCommand(commands.connectionConnect, connectionName);
    assert.equal(await document.save(), true);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
    await vscode.commands.executeCommand(commands.localServiceStop);
  });
});
