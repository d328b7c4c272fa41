/**
 * One session in a real editor, from connecting to a change. The same tests run on the sandbox and on the second
 * service (test/service), which is written only from the specification.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { authorityOf, partsOfAuthority } from '#base/files/authority.ts';
import { commands } from '#client/contributions.ts';
import type { ModelsState } from '#client/features/models/index.ts';
import { endOfChange, exportedText, exportWithStatus } from './follow-support.ts';
import { current, run, stateOf } from './run-support.ts';
import {
  activateExtension,
  answerDialogs,
  answerPrompts,
  closeAllEditors,
  connectColleague,
  connectionName,
  connectionSetting,
  createQuery,
  diffTitles,
  openRecord,
  replaceAll,
  saveMeanwhile,
  servicePrefixes,
  settledConnection,
  until,
  uriOf,
  withFolder,
} from './support.ts';

const secondName = 'Second service';
const lines = 'SELECT\n  alias,\n  email\nFROM accounts\nWHERE enabled\nLIMIT 10';

async function setConnections(value: unknown): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update('identityQueries.connections', value, target);
}

async function connect(name: string) {
  await vscode.commands.executeCommand(commands.connectionConnect, name);
  return await settledConnection();
}

for (const [name, prefix] of [
  [connectionName, servicePrefixes.sandbox],
  [secondName, servicePrefixes.second],
] as const) {
  suite(`one session on ${name}`, () => {
    let colleague: ServiceClient;
    suiteSetup(async () => {
      await activateExtension();
      colleague = connectColleague(prefix);
      const secretVariable = `${servicePrefixes.second}_CLIENT_SECRET`;
      const more = { secretVariable, allowChanges: true };
      await setConnections([connectionSetting(secondName, more, servicePrefixes.second)]);
    });
    // Each test also runs alone.
    setup(() => connect(name));
    teardown(async () => {
      await closeAllEditors();
      await vscode.commands.executeCommand('notifications.clearAll');
    });
    suiteTeardown(async () => {
      await colleague.close();
      await connect(connectionName);
      await setConnections(undefined);
    });

    const save = () => vscode.commands.executeCommand(commands.savedQuerySave);
    const inFront = () => {
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document);
      return document;
    };
    const edit = async (): Promise<{ query: SavedQuery; document: vscode.TextDocument }> => {
      const query = await createQuery(colleague, lines);
      await vscode.commands.executeCommand(commands.savedQueryOpenById, query.query_id);
      const document = inFront();
      assert.equal(document.getText(), lines);
      return { query, document };
    };
    const saved = async ({ query_id }: SavedQuery): Promise<[number, string]> => {
      const { version, query_string } = await colleague.savedQueries.get(query_id);
      return [version, query_string];
    };

    test('connects', async () => {
      const { kind, name: connected, models, allowChanges } = await connect(name);
      assert.deepEqual([kind, connected, models, allowChanges], ['connected', name, 2, true]);
    });

    test('browses models, records and saved queries', async () => {
      const expected = (await colleague.models.list()).map((model) => model.name);
      await until('the models are there', async () => {
        const { models } = await vscode.commands.executeCommand<ModelsState>(commands.modelsCurrent);
        return models?.map((model) => model.name).join() === expected.join();
      });
      await vscode.commands.executeCommand(commands.recordsOpen, 'accounts');
      await until('accounts are shown', async () => {
        const view = await current();
        return view?.header.title === 'Accounts' && view.state.kind === 'rows' && view.state.rowCount === 200;
      });
      const [role] = (await colleague.roles.list()).items;
      assert.ok(role);
      await openRecord(role.globalId);
      await createQuery(colleague, lines);
      await vscode.commands.executeCommand(commands.savedQueriesRefresh);
      await answerPrompts('accept', vscode.commands.executeCommand(commands.savedQueryOpen));
      await until('a query of this service is open', () => {
        const { scheme, authority } = inFront().uri;
        return scheme === 'identity-query' && partsOfAuthority(authority, 2)?.[0] === name;
      });
    });

    test('edits and saves', async () => {
      const { query, document } = await edit();
      await replaceAll(document, `${lines}0`);
      await save();
      assert.deepEqual([...(await saved(query)), document.isDirty], [2, `${lines}0`, false]);
    });

    test("merges a colleague's edits elsewhere, visibly", async () => {
      const { query, document } = await edit();
      const theirs = lines.replace('10', '20');
      await replaceAll(document, lines.replace('alias', 'id'));
      await saveMeanwhile(colleague, query, { query_string: theirs });
      await save();
      await until('theirs and the merge are compared', () => diffTitles().length === 1);
      const merged = theirs.replace('alias', 'id');
      assert.deepEqual([...(await saved(query)), document.getText()], [2, theirs, merged]);
      await vscode.window.showTextDocument(document);
      await save();
      assert.deepEqual([...(await saved(query)), document.isDirty], [3, merged, false]);
    });

    test('asks if a colleague changed the same line', async () => {
      const { query, document } = await edit();
      const [mine, theirs] = [lines.replace('10', '30'), lines.replace('10', '20')];
      await replaceAll(document, mine);
      await saveMeanwhile(colleague, query, { query_string: theirs });
      await save();
      await until('theirs and mine are compared', () => diffTitles().length === 1);
      assert.deepEqual([...(await saved(query)), document.getText()], [2, theirs, mine]);
      await vscode.commands.executeCommand(commands.conflictSaveMine, document.uri);
      assert.deepEqual([...(await saved(query)), document.isDirty], [3, mine, false]);
    });

    test('reverted to a newer version, closed and opened again: the next save leaves a clean editor', async () => {
      const query = await createQuery(colleague, lines);
      // Open the document as a click does. A document opened through the API stays open for minutes.
      const uri = uriOf(query).with({ authority: authorityOf(name, query.query_id) });
      const show = async () => {
        await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
        await until(
          'it is in front',
          () => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString(),
        );
        return inFront();
      };
      const document = await show();
      const theirs = `${lines} -- theirs`;
      await replaceAll(document, `${lines} -- mine`);
      await saveMeanwhile(colleague, query, { query_string: theirs });
      await vscode.commands.executeCommand('workbench.action.files.revert');
      assert.deepEqual([document.getText(), document.isDirty], [theirs, false]);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until('it is closed', () => document.isClosed);
      const again = await show();
      await replaceAll(again, `${theirs} -- and mine`);
      await save();
      await until('the editor is clean', () => !again.isDirty);
      assert.deepEqual(await saved(query), [3, `${theirs} -- and mine`]);
    });

    test('runs a saved query', async () => {
      const { query } = await edit();
      await run();
      await until('its rows are shown', async () => (await current())?.header.title === query.name);
      const { columns, rowCount, extent } = await stateOf('rows');
      assert.deepEqual(
        [columns.map((column) => column.name), rowCount, extent],
        [['alias', 'email'], 10, 'complete'],
      );
    });

    test('saves an export completely', async () => {
      const id = await vscode.commands.executeCommand<string>(commands.exportsCreate, {
        context: 'accessInventoryAccounts',
      });
      await exportWithStatus(id, 'completed');
      await withFolder(async (folder) => {
        const uri = vscode.Uri.file(path.join(folder, 'accounts.csv'));
        await vscode.commands.executeCommand(commands.exportsSave, { id, uri });
        const whole = await exportedText(colleague, id);
        assert.match(whole, /^id,globalId,/);
        assert.equal(await readFile(uri.fsPath, 'utf8'), whole);
      });
    });

    test('disables an account after one question, and follows the job to its end', async () => {
      const account = (await colleague.accounts.list()).items.findLast(({ enabled }) => enabled);
      assert.ok(account);
      const dialogs = answerDialogs();
      try {
        const id = await vscode.commands.executeCommand<string>(commands.changesDisableAccount, {
          account: account.globalId,
        });
        const [state] = await endOfChange(id);
        assert.equal(state?.kind, 'ended');
        assert.deepEqual(
          state.job?.targets.map(({ outcome }) => outcome),
          ['changed'],
        );
      } finally {
        dialogs.dispose();
      }
      assert.equal(dialogs.texts.length, 1);
      const { rows } = await colleague.queries.execute({
        query_string: 'SELECT enabled FROM accounts WHERE global_id = :id',
        parameters: { id: account.globalId },
      });
      assert.deepEqual(rows, [[false]]);
    });
  });
}
