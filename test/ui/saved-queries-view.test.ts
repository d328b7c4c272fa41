/** The Saved Queries view in one window: favorites, badges, versions, filter, groups, rename, delete, restore, open. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { connectionEnvironment } from '#scripts/lib/sandbox.js';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench } from '../helpers/workbench.ts';

const leavers = 'Access reviews/Accounts still enabled after their owner left';

async function find(client: ServiceClient, name: string): Promise<SavedQuery> {
  for await (const query of client.savedQueries.listAll()) if (query.name === name) return query;
  throw new Error(`no saved query is called ${name}`);
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

suite('saved queries view', () => {
  test('a morning with saved queries', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    const client = createClient({ ...sandbox });
    try {
      for (const [name, text] of [
        [
          'Access reviews/EU/Contractors',
          'SELECT alias FROM accounts WHERE enabled -- contractors of the EU',
        ],
        ['Access reviews/EU/Mail domains', 'SELECT split_part(email, $$@$$, 2) AS domain FROM accounts'],
      ] as const) {
        await client.savedQueries.create({
          name,
          query_string: text,
          description: 'For the quarterly review',
        });
      }
      const env = connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox');
      await withWorkbench({ name: 'saved-queries', env }, async (workbench) => {
        const { page } = workbench;
        await page.evaluate(noteOffers);
        await workbench.openIdentityView();
        await workbench.treeItem(leavers).waitFor();
        // A connection exists, so the view never offers to add one, even before the connection is restored.
        assert.deepEqual(await page.evaluate(() => window.offers), []);
        await page.locator('.part.sidebar .pane-header').filter({ hasText: 'Models' }).click();

        // Click the star that a row shows on hover.
        await workbench.treeItem(leavers).hover();
        await workbench.treeItem(leavers).getByRole('button', { name: 'Add to Favorites' }).click();
        await workbench.treeItem(/^Favorites, 1/).waitFor();
        // Use the row in the folder: rows inserted later appear below the row in Favorites.
        await workbench
          .treeItem(new RegExp(`${leavers}.*favorite`))
          .last()
          .click();
        await workbench.editor.getByText('SELECT').first().waitFor();
        // As in the Explorer: a click previews and keeps the focus, and Enter opens a tab that stays.
        await page.locator('.part.sidebar .monaco-list:focus').waitFor();
        const previews = page.locator(
          '.tabs-container .tab .label-name.italic, .tabs-container .tab .italic',
        );
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
        assert.match(
          (await chosen.getAttribute('aria-label')) ?? '',
          new RegExp(`^${leavers}.*has version 2`),
        );
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
        const above = await lines.evaluateAll((all) =>
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
        // The rename of an open query leaves the focus in the view, so that the next key changes no text.
        await workbench.quickInput.fill('Joiners/EU contractors');
        await page.keyboard.press('Enter');
        await workbench.tab(/EU contractors/).waitFor();
        await page.locator('.part.sidebar .monaco-list:focus').waitFor();
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
    } finally {
      await client.close();
      await sandbox.stop();
    }
  });
});
