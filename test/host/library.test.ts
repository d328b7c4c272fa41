/**
 * The query library in the editor: searched, opened read-only and run, saved to the service, and added to the folder.
 */
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SavedQuerySummary } from '#api/contract/saved-queries.ts';
import { commands } from '#client/contributions.ts';
import { run, stateOf, executePath } from './run-support.ts';
import {
  activateExtension,
  answerMessages,
  answerPrompts,
  closeAllEditors,
  connectColleague,
  requestsTo,
  until,
} from './support.ts';

suite('query library', () => {
  suiteSetup(activateExtension);
  teardown(closeAllEditors);

  interface Shown {
    readonly title: string | undefined;
    readonly labels: readonly string[];
    readonly descriptions: readonly string[];
  }

  /** Searches the library and returns the list's rows. Opens the first entry only if `accepts` is set. */
  async function browse(words: string, accepts: boolean): Promise<Shown> {
    const original = vscode.window.createQuickPick.bind(vscode.window);
    let shown: vscode.QuickPick<vscode.QuickPickItem> | undefined;
    Object.assign(vscode.window, {
      createQuickPick: () => (shown = original()),
    });
    try {
      const done = vscode.commands.executeCommand(commands.libraryBrowse);
      await until('the list is shown', () => Promise.resolve((shown?.items.length ?? 0) > 10));
      assert.ok(shown !== undefined);
      const picker = shown;
      await until('what fits is known', () => Promise.resolve(/58 of 58/.test(picker.title ?? '')));
      picker.value = words;
      await until('it is searched', () => Promise.resolve(words === '' || picker.items.length < 20));
      const items = picker.items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
      const answer = {
        title: picker.title,
        labels: items.map(({ label }) => label),
        descriptions: items.map(({ description = '' }) => description),
      };
      if (accepts) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      else picker.hide();
      await done;
      return answer;
    } finally {
      Object.assign(vscode.window, { createQuickPick: original });
    }
  }

  test('lists every control with severity, tags and fit, and searches by words', async () => {
    const before = (await requestsTo(executePath)).length;
    const all = await browse('', false);
    assert.equal(all.labels.length, 59);
    assert.equal(all.labels[0], 'Add Library to Folder...');
    const found = await browse('left critical', false);
    assert.ok(found.labels.includes('LV-03 Administrators who left and can still sign in'));
    assert.match(found.descriptions[0] ?? '', /^critical · fits · soc2=/);
    const asked = (await requestsTo(executePath)).slice(before);
    assert.ok(asked.length <= 2, 'only the columns of the models were asked for');
  });

  test('opens a control read-only, and runs it on request', async () => {
    await browse('LV-03', true);
    await until('the control is open', () =>
      Promise.resolve(vscode.window.activeTextEditor?.document.uri.scheme === 'identity-query-library'),
    );
    const document = vscode.window.activeTextEditor?.document;
    assert.match(document?.getText() ?? '', /^-- @control LV-03 /);
    assert.equal(document?.languageId, 'identity-sql');
    await run();
    await stateOf('rows');
  });

  test('saves a control to the service under its own name, on request', async () => {
    await browse('LV-02', true);
    await until('the control is open', () =>
      Promise.resolve(vscode.window.activeTextEditor?.document.uri.scheme === 'identity-query-library'),
    );
    const colleague = connectColleague();
    try {
      await answerPrompts('accept', vscode.commands.executeCommand(commands.librarySaveToService));
      const found: SavedQuerySummary[] = [];
      for await (const query of colleague.savedQueries.listSummaries({})) found.push(query);
      const saved = found.find(({ name }) => name === 'Leavers/Accounts used after their owner left');
      assert.ok(saved !== undefined);
      const record = await colleague.savedQueries.get(saved.query_id);
      assert.match(record.query_string, /^-- @control LV-02 /);
      await colleague.savedQueries.delete(saved.query_id);
    } finally {
      await colleague.close();
    }
  });

  test('is added to the folder after a confirmation, byte for byte', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined);
    const at = (file: string) => path.join(folder.uri.fsPath, file);
    let inView = '';
    const asked = answerMessages('showInformationMessage', async ([first]) => {
      if (first === 'Add to Folder') return first;
      inView = JSON.stringify(await vscode.commands.executeCommand(commands.controlsState));
      return undefined;
    });
    try {
      await vscode.commands.executeCommand(commands.libraryAddToFolder);
      assert.match(inView, /LV-02 /, 'the Testing view lists them when it is offered');
      const lock = await readFile(at('.identity-queries/packs.json'), 'utf8');
      assert.match(lock, /"identity-review-essentials"/);
      const file =
        'packs/identity-review-essentials/queries/leavers/accounts-used-after-their-owner-left.identity.sql';
      assert.match(await readFile(at(file), 'utf8'), /^-- @control LV-02 /);
      await vscode.commands.executeCommand(commands.libraryAddToFolder);
      assert.match(asked.texts.at(-1) ?? '', /already/);
    } finally {
      asked.dispose();
      await rm(at('packs'), { recursive: true, force: true });
      await rm(at('.identity-queries/packs.json'), { force: true });
      await rm(at('.identity-queries/packs'), { recursive: true, force: true });
    }
  });

  test('saves nothing if no query of the library is open', async () => {
    const told = answerMessages('showErrorMessage', () => undefined);
    try {
      await vscode.commands.executeCommand(commands.librarySaveToService);
      await until('it is said', () => Promise.resolve(told.texts.length > 0));
      assert.match(told.texts[0] ?? '', /Open a query from the library first/);
    } finally {
      told.dispose();
    }
  });
});
