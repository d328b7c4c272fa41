/**
 * Saved queries in one window: favorites, badges, versions, filter, groups, rename, delete, restore, open; then in Git:
 * source control, the diff and the gutter.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { repositoryAt } from '../helpers/git-clone.ts';
import { readAll } from '../helpers/read-all.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { openWorkbench, watched, type Workbench } from '../helpers/workbench.ts';

const leavers = 'Access reviews/Accounts still enabled after their owner left';

async function find(client: ServiceClient, name: string): Promise<SavedQuery> {
  for await (const query of client.savedQueries.listAll()) if (query.name === name) return query;
  throw new Error(`no saved query is called ${name}`);
}

const filedText = 'SELECT id, alias\nFROM accounts\nWHERE enabled\nORDER BY alias\nLIMIT 10\n';

async function editElsewhere(
  client: ServiceClient,
  { query_id }: SavedQuery,
  queryText: string,
): Promise<void> {
  const { name, model, version } = await client.savedQueries.get(query_id);
  const change = { name, model, query_string: queryText, expected_version: version };
  await client.savedQueries.update(query_id, change);
}

/** Runs in the page. Records each button of an empty view as it appears. */
function noteOffers(): void {
  window.offers = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('.welcome-view-content a.monaco-button'))
      if (textContent !== '') window.offers.push(textContent);
  }).observe(document.body, { childList: true, subtree: true });
}

declare global {
  interface Window {
    offers: string[];
  }
}

suite('saved queries', () => {
  let sandbox: RunningSandbox;
  let client: ServiceClient;
  let workbench: Workbench;
  before(async () => {
    sandbox = await startSandbox({ from: 'dist' });
    client = createClient({ ...sandbox });
    for (const [name, text] of [
      ['Access reviews/EU/Contractors', 'SELECT alias FROM accounts WHERE enabled -- contractors of the EU'],
      ['Access reviews/EU/Mail domains', 'SELECT split_part(email, $$@$$, 2) AS domain FROM accounts'],
    ] as const) {
      await client.savedQueries.create({
        name,
        query_string: text,
        description: 'For the quarterly review',
      });
    }
    const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
    workbench = await openWorkbench({ name: 'saved-queries', env });
  });
  after(async () => {
    try {
      await workbench.close();
      await client.close();
    } finally {
      await sandbox.stop();
    }
  });

  test('a morning with saved queries', async () => {
    await watched(workbench, async () => {
      const { page } = workbench;
      await page.evaluate(noteOffers);
      await workbench.openIdentityView();
      await workbench.treeItem(leavers).waitFor();
      // A connection exists, so the view never offers to add one, even before the connection is restored.
      assert.deepEqual(await page.evaluate(() => window.offers), []);
      await page.locator('.part.sidebar .pane-header').filter({ hasText: 'Models' }).click();

      // Click the star that a row shows on hover.
      await workbench.treeItem(leavers).hover();
      await workbench.treeItem(leavers).getByRole('button', { name: 'Add to Favorites or Remove' }).click();
      await workbench.treeItem(/^Favorites, 1/).waitFor();
      // Use the row in the folder: rows inserted later appear below the row in Favorites.
      await workbench
        .treeItem(new RegExp(`${leavers}.*favorite`))
        .last()
        .click();
      await workbench.editor.getByText('SELECT').first().waitFor();
      // As in the Explorer: a click previews and keeps the focus, and Enter opens a tab that stays.
      await page.locator('.part.sidebar .monaco-list:focus').waitFor();
      const previews = page.locator('.tabs-container .tab .label-name.italic, .tabs-container .tab .italic');
      await previews.first().waitFor();
      await page.keyboard.press('Enter');
      await previews.first().waitFor({ state: 'detached' });
      // The menu of a row shows the keys of its entries.
      await workbench
        .treeItem(new RegExp(`${leavers}.*favorite`))
        .last()
        .click({ button: 'right' });
      const keys = async (entry: string) =>
        await page
          .locator('.monaco-menu .action-item')
          .filter({ hasText: entry })
          .locator('.keybinding')
          .allInnerTexts();
      await workbench.until('the menu is open', async () => (await keys('Rename...')).length > 0);
      assert.deepEqual([await keys('Rename...'), await keys('Delete...')], [['F2'], ['Del']]);
      await workbench.screenshot('menu-of-a-query');
      await page.keyboard.press('Escape');
      // New rows would move the row under the pointer, so they appear with the next update.
      assert.equal(await workbench.treeItem(/^Recently Opened/).count(), 0);
      await workbench.runCommand('Saved Queries: Refresh');
      await workbench.treeItem(/^Recently Opened, 1/).waitFor();

      // An edit shows a badge. If a colleague saves in the meantime, a conflict appears before anything is lost.
      await workbench.setEditorText('SELECT alias FROM accounts WHERE enabled AND alias > :start');
      await workbench
        .treeItem(/Unsaved changes/)
        .first()
        .waitFor();
      await workbench.screenshot('unsaved');
      const query = await find(client, leavers);
      await client.savedQueries.update(query.query_id, {
        name: query.name,
        query_string: `${query.query_string}\n-- seen by a colleague\n`,
        expected_version: query.version,
      });
      // A row inserted above the selected one moves it but does not change the selection.
      const chosen = page.locator('.part.sidebar [role="treeitem"][aria-selected="true"]');
      await chosen.filter({ hasText: 'Accounts still enabled' }).waitFor();
      const place = async () => Number(await chosen.getAttribute('data-index'));
      const before = await place();
      await client.savedQueries.create({ name: 'Access reviews/A first one', query_string: 'SELECT 1' });
      await workbench.runCommand('Saved Queries: Refresh');
      await workbench.treeItem(/A first one/).waitFor();
      await workbench
        .treeItem(/the service has version 2/)
        .first()
        .waitFor();
      assert.match((await chosen.getAttribute('aria-label')) ?? '', new RegExp(`^${leavers}.*has version 2`));
      assert.equal(await chosen.count(), 1);
      assert.equal(await place(), before + 1, 'the row that came in stands above the chosen one');
      await workbench.screenshot('conflicting');
      await page.keyboard.press('Escape');
      await workbench.runCommand('File: Revert File');
      await workbench.runCommand('Identity Queries: Open by ID or Link...');
      await workbench.quickInput.fill(query.query_id);
      await page.keyboard.press('Enter');
      await workbench.editor.getByText('seen by a colleague').waitFor();

      // Versions appear under the query, and each can be compared with its predecessor.
      await workbench.treeItem(new RegExp(leavers)).first().locator('.monaco-tl-twistie').click();
      await workbench.treeItem(new RegExp(`^Version 2 of ${leavers}`)).waitFor();
      await workbench.screenshot('versions');
      // The entry means its row, also while the view is drawn again: nothing asks which version is meant.
      const chooseOfVersion = async (version: number, entry: string, seen: Locator): Promise<void> => {
        await workbench.chooseInMenu(new RegExp(`^Version ${version} of ${leavers}`), entry);
        await seen.waitFor();
      };
      await chooseOfVersion(2, 'Compare...', workbench.quickPick('Previous Version'));
      await workbench.quickPick('Previous Version').click();
      await workbench.tab(/version 1 ↔ version 2/).waitFor();
      await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
      await workbench.screenshots('compared');
      const question = workbench.notification('Restore version 1 of');
      await chooseOfVersion(1, 'Restore...', question);
      await question.getByRole('button', { name: 'Restore as Version 3' }).waitFor();
      // The question covers no line of the diff that it is about.
      const lines = page.locator('.monaco-diff-editor:visible .view-line');
      const below = await question.boundingBox();
      const above = await readAll(lines, (all) =>
        Math.max(...all.map((line) => line.getBoundingClientRect().bottom)),
      );
      assert.ok(below !== null && above > 0 && above <= below.y, `${above}, ${String(below?.y)}`);
      await workbench.screenshot('restore');
      await workbench.answerNotification('Restore version 1 of', 'Restore as Version 3');
      await workbench
        .treeItem(new RegExp(`^${leavers}, version 3`))
        .first()
        .waitFor();
      assert.equal((await client.savedQueries.get(query.query_id)).query_string, query.query_string);

      // Filter, groups, and sort order.
      await workbench.runCommand('Saved Queries: Filter or Show All');
      await workbench.quickInput.fill('quarterly');
      await page.getByText('Filter "quarterly": 2 of').waitFor();
      await page.keyboard.press('Enter');
      await workbench.screenshot('filtered');
      await workbench.runCommand('Saved Queries: Filter or Show All');
      await workbench.treeItem(/^Favorites, 1/).waitFor();
      await workbench.runCommand('Saved Queries: Group or Sort By...');
      await workbench.quickPick('Author').click();
      await workbench.treeItem(/^sandbox-samples, /).waitFor();
      await workbench.runCommand('Saved Queries: Group or Sort By...');
      await workbench.quickPick('Last Change').click();
      await workbench.screenshot('grouped-by-author');
      await workbench.runCommand('Saved Queries: Group or Sort By...');
      await workbench.quickPick('Folder').click();
      await workbench.treeItem(/^Access reviews, /).waitFor();

      // Rename a query into a folder, from its row.
      await workbench.chooseInMenu(/^Access reviews\/EU\/Contractors/, 'Rename...');
      await workbench.quickInput.fill('access reviews/eu/MAIL DOMAINS');
      await workbench.quickInputMessage.filter({ hasText: 'is taken' }).waitFor();
      await workbench.screenshot('name-taken');
      await workbench.quickInput.fill('Joiners/Contractors');
      await page.keyboard.press('Enter');
      await workbench.treeItem(/^Joiners\/Contractors, version 2/).waitFor();

      // Delete a query after one prompt with its name, then restore it.
      await workbench.chooseInMenu(/^Joiners\/Contractors/, 'Delete...');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('Delete the saved query "Joiners/Contractors" for all users?').waitFor();
      await workbench.screenshot('delete');
      // Their order is that of the system.
      const buttons = await dialog.locator('.dialog-buttons .monaco-button').allInnerTexts();
      assert.deepEqual(buttons.sort(), ['Delete', 'Keep']);
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await workbench.treeItem(/^Joiners\/Contractors/).waitFor({ state: 'detached' });
      await workbench.answerNotification('"Joiners/Contractors" was deleted.', 'Create Again');
      await workbench.treeItem(/^Joiners\/Contractors, version 1/).waitFor();

      // F2 and Delete act on the row that the arrow keys reached, not on the selected one.
      await workbench.treeItem(/^Joiners\/Contractors, version 1/).click();
      await workbench.editor.getByText('contractors of the EU').waitFor();
      await workbench.treeItem(/^Service accounts, 1/).click();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('F2');
      await workbench.quickInput.waitFor();
      assert.equal(await workbench.quickInput.inputValue(), 'Joiners/Contractors');
      // The rename of an open query leaves the focus in the view all the time, so that the next key changes no text.
      await workbench.quickInput.fill('Joiners/EU contractors');
      const inEditors = await page.evaluateHandle(() => {
        const seen: string[] = [];
        document.addEventListener('focusin', ({ target }) => {
          if (target instanceof Element && target.closest('.part.editor') !== null)
            seen.push(target.className);
        });
        return seen;
      });
      await page.keyboard.press('Enter');
      await workbench.tab(/EU contractors/).waitFor();
      await workbench.tab(/^Joiners\/Contractors/).waitFor({ state: 'detached' });
      await page.locator('.part.sidebar .monaco-list:focus').waitFor();
      assert.deepEqual(await inEditors.jsonValue(), []);
      await workbench.treeItem(/^Service accounts, 1/).click();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Delete');
      await dialog.getByText('Delete the saved query "Joiners/EU contractors" for all users?').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });

      // Find a query by a word that occurs only in its SQL.
      await workbench.runCommand('Identity Queries: Open Saved Query...');
      for (const heading of ['Recently Opened', 'Recently Changed'])
        await page.locator('.quick-input-list-separator', { hasText: heading }).waitFor();
      await workbench.screenshot('quick-open');
      // Enter comes before the list has answered the words, and still means them.
      await workbench.quickInput.fill('split_part');
      await page.keyboard.press('Enter');
      await workbench.editor.getByText('split_part').waitFor();

      await workbench.screenshots('view');
    });
  });

  // In the same window.
  test('in Git show the changes on each side, changed lines in the gutter, and a conflict to resolve', async () => {
    workbench.name = 'source-control';
    await watched(workbench, async () => {
      const { page } = workbench;
      await workbench.runCommand('View: Close All Editors');
      await workbench.runCommand('Notifications: Clear All Notifications');
      for await (const { query_id } of client.savedQueries.listAll())
        await client.savedQueries.delete(query_id);
      const make = (name: string) => client.savedQueries.create({ name, query_string: filedText });
      const [there, both] = [await make('Leavers'), await make('Dormant accounts')];
      await make('Orphans');
      const clone = repositoryAt(workbench.workspace);
      clone.git('init', '-q', '-b', 'main');
      await workbench.openIdentityView();
      await workbench.statusBar('Sandbox').waitFor();
      await workbench.runCommand('Identity Queries: Pull Saved Queries into Files');
      await workbench.notification('Commit them before you edit').waitFor();
      await workbench.screenshot('pulled');
      clone.commit('Pull');

      clone.write('queries/orphans.identity.sql', filedText.replace('WHERE enabled', 'WHERE NOT enabled'));
      clone.write('queries/dormant-accounts.identity.sql', filedText.replace('LIMIT 10', 'LIMIT 20'));
      clone.commit('Edit');
      await editElsewhere(client, there, filedText.replace('id, alias', 'id, alias, email'));
      await editElsewhere(client, both, filedText.replace('LIMIT 10', 'LIMIT 30'));
      await page.getByRole('tab', { name: /^Source Control/ }).click();
      await workbench.runCommand('Identity Queries: Compare Files with Saved Queries');
      for (const group of ['Decide', 'Changed Here', 'Changed on the Service'])
        await workbench.treeItem(new RegExp(`^${group}`)).waitFor();
      await workbench
        .treeItem(/dormant-accounts/)
        .first()
        .waitFor();
      await workbench.screenshots('groups');

      await workbench
        .treeItem(/orphans/)
        .first()
        .click();
      await page.getByText('Orphans (service ↔ file)').first().waitFor();
      await workbench.screenshot('diff');
      await workbench.runCommand('View: Close All Editors');
      await page.keyboard.press('ControlOrMeta+P');
      await workbench.quickInput.fill('orphans.identity.sql');
      await workbench.quickPick('orphans').first().click();
      await page.getByText('File of Orphans: changed here').first().waitFor();
      await page.locator('.dirty-diff-glyph').first().waitFor();
      await workbench.screenshots('gutter');

      await workbench.runCommand('View: Close All Editors');
      const conflict = workbench.treeItem(/dormant-accounts/).first();
      await conflict.hover();
      await workbench.screenshot('row-of-a-conflict');
      await conflict.getByRole('button', { name: /in Merge Editor/ }).click();
      const merging = page.locator('.merge-editor');
      await merging.getByText('Accept Service', { exact: true }).waitFor();
      await workbench.screenshot('merge-editor');
      await merging.getByText('Accept Service', { exact: true }).click();
      await merging.getByText('Remove Service', { exact: true }).waitFor();
      await workbench.screenshot('merged');
      await page.keyboard.press('ControlOrMeta+S');
      await workbench.until('the merged text is saved', () =>
        Promise.resolve(clone.read('queries/dormant-accounts.identity.sql').includes('LIMIT 30')),
      );
      const merged = clone.read('queries/dormant-accounts.identity.sql');
      assert.match(merged, /^LIMIT 30\nLIMIT 20$|^LIMIT 20\nLIMIT 30$/m);
      assert.doesNotMatch(merged, /<<<<<<<|>>>>>>>/);

      clone.commit('Settle');
      await workbench.runCommand('Identity Queries: Push Files to Saved Queries...');
      await workbench.quickPick('Replace version 2 of Dormant accounts with the file').click();
      await workbench.screenshot('push');
      await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
      await workbench.notification('Pushed').waitFor();
      assert.equal((await client.savedQueries.get(both.query_id)).query_string, merged);
      await workbench.treeItem(/^Decide/).waitFor({ state: 'detached' });
      await workbench.screenshot('settled');

      assert.equal(await page.locator('.notification-list-item .codicon-error').count(), 0);
    });
  });
});
