/**
 * Records, a record, exports from creation to the opened file, and changes from confirmation to their end, clicked and
 * typed on the packaged extension.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { createClient } from '../../api/client/client.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

async function enabledAccount(sandbox: RunningSandbox) {
  const { baseUrl, authUrl, clientId, clientSecret } = sandbox;
  const client = createClient({ baseUrl, authUrl, clientId, clientSecret });
  try {
    const { items } = await client.accounts.list();
    const account = items.find(({ enabled }) => enabled);
    assert.ok(account);
    return account;
  } finally {
    await client.close();
  }
}

/** An export in each state, then its file: saved, opened as rows. */
async function exportAndOpen(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('Identity Queries: Create Export...');
  await workbench.quickInput.fill('Platform users');
  await workbench.quickPick('Platform users').waitFor();
  await workbench.screenshot('7-export-data-set');
  for (const step of ['Form of the File', 'Life of the Link']) {
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-title').filter({ hasText: step }).waitFor();
  }
  await page.keyboard.press('Enter');
  const ready = workbench.treeItem(/^Platform users, ready/);
  await ready.waitFor();
  await workbench.notification('The export Platform users is ready').waitFor();
  await workbench.screenshots('8-export-ready');
  await ready.click();
  // The editor's own dialog, with the name of the data set in the workspace.
  await workbench.until('the dialog asks where to', async () =>
    (await workbench.quickInput.inputValue()).endsWith('platformUsers.csv'),
  );
  await page.keyboard.press('Enter');
  const saved = workbench.notification('is in platformUsers.csv');
  await saved.getByRole('button', { name: 'Open in Results' }).click();
  await workbench.webview.getByText('Platform users').first().waitFor();
  await workbench.webview.getByRole('gridcell').first().waitFor();
  await workbench.treeItem(/^Platform users, saved/).waitFor();
  await workbench.screenshots('9-export-rows');
}

/** Two accounts chosen in the grid, disabled together. */
async function changeSelectedRows(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('Identity Queries: Open Records...');
  await workbench.quickPick('Accounts').first().click();
  const cells = workbench.webview.getByRole('gridcell');
  await workbench.webview.getByText('200 rows, more on the service').waitFor();
  const id = workbench.webview.locator('.grid-cell[data-look="id"]').first();
  await cells.first().click();
  // The column of the global id comes into view.
  for (let column = 1; column < 10; column += 1) await page.keyboard.press('ArrowRight');
  await id.hover();
  await workbench.webview
    .getByRole('tooltip')
    .getByText(/Account: /)
    .waitFor();
  await workbench.screenshots('10-id');
  await page.keyboard.press('Shift+ArrowDown');
  await workbench.webview.locator('.grid-cell[aria-selected="true"]').nth(1).waitFor();
  await workbench.runCommand('Identity Queries: Change Selected Records...');
  await workbench.quickPick('Disable Account').click();
  await workbench.quickPick('globalId').first().waitFor();
  await workbench.screenshot('11-column');
  await workbench
    .quickPick(/^globalId/)
    .first()
    .click();
  await page.locator('.quick-input-title').filter({ hasText: '2 targets' }).waitFor();
  await workbench.screenshot('12-targets');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog').filter({ hasText: /Disable .*Account/ });
  await dialog.getByRole('button', { name: /Disable (2 Accounts|Account)/ }).click();
  await workbench.quickInput.fill('Sandbox');
  await page.keyboard.press('Enter');
  await workbench
    .notification(/Disable Account: /)
    .last()
    .waitFor();
  await workbench.screenshots('13-job-of-rows');
}

suite('the rest of the service', () => {
  test('records, one record, an export and changes', async () => {
    const sandbox = await startSandbox({ from: 'dist' });
    try {
      const env = {
        ...connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox'),
        IDENTITY_QUERIES_PROTECTED: '1',
      };
      await withWorkbench({ name: 'service', env }, async (workbench) => {
        const { page } = workbench;
        await workbench.openIdentityView();
        await workbench.treeItem(/^Authenticators, /).waitFor();
        await workbench.treeItem(/^Accounts, Who/).click();
        await workbench.webview.getByRole('gridcell').first().waitFor();
        await workbench.webview.getByText('200 rows, more on the service').waitFor();
        await workbench.screenshots('1-accounts');
        await workbench.webview.getByRole('gridcell').first().click();
        for (let column = 1; column < 10; column += 1) await page.keyboard.press('ArrowRight');
        await workbench.runCommand('Identity Queries: Open Record of Cell');
        await workbench.editor
          .getByText(/#\sAccount:/)
          .first()
          .waitFor();
        await workbench.runCommand('Identity Queries: Open Records...');
        await workbench.quickPick('Activities').first().click();
        await workbench.webview.getByRole('button', { name: 'Previous Window' }).click();
        await workbench.webview.getByRole('button', { name: 'Next Window' }).waitFor();
        await workbench.screenshot('2-activities');
        const account = await enabledAccount(sandbox);
        await workbench.runCommand('Identity Queries: Open Record by Global Id...');
        await workbench.quickInput.fill(account.globalId);
        await page.keyboard.press('Enter');
        await workbench.editor
          .getByText(new RegExp(`Account:\\s${account.alias}`))
          .first()
          .waitFor();
        await workbench.screenshots('3-record');
        await workbench.runCommand('Identity Queries: Disable Account...');
        await workbench.quickInput.fill(account.globalId);
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog').filter({ hasText: account.alias });
        await dialog.waitFor();
        await workbench.screenshot('4-confirm');
        await dialog.getByRole('button', { name: 'Disable Account' }).click();
        await workbench.quickInput.fill('Sandbox');
        await workbench.screenshot('5-protected');
        await page.keyboard.press('Enter');
        await workbench.treeItem(/changed, shown in the data/).waitFor();
        await workbench.screenshots('6-job');
        await exportAndOpen(workbench);
        await changeSelectedRows(workbench);
      });
    } finally {
      await sandbox.stop();
    }
  });
});
