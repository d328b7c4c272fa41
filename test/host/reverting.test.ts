/** Revert File, and the same query open twice. Checks the base version afterwards, and that no text is lost. */
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
  setFaults,
  until,
  uriOf,
  useSaving,
} from './support.ts';

const path = '/v1/query/saved-queries/*';
const longer = 'SELECT 2 AS two, 22 AS twenty_two';

suite('reverting saved queries', () => {
  const { colleague, colleagueSaves, saved, save } = useSaving();
  const revert = async (document: vscode.TextDocument) => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  };
  const edited = async (query: SavedQuery, text = 'SELECT 3') => {
    const document = await open(query);
    await replaceAll(document, text);
    return document;
  };
  const stateOf = (document: vscode.TextDocument) => [document.isDirty, document.getText()];

  test('Revert File restores the saved text, and the next edit is the next version', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await edited(query);
    await revert(document);
    assert.deepEqual(stateOf(document), [false, 'SELECT 1']);
    await replaceAll(document, 'SELECT 4');
    await save(document);
    assert.deepEqual([...stateOf(document), await saved(query)], [false, 'SELECT 4', [2, 'SELECT 4']]);
  });

  for (const [how, saveIt] of [
    ['Save', save],
    ["the editor's own save", (document: vscode.TextDocument) => document.save()],
  ] as const) {
    test(`Revert File shows a version saved meanwhile, and ${how} continues from it`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await edited(query);
      await colleagueSaves(query, longer);
      await revert(document);
      assert.deepEqual(stateOf(document), [false, longer]);
      await replaceAll(document, 'SELECT 4');
      await saveIt(document);
      assert.deepEqual([...stateOf(document), await saved(query)], [false, 'SELECT 4', [3, 'SELECT 4']]);
    });
  }

  test('renamed, reverted to a newer version, closed and opened again: the next save leaves a clean editor', async () => {
    const made = await createQuery(colleague, 'SELECT 1');
    const show = async (query: SavedQuery) => {
      await vscode.commands.executeCommand('vscode.open', uriOf(query), { preview: false });
      const name = encodeURIComponent(query.name);
      await until('the query is in front', () => inFront().toString().includes(name));
    };
    const inFront = () => vscode.window.activeTextEditor?.document.uri ?? vscode.Uri.file('/');
    const shown = () => {
      const { document } = vscode.window.activeTextEditor ?? {};
      assert.ok(document);
      return document;
    };
    await show(made);
    const renamed = { queryId: made.query_id, name: `Renamed ${crypto.randomUUID()}` };
    await vscode.commands.executeCommand(commands.savedQueryRename, renamed);
    const query = await colleague.savedQueries.get(made.query_id);
    await show(query);
    await replaceAll(shown(), 'SELECT 3');
    await colleagueSaves(query, longer);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await show(query);
    await replaceAll(shown(), 'SELECT 4');
    await save(shown());
    assert.deepEqual([...stateOf(shown()), await saved(query)], [false, 'SELECT 4', [4, 'SELECT 4']]);
  });

  test('reverted to a newer version, closed and opened again, the next save leaves a clean editor', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    // Open the document as a click does. A document opened through the API stays open for minutes.
    const show = async () => {
      await vscode.commands.executeCommand('vscode.open', uriOf(query), { preview: false });
      const { document } = vscode.window.activeTextEditor ?? {};
      assert.ok(document);
      return document;
    };
    const document = await show();
    await replaceAll(document, 'SELECT 3');
    await colleagueSaves(query, longer);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.deepEqual(stateOf(document), [false, longer]);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await until('it is closed', () => document.isClosed);
    const again = await show();
    await replaceAll(again, 'SELECT 4');
    await save(again);
    assert.deepEqual([...stateOf(again), await saved(query)], [false, 'SELECT 4', [3, 'SELECT 4']]);
  });

  test('Revert File without edits shows a version saved meanwhile, and a save continues from it', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await colleagueSaves(query, longer);
    await revert(document);
    await until('theirs is shown', () => document.getText() === longer);
    await replaceAll(document, 'SELECT 4');
    await save(document);
    assert.deepEqual([...stateOf(document), await saved(query)], [false, 'SELECT 4', [3, 'SELECT 4']]);
  });

  test('Revert File in a conflict resolves it with theirs, and undo restores mine with the conflict', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await edited(query);
    await colleagueSaves(query, longer);
    await save(document);
    await until('theirs and mine are compared', () => diffTitles().length === 1);
    await revert(document);
    assert.deepEqual(stateOf(document), [false, longer]);
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(stateOf(document), [true, 'SELECT 3']);
    assert.equal(await document.save(), false);
    assert.deepEqual(await saved(query), [2, longer], 'theirs is not replaced unseen');
    await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
    assert.deepEqual([...stateOf(document), await saved(query)], [false, 'SELECT 3', [3, 'SELECT 3']]);
  });

  test('Revert File during a manual merge resolves it with theirs', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await edited(query);
    await colleagueSaves(query, longer);
    await save(document);
    await vscode.commands.executeCommand(commands.conflictMerge, document.uri);
    assert.match(document.getText(), /^<{7} /);
    await revert(document);
    assert.deepEqual(stateOf(document), [false, longer]);
    await replaceAll(document, 'SELECT 4');
    await save(document);
    assert.deepEqual([...stateOf(document), await saved(query)], [false, 'SELECT 4', [3, 'SELECT 4']]);
  });

  for (const [what, fault, said] of [
    ['without a service', { kind: 'drop' }, /can't be reached\. .*shows version 1, the last one seen here/],
    [
      'with an error response',
      { kind: 'status', status: 503 },
      /is not available \(503\)\. .*shows version 1, the last one seen here/,
    ],
  ] as const)
    test(`Revert File ${what} shows the last version seen here, with a note`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await edited(query);
      await colleagueSaves(query, longer);
      await setFaults([{ path, always: fault }]);
      const notice = answerMessages('showInformationMessage', () => undefined);
      try {
        await revert(document);
        assert.deepEqual(stateOf(document), [false, 'SELECT 1']);
        assert.match(notice.texts.join(), said);
      } finally {
        notice.dispose();
      }
      await setFaults([]);
      await replaceAll(document, 'SELECT 4');
      assert.equal(await document.save(), false);
      assert.deepEqual(await saved(query), [2, longer], 'theirs is not replaced unseen');
      assert.deepEqual(stateOf(document), [true, 'SELECT 4']);
    });

  test('a query of a disconnected connection is shown as last seen, and explains how to connect', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    await open(query);
    await closeAllEditors();
    await vscode.commands.executeCommand(commands.connectionDisconnect);
    const notice = answerMessages('showInformationMessage', (buttons) =>
      buttons.find((each) => each === 'Connect'),
    );
    try {
      await vscode.workspace.fs.readFile(uriOf({ ...query, name: 'opened from somewhere else' }));
      await until('it is said', () => notice.texts.length > 0);
      assert.equal(
        notice.texts[0],
        `Not connected to ${connectionName}. "${query.name}" shows version 1, the last one seen here.`,
      );
      await until('connected', async () => {
        const state = await vscode.commands.executeCommand<{ kind: string }>(commands.connectionState);
        return state.kind === 'connected';
      });
    } finally {
      notice.dispose();
    }
  });

  for (const [what, hinder, said] of [
    [
      'a query that is gone',
      (query: SavedQuery) => colleague.savedQueries.delete(query.query_id),
      'was deleted. Your text is kept here',
    ],
    [
      'a query while the service says no',
      () => setFaults([{ path, always: { kind: 'status', status: 403 } }]),
      'was not reverted: the saved text could not be read. Your text is kept here',
    ],
  ] as const) {
    test(`Revert File of ${what} keeps the edits and reports it`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await edited(query);
      await hinder(query);
      const failure = answerMessages('showErrorMessage', () => undefined);
      try {
        // The editor's own command fails as well, but its message is not ours to test.
        await revert(document).catch(() => undefined);
        await until('it is said', () => failure.texts.length > 0);
        assert.ok(failure.texts[0]?.startsWith(`"${query.name}" ${said}`), failure.texts[0]);
        assert.deepEqual(stateOf(document), [true, 'SELECT 3']);
        await setFaults([]);
        await save(document);
        const isGone = what === 'a query that is gone';
        assert.deepEqual(stateOf(document), [isGone, 'SELECT 3']);
      } finally {
        failure.dispose();
      }
    });
  }

  test('if a query is edited under two names, each is saved over its own version', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await edited(query);
    await colleagueSaves(query, longer);
    // Shown without edits, it would give way to the editor with edits.
    const again = await vscode.workspace.openTextDocument(uriOf({ ...query, name: `${query.name} once` }));
    assert.deepEqual(stateOf(again), [false, longer]);
    assert.equal(await document.save(), false);
    assert.deepEqual(await saved(query), [2, longer], 'theirs is not replaced unseen');
    await replaceAll(again, 'SELECT 5');
    assert.equal(await again.save(), true);
    assert.deepEqual(await saved(query), [3, 'SELECT 5']);
    assert.deepEqual(stateOf(document), [true, 'SELECT 3']);
  });

  test('unsaved edits of a query that is deleted here are kept, and saving them names the query', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await edited(query);
    const question = answerMessages('showWarningMessage', (buttons) => buttons.at(-1));
    const failure = answerMessages('showErrorMessage', () => undefined);
    try {
      await vscode.commands.executeCommand(commands.savedQueryDelete, { queryId: query.query_id });
      assert.deepEqual(stateOf(document), [true, 'SELECT 3']);
      await save(document);
      await until('it is said', () => failure.texts.length > 0);
      assert.match(failure.texts.join(), new RegExp(`^"${query.name}" was deleted\\. `));
      assert.deepEqual(stateOf(document), [true, 'SELECT 3']);
    } finally {
      question.dispose();
      failure.dispose();
    }
  });

  for (const name of [
    '\u{1F510} who? 100% #1 a/b\\c',
    'مراجعة \u05d1\u05d3\u05d9\u05e7\u05d4',
    `${'w'.repeat(199)}.`,
    '.. / ..',
  ]) {
    test(`a query called ${name.slice(0, 24)} is opened, edited, saved and renamed`, async () => {
      const made = await colleague.savedQueries.create({ name, query_string: 'SELECT 1' });
      try {
        await vscode.commands.executeCommand(commands.savedQueryOpenById, made.query_id);
        const document = vscode.window.activeTextEditor?.document;
        assert.ok(document);
        await replaceAll(document, 'SELECT 2');
        const renamed = `${name.slice(0, 190)} new`;
        await vscode.commands.executeCommand(commands.savedQueryRename, {
          queryId: made.query_id,
          name: renamed,
        });
        const again = vscode.window.activeTextEditor?.document;
        assert.ok(again);
        assert.deepEqual(stateOf(again), [true, 'SELECT 2']);
        await save(again);
        const record = await colleague.savedQueries.get(made.query_id);
        assert.deepEqual([record.version, record.name, record.query_string], [3, renamed, 'SELECT 2']);
      } finally {
        await closeAllEditors();
        await colleague.savedQueries.delete(made.query_id);
      }
    });
  }
});
