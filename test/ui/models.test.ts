/** The Models view on the packaged extension: browse, filter, search; kept for the next window. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connectionEnvironment } from '../../scripts/lib/sandbox.js';
import { startChangingService, type ChangingService } from '../helpers/changing-service.ts';
import { startSandbox } from '../helpers/sandbox.ts';
import { withWorkbench, type Workbench } from '../helpers/workbench.ts';

async function withModels(
  body: (workbench: Workbench, service: ChangingService) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ from: 'dist' });
  const service = await startChangingService(sandbox);
  try {
    const env = connectionEnvironment(
      { ...sandbox, address: service.address, authUrl: service.authUrl },
      'Sandbox',
    );
    await withWorkbench({ name: 'models', env }, async (workbench) => {
      await workbench.openIdentityView();
      await workbench.treeItem(/^platform_identity/).waitFor();
      await body(workbench, service);
    });
  } finally {
    await service.stop();
    await sandbox.stop();
  }
}

/** Opens a row of a tree with its own key. */
async function expand(workbench: Workbench, name: RegExp): Promise<void> {
  const row = workbench.treeItem(name).first();
  await row.scrollIntoViewIfNeeded();
  if ((await row.getAttribute('aria-expanded')) === 'true') return;
  await row.click();
}

/** Gives the Models view all the room there is. */
async function onlyModels(workbench: Workbench): Promise<void> {
  for (const name of ['Saved Queries', 'Records']) {
    const header = workbench.page.locator('.part.sidebar .pane-header', { hasText: name }).first();
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  }
}

suite('models view', () => {
  test('browse, filter, search', async () => {
    await withModels(async (workbench) => {
      const { page } = workbench;
      await onlyModels(workbench);
      await expand(workbench, /^platform_identity/);
      await expand(workbench, /^accounts, /);
      await workbench.treeItem(/^email, text, never NULL, The email address of the account/).waitFor();
      await workbench.treeItem(/^accounts, .*Used by \d+ saved queries/).waitFor();
      await workbench.treeItem(/^enabled, boolean, .*Used by \d+ saved quer/).waitFor();
      await workbench.screenshot('dark');

      await workbench.runCommand('Identity Queries: Filter Models...');
      await workbench.quickInput.fill('accounts mail');
      await workbench.treeItem(/^alias, /).waitFor({ state: 'detached' });
      await workbench.treeItem(/^email, /).waitFor();
      await workbench.screenshot('filter');
      await page.keyboard.press('Enter');
      await page.getByText('Filter: accounts mail').waitFor();
      await workbench.runCommand('Identity Queries: Clear Filter of Models');
      await workbench.treeItem(/^alias, /).waitFor();

      await workbench.runCommand('Identity Queries: Search Models, Tables and Columns...');
      await workbench.quickInput.fill('access.entitlement');
      await workbench.quickPick('access.entitlement').first().waitFor();
      await workbench.screenshot('search');
      await page.keyboard.press('Enter');
      await workbench.treeItem(/^entitlement, /).waitFor();
    });
  });

  test('another window knows the tables at once, though the service does not tell them', async () => {
    await withModels(async (first, service) => {
      await onlyModels(first);
      await expand(first, /^platform_identity/);
      await expand(first, /^accounts, /);
      await first.treeItem(/^email, /).waitFor();
      const reads = service.schemaReads;
      const second = await first.openWindow();
      await second.openIdentityView();
      await onlyModels(second);
      await expand(second, /^platform_identity/);
      await expand(second, /^accounts, /);
      await second.treeItem(/^email, /).waitFor();
      assert.equal(service.schemaReads, reads);
      await second.screenshot('kept');
    });
  });
});
