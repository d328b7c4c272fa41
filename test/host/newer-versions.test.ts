/** Versions newer than the editor's: noticed, reloaded, compared and followed. Also covers undo afterwards. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import {
  answerMessages,
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

/** Starts a save that the service applies without responding. The client's check of the result waits for `end`. */
async function beginSlowSave(
  query: SavedQuery,
  save: () => Thenable<unknown>,
): Promise<{ readonly end: () => Promise<void> }> {
  const path = `/v1/query/saved-queries/${query.query_id}`;
  await setFaults([
    { method: 'PUT', path, script: [{ kind: 'drop-after' }] },
    { method: 'GET', path, script: [{ kind: 'hold' }] },
  ]);
  const saved = save();
  await until('the save was sent', async () =>
    (await requestsTo(path)).some(({ method, status }) => method === 'PUT' && status === 0),
  );
  return {
    end: async () => {
      await setFaults([]);
      await saved;
    },
  };
}

/** Undoes step by step and checks the text after each step. */
async function undo(document: vscode.TextDocument, texts: readonly string[]): Promise<void> {
  await vscode.window.showTextDocument(document);
  for (const text of texts) {
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), text);
  }
}

suite('saved queries with newer versions', () => {
  const { colleague, colleagueSaves, saved, save } = useSaving();

  /** Opens an editor on the first version and reloads each of the colleague's later versions. */
  const openReloaded = async ([first = '', ...later]: readonly string[]) => {
    const query = await createQuery(colleague, first);
    const document = await open(query);
    for (const text of later) {
      await colleagueSaves(query, text);
      await vscode.commands.executeCommand(commands.reload, document.uri);
      await until('the newest is in the editor', () => document.getText() === text);
    }
    return { query, document };
  };

  const saveInConflict = async (document: vscode.TextDocument, title: RegExp) => {
    await save(document);
    await until('the other version and mine are compared', () => diffTitles().length === 1);
    assert.match(diffTitles()[0] ?? '', title);
  };

  test('the newest version replaces an editor without edits on request', async () => {
    const { query, document } = await openReloaded(['SELECT 1', 'SELECT 2']);
    assert.equal(document.isDirty, false);
    await replaceAll(document, 'SELECT 3');
    assert.equal(await document.save(), true);
    assert.deepEqual(await saved(query), [3, 'SELECT 3']);
  });

  test('reloading an editor with edits loses none of them', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    await replaceAll(document, lines.replace('id,', 'uid,'));
    await colleagueSaves(query, lines.replace('10', '20'));
    await vscode.commands.executeCommand(commands.reload, document.uri);
    await until(
      'both are in the editor',
      () => document.getText().includes('uid') && document.getText().includes('20'),
    );
    assert.equal(document.isDirty, true);
  });

  test('an editor without edits follows automatically if enabled', async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const settings = vscode.workspace.getConfiguration('identityQueries');
    await settings.update('savedQueries.followNewer', true, vscode.ConfigurationTarget.Workspace);
    try {
      const document = await vscode.workspace.openTextDocument(uriOf(query));
      await colleagueSaves(query, 'SELECT 2');
      await vscode.window.showTextDocument(document);
      await until('the newest is in the editor', () => document.getText() === 'SELECT 2');
      assert.equal(document.isDirty, false);
    } finally {
      await settings.update('savedQueries.followNewer', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('undoing a reload restores mine, and theirs is shown before mine replaces it', async () => {
    const { query, document } = await openReloaded(['SELECT 1', 'SELECT 2']);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'SELECT 1');
    assert.equal(document.isDirty, true);
    await replaceAll(document, 'SELECT 1 -- mine');
    await save(document);
    await until('theirs and mine are compared', () => diffTitles().length === 1);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
    await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
    assert.deepEqual(await saved(query), [3, 'SELECT 1 -- mine']);
  });

  test('an older version restored by undo is saved after a diff with the newer one', async () => {
    const { query, document } = await openReloaded([lines, lines.replace('10', '20')]);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), lines);
    await saveInConflict(document, /version 2 by .* ↔ yours, from version 1/);
    assert.equal(document.getText(), lines, 'nothing is merged');
    assert.equal(document.isDirty, true);
    assert.deepEqual(await saved(query), [2, lines.replace('10', '20')]);
    await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
    assert.deepEqual(await saved(query), [3, lines]);
    assert.equal(document.isDirty, false);
  });

  test('a new name between a reload and an undo does not hide the newer text', async () => {
    const { query, document } = await openReloaded(['SELECT 1', 'SELECT 2']);
    const model = 'platform_governance';
    await vscode.commands.executeCommand(commands.savedQueryChangeModel, { queryId: query.query_id, model });
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'SELECT 1');
    assert.equal(await document.save(), false);
    assert.deepEqual(await saved(query), [3, 'SELECT 2']);
  });

  test('undoing two reloads returns to the first version, and theirs are not replaced unseen', async () => {
    const { query, document } = await openReloaded(['SELECT 1', 'SELECT 2', 'SELECT 3']);
    await undo(document, ['SELECT 2', 'SELECT 1']);
    await saveInConflict(document, /version 3 by .* ↔ yours, from version 1/);
    assert.deepEqual(await saved(query), [3, 'SELECT 3']);
  });

  test('undoing a reload takes effect even while a save is running', async () => {
    const { query, document } = await openReloaded(['SELECT 1', 'SELECT 2']);
    await replaceAll(document, 'SELECT 2 -- mine');
    const saving = await beginSlowSave(query, () => document.save());
    await undo(document, ['SELECT 2', 'SELECT 1']);
    await saving.end();
    assert.deepEqual(await saved(query), [3, 'SELECT 2 -- mine']);
    await saveInConflict(document, /version 3 by .* ↔ yours, from version 1/);
    assert.deepEqual(await saved(query), [3, 'SELECT 2 -- mine']);
  });

  for (const text of ['SELECT 3', 'SELECT 1']) {
    test(`typed while a save is running, ${text} is saved by the next one, although nothing was typed since`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await open(query);
      await replaceAll(document, 'SELECT 2');
      const saving = await beginSlowSave(query, () => document.save());
      await replaceAll(document, text);
      await saving.end();
      assert.deepEqual(await saved(query), [2, 'SELECT 2']);
      await save(document);
      assert.deepEqual(await saved(query), [3, text]);
    });
  }

  for (const [name, slowSave] of [
    ['Save', save],
    ["the editor's own save", (document: vscode.TextDocument) => document.save()],
  ] as const) {
    test(`a text undone while ${name} is running is based on the version before, and the saved one is not replaced unseen`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      const document = await open(query);
      await replaceAll(document, 'SELECT 2');
      const saving = await beginSlowSave(query, () => slowSave(document));
      await undo(document, ['SELECT 1']);
      await saving.end();
      assert.deepEqual(await saved(query), [2, 'SELECT 2']);
      await replaceAll(document, 'SELECT 1 -- more');
      await save(document);
      await until('the saved version and mine are compared', () => diffTitles().length === 1);
      assert.match(diffTitles()[0] ?? '', /version 2 by .* ↔ yours, from version 1/);
      assert.deepEqual(await saved(query), [2, 'SELECT 2']);
    });
  }

  test("undoing the editor's own save and later typing returns to the version before", async () => {
    const query = await createQuery(colleague, 'SELECT 1');
    const document = await open(query);
    await replaceAll(document, 'SELECT 2');
    const saving = await beginSlowSave(query, () => document.save());
    await replaceAll(document, 'SELECT 2 -- typed');
    await saving.end();
    await undo(document, ['SELECT 2', 'SELECT 1']);
    await until(
      'its tab is clean',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty === false,
    );
    await replaceAll(document, 'SELECT 1 -- more');
    await saveInConflict(document, /version 2 by .* ↔ yours, from version 1/);
    assert.deepEqual(await saved(query), [2, 'SELECT 2']);
  });

  test('undo during a save, and again afterwards, returns to the version before the reload', async () => {
    const { query, document } = await openReloaded(['SELECT 1', 'SELECT 2']);
    await replaceAll(document, 'SELECT 2 -- mine');
    const saving = await beginSlowSave(query, () => save(document));
    await undo(document, ['SELECT 2']);
    await saving.end();
    await undo(document, ['SELECT 1']);
    await saveInConflict(document, /version 3 by .* ↔ yours, from version 1/);
    assert.deepEqual(await saved(query), [3, 'SELECT 2 -- mine']);
  });

  test('undoing a saved merge does not drop the merged text', async () => {
    const query = await createQuery(colleague, lines);
    const document = await open(query);
    const mine = lines.replace('id,', 'uid,');
    await replaceAll(document, mine);
    await colleagueSaves(query, lines.replace('10', '20'));
    await save(document);
    await until('theirs and the merge are compared', () => diffTitles().length === 1);
    await save(document);
    assert.deepEqual(await saved(query), [3, mine.replace('10', '20')]);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), mine);
    assert.equal(await document.save(), false);
    assert.deepEqual(await saved(query), [3, mine.replace('10', '20')]);
  });

  for (const [button, isReloaded] of [
    ['Reload', true],
    ['Compare', false],
  ] as const) {
    test(`returning to a query that a colleague saved shows a notice with the button ${button}`, async () => {
      const query = await createQuery(colleague, 'SELECT 1');
      // Load the document without showing it, so that showing it triggers the first check.
      const document = await vscode.workspace.openTextDocument(uriOf(query));
      await colleagueSaves(query, 'SELECT 2');
      const notice = answerMessages('showInformationMessage', (buttons) =>
        buttons.find((each) => each === button),
      );
      try {
        await vscode.window.showTextDocument(document);
        const done = () => (isReloaded ? document.getText() === 'SELECT 2' : diffTitles().length === 1);
        await until(`${button} is done`, done);
        assert.deepEqual(notice.texts.length, 1);
        assert.match(
          notice.texts[0] ?? '',
          new RegExp(`^"${query.name}" has a newer version: version 2 by `),
        );
        assert.equal(document.isDirty, false);
        assert.equal(document.getText(), isReloaded ? 'SELECT 2' : 'SELECT 1');
        assert.deepEqual(await saved(query), [2, 'SELECT 2']);
      } finally {
        notice.dispose();
      }
    });
  }
});
