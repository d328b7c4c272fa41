/** Records, a record, and a change from confirmation to its end, clicked and typed on the packaged extension. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { createClient } from '../../api/client/client.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Theme } from '../helpers/workbench.ts';

const themes: readonly (readonly [string, Theme])[] = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
];

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

suite('the rest of the service', () => {
  for (const [short, theme] of themes) {
    test(`records, one record, and an account disabled (${short})`, async () => {
      const sandbox = await startSandbox({ from: 'dist' });
      try {
        const env = {
          ...connectionEnvironment({ ...sandbox, address: sandbox.baseUrl }, 'Sandbox'),
          IDENTITY_QUERIES_PROTECTED: '1',
        };
        await withWorkbench({ name: `service-${short}`, theme, env }, async (workbench) => {
          const { page } = workbench;
          await workbench.openIdentityView();
          await workbench.treeItem(/^Authenticators, /).waitFor();
          await workbench.treeItem(/^Accounts, Who/).click();
          await workbench.webview.getByRole('gridcell').first().waitFor();
          await workbench.webview.getByText('200 rows, more on the service').waitFor();
          await workbench.screenshot('1-accounts');
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
          await workbench.screenshot('3-record');
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
          await workbench.screenshot('6-job');
        });
      } finally {
        await sandbox.stop();
      }
    });
  }
});
